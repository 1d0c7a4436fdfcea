"""FoundEnds between two rough clusterings, against every compatible table."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog

from literal import PSI, all_tables, as_set, cells_of
from sfumato.algorithms.ends.both_rough import far_end, near_end
from sfumato.algorithms.ends.found_ends import Budget
from sfumato.algorithms.tables.choices import Choices, merge_tables
from sfumato.algorithms.tables.focal_model import SetTypes
from strategies import random_set_types, set_types_around

ENDS = [pytest.param(far_end, 1, id="far"), pytest.param(near_end, -1, id="near")]
MANY = 1_000_000


def distance(tables, psi):
    tables, of = np.asarray(tables), PSI[psi]
    inner = of(tables).sum(axis=(-2, -1))
    margins = of(tables.sum(-1)).sum(-1) + of(tables.sum(-2)).sum(-1)
    return margins - 2 * inner


def solve(end, row_sets, column_sets, counts, n_rows, n_columns, psi, max_nodes=MANY, threads=1):
    types = SetTypes(row_sets, column_sets, np.atleast_2d(counts).astype(np.int64))
    return end(types, (n_rows, n_columns), psi, Budget(max_nodes, threads))


def is_compatible(table, row_sets, column_sets, counts):
    """Whether the table is a sum of one share-out per type: a transportation problem."""
    variables = [
        (t, cell)
        for t in range(len(counts))
        for cell in cells_of(row_sets[t], column_sets[t], table.shape)
    ]
    equal = np.zeros((len(counts) + table.size, len(variables)))
    for v, (t, cell) in enumerate(variables):
        equal[t, v] = equal[len(counts) + cell, v] = 1
    right = np.concatenate([counts, table.ravel()])
    return linprog(np.zeros(len(variables)), A_eq=equal, b_eq=right).status == 0


@pytest.mark.parametrize("seed", range(8))
def test_both_ends_equal_those_of_all_tables(seed):
    rng = np.random.default_rng(seed)
    for _ in range(80):
        n_rows, n_columns = (int(x) for x in rng.integers(1, 5, 2))
        n_types = int(rng.integers(1, 6))
        row_sets, column_sets = random_set_types(rng, n_types, (n_rows, n_columns))
        counts = rng.multinomial(int(rng.integers(1, 9)), np.full(n_types, 1 / n_types))
        sizes = [
            len(cells_of(a, b, (n_rows, n_columns)))
            for a, b in zip(row_sets, column_sets, strict=True)
        ]
        if np.prod(np.array(sizes, dtype=float) ** counts) > 1e6:
            continue
        every = all_tables(row_sets, column_sets, counts, (n_rows, n_columns))
        tables = as_set(every)
        for psi, (end, sign) in product(PSI, [(far_end, 1), (near_end, -1)]):
            best = sign * (sign * distance(every, psi)).max()
            for max_nodes in (0, 2, 6, MANY):
                found = solve(end, row_sets, column_sets, counts, n_rows, n_columns, psi, max_nodes)
                value, bound = found.values[0], found.bounds[0]
                assert tuple(found.tables[0].ravel().tolist()) in tables
                assert value == pytest.approx(distance(found.tables[0], psi), abs=1e-9)
                assert sign * bound >= sign * best - 1e-9
                if max_nodes == MANY:
                    assert bound == value
                if bound == value:
                    assert value == pytest.approx(best, abs=1e-9)


def listed_extremes(row_sets, column_sets, counts, n_rows, n_columns, psi):
    """Smallest and largest distance over the tables listed by a dynamic program."""
    cells = [
        cells_of(a, b, (n_rows, n_columns)) for a, b in zip(row_sets, column_sets, strict=True)
    ]
    flat = np.array([cell for own in cells for cell in own])
    starts = np.cumsum([0, *map(len, cells)])
    labels = np.arange(n_rows * n_columns)
    tables, _ = merge_tables(Choices(counts, starts, flat, np.ones(len(flat)), labels), "min")
    values = distance(tables.reshape(-1, n_rows, n_columns).astype(np.int64), psi)
    return values.min(), values.max()


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("n_rows", "n_columns"), [(2, 2), (2, 3), (3, 3), (3, 1)])
def test_hundreds_of_objects_equal_the_listed_tables(seed, n_rows, n_columns):
    rng = np.random.default_rng([seed, n_rows, n_columns])
    certain_rows, certain_columns = (x.ravel() for x in np.indices((n_rows, n_columns)))
    few_rows = [m for m in range(1, 1 << n_rows) if m.bit_count() <= 2]
    few_columns = [m for m in range(1, 1 << n_columns) if m.bit_count() <= 2]
    row_sets = np.concatenate([1 << certain_rows, rng.choice(few_rows, 4)]).astype(np.uint32)
    column_sets = np.concatenate([1 << certain_columns, rng.choice(few_columns, 4)])
    column_sets = column_sets.astype(np.uint32)
    fixed = rng.multinomial(rng.integers(60, 280), rng.dirichlet(np.ones(n_rows * n_columns)))
    counts = np.concatenate([fixed, rng.integers(1, 6, 4)])
    for psi in PSI:
        ends = listed_extremes(row_sets, column_sets, counts, n_rows, n_columns, psi)
        for end, expected in zip((near_end, far_end), ends, strict=True):
            found = solve(end, row_sets, column_sets, counts, n_rows, n_columns, psi)
            assert found.bounds[0] == found.values[0]
            assert found.values[0] == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("psi", PSI)
@pytest.mark.parametrize(("end", "sign"), ENDS)
@pytest.mark.parametrize(("n_clusters", "ambiguous"), [(3, 0.3), (3, 1.0), (4, 0.3), (5, 0.8)])
def test_more_nodes_only_tighten(end, sign, psi, n_clusters, ambiguous):
    rng = np.random.default_rng([n_clusters, int(10 * ambiguous)])
    row_sets, column_sets, counts = set_types_around(rng, 120, n_clusters, ambiguous)
    size = (n_clusters, n_clusters)
    budgets = [0, 2, 20, 200, 5000]
    found = [solve(end, row_sets, column_sets, counts, *size, psi, b) for b in budgets]
    values = sign * np.array([f.values[0] for f in found])
    bounds = sign * np.array([f.bounds[0] for f in found])
    assert (np.diff(values) >= 0).all()
    assert (np.diff(bounds) <= 1e-9 * abs(bounds[0])).all()
    assert (bounds >= values).all()
    assert values[-1] <= bounds.min() + 1e-9
    for f in found:
        assert is_compatible(f.tables[0], row_sets, column_sets, counts)
        assert f.values[0] == pytest.approx(distance(f.tables[0], psi), rel=1e-12, abs=1e-9)


@pytest.mark.parametrize("psi", PSI)
@pytest.mark.parametrize(("end", "sign"), ENDS)
def test_no_random_assignment_passes_the_bound(end, sign, psi):
    rng = np.random.default_rng(7)
    row_sets, column_sets, counts = set_types_around(rng, 200, 4, 0.6)
    found = solve(end, row_sets, column_sets, counts, 4, 4, psi, 50)
    tables = np.zeros((300, 16), dtype=np.int64)
    for t, count in enumerate(counts):
        cells = cells_of(row_sets[t], column_sets[t], (4, 4))
        shares = rng.dirichlet(np.full(len(cells), 0.3), len(tables))
        tables[:, cells] += np.array([rng.multinomial(count, share) for share in shares])
    values = distance(tables.reshape(-1, 4, 4), psi)
    assert (sign * values).max() <= sign * found.bounds[0]
    assert (sign * values).max() <= sign * found.values[0]


@pytest.mark.parametrize("psi", PSI)
@pytest.mark.parametrize(("end", "sign"), ENDS)
def test_batch_order_and_threads_change_nothing(end, sign, psi):
    rng = np.random.default_rng(3)
    row_sets, column_sets = random_set_types(rng, 12, (3, 3))
    counts = rng.integers(0, 9, (40, 12))
    one = solve(end, row_sets, column_sets, counts, 3, 3, psi, 30)
    two = solve(end, row_sets, column_sets, counts, 3, 3, psi, 30, threads=2)
    order = rng.permutation(40)
    mixed = solve(end, row_sets, column_sets, counts[order], 3, 3, psi, 30, threads=3)
    alone = solve(end, row_sets, column_sets, counts[5], 3, 3, psi, 30)
    for a, b, c, d in zip(one, two, mixed, alone, strict=True):
        assert (a == b).all()
        assert (a[order] == c).all()
        assert (a[5] == d[0]).all()


@pytest.mark.parametrize("psi", PSI)
@pytest.mark.parametrize(("n_rows", "n_columns"), [(2, 2), (3, 3), (2, 5), (1, 4)])
def test_nothing_known_reaches_from_agreement_to_independence(psi, n_rows, n_columns):
    n = 60 * n_rows * n_columns
    sets = [np.array([(1 << size) - 1], dtype=np.uint32) for size in (n_rows, n_columns)]
    near = solve(near_end, *sets, [n], n_rows, n_columns, psi)
    far = solve(far_end, *sets, [n], n_rows, n_columns, psi)
    even = np.full((n_rows, n_columns), 60)
    assert near.values[0] == 0.0
    assert far.bounds[0] == far.values[0]
    assert far.values[0] >= distance(even, psi) - 1e-9
    if psi == "xlogx":  # a sum of two conditional entropies: largest where all cells are equal
        assert far.values[0] == pytest.approx(distance(even, psi))


@pytest.mark.parametrize("psi", PSI)
@pytest.mark.parametrize(("end", "sign"), ENDS)
def test_hard_clusterings_have_one_value(end, sign, psi):
    sets = (1 << np.indices((8, 8)).reshape(2, -1)).astype(np.uint32)
    table = np.random.default_rng(0).integers(0, 50, (8, 8))
    found = solve(end, *sets, table.ravel(), 8, 8, psi, 0)
    assert (found.tables[0] == table).all()
    assert found.bounds[0] == found.values[0]
    assert found.values[0] == pytest.approx(distance(table, psi))


@pytest.mark.parametrize("psi", PSI)
@pytest.mark.parametrize(("end", "sign"), ENDS)
def test_empty_batches_and_empty_instances(end, sign, psi):
    sets = np.array([1, 3], dtype=np.uint32)
    none = solve(end, sets, sets, np.zeros((0, 2)), 2, 3, psi)
    assert none.tables.shape == (0, 2, 3)
    assert none.values.shape == none.bounds.shape == (0,)
    empty = solve(end, sets, sets, np.zeros((1, 2)), 2, 3, psi)
    assert empty.values.tolist() == empty.bounds.tolist() == [0.0]
    assert not empty.tables.any()


@pytest.mark.parametrize(("end", "sign"), ENDS)
def test_large_squares_stay_exact(end, sign):
    sets = np.array([1, 2, 4, 7, 3], dtype=np.uint32)
    counts = np.array([10**7, 10**7, 10**7 + 1, 3, 2])
    found = solve(end, sets, sets, counts, 3, 3, "square")
    assert found.bounds[0] == found.values[0]
    best = sign * max(
        sign * distance(np.diag(counts[:3]) + np.reshape(rest, (3, 3)), "square")
        for rest in as_set(all_tables(sets[3:], sets[3:], counts[3:], (3, 3)))
    )
    assert found.values[0] == distance(found.tables[0], "square") == best  # all below 2**53
