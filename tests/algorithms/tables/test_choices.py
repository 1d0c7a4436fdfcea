"""Merging, bounding and drawing tables, against every assignment of every object."""

from fractions import Fraction
from math import comb, prod
from operator import add, mul

import numpy as np
import pytest

import oracle
from chances import assert_drawn_by
from random_choices import brute_force, make_choices, normalised, random_choices
from sfumato.algorithms.tables.choices import (
    bound_tables,
    draw_tables,
    merge_likely,
    merge_tables,
    split_certain,
)

SEEDS = range(40)


def probable_tables(choices):
    tables, probabilities, lost = merge_likely(choices, 0.0)
    assert lost == 0.0
    return tables, probabilities


def as_dict(tables, weights):
    found = dict(zip(map(tuple, tables.tolist()), weights.tolist(), strict=True))
    assert len(found) == len(tables), "a table is listed twice"
    return found


@pytest.mark.parametrize("t_norm", oracle.T_NORMS)
def test_merged_possibilities_are_the_largest_of_all_assignments(t_norm):
    for seed in SEEDS:
        choices = random_choices(np.random.default_rng(seed))
        expected = brute_force(choices, oracle.T_NORMS[t_norm], max)
        # Weights are eighths, so sums are exact; products of six of them round six times.
        assert as_dict(*merge_tables(choices, t_norm)) == pytest.approx(expected, rel=1e-15)


def test_merged_probabilities_add_up_those_of_all_assignments():
    for seed in SEEDS:
        choices = normalised(random_choices(np.random.default_rng(seed)))
        expected = brute_force(choices, mul, add)
        found = as_dict(*probable_tables(choices))
        assert found == pytest.approx(expected, rel=1e-14)
        assert sum(found.values()) == pytest.approx(1.0, abs=1e-14)


def test_types_without_common_cells_make_every_combination():
    choices = make_choices([(1, {0: 0.5, 1: 0.5}), (2, {2: 0.5, 3: 0.5}), (1, {4: 1.0})], 5)
    tables, weights = probable_tables(choices)
    assert as_dict(tables, weights) == {
        (1 - x, x, 2 - y, y, 1): comb(2, y) / 8 for x in (0, 1) for y in (0, 1, 2)
    }


def test_nothing_to_choose_makes_the_one_empty_table():
    tables, weights = probable_tables(make_choices([], 0))
    assert tables.shape == (1, 0)
    assert weights.tolist() == [1.0]


def exact_multinomial(count: int, weights: list[float], table: tuple[int, ...]) -> Fraction:
    shares = [Fraction(w) / sum(map(Fraction, weights)) for w in weights]
    ways = prod(comb(sum(table[: i + 1]), x) for i, x in enumerate(table))
    assert sum(table) == count
    return ways * prod(p**x for p, x in zip(shares, table, strict=True))


@pytest.mark.parametrize(
    ("count", "weights"),
    [
        (400, [0.3, 0.7]),
        (500, [0.999, 0.001]),
        (300, [1e-5, 1.0]),
        (45, [0.2, 0.3, 0.5]),
        (45, [0.98, 0.01, 0.01]),
    ],
)
def test_probabilities_of_hundreds_of_equal_objects_keep_twelve_digits(count, weights):
    choices = make_choices([(count, dict(enumerate(weights)))], len(weights))
    found = as_dict(*probable_tables(choices))
    for table, probability in found.items():
        if probability > 1e-290:  # below, digits are lost to subnormal numbers
            exact = exact_multinomial(count, weights, table)
            assert probability == pytest.approx(float(exact), rel=1e-12)
    assert sum(found.values()) == pytest.approx(1.0, abs=1e-12)


def test_two_large_types_on_the_same_cells_keep_twelve_digits():
    choices = make_choices([(200, {0: 0.25, 1: 0.75}), (150, {0: 0.5, 1: 0.5})], 2)
    found = as_dict(*probable_tables(choices))
    laws = [
        [exact_multinomial(n, w, (x, n - x)) for x in range(n + 1)]
        for n, w in ((200, [0.25, 0.75]), (150, [0.5, 0.5]))
    ]
    for total in (0, 1, 60, 125, 200, 349, 350):
        exact = sum(
            laws[0][x] * laws[1][total - x] for x in range(max(0, total - 150), min(200, total) + 1)
        )
        assert found[total, 350 - total] == pytest.approx(float(exact), rel=1e-12)


@pytest.mark.parametrize("weights", [[1.0, 1e-300], [1e-300, 1.0], [0.5, 1e-300, 0.5]])
def test_a_tiny_weight_keeps_its_place_in_any_order(weights):
    choices = make_choices([(2, dict(enumerate(weights)))], len(weights))
    found = as_dict(*probable_tables(choices))
    tiny = sum(p for table, p in found.items() if table[weights.index(1e-300)] == 1)
    assert tiny == pytest.approx(2e-300, rel=1e-12)


@pytest.mark.parametrize("weights", [[1.0, 1e-300, 0.0], [0.0, 1.0, 1e-300], [0.0, 0.0, 1.0]])
def test_an_option_of_weight_zero_is_never_taken(weights):
    # The product of two masses of 1e-300 is 0.
    choices = make_choices([(3, dict(enumerate(weights)))], 3)
    found = as_dict(*probable_tables(choices))
    assert all(table[cell] == 0 for table in found for cell in range(3) if weights[cell] == 0)
    assert sum(found.values()) == 1.0


def test_splitting_off_certain_types_changes_no_table():
    for seed in SEEDS:
        choices = normalised(random_choices(np.random.default_rng(seed)))
        fixed, open_choices = split_certain(choices)
        assert (np.diff(open_choices.starts) > 1).all()
        tables, weights = probable_tables(open_choices)
        whole = np.repeat(fixed[None, :], len(tables), axis=0)
        whole[:, open_choices.labels] += tables
        expected = as_dict(*probable_tables(choices))
        assert as_dict(whole, weights) == pytest.approx(expected, rel=1e-14)


def test_the_predicted_number_of_tables_is_never_too_small():
    for seed in range(300):
        rng = np.random.default_rng(seed)
        choices = random_choices(rng, n_cells=int(rng.integers(3, 9)), n_objects=9)
        n_tables = len(merge_tables(choices, "min")[1])
        bound, merges = bound_tables(choices)
        assert n_tables <= bound * (1 + 1e-9)  # the bound goes through logarithms
        assert bound <= merges


def test_the_predicted_number_of_merges_is_never_too_small():
    for seed in range(100):
        rng = np.random.default_rng(seed)
        types = [
            (int(rng.integers(1, 4)), {0: 0.5, int(rng.integers(1, 5)): 0.5}) for _ in range(4)
        ]  # all share cell 0, so they are merged one after the other
        done, n_merges = 1, 0
        for at in range(4):
            n_merges += done * len(merge_tables(make_choices([types[at]], 5), "min")[1])
            done = len(merge_tables(make_choices(types[: at + 1], 5), "min")[1])
        assert n_merges + done <= bound_tables(make_choices(types, 5))[1] * (1 + 1e-9)


def test_the_prediction_is_sharp_for_a_single_type():
    choices = make_choices([(5, {0: 0.5, 1: 0.25, 2: 0.25})], 3)
    assert bound_tables(choices)[0] == pytest.approx(comb(7, 2), rel=1e-12)


def draw(choices, counts, n_repeats, seed=0):
    return draw_tables(
        choices, counts=np.array(counts), n_repeats=n_repeats, seed=np.random.SeedSequence(seed)
    )


@pytest.mark.parametrize("seed", range(6))
def test_drawn_tables_follow_the_exact_law(seed):
    choices = normalised(random_choices(np.random.default_rng(100 + seed), n_cells=4, n_objects=4))
    law = as_dict(*probable_tables(choices))
    assert_drawn_by(law, draw(choices, [choices.counts], 40_000, seed))


def test_draws_are_laid_out_population_by_population_and_keep_their_totals():
    choices = make_choices([(9, {0: 0.5, 1: 0.5}), (9, {2: 0.25, 3: 0.75})], 4)
    populations = [[3, 1], [0, 5], [2, 0]]
    tables = draw(choices, populations, 7)
    assert tables.shape == (21, 4)
    expected = np.repeat(populations, 7, axis=0)
    assert np.array_equal(tables[:, :2].sum(axis=1), expected[:, 0])
    assert np.array_equal(tables[:, 2:].sum(axis=1), expected[:, 1])


def test_weights_of_draws_need_not_sum_to_one():
    share = make_choices([(1000, {0: 0.25, 1: 0.75})], 2)
    weight = make_choices([(1000, {0: 2.0, 1: 6.0})], 2)
    assert np.array_equal(draw(share, [[1000]], 5), draw(weight, [[1000]], 5))


def test_no_draws_and_no_types_are_drawn_too():
    choices = make_choices([(1, {0: 0.5, 1: 0.5})], 2)
    assert draw(choices, [[1]], 0).shape == (0, 2)
    assert draw(make_choices([], 0), np.zeros((1, 0), dtype=np.int64), 3).shape == (3, 0)


@pytest.mark.parametrize("loss", [1e-9, 1e-4, 0.05])
def test_the_tables_that_are_left_out_are_unlikely_and_as_few_stay_as_predicted(loss):
    rng = np.random.default_rng(7)
    for _ in range(40):
        choices = normalised(random_choices(rng, n_cells=4, n_objects=9))
        whole = as_dict(*probable_tables(choices))
        tables, weights, lost = merge_likely(choices, loss)
        assert lost <= loss
        likely = as_dict(tables, weights)
        assert likely.keys() <= whole.keys()
        assert sum(likely.values()) + lost == pytest.approx(1.0, abs=1e-12)
        assert all(weight <= whole[table] * (1 + 1e-12) for table, weight in likely.items())
        assert len(weights) <= bound_tables(choices, loss)[0] * (1 + 1e-9)
        assert bound_tables(choices, loss)[0] <= bound_tables(choices)[0] * (1 + 1e-9)


def test_many_equal_objects_with_many_options_are_listed_without_their_unlikely_shares():
    # Shared out in all ways they would make C(205, 5) tables, 2.9e9.
    weights = dict(enumerate([0.997002, 0.000998, 0.000999, 1e-6, 0.000999, 1e-6]))
    choices = normalised(make_choices([(200, weights), (3, {0: 0.5, 1: 0.5})], 6))
    tables, masses, lost = merge_likely(choices, 1e-12)
    assert bound_tables(choices, 1e-12)[1] < 1e8
    assert lost <= 1e-12
    assert masses.sum() + lost == pytest.approx(1.0, abs=1e-12)
    means = masses @ tables
    assert means == pytest.approx(
        [199.40 + 1.5 + 4e-4, 1.6996, 0.1998, 2e-4, 0.1998, 2e-4], abs=1e-9
    )
