"""Random focal tables: the same law by listing it and by drawing object after object."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import chisquare

from chances import assert_drawn_by
from random_choices import normalised, random_choices
from sfumato.algorithms.tables.choices import Choices
from sfumato.algorithms.tables.focal_model import FocalModel, list_focal_tables
from sfumato.algorithms.tables.rows import dense_rows, sparse_rows
from sfumato.algorithms.tables.sampler import ClassSampler, FocalSampler, ProductSampler

LANES, LISTED = 1.0, 1e12  # expected draws: so few that nothing is listed, so many that all is
STEP = 2.0**-16  # the lanes compare numbers of 16 bits first


def model_of(choices):
    """Pairs that leave one cell each; one more object is fixed in the first."""
    n = len(choices.labels)
    pairs = Choices(
        np.zeros(n, dtype=np.int64), np.arange(n + 1), np.arange(n), np.ones(n), np.arange(n)
    )
    fixed = np.zeros(n, dtype=np.int64)
    fixed[0] = 1
    return FocalModel(choices._replace(labels=np.arange(n)), fixed, pairs, np.zeros(n, np.int64))


@pytest.mark.parametrize("expected_draws", [LANES, LISTED])
@pytest.mark.parametrize("seed", range(8))
def test_draws_follow_the_exact_law(seed, expected_draws):
    rng = np.random.default_rng(seed)
    model = model_of(normalised(random_choices(rng, n_cells=4, n_objects=4)))
    counts, masses, _ = list_focal_tables(model)
    n_draws = 40_000
    sampler = FocalSampler(model, expected_draws)
    law = {tuple(row): mass for row, mass in zip(counts.tolist(), masses, strict=True)}
    assert_drawn_by(law, sampler.draw(n_draws, np.random.SeedSequence(seed)))


@pytest.mark.parametrize("n_objects", [1, 3, 60])
def test_objects_with_many_options_choose_by_their_masses(n_objects):
    n_options, n_draws = 100, 30_000  # more than lanes are worth, but for many objects
    weights = np.random.default_rng(3).dirichlet(np.ones(n_options))
    choices = Choices(
        *map(np.array, ([n_objects], [0, n_options])),
        np.arange(n_options),
        weights,
        np.arange(n_options),
    )
    drawn = FocalSampler(model_of(choices), LANES).draw(n_draws, np.random.SeedSequence(0))
    assert set(drawn.sum(axis=1)) == {1 + n_objects}
    observed = drawn.sum(axis=0) - n_draws * (np.arange(n_options) == 0)  # one object is fixed
    assert chisquare(observed, weights * n_draws * n_objects).pvalue > 1e-4


@pytest.mark.parametrize("expected_draws", [LANES, LISTED])
def test_the_mean_is_that_of_the_draws(expected_draws):
    model = model_of(normalised(random_choices(np.random.default_rng(9), n_cells=5, n_objects=6)))
    sampler = FocalSampler(model, expected_draws)
    drawn = sampler.draw(50_000, np.random.SeedSequence(1))
    standard_error = drawn.std(axis=0) / np.sqrt(len(drawn))
    assert np.all(np.abs(drawn.mean(axis=0) - sampler.mean()) <= 5 * standard_error + 1e-12)


@pytest.mark.parametrize("expected_draws", [LANES, LISTED])
@pytest.mark.parametrize("n_draws", [1, 127, 128, 129])
def test_any_number_of_draws_keeps_the_objects_together(expected_draws, n_draws):
    model = model_of(normalised(random_choices(np.random.default_rng(2), n_cells=4, n_objects=5)))
    drawn = FocalSampler(model, expected_draws).draw(n_draws, np.random.SeedSequence(0))
    assert drawn.shape == (n_draws, 4)
    assert set(drawn.sum(axis=1)) == {1 + int(model.masses.counts.sum())}


def test_nothing_to_draw_is_what_is_fixed():
    choices = Choices(*(np.zeros(0, dtype=np.int64),), np.zeros(1, np.int64), *3 * (np.zeros(0),))
    model = model_of(choices._replace(cells=np.zeros(0, np.int64), labels=np.arange(1)))
    drawn = FocalSampler(model, 10).draw(3, np.random.SeedSequence(0))
    assert drawn.tolist() == [[1], [1], [1]]


def by_class():
    """Two classes that choose among three sets: the sampler, and masses of each object's cells."""
    masses = np.array([[0.5, 0.2, 0.3], [0.0, 0.9, 0.1], [0.25, 0.25, 0.5], [1.0, 0.0, 0.0]])
    classes = np.array([0, 1, 0, 1])
    laws = np.zeros((4, 2, 3))
    laws[np.arange(4), classes] = masses
    return ClassSampler(masses, classes, 2), laws


def by_sides():
    """Three objects that draw a row and a column: the sampler, and masses of their cells."""
    a = np.array([[0.5, 0.2, 0.3], [0.0, 0.9, 0.1], [0.25, 0.25, 0.5]])
    b = np.array([[0.6, 0.4], [1.0, 0.0], [0.3, 0.7]])
    sampler = ProductSampler(*(sparse_rows(dense_rows(side)) for side in (a, b)))
    return sampler, a[:, :, None] * b[:, None, :]


@pytest.mark.parametrize("make", [by_class, by_sides])
def test_draws_object_by_object_follow_the_exact_law(make):
    sampler, laws = make()
    laws = laws.reshape(len(laws), 6)
    law = {}
    for cells in product(range(6), repeat=len(laws)):
        key = tuple(np.bincount(cells, minlength=6).tolist())
        law[key] = law.get(key, 0.0) + float(np.prod(laws[np.arange(len(laws)), list(cells)]))
    assert_drawn_by(law, sampler.draw(60_000, np.random.SeedSequence(3)))


@pytest.mark.parametrize("n_draws", [1, 128, 200])
def test_draws_from_masses_keep_the_sizes_of_the_classes(n_draws):
    rng = np.random.default_rng(0)
    classes = rng.integers(0, 4, 500)
    drawn = ClassSampler(rng.dirichlet(np.ones(5), 500), classes, 4).draw(
        n_draws, np.random.SeedSequence(1)
    )
    sizes = drawn.reshape(n_draws, 4, 5).sum(axis=2)
    assert np.array_equal(sizes, np.tile(np.bincount(classes), (n_draws, 1)))


def from_choices(weights, n_objects, n_draws, seed):
    """Choices of equal objects, of shape (n_draws, n_options), drawn as one type."""
    n = len(weights)
    choices = Choices(
        np.array([n_objects]), np.array([0, n]), np.arange(n), np.array(weights), np.arange(n)
    )
    drawn = FocalSampler(model_of(choices), 0.0).draw(n_draws, np.random.SeedSequence(seed))
    return drawn - (np.arange(n) == 0)  # one object is fixed


def from_masses(weights, n_objects, n_draws, seed):
    """The same as a class of objects with equal masses."""
    sampler = ClassSampler(np.tile(weights, (n_objects, 1)), np.zeros(n_objects, dtype=int), 1)
    return sampler.draw(n_draws, np.random.SeedSequence(seed))


by_both_samplers = pytest.mark.parametrize("draw", [from_choices, from_masses])


@by_both_samplers
@pytest.mark.parametrize(
    "weights",
    [
        [1e-6, 1 - 1e-6],
        [1 - 1e-6, 1e-6],
        [STEP, 1 - STEP],
        [1 - STEP, STEP],
        [1.5 * STEP, 0.5, 0.5 - 1.5 * STEP],
        [0.5 - 0.3 * STEP, 0.6 * STEP, 0.5 - 0.3 * STEP],
        [1 / 3, 1 / 3, 1 / 3],
        [*[0.9 * STEP] * 40, 1 - 36 * STEP],
        [*[1.1 * STEP] * 40, 1 - 44 * STEP],
    ],
)
def test_probabilities_between_two_numbers_of_16_bits_are_kept(weights, draw):
    n_objects, n_draws = 500, 100_000  # each 16-bit number falls 760 times
    chosen = draw(weights, n_objects, n_draws, seed=5).sum(axis=0)
    # eighteen cases: below 1e-4 none falls by chance
    assert chisquare(chosen, np.array(weights) * n_objects * n_draws).pvalue > 1e-4


@by_both_samplers
@pytest.mark.parametrize("weights", [[1e-300, 0.3, 0.7], [0.3, 0.7, 0.0], [0.0, 1.0, 0.0]])
def test_what_is_next_to_impossible_is_never_chosen(weights, draw):
    chosen = draw(weights, 500, 100_000, seed=6).sum(axis=0)
    assert np.array_equal(chosen > 0, np.array(weights) > 1e-200)


@by_both_samplers
def test_objects_and_draws_are_independent(draw):
    weights, n_objects, n_draws = np.array([0.2, 0.3, 0.5]), 6, 200_000
    drawn = draw(weights, n_objects, n_draws, seed=7) - n_objects * weights
    squares = (drawn[:, :, None] * drawn[:, None, :]).reshape(n_draws, 9)
    covariance = n_objects * (np.diag(weights) - np.outer(weights, weights))
    error = 5 * squares.std(axis=0) / np.sqrt(n_draws)
    assert np.all(np.abs(squares.mean(axis=0) - covariance.ravel()) <= error)
    for lag in (1, 2, 16, 63, 64, 65, 127, 128, 129, 256):  # neighbours, and the same lane again
        products = drawn[:-lag, :, None] * drawn[lag:, None, :]
        error = 5 * products.std(axis=0) / np.sqrt(n_draws - lag)
        assert np.all(np.abs(products.mean(axis=0)) <= error)


@by_both_samplers
def test_open_choices_of_one_object_are_independent_of_those_of_another(draw):
    weights, n_objects, n_draws = [0.5 * STEP, 0.5 * STEP, 1 - STEP], 2**14, 20_000
    drawn = draw(weights, n_objects, n_draws, seed=8)[:, :2]  # both nearly Poisson, of mean 1/8
    mean = np.array(weights[:2]) * n_objects
    assert np.all(np.abs(drawn.mean(axis=0) - mean) <= 5 * np.sqrt(mean / n_draws))
    variance = drawn.var(axis=0)
    assert np.all(np.abs(variance - mean) <= 5 * np.sqrt((mean + 2 * mean**2) / n_draws))
    assert abs(np.corrcoef(drawn.T)[0, 1]) <= 5 / np.sqrt(n_draws)


@by_both_samplers
@pytest.mark.parametrize("n_objects", [32_767, 32_768, 100_001])
def test_more_objects_than_16_bits_count_are_all_drawn(draw, n_objects):
    weights, n_draws = np.array([0.999, 0.001]), 300
    drawn = draw(weights, n_objects, n_draws, seed=9)
    assert np.all(drawn.sum(axis=1) == n_objects)
    spread = np.sqrt(n_objects * weights.prod())
    assert np.all(np.abs(drawn[:, 1] - n_objects * 0.001) <= 6 * spread)
    assert abs(drawn[:, 1].mean() - n_objects * 0.001) <= 5 * spread / np.sqrt(n_draws)


def test_types_with_the_same_and_with_other_cells_keep_their_own_masses():
    rng = np.random.default_rng(10)
    sets = [[0, 1, 2], [1, 2], [0, 1, 2], [3], [0, 3], [1, 2]]
    counts, sizes = np.array([3, 70, 1, 2, 5, 9]), [len(cells) for cells in sets]
    weights = [rng.dirichlet(np.ones(size)) for size in sizes]
    choices = Choices(
        counts,
        np.concatenate([[0], np.cumsum(sizes)]),
        np.concatenate(sets),
        np.concatenate(weights),
        np.arange(4),
    )
    sampler = FocalSampler(model_of(choices), 0.0)
    drawn = sampler.draw(50_000, np.random.SeedSequence(11))
    variance = np.zeros(4)
    for cells, count, own in zip(sets, counts, weights, strict=True):
        variance[cells] += count * own * (1 - own)
    error = 5 * np.sqrt(variance / len(drawn))
    assert np.all(np.abs(drawn.mean(axis=0) - sampler.mean()) <= error + 1e-9)
    assert np.all(np.abs(drawn.var(axis=0) - variance) <= 0.05 * variance + 1e-9)
