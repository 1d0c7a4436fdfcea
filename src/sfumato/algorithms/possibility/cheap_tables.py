"""List the cheapest tables that objects can make when each chooses one of several cells."""

from math import e, inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato import _core
from sfumato._typing import Floats, Ints
from sfumato.algorithms.tables.choices import Choices
from sfumato.algorithms.tables.ragged import gather, owners_of, starts_of

__all__ = ["CheapTables", "cheapest_tables", "expected_limit"]

_WORD = 2**63
_WORDS = (1, 2, 4, 16)


class CheapTables(NamedTuple):
    """Tables with their smallest costs, cheapest first.

    No table that was left out costs less than ``least_dropped``.
    """

    tables: Ints  # (m, c)
    costs: Floats  # (m,)
    least_dropped: float


def cheapest_tables(choices: Choices, *, limit: float, most: int) -> CheapTables:
    """Add objects one by one and merge equal tables; the cheapest way to make each is kept.

    Costs add over objects and are not negative. So a table of some objects that already costs
    ``limit`` or more can be left out. If there are too many tables, the most expensive ones are
    left out too, which lowers the limit. The smallest cost of each list is 0; infinite means
    impossible. ``most`` is at least 1.

    Notes
    -----
    O(most) steps for each object and each of its options that cost less than the final limit.
    Objects with cheap options come first, so that the limit falls early. If a table does not fit
    into a key of 16 words, only the cheapest table is given.

    Examples
    --------
    Two objects. One can move to cell 1 for a cost of 0.5, the other for a cost of 9:

    >>> two = Choices(*map(np.array, ([1, 1], [0, 2, 4], [0, 1, 0, 1], [0, 0.5, 0, 9.0], [0, 1])))
    >>> found = cheapest_tables(two, limit=5.0, most=10)
    >>> found.tables.tolist(), found.costs.tolist(), found.least_dropped
    ([[2, 0], [1, 1]], [0.0, 0.5], 9.0)
    """
    least_dropped = float(choices.weights[choices.weights >= limit].min(initial=inf))
    priced = _cheap_first(choices, limit)
    words, units, sizes = _units(priced, len(choices.labels))
    n_words = next((n for n in _WORDS if n > words[-1]), None)
    if n_words is None:
        return _cheapest_only(priced, len(choices.labels), least_dropped)
    keys = np.zeros((len(priced.cells), n_words), dtype=np.uint64)
    keys[np.arange(len(priced.cells)), words[priced.cells]] = units[priced.cells]
    found, costs, dropped = _core.cheapest_tables(
        priced.counts, priced.starts, keys, priced.weights, limit, most
    )
    tables = found[:, words] // units % sizes
    return CheapTables(tables.astype(np.int64), costs, min(dropped, least_dropped))


def _cheap_first(choices: Choices, limit: float) -> Choices:
    """Sort the options below the limit, cheapest first, and the types, cheapest moves first."""
    owners = owners_of(choices.starts)
    entries = np.flatnonzero(choices.weights < limit)
    entries = entries[np.lexsort((choices.weights[entries], owners[entries]))]
    sizes = np.bincount(owners[entries], minlength=len(choices.counts))
    starts = starts_of(sizes)
    costs = choices.weights[entries]
    second = np.full(len(sizes), inf)
    second[sizes > 1] = costs[starts[:-1][sizes > 1] + 1]
    types = np.argsort(second, kind="stable")
    starts, places = gather(starts, types)
    return choices._replace(
        counts=choices.counts[types],
        starts=starts,
        cells=choices.cells[entries[places]],
        weights=costs[places],
    )


def _units(choices: Choices, n_cells: int) -> tuple[Ints, NDArray[np.uint64], NDArray[np.uint64]]:
    """Give each cell enough room in a word of a key for all objects that may choose it.

    A key packs a table: cell c counts ``key[words[c]] // units[c] % sizes[c]``.
    """
    owners = np.repeat(choices.counts, np.diff(choices.starts))
    most = np.bincount(choices.cells, owners, minlength=n_cells)
    words, units = np.zeros(n_cells, dtype=np.int64), np.ones(n_cells, dtype=np.uint64)
    word, unit = 0, 1
    for cell in range(n_cells):
        size = int(most[cell]) + 1
        if unit * size > _WORD:
            word, unit = word + 1, 1
        words[cell], units[cell] = word, unit
        unit *= size
    return words, units, most.astype(np.uint64) + 1


def _cheapest_only(choices: Choices, n_cells: int, least_dropped: float) -> CheapTables:
    sizes = np.diff(choices.starts)
    table = np.bincount(choices.cells[choices.starts[:-1]], choices.counts, minlength=n_cells)
    others = choices.weights[choices.starts[:-1][sizes > 1] + 1]
    dropped = min(least_dropped, float(others.min(initial=inf)))
    return CheapTables(table.astype(np.int64)[None, :], np.zeros(1), dropped)


def expected_limit(choices: Choices, *, limit: float, most: int) -> float:
    """Estimate the limit at which `cheapest_tables` will have to stop, without merging any tables.

    A direction is a pair of cells: the cheapest cell of some objects, and another cell. In each
    direction the table can change by as many objects as the cost allows. The possible changes form
    a simplex, because all directions share one cost. A box of about the same volume replaces it:
    each direction gets its part of the cost.

    Examples
    --------
    >>> two = Choices(*map(np.array, ([1, 1], [0, 2, 4], [0, 1, 0, 1], [0, 0.5, 0, 9.0], [0, 1])))
    >>> expected_limit(two, limit=5.0, most=10), expected_limit(two, limit=5.0, most=1) < 0.6
    (5.0, True)
    """
    totals, starts = _totals_by_direction(_cheap_first(choices, limit))
    if len(totals) == 0:
        return limit

    def n_tables(below: float) -> float:
        n_open = np.count_nonzero(totals[starts[:-1]] < below)
        part = min(below, below * e / max(1, n_open))
        sizes = np.add.reduceat(totals < part, starts[:-1], dtype=np.int64)
        return float(np.log1p(sizes).sum())

    largest = min(limit, float(totals[starts[1:] - 1].sum()) + 1.0)
    if n_tables(largest) <= np.log(most):
        return limit
    low, high = 0.0, largest
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if n_tables(middle) <= np.log(most) else (low, middle)
    return high


def _totals_by_direction(choices: Choices) -> tuple[Floats, Ints]:
    """For each direction, the smallest total cost of 1, 2, ... moves; and where each starts."""
    owners = owners_of(choices.starts)
    is_move = np.ones(len(owners), dtype=bool)
    is_move[choices.starts[:-1]] = False
    bases = choices.cells[choices.starts[owners[is_move]]]
    names = bases * len(choices.labels) + choices.cells[is_move]
    costs, counts = choices.weights[is_move], choices.counts[owners[is_move]]
    order = np.lexsort((costs, names))
    _, first = np.unique(names[order], return_index=True)
    if len(first) == 0:
        return np.empty(0), np.zeros(1, dtype=np.int64)
    starts = starts_of(np.add.reduceat(counts[order], first))
    moves = np.repeat(costs[order], counts[order])
    totals = np.cumsum(moves)
    before = totals[starts[:-1]] - moves[starts[:-1]]
    return totals - np.repeat(before, np.diff(starts)), starts
