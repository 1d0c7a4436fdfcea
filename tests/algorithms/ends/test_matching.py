"""The ends of the largest matching against all compatible tables, listed one by one."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from literal import all_tables, as_set, is_compatible, matchings_of
from sfumato.algorithms.ends.found_ends import Budget
from sfumato.algorithms.ends.matching import largest_match, smallest_match
from sfumato.algorithms.ends.matching_program import smallest_match_program
from sfumato.algorithms.tables.focal_model import SetTypes
from strategies import random_set_types

MANY = 10**6


def solve(function, rows, columns, counts, shape, *, max_nodes=MANY, threads=1):
    return function(SetTypes(rows, columns, counts), shape, Budget(max_nodes, threads))


def check_against_all_tables(rows, columns, counts, shape, smallest, largest):
    """Compare solved ends of a batch with the list of all tables; bounds must have closed."""
    for at, own in enumerate(counts):
        tables = all_tables(rows, columns, own, shape)
        values = matchings_of(tables)
        for ends, best in ((smallest, min(values)), (largest, max(values))):
            assert as_set(ends.tables[at : at + 1]) <= as_set(tables)
            assert matchings_of(ends.tables[at]) == ends.values[at] == ends.bounds[at] == best


SMALL = [(1, 1), (1, 3), (2, 1), (2, 2), (2, 3), (3, 2), (3, 3)]
ROUGH = [(1, 2), (2, 2), (2, 3), (3, 2), (3, 3), (2, 4), (4, 3)]
LARGER = [(4, 4), (3, 4), (4, 2)]


@pytest.mark.parametrize(
    ("certain", "shape", "count"),
    [
        *product(["columns", "rows"], SMALL, [30]),
        *product(["columns"], LARGER, [8]),
        *product([None], ROUGH, [8]),
    ],
)
def test_ends_are_those_of_all_tables(certain, shape, count):
    rng = np.random.default_rng(shape[0] * 10 + shape[1])
    side = {} if certain is None else {f"certain_{certain}": True}
    for _ in range(count):
        n_types = int(rng.integers(1, 6))
        rows, columns = random_set_types(rng, n_types, shape, **side)
        n_objects = rng.integers(0, 9 if certain else 6)
        counts = rng.multinomial(n_objects, np.ones(n_types) / n_types, size=3)
        smallest = solve(smallest_match, rows, columns, counts, shape)
        largest = solve(largest_match, rows, columns, counts, shape)
        check_against_all_tables(rows, columns, counts, shape, smallest, largest)


@pytest.mark.parametrize("shape", [(3, 3), (2, 3), (4, 4), (5, 2), (12, 7)])
@pytest.mark.parametrize("n_objects", [1, 10, 143, 10**9])
def test_objects_that_may_be_anywhere_cover_the_least_and_the_most(shape, n_objects):
    rows = np.array([(1 << shape[0]) - 1], np.uint32)
    columns = np.array([(1 << shape[1]) - 1], np.uint32)
    counts = np.array([[n_objects]])
    smallest = solve(smallest_match, rows, columns, counts, shape)
    largest = solve(largest_match, rows, columns, counts, shape)
    assert smallest.values[0] == smallest.bounds[0] == -(-n_objects // max(shape))
    assert largest.values[0] == largest.bounds[0] == n_objects


def test_no_objects_cover_nothing():
    rows, columns = np.array([1, 3], np.uint32), np.array([1, 2], np.uint32)
    for shape in ((2, 2), (4, 4)):
        for function in (smallest_match, largest_match):
            ends = solve(function, rows, columns, np.zeros((2, 2), np.int64), shape)
            assert not ends.tables.any()
            assert ends.tables.shape == (2, *shape)
            assert ends.values.tolist() == ends.bounds.tolist() == [0.0, 0.0]


# --- Larger instances ------------------------------------------------------------------------


def three_types():
    """Every set of rows with every class."""
    rows, classes = np.meshgrid(np.arange(1, 8), np.arange(3), indexing="ij")
    return rows.ravel().astype(np.uint32), (1 << classes.ravel()).astype(np.uint32)


def three_counts(rng, n_objects, accuracy, share):
    """Objects of three classes; a share of them in two or three of the clusters."""
    truth = rng.integers(0, 3, n_objects)
    own = np.where(rng.random(n_objects) < accuracy, truth, rng.integers(0, 3, n_objects))
    extra = np.where(rng.random(n_objects) < share, rng.integers(1, 8, n_objects), 0)
    return np.bincount(((1 << own | extra) - 1) * 3 + truth, minlength=21)


def least_total_on_a_grid(rows, columns, counts, n):
    """The dual program for three clusters, with every x, y in [-n, n] tried."""
    u = np.stack(np.broadcast_arrays(0, *np.ogrid[-n : n + 1, -n : n + 1]))
    total = u.sum(axis=0)
    for column in (1, 2, 4):
        v = np.full(total.shape, -(10**9))
        for mask in range(1, 8):
            inside = [i for i in range(3) if mask >> i & 1]
            within = counts[(columns == column) & ((rows & ~np.uint32(mask)) == 0)].sum()
            v = np.maximum(v, -((u[inside].sum(axis=0) - within) // len(inside)))
        total = total + v
    return total.min()


@pytest.mark.parametrize(("accuracy", "share"), [(0.9, 0.4), (0.3, 0.4), (0.3, 1.0), (0.6, 0.7)])
def test_three_clusters_reach_the_least_of_all_potentials(accuracy, share):
    rng = np.random.default_rng(5)
    rows, columns = three_types()
    sizes = rng.integers(60, 120, 40)
    counts = np.array([three_counts(rng, n, accuracy, share) for n in sizes])
    ends = solve(smallest_match, rows, columns, counts, (3, 3))
    np.testing.assert_array_equal(ends.values, ends.bounds)
    np.testing.assert_array_equal(ends.values, matchings_of(ends.tables))
    for table, value, own, n in zip(ends.tables, ends.values, counts, sizes, strict=True):
        assert value == least_total_on_a_grid(rows, columns, own, n)
        assert is_compatible(table, rows, columns, own)


def types_of_class(rng, n_rows, n_pair, n_any):
    """Sets of rows of one class, certain and open ones, with their counts."""
    certain = rng.multinomial(int(rng.integers(20, 60)), np.ones(n_rows) / n_rows)
    first, second = rng.choice(n_rows, 2, replace=False)
    sets = [*(1 << np.arange(n_rows)), (1 << first) | (1 << second), (1 << n_rows) - 1]
    return sets, [*certain, n_pair, n_any]


@pytest.mark.parametrize(
    ("shape", "n_pair", "n_any"), [((2, 2), 40, 30), ((2, 3), 10, 15), ((3, 3), 5, 4)]
)
def test_larger_instances_have_the_ends_of_all_tables(shape, n_pair, n_any):
    rng = np.random.default_rng(11)
    for _ in range(4):
        types = [types_of_class(rng, shape[0], n_pair, n_any) for _ in range(shape[1])]
        lists = [all_tables(sets, [1] * len(sets), own, (shape[0], 1)) for sets, own in types]
        grids = np.meshgrid(*(np.arange(len(possible)) for possible in lists), indexing="ij")
        tables = np.concatenate(
            [possible[grid.ravel()] for possible, grid in zip(lists, grids, strict=True)], axis=2
        )
        values = matchings_of(tables)
        rows, counts = (np.concatenate(parts) for parts in zip(*types, strict=True))
        columns = np.repeat(1 << np.arange(shape[1]), shape[0] + 2)
        for function, best in ((smallest_match, values.min()), (largest_match, values.max())):
            ends = solve(function, rows, columns, counts[None], shape)
            assert ends.values[0] == ends.bounds[0] == best == matchings_of(ends.tables[0])
            assert (tables == ends.tables[0]).all(axis=(1, 2)).any()


def test_the_integer_program_agrees_with_the_compiled_search():
    rng = np.random.default_rng(13)
    rows, columns = three_types()
    counts = np.array([three_counts(rng, 150, 0.4, 0.6) for _ in range(30)])
    compiled = solve(smallest_match, rows, columns, counts, (3, 3))
    types = SetTypes(rows, columns, counts)
    _, values, bounds = smallest_match_program(types, (3, 3), Budget(MANY))
    np.testing.assert_array_equal(values, compiled.values)
    np.testing.assert_array_equal(bounds, compiled.values)


def test_huge_counts_stay_exact():
    rng = np.random.default_rng(17)
    rows, columns = three_types()
    counts = np.array([three_counts(rng, 150, 0.6, 0.6) for _ in range(20)])
    small = solve(smallest_match, rows, columns, 6 * counts, (3, 3))
    large = solve(smallest_match, rows, columns, 6 * 10**12 * counts, (3, 3))
    np.testing.assert_array_equal(large.values, 1e12 * small.values)
    np.testing.assert_array_equal(large.values, large.bounds)


def test_level_potentials_are_searched_in_little_time():
    # Everything open: the dual is level over a region that grows with the square of n.
    rows, columns = np.full(3, 7, np.uint32), np.array([1, 2, 4], np.uint32)
    counts = np.array([[100_000, 100_001, 99_999], [1, 300_000, 0], [299_990, 5, 9]])
    ends = solve(smallest_match, rows, columns, counts, (3, 3))
    np.testing.assert_array_equal(ends.values, ends.bounds)
    np.testing.assert_array_equal(ends.values, matchings_of(ends.tables))


# --- Truncated searches, threads -------------------------------------------------------------


@pytest.mark.parametrize("max_nodes", [0, 1, 3])
@pytest.mark.parametrize("shape", [(3, 3), (4, 4), (3, 5)])
@pytest.mark.parametrize("certain", [True, False])
def test_bounds_of_truncated_searches_hold(max_nodes, shape, certain):
    rng = np.random.default_rng(19)
    rows, columns = random_set_types(rng, 25, shape, certain_columns=certain)
    counts = rng.integers(0, 9, (6, 25))
    for function, sign in ((smallest_match, 1), (largest_match, -1)):
        full = solve(function, rows, columns, counts, shape)
        cut = solve(function, rows, columns, counts, shape, max_nodes=max_nodes)
        np.testing.assert_array_equal(full.values, full.bounds)
        assert (sign * cut.bounds <= sign * full.values).all()
        assert (sign * cut.values >= sign * full.values).all()
        for own, table, value in zip(counts, cut.tables, cut.values, strict=True):
            assert matchings_of(table) == value
            assert is_compatible(table, rows, columns, own)


def test_a_truncated_search_over_three_clusters_bounds_and_attains():
    rng = np.random.default_rng(23)
    rows, columns = three_types()
    counts = np.array([three_counts(rng, 90, 0.3, 0.6) for _ in range(300)])
    full = solve(smallest_match, rows, columns, counts, (3, 3))
    cut = solve(smallest_match, rows, columns, counts, (3, 3), max_nodes=0)
    assert (cut.bounds < cut.values).any()
    assert (cut.bounds <= full.values).all()
    assert (cut.values >= full.values).all()
    np.testing.assert_array_equal(cut.values, matchings_of(cut.tables))


def test_many_clusters_have_certified_bounds():
    rng = np.random.default_rng(29)
    shape = (20, 24)
    rows = (1 << rng.integers(0, 20, 60) | 1 << rng.integers(0, 20, 60)).astype(np.uint32)
    columns = (1 << rng.integers(0, 24, 60)).astype(np.uint32)
    counts = rng.integers(1, 20, (2, 60))
    smallest = solve(smallest_match, rows, columns, counts, shape, max_nodes=100)
    largest = solve(largest_match, rows, columns, counts, shape, max_nodes=100)
    np.testing.assert_array_equal(largest.values, largest.bounds)  # a certain side: one assignment
    assert (smallest.bounds <= smallest.values).all()
    assert (smallest.values <= largest.values).all()
    for own, table in zip(counts, smallest.tables, strict=True):
        assert is_compatible(table, rows, columns, own)


def test_threads_and_order_change_nothing():
    rng = np.random.default_rng(31)
    rows, columns = three_types()
    counts = np.array([three_counts(rng, 60, 0.5, 0.5) for _ in range(2500)])
    order = rng.permutation(len(counts))
    for function in (smallest_match, largest_match):
        one = solve(function, rows, columns, counts, (3, 3))
        two = solve(function, rows, columns, counts[order], (3, 3), threads=2)
        for a, b in zip(one, two, strict=True):
            np.testing.assert_array_equal(a[order], b)


def test_programs_that_are_too_large_keep_a_valid_bound():
    # 70 types that may be in nearly all of 30 x 31 cells: more flows than are solved.
    rng = np.random.default_rng(37)
    shape = (30, 31)
    rows, columns = (
        np.array([(1 << k) - 1 - (1 << int(rng.integers(k))) for _ in range(70)], np.uint32)
        for k in shape
    )
    counts = rng.integers(0, 9, (3, 70))
    cheap = solve(smallest_match, rows, columns, counts, shape)
    assert (cheap.bounds >= -(-counts.sum(axis=1) // 31)).all()  # 31 matchings share out all cells
    assert (cheap.bounds <= cheap.values).all()
    for own, table, value in zip(counts, cheap.tables, cheap.values, strict=True):
        best = linear_sum_assignment(table, maximize=True)
        assert table[best].sum() == value
        assert is_compatible(table, rows, columns, own)
