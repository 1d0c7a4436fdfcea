"""Least costs of columns, pair counts and matchings against every choice of the objects."""

from itertools import permutations, product
from math import inf

import numpy as np
import pytest

from sfumato.algorithms.possibility.class_columns import class_columns
from sfumato.algorithms.possibility.matching_profile import (
    matching_at_least,
    matching_at_most,
    n_matchings,
)
from sfumato.algorithms.possibility.profile import pair_profile
from sfumato.algorithms.possibility.t_norms import combine_all, costs_of, possibilities_of

N, K, Q = 6, 3, 3


def instance(seed, n=N, k=K, q=Q):
    rng = np.random.default_rng(seed)
    costs = rng.choice([0.25, 0.5, 1.0, 2.0, inf], size=(n, k))
    costs[np.arange(n), rng.integers(k, size=n)] = 0.0
    return costs, rng.integers(q, size=n)


def every_table(costs, classes, n_classes=Q):
    """All tables of finite cost, each with that of one way to make it."""
    n, k = costs.shape
    for rows in product(range(k), repeat=n):
        cost = sum(costs[x, i] for x, i in enumerate(rows))
        if cost < inf:
            table = np.zeros((k, n_classes), dtype=int)
            np.add.at(table, (list(rows), classes), 1)
            yield table, cost


def least(pairs):
    best = {}
    for key, cost in pairs:
        best[key] = min(cost, best.get(key, inf))
    return best


def largest_matching(table):
    k, q = table.shape
    if k < q:
        return largest_matching(table.T)
    return max(sum(table[i, j] for j, i in enumerate(rows)) for rows in permutations(range(k), q))


@pytest.mark.parametrize("limit", [inf, 1.75])
def test_columns_have_the_least_cost_of_their_objects(limit):
    for seed in range(10):
        costs, _ = instance(seed)
        true = least(
            (tuple(table[:, 0]), cost)
            for table, cost in every_table(costs, np.zeros(N, dtype=int), 1)
        )
        found = class_columns(costs, np.zeros(N, dtype=int), 1, limit=limit, max_steps=1e9)
        kept = {column: cost for column, cost in true.items() if cost < limit}
        assert dict(zip(map(tuple, found.columns), found.costs, strict=True)) == kept
        assert (np.diff(found.costs) >= 0).all()
        dropped = [cost for cost in true.values() if cost >= limit]
        assert found.least_dropped <= min(dropped, default=inf)
        assert found.least_dropped >= limit


@pytest.mark.parametrize("limit", [inf, 1.75])
def test_pair_counts_have_the_least_cost_of_their_tables(limit):
    for seed in range(10):
        costs, classes = instance(seed)
        columns = class_columns(costs, classes, Q, limit=limit, max_steps=1e9)
        tables = list(every_table(costs, classes))
        both = least((((t.sum(1) ** 2).sum(), (t**2).sum()), cost) for t, cost in tables)
        # Pairs within cells twice, less pairs within rows.
        difference = least((cells - N - (rows - N) // 2, c) for (rows, cells), c in both.items())
        found = pair_profile(columns, N, limit=limit, max_steps=1e9, only_difference=False)
        pairs = zip(found.row_squares, found.cell_squares, strict=True)
        assert least(zip(pairs, found.costs, strict=True)) == {
            key: cost for key, cost in both.items() if cost < limit
        }
        found = pair_profile(columns, N, limit=limit, max_steps=1e9, only_difference=True)
        assert set(found.row_squares.tolist()) == {N}
        assert least(zip(found.cell_squares - N, found.costs, strict=True)) == {
            key: cost for key, cost in difference.items() if cost < limit
        }


def test_with_few_steps_no_table_left_out_costs_less_than_is_said():
    for seed in range(10):
        costs, classes = instance(seed, n=8)
        columns = class_columns(costs, classes, Q, limit=inf, max_steps=1e9)
        true = least(
            (((t.sum(1) ** 2).sum(), (t**2).sum()), cost) for t, cost in every_table(costs, classes)
        )
        found = pair_profile(columns, 8, limit=inf, max_steps=2000, only_difference=False)
        pairs = zip(found.row_squares, found.cell_squares, strict=True)
        kept = least(zip(pairs, found.costs, strict=True))
        assert all(kept[key] == cost for key, cost in true.items() if cost < found.least_dropped)


def test_matchings_have_the_least_cost_of_their_tables():
    for seed in range(12):
        k, q = 1 + seed % 3, 1 + seed // 3 % 3
        costs, classes = instance(seed, 6, k, q)
        totals = [(largest_matching(t), cost) for t, cost in every_table(costs, classes, q)]
        by_cell = np.full((6, k, q), inf)
        by_cell[np.arange(6), :, classes] = costs
        at_least = matching_at_least(by_cell.reshape(6, -1), np.ones(6, dtype=int), k, q)
        columns = class_columns(costs, classes, q, limit=inf, max_steps=1e9)
        at_most, dropped = matching_at_most(columns, 6, limit=inf)
        assert dropped == inf
        for m in range(7):
            assert at_least[m] == min((c for total, c in totals if total >= m), default=inf)
            assert at_most[m] == min((c for total, c in totals if total <= m), default=inf)


def test_types_count_as_many_objects():
    costs = np.array([[0.0, 0.5, 1.0, 0.0], [0.25, 0.0, 0.0, 2.0]])
    counted = matching_at_least(costs, np.array([2, 3]), 2, 2)
    listed = matching_at_least(np.repeat(costs, [2, 3], axis=0), np.ones(5, dtype=int), 2, 2)
    assert counted.tolist() == listed.tolist()


def test_matchings_are_counted():
    assert [n_matchings(3, 3), n_matchings(2, 4), n_matchings(5, 1)] == [6, 12, 5]


@pytest.mark.parametrize("t_norm", ["product", "lukasiewicz"])
def test_sums_of_costs_are_combined_possibilities(t_norm):
    rows = np.random.default_rng(0).random((20, 4)) ** 0.1
    for row in (*rows, np.array([1.0, 0.0, 1.0, 1.0])):
        cost = costs_of(t_norm, row).sum()
        assert possibilities_of(t_norm, np.array(cost)) == pytest.approx(
            combine_all(t_norm, row), abs=1e-14
        )
