"""Ends of ratios where zero over zero is within reach, against the list of all clusterings."""

import numpy as np
import pytest

import sfumato as sf
from by_method import question
from literal import all_tables, bit_masks
from objectives import objective_of
from sfumato.algorithms.ends.found_ends import Budget
from sfumato.algorithms.ends.solve import solve_types
from sfumato.algorithms.tables.focal_model import SetTypes
from sfumato.measures import measures


def literal_ends(mask, truth, measure):
    """Smallest and largest value over all clusterings within a mask."""
    shape, classes = (mask.shape[1], max(truth) + 1), 1 << np.asarray(truth)
    tables = all_tables(bit_masks(mask), classes, [1] * len(mask), shape)
    values = measures()[measure].of_tables(tables)
    return values.min(), values.max()


def masks(n, k, seed):
    rng = np.random.default_rng(seed)
    mask = rng.random((n, k)) < 0.4
    mask[:, seed % k] = True
    return mask


@pytest.mark.parametrize("seed", range(25))
def test_completeness_is_solved_where_one_cluster_is_possible_for_all(seed):
    n, k = 4 + seed % 4, 2 + seed % 2
    mask, truth = masks(n, k, seed), np.arange(n) % 2 * (seed % 3 > 0) + np.arange(n) % 2
    truth = np.unique(truth, return_inverse=True)[1]
    query = question(sf.RoughPartition(mask), truth, "completeness")
    found = solve_types(query.objective, query.joint.set_types, Budget(10_000, threads=1))
    low, high = literal_ends(mask, truth.tolist(), "completeness")
    assert found.lows[0] == pytest.approx(low, abs=1e-12)
    assert found.low_bounds[0] == found.lows[0]
    assert found.highs[0] == found.high_bounds[0] == pytest.approx(high, abs=1e-12) == 1.0


def test_a_batch_solves_every_instance_for_itself():
    row_sets, column_sets = np.array([1, 2, 3, 1, 2, 3]), np.array([1, 1, 1, 2, 2, 2])
    counts = np.array(
        [[2, 0, 0, 3, 0, 0], [0, 0, 2, 0, 0, 3], [1, 1, 0, 1, 1, 1], [1, 0, 1, 3, 0, 0]]
    )
    types = SetTypes(row_sets, column_sets, counts)
    found = solve_types(objective_of("completeness", 5, (2, 2)), types, Budget(1000, threads=1))
    for at, row in enumerate(counts):
        sets = np.repeat(row_sets, row)
        mask = (sets[:, None] >> np.arange(2)) & 1
        classes = np.repeat([0, 0, 0, 1, 1, 1], row).tolist()
        ends = literal_ends(mask, classes, "completeness")
        assert (found.lows[at], found.highs[at]) == pytest.approx(ends, abs=1e-12)
        bounds = found.low_bounds[at], found.high_bounds[at]
        assert bounds == (found.lows[at], found.highs[at])


def test_a_search_cut_short_keeps_the_truth_within_its_bracket():
    n_missed = 0
    for seed in range(30):
        mask, truth = masks(9, 4, seed), np.arange(9) % 3
        query = question(sf.RoughPartition(mask), truth, "completeness")
        low, high = literal_ends(mask, truth, "completeness")
        found = solve_types(query.objective, query.joint.set_types, Budget(0, threads=1))
        assert found.low_bounds[0] - 1e-12 <= low <= found.lows[0] + 1e-12
        assert found.highs[0] - 1e-12 <= high <= found.high_bounds[0] + 1e-12
        n_missed += low < found.lows[0] - 1e-12
    assert n_missed > 0  # what was attained is not the end


def test_many_objects_leave_a_bracket_no_wider_than_rounding():
    rng = np.random.default_rng(0)
    mask = rng.random((20_000, 3)) < 0.3
    mask[:, 0] = True
    found = sf.compare(
        sf.RoughPartition(mask), rng.integers(0, 3, 20_000), measure="completeness", rng=0
    )
    assert found.upper == 1.0
    assert found.error < 1e-6
