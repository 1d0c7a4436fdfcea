"""The cheapest tables against every choice of the objects."""

from itertools import product
from math import inf

import numpy as np
import pytest

from sfumato.algorithms.possibility.cheap_tables import cheapest_tables, expected_limit
from sfumato.algorithms.possibility.matching_profile import least_matching_at_most
from sfumato.algorithms.possibility.moves import moved_sum_ranges
from sfumato.algorithms.tables.choices import Choices

CELLS = 4


def instance(seed, n_types=5, n_cells=CELLS):
    rng = np.random.default_rng(seed)
    counts, lists = rng.integers(1, 3, size=n_types), []
    for _ in range(n_types):
        cells = rng.permutation(n_cells)[: rng.integers(1, n_cells + 1)]
        costs = rng.choice([0.0, 0.25, 0.5, 1.0, 2.0, inf], size=len(cells))
        costs[0] = 0.0
        order = rng.permutation(len(cells))
        lists.append((cells[order], costs[order]))
    starts = np.concatenate([[0], np.cumsum([len(cells) for cells, _ in lists])])
    cells, costs = (np.concatenate(part) for part in zip(*lists, strict=True))
    return Choices(counts, starts, cells, costs, np.arange(n_cells))


def every_table(choices):
    """The least cost of each table, by trying all choices of all objects."""
    options = []
    for count, first, last in zip(
        choices.counts, choices.starts[:-1], choices.starts[1:], strict=True
    ):
        options += [range(first, last)] * count
    found = {}
    for entries in product(*options):
        cost = float(choices.weights[list(entries)].sum())
        table = tuple(
            np.bincount(choices.cells[list(entries)], minlength=len(choices.labels)).tolist()
        )
        if cost < inf:
            found[table] = min(cost, found.get(table, inf))
    return found


def listed(found):
    return dict(zip(map(tuple, found.tables.tolist()), found.costs.tolist(), strict=True))


@pytest.mark.parametrize("limit", [inf, 2.0, 0.3])
def test_all_tables_below_the_limit_have_their_least_cost(limit):
    for seed in range(12):
        choices = instance(seed)
        true = every_table(choices)
        found = cheapest_tables(choices, limit=limit, most=10**6)
        assert listed(found) == {table: cost for table, cost in true.items() if cost < limit}
        assert (np.diff(found.costs) >= 0).all()
        assert limit <= found.least_dropped
        assert found.least_dropped <= min((c for c in true.values() if c >= limit), default=inf)


@pytest.mark.parametrize("most", [1, 3, 10, 40])
def test_of_too_many_tables_the_dearest_are_left_out_and_nothing_cheaper(most):
    for seed in range(12):
        choices = instance(seed)
        true = every_table(choices)
        found = cheapest_tables(choices, limit=inf, most=most)
        kept = listed(found)
        assert 1 <= len(kept) <= most
        assert all(true[table] == cost for table, cost in kept.items())
        left_out = [cost for table, cost in true.items() if table not in kept]
        assert found.least_dropped <= min(left_out, default=inf)
        assert max(kept.values()) <= found.least_dropped
        assert (found.least_dropped == inf) == (len(true) == len(kept))


def test_keys_of_several_words_give_the_same_tables():
    # A cell that many objects could come to needs a word of its own; none of them ever does.
    crowd = 2**40
    for seed in range(6):
        choices = instance(seed, n_types=4)
        n_more = 6
        many = Choices(
            counts=np.append(choices.counts, np.full(n_more, crowd)),
            starts=np.append(choices.starts, choices.starts[-1] + 2 * np.arange(1, n_more + 1)),
            cells=np.concatenate(
                [choices.cells, np.ravel([(CELLS, CELLS + 1 + x) for x in range(n_more)])]
            ),
            weights=np.append(choices.weights, np.tile([0.0, 50.0], n_more)),
            labels=np.arange(CELLS + 1 + n_more),
        )
        plain = cheapest_tables(choices, limit=60.0, most=5)
        assert plain.least_dropped < 50.0  # so that the crowd need not be merged one by one
        found = cheapest_tables(many, limit=60.0, most=5)
        assert found.costs.tolist() == plain.costs.tolist()
        assert (found.tables[:, CELLS] == n_more * crowd).all()
        assert {tuple(table[:CELLS]) for table in found.tables.tolist()} == {
            tuple(table) for table in plain.tables.tolist()
        }


def test_a_table_too_large_for_a_key_leaves_the_cheapest_only():
    n_cells, n = 700, 40
    cells = np.tile(np.arange(n_cells), n)
    costs = np.tile(np.append(0.0, np.full(n_cells - 1, 0.5)), n)
    choices = Choices(np.full(n, 10), n_cells * np.arange(n + 1), cells, costs, np.arange(n_cells))
    found = cheapest_tables(choices, limit=5.0, most=100)
    assert (found.costs.tolist(), found.least_dropped) == ([0.0], 0.5)
    assert found.tables[0, 0] == 10 * n


def test_the_expected_limit_is_the_whole_one_where_all_can_be_listed():
    for seed in range(10):
        choices = instance(seed)
        assert expected_limit(choices, limit=3.0, most=10**6) == 3.0
        assert expected_limit(choices, limit=3.0, most=1) <= 3.0


@pytest.mark.parametrize("psi", ["square", "xlogx"])
def test_sums_after_some_moves_lie_in_their_range_and_the_largest_is_attained(psi):
    def total(table):
        x = np.array(table, dtype=float)
        return float((x**2 if psi == "square" else x * np.log(np.maximum(x, 1.0))).sum())

    for counts in ([3, 1, 0], [2, 2, 5], [7], [0, 0, 4]):
        n, k = sum(counts), len(counts)
        moves = np.arange(n + 2)
        least, most = moved_sum_ranges(psi, np.array(counts), moves)
        tables = [t for t in product(range(n + 1), repeat=k) if sum(t) == n]
        for m in moves:
            near = [
                t for t in tables if sum(max(0, y - x) for x, y in zip(counts, t, strict=True)) <= m
            ]
            values = [total(t) for t in near]
            assert least[m] <= min(values) + 1e-12
            assert most[m] == pytest.approx(max(values), abs=1e-12)
        assert least[0] == pytest.approx(total(counts))


def test_no_table_with_a_small_matching_costs_less_than_is_said():
    for seed in range(12):
        choices = instance(seed, n_cells=4)
        costs = np.full((len(choices.counts), 4), inf)
        owners = np.repeat(np.arange(len(choices.counts)), np.diff(choices.starts))
        costs[owners, choices.cells] = choices.weights
        said = least_matching_at_most(costs, choices.counts, 2, 2)
        for (p, q, r, s), cost in every_table(choices).items():
            assert said[max(p + s, q + r)] <= cost
        assert (said[1:] <= said[:-1]).all()
