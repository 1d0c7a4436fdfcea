"""Random focal tables: the same law by listing it and by drawing object after object."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import chisquare

from algorithms.random_choices import normalised, random_choices
from sfumato.algorithms.tables.choices import Choices
from sfumato.algorithms.tables.focal import FocalModel, list_focal_tables
from sfumato.algorithms.tables.sampler import ClassSampler, FocalSampler

LANES, LISTED = 1.0, 1e12  # expected draws: so few that nothing is listed, so many that all is


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
    drawn, times = np.unique(
        sampler.draw(n_draws, np.random.SeedSequence(seed)), axis=0, return_counts=True
    )
    law = {tuple(row): mass for row, mass in zip(counts.tolist(), masses, strict=True)}
    seen = {tuple(row): count for row, count in zip(drawn.tolist(), times, strict=True)}
    assert seen.keys() <= law.keys()
    likely = [row for row, mass in law.items() if mass * n_draws >= 5]
    observed = np.array([seen.get(row, 0) for row in likely], dtype=float)
    expected = np.array([law[row] for row in likely])
    if len(likely) > 1:  # sixteen fixed seeds: below 1e-4 none falls by chance
        assert chisquare(observed, expected / expected.sum() * observed.sum()).pvalue > 1e-4


@pytest.mark.parametrize("n_objects", [1, 3])
def test_objects_with_many_options_choose_by_their_masses(n_objects):
    n_options, n_draws = 100, 30_000  # more options than lanes are worth
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


def test_draws_from_masses_follow_the_exact_law():
    masses = np.array([[0.5, 0.2, 0.3], [0.0, 0.9, 0.1], [0.25, 0.25, 0.5], [1.0, 0.0, 0.0]])
    classes = np.array([0, 1, 0, 1])
    n_draws = 60_000
    drawn = ClassSampler(masses, classes, 2).draw(n_draws, np.random.SeedSequence(3))
    law = {}
    for chosen in product(range(3), repeat=4):
        counts = np.zeros((2, 3), dtype=int)
        np.add.at(counts, (classes, list(chosen)), 1)
        key = tuple(counts.ravel().tolist())
        law[key] = law.get(key, 0.0) + float(np.prod(masses[np.arange(4), list(chosen)]))
    law = {key: mass for key, mass in law.items() if mass > 0}
    tables, times = np.unique(drawn, axis=0, return_counts=True)
    seen = {tuple(row): count for row, count in zip(tables.tolist(), times, strict=True)}
    assert seen.keys() == law.keys()
    expected = np.array([law[key] for key in seen]) * n_draws
    assert chisquare(np.array(list(seen.values())), expected).pvalue > 1e-3


@pytest.mark.parametrize("n_draws", [1, 128, 200])
def test_draws_from_masses_keep_the_sizes_of_the_classes(n_draws):
    rng = np.random.default_rng(0)
    classes = rng.integers(0, 4, 500)
    drawn = ClassSampler(rng.dirichlet(np.ones(5), 500), classes, 4).draw(
        n_draws, np.random.SeedSequence(1)
    )
    sizes = drawn.reshape(n_draws, 4, 5).sum(axis=2)
    assert np.array_equal(sizes, np.tile(np.bincount(classes), (n_draws, 1)))
