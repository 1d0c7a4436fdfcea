"""FoundEnds of squares with a weight on the margins, against every compatible table."""

import numpy as np
import pytest

from literal import all_tables, as_set, cells_of
from sfumato.algorithms.ends.both_rough import (
    far_end,
    near_end,
    weighted_far_end,
    weighted_near_end,
)
from sfumato.algorithms.ends.found_ends import Budget
from sfumato.algorithms.tables.choices import Choices, merge_tables
from sfumato.algorithms.tables.focal_model import SetTypes
from strategies import random_set_types, set_types_around

ENDS = [pytest.param(weighted_far_end, 1, id="far"), pytest.param(weighted_near_end, -1, id="near")]
WEIGHTS = np.array([0.0, 0.3, 0.5, 0.9, 1.0])
MANY = 1_000_000


def difference(tables, weights):
    tables = np.asarray(tables, dtype=float)
    margins = (tables.sum(-1) ** 2).sum(-1) + (tables.sum(-2) ** 2).sum(-1)
    return weights * margins - 2 * (tables**2).sum(axis=(-2, -1))


def random_instance(rng):
    n_rows, n_columns = (int(x) for x in rng.choice([1, 2, 3, 3, 3], 2))
    n_types = int(rng.integers(1, 7))
    sets = random_set_types(rng, n_types, (n_rows, n_columns))
    counts = rng.multinomial(int(rng.integers(3, 8)), np.full(n_types, 1 / n_types))
    return *sets, counts, n_rows, n_columns


def rough_instance(rng, n_objects, n_clusters, ambiguous):
    return *set_types_around(rng, n_objects, n_clusters, ambiguous), n_clusters, n_clusters


def solve(end, instance, weights, max_nodes=MANY, threads=1):
    row_sets, column_sets, counts, n_rows, n_columns = instance
    each = np.broadcast_to(counts, (len(weights), len(row_sets))).astype(np.int64)
    types = SetTypes(row_sets, column_sets, each)
    return end(types, (n_rows, n_columns), weights, Budget(max_nodes, threads))


@pytest.mark.parametrize("seed", range(8))
def test_both_ends_equal_those_of_all_tables(seed):
    rng = np.random.default_rng(seed)
    for _ in range(75):
        instance = random_instance(rng)
        every = all_tables(*instance[:3], instance[3:])
        tables = as_set(every)
        weights = np.append(WEIGHTS, rng.random())
        values = difference(every[:, None], weights)
        for end, sign in ((weighted_far_end, 1), (weighted_near_end, -1)):
            best = sign * (sign * values).max(axis=0)
            for max_nodes in (0, 2, MANY):
                found = solve(end, instance, weights, max_nodes)
                assert as_set(found.tables) <= tables
                assert found.values == pytest.approx(difference(found.tables, weights), abs=1e-10)
                assert (sign * found.bounds >= sign * best - 1e-10).all()
                closed = found.bounds == found.values
                assert found.values[closed] == pytest.approx(best[closed], abs=1e-10)
                assert closed.all() or max_nodes < MANY


@pytest.mark.parametrize("seed", range(4))
def test_near_end_equals_the_best_of_all_vertices(seed):
    """Every type wholly in one cell: instances that local search does not solve."""
    rng = np.random.default_rng([seed, 5])
    for _ in range(60):
        n_rows, n_columns = (int(x) for x in rng.integers(2, 5, 2))
        rows, columns = rng.integers(1, 1 << n_rows, 7), rng.integers(1, 1 << n_columns, 7)
        cells = [cells_of(a, b, (n_rows, n_columns)) for a, b in zip(rows, columns, strict=True)]
        counts = rng.integers(1, 30, 7)
        if np.prod([len(own) for own in cells]) > 5e4:
            continue
        chosen = np.stack([x.ravel() for x in np.meshgrid(*cells, indexing="ij")])
        every = np.zeros((chosen.shape[1], n_rows * n_columns))
        for own, count in zip(chosen, counts, strict=True):
            every[np.arange(len(every)), own] += count
        best = difference(every.reshape(-1, 1, n_rows, n_columns), WEIGHTS).min(axis=0)
        instance = rows.astype(np.uint32), columns.astype(np.uint32), counts, n_rows, n_columns
        for max_nodes in (0, 4, MANY):
            found = solve(weighted_near_end, instance, WEIGHTS, max_nodes)
            assert (found.bounds <= best + 1e-8).all()
            assert (found.values >= best - 1e-8).all()
            closed = found.bounds == found.values
            assert found.values[closed] == pytest.approx(best[closed], abs=1e-8)
            assert closed.all() or max_nodes < MANY


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("n_rows", "n_columns"), [(2, 2), (2, 3), (3, 3), (3, 1)])
def test_hundreds_of_objects_equal_the_listed_tables(seed, n_rows, n_columns):
    rng = np.random.default_rng([seed, n_rows, n_columns])
    certain = np.indices((n_rows, n_columns)).reshape(2, -1)
    few = [[m for m in range(1, 1 << size) if m.bit_count() <= 2] for size in (n_rows, n_columns)]
    sets = np.hstack([1 << certain, [rng.choice(own, 4) for own in few]]).astype(np.uint32)
    fixed = rng.multinomial(rng.integers(60, 280), rng.dirichlet(np.ones(n_rows * n_columns)))
    counts = np.concatenate([fixed, rng.integers(1, 6, 4)])
    cells = [cells_of(a, b, (n_rows, n_columns)) for a, b in sets.T]
    flat, starts = np.concatenate(cells), np.cumsum([0, *map(len, cells)])
    labels = np.arange(n_rows * n_columns)
    tables, _ = merge_tables(Choices(counts, starts, flat, np.ones(len(flat)), labels), "min")
    values = difference(tables.reshape(-1, 1, n_rows, n_columns), WEIGHTS)
    near = solve(weighted_near_end, (*sets, counts, n_rows, n_columns), WEIGHTS)
    far = solve(weighted_far_end, (*sets, counts, n_rows, n_columns), WEIGHTS)
    for found, expected in ((near, values.min(axis=0)), (far, values.max(axis=0))):
        assert (found.bounds == found.values).all()
        assert found.values == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize(
    ("end", "plain_end"), [(weighted_far_end, far_end), (weighted_near_end, near_end)]
)
@pytest.mark.parametrize("max_nodes", [0, 20, 2000])
def test_weight_one_is_the_search_without_weights(end, plain_end, max_nodes):
    rng = np.random.default_rng(1)
    for n_clusters in (2, 3, 4):
        row_sets, column_sets, counts, *_ = instance = rough_instance(rng, 90, n_clusters, 0.5)
        types = SetTypes(row_sets, column_sets, counts[None])
        plain = plain_end(types, (n_clusters, n_clusters), "square", Budget(max_nodes))
        found = solve(end, instance, np.ones(1), max_nodes)
        assert all((a == b).all() for a, b in zip(found, plain, strict=True))


@pytest.mark.parametrize(("end", "sign"), ENDS)
def test_weights_just_below_one_approach_the_search_without_weights(end, sign):
    instance = rough_instance(np.random.default_rng(2), 60, 3, 0.4)
    below, one = solve(end, instance, np.array([1 - 1e-9, 1.0])).values
    assert below == pytest.approx(one, abs=1e-9 * 2 * 60**2)


@pytest.mark.parametrize(("end", "sign"), ENDS)
@pytest.mark.parametrize(("n_clusters", "ambiguous"), [(2, 0.9), (3, 0.3), (3, 1.0), (5, 0.5)])
def test_more_nodes_only_tighten(end, sign, n_clusters, ambiguous):
    rng = np.random.default_rng([n_clusters, int(10 * ambiguous)])
    instance = rough_instance(rng, 120, n_clusters, ambiguous)
    found = [solve(end, instance, WEIGHTS, budget) for budget in (0, 2, 20, 200, 1000)]
    values = sign * np.array([f.values for f in found])
    bounds = sign * np.array([f.bounds for f in found])
    assert (np.diff(values, axis=0) >= 0).all()
    assert (np.diff(bounds, axis=0) <= 1e-9 * abs(bounds[0])).all()
    assert (values.max(axis=0) <= bounds.min(axis=0) + 1e-7).all()
    for f in found:
        assert f.values == pytest.approx(difference(f.tables, WEIGHTS), rel=1e-12, abs=1e-8)


@pytest.mark.parametrize(("end", "sign"), ENDS)
def test_no_random_assignment_passes_the_bound(end, sign):
    rng = np.random.default_rng(7)
    instance = rough_instance(rng, 200, 4, 0.6)
    row_sets, column_sets, counts, *shape = instance
    found = solve(end, instance, WEIGHTS, 50)
    tables = np.zeros((300, 16), dtype=np.int64)
    for t, count in enumerate(counts):
        cells = cells_of(row_sets[t], column_sets[t], shape)
        shares = rng.dirichlet(np.full(len(cells), 0.3), len(tables))
        tables[:, cells] += np.array([rng.multinomial(count, share) for share in shares])
    values = sign * difference(tables.reshape(-1, 1, 4, 4), WEIGHTS)
    assert (values <= sign * found.bounds).all()
    assert (values <= sign * found.values).all()


@pytest.mark.parametrize(("end", "sign"), ENDS)
def test_batch_order_and_threads_change_nothing(end, sign):
    rng = np.random.default_rng(3)
    sets = rng.integers(1, 8, (2, 12)).astype(np.uint32)
    counts, weights = rng.integers(0, 9, (40, 12)), rng.random(40)
    order = rng.permutation(40)
    one = solve(end, (*sets, counts, 3, 3), weights, 30)
    two = solve(end, (*sets, counts, 3, 3), weights, 30, threads=2)
    mixed = solve(end, (*sets, counts[order], 3, 3), weights[order], 30, threads=3)
    for a, b, c in zip(one, two, mixed, strict=True):
        assert (a == b).all()
        assert (a[order] == c).all()


@pytest.mark.parametrize(("end", "sign"), ENDS)
def test_large_counts_close_up_to_rounding(end, sign):
    sets = np.array([1, 2, 4, 7, 3], dtype=np.uint32)
    counts = np.array([10**7, 10**7, 10**7 + 1, 3, 2])
    found = solve(end, (sets, sets, counts, 3, 3), WEIGHTS)
    every = all_tables(sets[3:], sets[3:], counts[3:], (3, 3))[:, None]
    best = sign * (sign * difference(np.diag(counts[:3]) + every, WEIGHTS)).max(axis=0)
    assert (found.bounds == found.values).all()
    assert found.values == pytest.approx(best, abs=1e-11 * 1e15)


@pytest.mark.parametrize(("end", "sign"), ENDS)
def test_empty_batches_and_empty_instances(end, sign):
    sets = np.array([1, 3], dtype=np.uint32)
    none = solve(end, (sets, sets, np.zeros(2), 2, 3), np.zeros(0))
    assert none.tables.shape == (0, 2, 3)
    empty = solve(end, (sets, sets, np.zeros(2), 2, 3), WEIGHTS)
    assert not empty.tables.any()
    assert not empty.values.any()
    assert not empty.bounds.any()
