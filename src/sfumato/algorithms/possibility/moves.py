"""Bound the values that are possible to a degree, by how many objects can leave their best cell.

The best cell of an object costs nothing. Any other cell has a cost. A possibility limits the total
cost, and so the number of objects that can move.
"""

from dataclasses import dataclass
from itertools import product
from math import ceil
from typing import final

import numpy as np

from sfumato._typing import Bools, Floats, Ints, TNorm
from sfumato.algorithms.possibility.t_norms import costs_of, possibilities_of
from sfumato.algorithms.tables.choices import Choices
from sfumato.algorithms.tables.ragged import owners_of
from sfumato.families import Objective, Psi, Ratio, Separable, psi_of

__all__ = ["Graded", "attained_by_moves", "bounds_by_moves", "moved_sum_ranges"]

_ROUNDING = 1e-9  # costs added in another order may sum to a little more
_MOST_CELLS = 144
_MOST_BOUNDED = 1e7  # cells, over all levels
_MOST_TABLES = 2000


@final
@dataclass(frozen=True, slots=True, eq=False)
class Graded:
    """Two possibilistic partitions joined by a t-norm, as types of objects."""

    objective: Objective
    t_norm: TNorm
    rows: Floats  # (t, k1): possibility of each cluster, for each type
    columns: Floats  # (t, k2)
    counts: Ints  # (t,): objects of each type
    levels: Floats  # (l,): all positive possibilities, highest first
    costs: Choices  # cells that each type may choose, with the costs of the t-norm as weights
    has_hard_side: bool

    def sets_at(self, level: float) -> tuple[Bools, Bools, Ints]:
        """The distinct sets of rows and of columns at a level, and the objects with each pair."""
        row_sets, row_of = np.unique(self.rows >= level, axis=0, return_inverse=True)
        column_sets, column_of = np.unique(self.columns >= level, axis=0, return_inverse=True)
        counts = np.zeros((len(row_sets), len(column_sets)), dtype=np.int64)
        np.add.at(counts, (row_of.ravel(), column_of.ravel()), self.counts)
        return row_sets, column_sets, counts


def bounds_by_moves(graded: Graded, levels: Floats) -> tuple[Floats, Floats]:
    """Certified bounds of both ends of the cuts at these levels, which fall.

    Of very many levels some are bounded, each also for those above it: cuts grow as levels fall.
    A level limits how many objects can leave the row, the column and the cell where they cost
    nothing. This brackets the sums over rows, columns and cells, and so the value.
    """
    lowest, highest = graded.objective.bounds
    low, high = np.full(len(levels), lowest), np.full(len(levels), highest)
    family = graded.objective.family
    if not isinstance(family, Separable | Ratio):
        return low, high
    objective, choices = graded.objective, graded.costs
    step = min(len(levels), ceil(len(levels) * objective.n_cells / _MOST_BOUNDED))
    if step > 1:
        some = levels[::-step][::-1]
        at: Ints = np.searchsorted(-some, -levels)
        low, high = bounds_by_moves(graded, some)
        return low[at], high[at]
    table = _base_table(objective, choices)
    limits = costs_of(graded.t_norm, levels) + _ROUNDING
    n_columns = objective.shape[1]
    ranges = [
        moved_sum_ranges(family.psi, counts, _most_moves(choices, part, limits))
        for counts, part in (
            (table.sum(axis=1), choices.labels // n_columns),
            (table.sum(axis=0), choices.labels % n_columns),
            (table.ravel(), choices.labels),
        )
    ]
    # A corner is nan where a denominator may be zero. Then the corners give no bound.
    of_sums = np.vectorize(family.of_sums, otypes=[np.float64])
    corners = np.array([of_sums(*corner) for corner in product(*ranges)])
    slack = 1e-12 * np.maximum(1.0, np.abs(corners).max(axis=0))
    is_known = np.isfinite(slack)
    low[is_known] = np.maximum(lowest, (corners.min(axis=0) - slack)[is_known])
    high[is_known] = np.minimum(highest, (corners.max(axis=0) + slack)[is_known])
    return low, high


def moved_sum_ranges(psi: Psi, counts: Ints, n_moves: Ints) -> tuple[Floats, Floats]:
    """Bracket the sum of psi over counts when at most ``n_moves`` objects change their place.

    psi is convex. So the sum is smallest when objects move from the largest counts to the smallest,
    and largest when they move from the smallest counts to the largest. From counts of shape (c,)
    and moves of shape (m,) to both sums, of shape (m,). O(m c log n). For the least, objects may be
    split, so it may be a little too small.

    Examples
    --------
    >>> least, most = moved_sum_ranges("square", np.array([3, 1]), np.array([0, 1, 9]))
    >>> least.tolist(), most.tolist()
    ([10.0, 8.0, 8.0], [10.0, 16.0, 16.0])
    """
    sizes = np.sort(counts).astype(np.float64)
    moves = n_moves.astype(np.float64)
    floors, ceilings = (_level(side, moves) for side in (sizes, -sizes[::-1]))
    mean = sizes.mean()
    floors, ceilings = np.minimum(floors, mean), np.maximum(-ceilings, mean)
    even = np.clip(sizes[None, :], floors[:, None], ceilings[:, None])
    # Empty the smallest counts one after the other; their objects go to the largest count.
    before = np.concatenate([[0.0], np.cumsum(sizes[:-1])])
    left = np.clip(before[None, :] + sizes - moves[:, None], 0.0, sizes)
    left[:, -1] = sizes[-1] + np.minimum(moves, before[-1])
    return psi_of(psi, even).sum(axis=1), psi_of(psi, left).sum(axis=1)


def _level(sizes: Floats, moves: Floats) -> Floats:
    """Level up to which the given number of moves can fill the smallest sizes. Sizes ascend."""
    needed = np.arange(len(sizes)) * sizes - np.concatenate([[0.0], np.cumsum(sizes[:-1])])
    n_filled = np.maximum(1, np.searchsorted(needed, moves, side="right"))
    return (moves + np.cumsum(sizes)[n_filled - 1]) / n_filled


def attained_by_moves(graded: Graded) -> tuple[Floats, Floats]:
    """Values of some clusterings, and lower bounds of their possibilities.

    Start at the most possible clustering and move objects one by one. Objects come first whose move
    changes the value most for its cost. This is done once towards smaller values and once towards
    larger values.
    """
    objective, choices = graded.objective, graded.costs
    table = _base_table(objective, choices)
    if table.size > _MOST_CELLS:
        return objective.of_tables(table[None]), np.ones(1)
    bases = _bases(choices)
    is_move = np.ones(len(choices.cells), dtype=bool)
    is_move[bases] = False
    owners, costs = owners_of(choices.starts)[is_move], choices.weights[is_move]
    sources = choices.labels[choices.cells[bases]][owners]
    targets = choices.labels[choices.cells[is_move]]
    steps = _change_of_value(objective, table, sources, targets)
    found: list[tuple[Floats, Floats]] = []
    for gains in (steps, -steps):
        useful = np.flatnonzero((gains > 0.0) & (costs < np.inf))
        with np.errstate(divide="ignore"):
            best_first = useful[np.argsort(-gains[useful] / costs[useful], kind="stable")]
        _, first = np.unique(owners[best_first], return_index=True)  # one move for each type
        order = best_first[np.sort(first)]
        counts = choices.counts[owners[order]]
        changes = np.repeat(np.stack([sources[order], targets[order]]), counts, axis=1)
        found.append(_along(graded, table, changes, np.repeat(costs[order], counts)))
    values, possibilities = (np.concatenate(part) for part in zip(*found, strict=True))
    return values, possibilities


def _along(graded: Graded, table: Ints, moves: Ints, costs: Floats) -> tuple[Floats, Floats]:
    """Values and possibilities after 0, 1, 2, ... moves, or after some numbers of moves if many."""
    at = np.unique(np.linspace(0, len(costs), _MOST_TABLES).astype(np.int64))
    changes = np.zeros((len(at), table.size), dtype=np.int64)
    place = np.searchsorted(at, np.arange(1, len(costs) + 1))
    np.add.at(changes, (place, moves[0]), -1)
    np.add.at(changes, (place, moves[1]), 1)
    tables = table.ravel() + np.cumsum(changes, axis=0)
    totals = np.concatenate([[0.0], np.cumsum(costs)])[at]
    values = graded.objective.of_tables(tables.reshape(-1, *table.shape))
    return values, possibilities_of(graded.t_norm, totals)


def _change_of_value(objective: Objective, table: Ints, sources: Ints, targets: Ints) -> Floats:
    """How much the value changes when one object moves."""
    pairs, which = np.unique(np.stack([sources, targets], axis=1), axis=0, return_inverse=True)
    tables = np.repeat(table.reshape(1, -1), len(pairs) + 1, axis=0)
    each = np.arange(len(pairs))
    tables[each, pairs[:, 0]] -= 1
    tables[each, pairs[:, 1]] += 1
    values = objective.of_tables(tables.reshape(-1, *table.shape))
    return (values[:-1] - values[-1])[which.ravel()]


def _bases(choices: Choices) -> Ints:
    """The base of each type: its entry that costs nothing, the first if there are several."""
    starts = choices.starts[:-1]
    least = np.minimum.reduceat(choices.weights, starts)
    places = np.flatnonzero(choices.weights == np.repeat(least, np.diff(choices.starts)))
    return places[np.searchsorted(places, starts)]


def _base_table(objective: Objective, choices: Choices) -> Ints:
    cells = choices.labels[choices.cells[_bases(choices)]]
    table = np.bincount(cells, weights=choices.counts, minlength=objective.n_cells)
    return np.rint(table).astype(np.int64).reshape(objective.shape)


def _most_moves(choices: Choices, parts: Ints, limits: Floats) -> Ints:
    """Most objects that can leave the row, column or cell of their base, within each cost limit."""
    owners = owners_of(choices.starts)
    part_of = parts[choices.cells]
    leaves = part_of != part_of[_bases(choices)][owners]
    cheapest = np.full(len(choices.counts), np.inf)
    np.minimum.at(cheapest, owners[leaves], choices.weights[leaves])
    order = np.argsort(cheapest, kind="stable")
    totals = np.cumsum(np.repeat(cheapest[order], choices.counts[order]))
    return np.searchsorted(totals, limits, side="right").astype(np.int64)
