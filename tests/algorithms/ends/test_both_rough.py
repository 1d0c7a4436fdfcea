"""Ends of sums over the tables of two rough clusterings, against every compatible table.

The sum is psi of the margins less twice psi of the cells; squares may have a weight on the margins.
"""

import numpy as np
import pytest

from literal import PSI, all_tables, as_set, cells_of, is_compatible
from sfumato.algorithms.ends.both_rough import far_end, near_end
from sfumato.algorithms.ends.found_ends import Budget
from sfumato.algorithms.tables.focal_model import SetTypes
from strategies import random_set_types, set_types_around

WEIGHTS = np.array([0.0, 0.3, 0.5, 0.9, 1.0])
ONE = np.ones(1)
CASES = {"squares": ("square", ONE), "entropies": ("xlogx", ONE), "weighted": ("square", WEIGHTS)}
SIGNS = {"far": 1, "near": -1}
MANY = 1_000_000
every_case = pytest.mark.parametrize("case", CASES)
every_end = pytest.mark.parametrize("end", SIGNS)


def value(case, tables, weights=None):
    """The sum of each table, of shape (..., m); for all weights where there are some."""
    psi, own = CASES[case]
    tables, of = np.asarray(tables), PSI[psi]
    inner = of(tables).sum(axis=(-2, -1))
    margins = of(tables.sum(-1)).sum(-1) + of(tables.sum(-2)).sum(-1)
    return (own if weights is None else weights) * margins - 2 * inner


def solve(case, end, instance, max_nodes=MANY, threads=1, weights=None):
    """Ends of one instance, or of one for each weight."""
    row_sets, column_sets, counts, shape = instance
    psi, own = CASES[case]
    weights = own if weights is None else weights
    batch = np.shape(counts)[:-1] or np.shape(weights)
    counts = np.broadcast_to(counts, (*batch, len(row_sets))).astype(np.int64)
    types, budget = SetTypes(row_sets, column_sets, counts), Budget(max_nodes, threads)
    function = {"far": far_end, "near": near_end}[end]
    return function(types, shape, psi, np.broadcast_to(weights, batch), budget)


def random_instance(rng):
    while True:
        shape = tuple(int(x) for x in rng.integers(1, 5, 2))
        n_types = int(rng.integers(1, 7))
        sets = random_set_types(rng, n_types, shape)
        counts = rng.multinomial(int(rng.integers(1, 9)), np.full(n_types, 1 / n_types))
        sizes = [len(cells_of(a, b, shape)) for a, b in zip(*sets, strict=True)]
        if np.prod(np.array(sizes, dtype=float) ** counts) <= 1e6:
            return *sets, counts, shape


def instance_around(rng, n_objects, n_clusters, ambiguous):
    return *set_types_around(rng, n_objects, n_clusters, ambiguous), (n_clusters, n_clusters)


def check_best(found, sign, best, is_whole, slack):
    """Bounds hold the best value, and where they close it is attained."""
    assert (sign * found.bounds >= sign * best - slack).all()
    assert (sign * found.values <= sign * best + slack).all()
    closed = found.bounds == found.values
    assert found.values[closed] == pytest.approx(best[closed], abs=slack)
    assert closed.all() or not is_whole


@pytest.mark.parametrize("seed", range(4))
@every_case
def test_both_ends_equal_those_of_all_tables(case, seed):
    rng = np.random.default_rng(seed)
    for _ in range(75):
        instance = random_instance(rng)
        every = all_tables(*instance)
        tables, values = as_set(every), value(case, every[:, None])
        for end, sign in SIGNS.items():
            best = sign * (sign * values).max(axis=0)
            for max_nodes in (0, 2, 6, MANY):
                found = solve(case, end, instance, max_nodes)
                assert as_set(found.tables) <= tables
                assert found.values == pytest.approx(value(case, found.tables), abs=1e-9)
                check_best(found, sign, best, max_nodes == MANY, 1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_near_end_equals_the_best_of_all_vertices(seed):
    """Every type wholly in one cell: instances that local search does not solve."""
    rng = np.random.default_rng([seed, 5])
    for _ in range(60):
        shape = tuple(int(x) for x in rng.integers(2, 5, 2))
        sets, counts = random_set_types(rng, 7, shape), rng.integers(1, 30, 7)
        cells = [cells_of(a, b, shape) for a, b in zip(*sets, strict=True)]
        if np.prod([len(own) for own in cells]) > 5e4:
            continue
        chosen = np.stack([x.ravel() for x in np.meshgrid(*cells, indexing="ij")])
        every = np.zeros((chosen.shape[1], shape[0] * shape[1]))
        for own, count in zip(chosen, counts, strict=True):
            every[np.arange(len(every)), own] += count
        best = value("weighted", every.reshape(-1, 1, *shape)).min(axis=0)
        for max_nodes in (0, 4, MANY):
            found = solve("weighted", "near", (*sets, counts, shape), max_nodes)
            check_best(found, -1, best, max_nodes == MANY, 1e-8)


@pytest.mark.parametrize("seed", range(9))
@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 3), (3, 1)])
def test_hundreds_of_objects_equal_the_listed_tables(seed, shape):
    rng = np.random.default_rng([seed, *shape])
    n_cells = shape[0] * shape[1]
    certain = np.indices(shape).reshape(2, -1)
    few = [[m for m in range(1, 1 << size) if m.bit_count() <= 2] for size in shape]
    sets = np.hstack([1 << certain, [rng.choice(own, 4) for own in few]]).astype(np.uint32)
    fixed = rng.multinomial(rng.integers(60, 280), rng.dirichlet(np.ones(n_cells)))
    counts = np.concatenate([fixed, rng.integers(1, 6, 4)])
    tables = all_tables(*sets, counts, shape)[:, None]
    for case in CASES:
        values = value(case, tables)
        for end, expected in (("near", values.min(axis=0)), ("far", values.max(axis=0))):
            found = solve(case, end, (*sets, counts, shape))
            assert (found.bounds == found.values).all()
            assert found.values == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize(("n_clusters", "ambiguous"), [(2, 0.9), (3, 0.3), (3, 1.0), (5, 0.8)])
@every_case
@every_end
def test_more_nodes_only_tighten(end, case, n_clusters, ambiguous):
    rng = np.random.default_rng([n_clusters, int(10 * ambiguous)])
    instance = instance_around(rng, 120, n_clusters, ambiguous)
    found = [solve(case, end, instance, budget) for budget in (0, 2, 20, 200, 1000)]
    values = SIGNS[end] * np.array([each.values for each in found])
    bounds = SIGNS[end] * np.array([each.bounds for each in found])
    assert (np.diff(values, axis=0) >= 0).all()
    assert (np.diff(bounds, axis=0) <= 1e-9 * abs(bounds[0])).all()
    assert (values.max(axis=0) <= bounds.min(axis=0) + 1e-7).all()
    for each in found:
        assert is_compatible(each.tables[0], *instance[:3])
        assert each.values == pytest.approx(value(case, each.tables), rel=1e-12, abs=1e-8)


@every_case
@every_end
def test_batch_order_and_threads_change_nothing(end, case):
    rng = np.random.default_rng(3)
    sets = random_set_types(rng, 12, (3, 3))
    counts, order = rng.integers(0, 9, (40, 12)), rng.permutation(40)
    weights = rng.random(40) if case == "weighted" else None

    def ends(chosen, threads):
        own = None if weights is None else weights[chosen]
        return solve(case, end, (*sets, counts[chosen], (3, 3)), 30, threads, own)

    one, two = ends(np.arange(40), 1), ends(np.arange(40), 2)
    mixed, alone = ends(order, 3), ends(np.array([5]), 1)
    for a, b, c, d in zip(one, two, mixed, alone, strict=True):
        assert (a == b).all()
        assert (a[order] == c).all()
        assert (a[5] == d[0]).all()


@pytest.mark.parametrize("case", ["squares", "entropies"])
@pytest.mark.parametrize("shape", [(2, 2), (3, 3), (2, 5), (1, 4)])
def test_nothing_known_reaches_from_agreement_to_independence(case, shape):
    n = 60 * shape[0] * shape[1]
    sets = [np.array([(1 << size) - 1], dtype=np.uint32) for size in shape]
    near, far = (solve(case, end, (*sets, [n], shape)) for end in ("near", "far"))
    even = value(case, np.full(shape, 60))
    assert near.values[0] == 0.0
    assert far.bounds[0] == far.values[0]
    assert far.values[0] >= even - 1e-9
    if case == "entropies":  # a sum of two conditional ones: largest where all cells are equal
        assert far.values[0] == pytest.approx(even)


@every_case
@every_end
def test_hard_clusterings_have_one_value(end, case):
    sets = (1 << np.indices((8, 8)).reshape(2, -1)).astype(np.uint32)
    table = np.random.default_rng(0).integers(0, 50, (8, 8))
    found = solve(case, end, (*sets, table.ravel(), (8, 8)), 0)
    assert (found.tables == table).all()
    assert (found.bounds == found.values).all()
    assert found.values == pytest.approx(value(case, found.tables))


@every_case
@every_end
def test_empty_batches_and_empty_instances(end, case):
    sets = np.array([1, 3], dtype=np.uint32)
    none = solve(case, end, (sets, sets, np.zeros((0, 2)), (2, 3)), weights=np.zeros(0))
    assert none.tables.shape == (0, 2, 3)
    assert none.values.shape == none.bounds.shape == (0,)
    empty = solve(case, end, (sets, sets, np.zeros(2), (2, 3)))
    assert not empty.tables.any()
    assert not empty.values.any()
    assert not empty.bounds.any()


@pytest.mark.parametrize("case", ["squares", "weighted"])
@every_end
def test_large_squares_stay_exact(end, case):
    sets = np.array([1, 2, 4, 7, 3], dtype=np.uint32)
    counts = np.array([10**7, 10**7, 10**7 + 1, 3, 2])
    found = solve(case, end, (sets, sets, counts, (3, 3)))
    every = np.diag(counts[:3]) + all_tables(sets[3:], sets[3:], counts[3:], (3, 3))[:, None]
    best = SIGNS[end] * (SIGNS[end] * value(case, every)).max(axis=0)
    assert (found.bounds == found.values).all()
    if case == "squares":
        assert found.values[0] == value(case, found.tables)[0] == best[0]  # all below 2**53
    assert found.values == pytest.approx(best, abs=1e-11 * 1e15)
