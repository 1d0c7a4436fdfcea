"""The ends against a hard truth, next to all compatible tables and to a dynamic program."""

import numpy as np
import pytest

from literal import PSI, all_tables
from sfumato.algorithms.ends.found_ends import Budget
from sfumato.algorithms.ends.hard_truth import far_end, near_end
from sfumato.algorithms.tables.focal_model import SetTypes

ENDS = {"far": (far_end, max, 1.0), "near": (near_end, min, -1.0)}
UNLIMITED = 10**6


def objective(tables, psi, weight):
    cells = PSI[psi](tables).sum(axis=(-1, -2))
    return weight * PSI[psi](tables.sum(axis=-1)).sum(axis=-1) - 2 * cells


def solve(end, problem, *, psi, weight, max_nodes=UNLIMITED, threads=1, is_shared=False):
    row_sets, classes, counts, k, n_columns = problem
    counts = np.atleast_2d(counts)
    weight = np.broadcast_to(np.asarray(weight, dtype=float), len(counts)).copy()
    types = SetTypes(row_sets, np.left_shift(1, classes), counts)
    budget = Budget(max_nodes, threads, is_shared=is_shared)
    return end(types, (k, n_columns), psi, weight, budget)


def random_problem(rng, n, k, n_columns, n_types, batch=1):
    row_sets = rng.integers(1, 2**k, n_types).astype(np.uint32)
    classes = rng.integers(0, n_columns, n_types)
    counts = rng.multinomial(n, np.ones(n_types) / n_types, size=batch)
    return row_sets, classes, counts, k, n_columns


def is_compatible(table, problem):
    """Hall's condition: no set of rows is the only place of more objects than it holds."""
    row_sets, classes, counts, k, n_columns = problem
    rows = np.arange(1 << k)[:, None]
    confined = ((row_sets & ~rows) == 0) * counts @ np.eye(n_columns, dtype=np.int64)[classes]
    held = (rows >> np.arange(k) & 1) @ table
    return (confined <= held).all() and table.sum() == counts.sum()


def by_row_sums(problem, psi, weight, name):
    """The extreme by a dynamic program over the row sums of the first columns."""
    sign = ENDS[name][2]
    row_sets, classes, counts, k, n_columns = problem
    best = {(0,) * k: 0.0}
    for j in range(n_columns):
        at = classes == j
        columns = all_tables(row_sets[at], np.ones(at.sum()), counts[at], (k, 1))[:, :, 0]
        own = sign * -2 * PSI[psi](columns).sum(axis=1)
        sums = (np.array(list(best))[:, None] + columns[None]).reshape(-1, k)
        values = (np.array(list(best.values()))[:, None] + own[None]).ravel()
        keys, which = np.unique(sums, axis=0, return_inverse=True)
        most = np.full(len(keys), -np.inf)
        np.maximum.at(most, which.ravel(), values)
        best = dict(zip(map(tuple, keys), most, strict=True))
    rows = np.array(list(best))
    total = np.array(list(best.values())) + sign * weight * PSI[psi](rows).sum(axis=1)
    return sign * total.max()


def small_problems(rng, how_many):
    while how_many:
        k, n_columns, n = rng.integers(1, 5), rng.integers(1, 5), rng.integers(1, 9)
        problem = random_problem(rng, int(n), int(k), int(n_columns), int(rng.integers(1, 7)))
        problem = (*problem[:2], problem[2][0], *problem[3:])
        sets, classes, counts, *shape = problem
        tables = all_tables(sets, 1 << classes, counts, shape)
        if len(tables) <= 3000:
            yield problem, tables
            how_many -= 1


@pytest.mark.parametrize("psi", PSI)
@pytest.mark.parametrize("name", ENDS)
def test_ends_are_those_of_all_compatible_tables(name, psi):
    end, extreme, sign = ENDS[name]
    rng = np.random.default_rng(1)
    for problem, tables in small_problems(rng, 400):
        weights = np.array([0.0, 1.0, 2.0, rng.uniform(0, 2)])
        known = {table.tobytes() for table in tables}
        counts = np.tile(problem[2], (len(weights), 1))
        many = (*problem[:2], counts, *problem[3:])
        found = solve(end, many, psi=psi, weight=weights)
        for q, weight in enumerate(weights):
            assert found.tables[q].tobytes() in known
            value = objective(found.tables[q], psi, weight)
            assert found.values[q] == pytest.approx(value, rel=1e-12, abs=1e-11)
            exact = extreme(objective(tables, psi, weight))
            assert found.values[q] == pytest.approx(exact, rel=1e-12, abs=1e-11)
            assert found.bounds[q] == found.values[q]
        for max_nodes in (0, 2):
            short = solve(end, many, psi=psi, weight=weights, max_nodes=max_nodes)
            assert (sign * (short.bounds - found.values) >= -1e-9).all()
            assert (sign * (found.values - short.values) >= -1e-9).all()
            assert all(table.tobytes() in known for table in short.tables)


@pytest.mark.parametrize("psi", PSI)
def test_near_end_with_heavy_rows_is_bounded(psi):
    rng = np.random.default_rng(2)
    n_attained = 0
    for problem, tables in small_problems(rng, 300):
        weight = rng.uniform(2.0, 2.5)
        found = solve(near_end, problem, psi=psi, weight=weight)
        exact = min(objective(tables, psi, weight))
        assert found.bounds[0] <= exact + 1e-9
        assert found.values[0] >= exact - 1e-9
        assert is_compatible(found.tables[0], problem)
        n_attained += found.values[0] <= exact + 1e-9
        if found.bounds[0] == found.values[0]:
            assert found.values[0] <= exact + 1e-9
    assert n_attained > 290


@pytest.mark.parametrize("psi", PSI)
@pytest.mark.parametrize("name", ENDS)
@pytest.mark.parametrize(
    ("k", "n_columns", "n"), [(2, 2, 300), (2, 5, 200), (3, 2, 60), (3, 3, 60)]
)
def test_ends_agree_with_a_dynamic_program(name, psi, k, n_columns, n):
    rng = np.random.default_rng([3, k, n_columns, n])
    certain = [1 << i for i in range(k)] * n_columns
    labels = np.repeat(np.arange(n_columns), k)
    for weight in (1.0, 1.0, 0.7, 1.6):
        row_sets, classes, counts, _, _ = random_problem(rng, n // 3, k, n_columns, 2 * n_columns)
        row_sets = np.concatenate([row_sets, certain]).astype(np.uint32)
        classes = np.concatenate([classes, labels])
        of_certain = rng.multinomial(n - n // 3, np.ones(k * n_columns) / (k * n_columns))
        problem = row_sets, classes, np.concatenate([counts[0], of_certain]), k, n_columns
        found = solve(ENDS[name][0], problem, psi=psi, weight=weight)
        exact = by_row_sums(problem, psi, weight, name)
        assert found.values[0] == pytest.approx(exact, rel=1e-12)
        assert found.bounds[0] == found.values[0]
        assert is_compatible(found.tables[0], problem)


@pytest.mark.parametrize("psi", PSI)
@pytest.mark.parametrize("name", ENDS)
@pytest.mark.parametrize(
    ("k", "n_columns"), [(4, 2), (4, 4), (5, 3), (6, 2), (8, 8), (12, 5), (3, 40)]
)
def test_bounds_enclose_random_tables_of_larger_problems(name, psi, k, n_columns):
    end, _, sign = ENDS[name]
    rng = np.random.default_rng([4, k, n_columns])
    problem = random_problem(rng, 300, k, n_columns, 6 * n_columns, batch=3)
    found = solve(end, problem, psi=psi, weight=1.0, max_nodes=50)
    assert (sign * (found.bounds - found.values) >= 0).all()
    assert found.values == pytest.approx(objective(found.tables, psi, 1.0), rel=1e-12)
    for table, counts, bound in zip(found.tables, problem[2], found.bounds, strict=True):
        assert is_compatible(table, (*problem[:2], counts, k, n_columns))
        drawn = np.zeros((50, k, n_columns), dtype=np.int64)
        for row_set, label, count in zip(problem[0], problem[1], counts, strict=True):
            rows = np.flatnonzero(row_set >> np.arange(k) & 1)
            shared = rng.multinomial(count, rng.dirichlet(np.ones(len(rows)) / 3, size=50))
            drawn[:, rows, label] += shared
        assert (sign * (bound - objective(drawn, psi, 1.0)) >= -1e-9).all()


def test_far_ends_of_squares_are_bounded_by_every_search():
    rng = np.random.default_rng(8)
    for _ in range(12):
        k, n_columns = int(rng.integers(4, 6)), int(rng.integers(2, 6))
        problem = random_problem(rng, 14, k, n_columns, 2 * n_columns)
        problem = (*problem[:2], problem[2][0], *problem[3:])
        for weight in (1.0, float(rng.uniform(0.2, 3.0))):
            exact = by_row_sums(problem, "square", weight, "far")
            for max_nodes in (0, 4, 100, 400):
                found = solve(far_end, problem, psi="square", weight=weight, max_nodes=max_nodes)
                assert found.values[0] <= exact + 1e-9 <= found.bounds[0] + 2e-9
                assert is_compatible(found.tables[0], problem)


def alike(rng, problem, batch, n_moved):
    """Instances that follow one another: some objects get other sets, their classes stay."""
    row_sets, classes, counts, k, n_columns = problem
    counts = np.repeat(counts, batch, axis=0)
    for at in range(1, batch):
        counts[at] = counts[at - 1]
        for _ in range(n_moved):
            source = rng.choice(np.flatnonzero(counts[at]))
            target = rng.choice(np.flatnonzero(classes == classes[source]))
            counts[at, [source, target]] += [-1, 1] if source != target else [0, 0]
    return row_sets, classes, counts, k, n_columns


@pytest.mark.parametrize(("k", "n_columns", "n"), [(4, 2, 20), (4, 4, 20), (5, 3, 20), (6, 3, 10)])
@pytest.mark.parametrize("weight", [0.0, 1.0, 2.0])
def test_instances_that_are_alike_are_bounded_by_every_search(k, n_columns, n, weight):
    rng = np.random.default_rng([11, k, n_columns])
    problem = alike(rng, random_problem(rng, n, k, n_columns, 3 * n_columns), 10, 1)
    exact = [
        by_row_sums((*problem[:2], counts, *problem[3:]), "square", weight, "far")
        for counts in problem[2]
    ]
    for max_nodes in (0, 2, 10, 100, UNLIMITED):
        found = solve(
            far_end, problem, psi="square", weight=weight, max_nodes=max_nodes, is_shared=True
        )
        assert (found.values <= exact).all()
        assert (found.bounds >= exact).all()
        for table, counts in zip(found.tables, problem[2], strict=True):
            assert is_compatible(table, (*problem[:2], counts, *problem[3:]))
    assert found.values.tolist() == found.bounds.tolist() == exact


def test_instances_that_are_alike_share_their_nodes():
    rng = np.random.default_rng(12)
    k = 5
    sets, classes = np.divmod(np.arange(2**k * k), k)
    sets = (sets | 1 << classes).astype(np.uint32)
    counts = rng.multinomial(5000, np.ones(2**k * k) / (2**k * k), size=1)
    problem = alike(rng, (sets, classes, counts, k, k), 16, 10)

    def far(counts, max_nodes):
        own = (sets, classes, counts, k, k)
        return solve(far_end, own, psi="square", weight=1.0, max_nodes=max_nodes, is_shared=True)

    exact = np.array([far(counts, UNLIMITED).values[0] for counts in problem[2]])
    together, alone = far(problem[2], 300), [far(counts, 300) for counts in problem[2]]
    assert (together.values <= exact).all()
    assert (together.bounds >= exact).all()
    gaps = sum(found.bounds[0] - found.values[0] for found in alone)
    assert (together.bounds - together.values).sum() < 0.1 * gaps


@pytest.mark.parametrize("k", [5, 6])
def test_instances_that_share_their_nodes_are_the_same_for_any_threads(k):
    """Like and unlike ones, of several totals and weights; alone each has its own nodes."""
    rng = np.random.default_rng([13, k])
    parts = [alike(rng, random_problem(rng, n, k, 4, 40), 30, 2) for n in (400, 400, 900)]
    problem = (*parts[0][:2], np.concatenate([part[2] for part in parts]), k, 4)
    options = {"psi": "square", "weight": np.repeat([1.0, 2.0, 1.0], 30), "max_nodes": 60}
    one, two, three = (
        solve(far_end, problem, threads=threads, is_shared=True, **options) for threads in (1, 2, 3)
    )
    alone = solve(far_end, problem, threads=2, **options)
    assert (one.bounds > one.values).any()
    assert (one.bounds >= alone.values).all()
    assert (one.values <= alone.bounds).all()
    for first, second, third in zip(one, two, three, strict=True):
        assert np.array_equal(first, second)
        assert np.array_equal(first, third)
    first, rest = (
        solve(far_end, (*problem[:2], counts, k, 4), **options | {"weight": 1.0})
        for counts in (problem[2][:1], problem[2][:30])
    )
    assert first.bounds[0] == rest.bounds[0]  # by itself, whatever the others are


@pytest.mark.parametrize("sizes", [np.full(9, 90), np.arange(30, 120, 10)])
def test_rows_that_are_alike_do_not_make_far_ends_wide(sizes):
    """Every object may be in the cluster of its class and in others; each order is nearly best."""
    rng = np.random.default_rng(9)
    k = len(sizes)
    classes = np.repeat(np.arange(k), sizes)
    is_open = rng.random((len(classes), k)) < 0.4
    sets = (is_open @ (1 << np.arange(k)) | 1 << classes).astype(np.uint32)
    problem = sets, classes, np.ones(len(classes), np.int64), k, k
    found = solve(far_end, problem, psi="square", weight=1.0, max_nodes=2000)
    n_pairs = len(classes) ** 2
    assert 0.0 < (found.bounds[0] - found.values[0]) / n_pairs < 0.006  # 0.07 by boxes of rows


@pytest.mark.parametrize("k", [4, 5, 6])
def test_two_classes_agree_with_the_search(k):
    rng = np.random.default_rng([5, k])
    problem = random_problem(rng, 80, k, 2, 12, batch=20)
    found = solve(far_end, problem, psi="square", weight=1.0)
    almost = solve(far_end, problem, psi="square", weight=1.0 + 1e-13, max_nodes=3000)
    assert (found.values == found.bounds).all()
    assert (found.values >= almost.values - 1e-6).all()
    assert (found.values <= almost.bounds + 1e-6).all()


@pytest.mark.parametrize("psi", PSI)
@pytest.mark.parametrize("name", ENDS)
def test_order_and_threads_change_nothing(name, psi):
    end = ENDS[name][0]
    rng = np.random.default_rng(6)
    problem = random_problem(rng, 90, 4, 3, 14, batch=40)
    weights = rng.uniform(0, 2, 40)
    one = solve(end, problem, psi=psi, weight=weights)
    two = solve(end, problem, psi=psi, weight=weights, threads=2)
    order = rng.permutation(40)
    mixed = (*problem[:2], problem[2][order], *problem[3:])
    shuffled = solve(end, mixed, psi=psi, weight=weights[order])
    for first, second, third in zip(one, two, shuffled, strict=True):
        assert np.array_equal(first, second)
        assert np.array_equal(first[order], third)


@pytest.mark.parametrize("k", [2, 3, 5])
def test_very_many_objects_do_not_overflow(k):
    rng = np.random.default_rng([7, k])
    row_sets, classes, counts, _, _ = random_problem(rng, 90, k, 3, 9)
    few = solve(near_end, (row_sets, classes, counts, k, 3), psi="square", weight=1.0)
    for factor in (10**7, 10**9):
        many = (row_sets, classes, counts * factor, k, 3)
        near = solve(near_end, many, psi="square", weight=1.0)
        # Vertices grow with the counts, so the smallest value grows with their square.
        assert near.values == pytest.approx(few.values * float(factor) ** 2, rel=1e-12)
        far = solve(far_end, many, psi="xlogx", weight=1.0, max_nodes=100)
        assert (far.bounds >= far.values).all()
        assert is_compatible(far.tables[0], (row_sets, classes, counts[0] * factor, k, 3))


@pytest.mark.parametrize("psi", PSI)
@pytest.mark.parametrize("name", ENDS)
def test_empty_problems_have_value_zero(name, psi):
    end = ENDS[name][0]
    sets, classes = np.array([1, 3], dtype=np.uint32), np.array([0, 1])
    found = solve(end, (sets, classes, np.zeros((2, 2), np.int64), 2, 2), psi=psi, weight=1.0)
    assert found.tables.shape == (2, 2, 2)
    assert found.values.tolist() == found.bounds.tolist() == [0.0, 0.0]
    none = solve(end, (sets, classes, np.zeros((0, 2), np.int64), 2, 2), psi=psi, weight=1.0)
    assert [len(part) for part in none] == [0, 0, 0]
