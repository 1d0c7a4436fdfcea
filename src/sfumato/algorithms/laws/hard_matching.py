"""Find the law of the matching of a fuzzy partition and a hard truth.

The matching of a table is the number of objects that its best one-to-one matching of rows to
columns covers.
"""

from itertools import combinations
from math import comb, log2, prod
from typing import NamedTuple, TypeAlias

import numpy as np

from sfumato import _core
from sfumato._typing import Codes, Floats, Ints
from sfumato.algorithms.deadline import look
from sfumato.algorithms.laws.column_laws import (
    VectorLaw,
    column_laws,
    drop_threshold,
    moments_by_column,
)
from sfumato.algorithms.laws.matching_totals import LawOfTotals, collect_totals
from sfumato.algorithms.laws.step_sums import window_widths

__all__ = [
    "HardMatchingCost",
    "bound_hard_matching",
    "hard_matching_law",
    "largest_of_columns",
]

RowSet: TypeAlias = tuple[int, ...]

_MOST_BITS = 62  # of the packed key of a state
_MOST_PAIRS = 1e6  # beyond, the last column is added with the distribution function (see _finish)
_MOST_CELLS = 2e7  # of the table of that function


class HardMatchingCost(NamedTuple):
    """About the cost of `hard_matching_law`, at most."""

    states: float
    merges: float
    is_feasible: bool


def hard_matching_law(
    memberships: Floats, codes: Codes, n_columns: int, *, max_lost_mass: float
) -> LawOfTotals:
    r"""Find the law of the largest matching against a hard truth.

    The columns of the table are independent. Let :math:`F_t[U]` be the best matching of the first
    t columns into the rows U. It is found column by column:

    .. math:: F_t[U] = \max\Big(F_{t-1}[U], \max_{i \in U} F_{t-1}[U \setminus i] + N_{it}\Big)

    Only sets U are kept that the remaining columns can complete.

    Parameters are those of `split_table`.

    Notes
    -----
    `bound_hard_matching` gives the cost. Objects without a choice only move the origin.

    Examples
    --------
    >>> memberships = np.array([[0.5, 0.5], [0.0, 1.0], [0.0, 1.0]])
    >>> found = hard_matching_law(memberships, np.array([0, 1, 1]), 2, max_lost_mass=0.0)
    >>> found.totals.tolist(), found.probabilities.tolist()
    ([2, 3], [0.5, 0.5])
    """
    share = max_lost_mass / (2 * n_columns)  # half for the columns, half for the merges
    columns = column_laws(memberships, codes, n_columns, max_lost_mass=share)
    return largest_of_columns(columns, memberships.shape[1], max_lost_mass=max_lost_mass / 2)


def largest_of_columns(
    columns: list[VectorLaw], n_rows: int, *, max_lost_mass: float
) -> LawOfTotals:
    """Find the law of the largest matching of independent random columns into rows.

    The columns have no negative entries. What the merges leave out, ``max_lost_mass`` at most, is
    added to the lost mass of the columns.
    """
    columns = sorted(columns, key=lambda column: len(column.masses))
    n_columns = len(columns)
    share = max_lost_mass / n_columns
    lost = sum(column.lost_mass for column in columns)
    sets = _needed_sets(n_rows, n_columns, 0)
    states = VectorLaw(np.zeros((1, len(sets)), dtype=np.int64), np.ones(1), 0.0)
    for done, column in enumerate(columns):
        look()
        wanted = _needed_sets(n_rows, n_columns, done + 1)
        pairs = len(states.masses) * len(column.masses)
        is_last = done + 1 == n_columns
        if is_last and pairs > _MOST_PAIRS and _box(states.values).prod() <= _MOST_CELLS:
            return _finish(states, sets, column, n_rows, lost)
        states = _merge(states, sets, column, wanted, max_lost_mass=share)
        lost += states.lost_mass
        sets = wanted
    return collect_totals(states.values[:, 0], states.masses, lost)


def _needed_sets(n_rows: int, n_columns: int, done: int) -> list[RowSet]:
    """Sets of rows that are needed after ``done`` columns."""
    sizes = _needed_sizes(n_rows, n_columns, done)
    return [rows for size in sizes for rows in combinations(range(n_rows), size)]


def _needed_sizes(n_rows: int, n_columns: int, done: int) -> range:
    """Sizes of these sets.

    Each column still to come fills one row at most. So sets that leave more rows than that are not
    needed. A set that is larger than this limit and than ``done`` is as good as its best subset.
    """
    smallest = max(0, n_rows - (n_columns - done))
    return range(smallest, max(smallest, min(n_rows, done)) + 1)


def _merge(
    states: VectorLaw,
    sets: list[RowSet],
    column: VectorLaw,
    wanted: list[RowSet],
    *,
    max_lost_mass: float,
) -> VectorLaw:
    """Add a column to the best matchings so far."""
    place = {rows: at for at, rows in enumerate(sets)}
    starts, sources, taken = [0], list[int](), list[int]()
    for rows in wanted:
        for row in rows:
            before = tuple(other for other in rows if other != row)
            if before in place:
                sources.append(place[before])
                taken.append(row)
        if rows in place:
            sources.append(place[rows])
            taken.append(-1)
        starts.append(len(sources))
    at, source, row = (np.array(each, dtype=np.int64) for each in (starts, sources, taken))
    drop = drop_threshold(states.masses, column.masses, max_lost_mass)
    return VectorLaw(*_core.merge_matchings(*states[:2], *column[:2], at, source, row, drop))


def _box(values: Ints) -> Floats:
    """Widths of the smallest box that holds all vectors."""
    return (values.max(axis=0) - values.min(axis=0) + 1).astype(np.float64)


def _finish(
    states: VectorLaw, sets: list[RowSet], column: VectorLaw, n_rows: int, lost: float
) -> LawOfTotals:
    """Add the last column by Pr(total <= v) = E F(v - N_1, v - N_2, ...).

    F is the joint distribution function of the states. A set of rows leaves one row, or none, to
    the last column.
    """
    lows = states.values.min(axis=0)
    shape = _box(states.values).astype(np.int64)
    cells = np.ravel_multi_index(tuple((states.values - lows).T), tuple(shape.tolist()))
    below = np.bincount(cells, states.masses, int(shape.prod())).reshape(shape)
    for axis in range(below.ndim):
        np.cumsum(below, axis=axis, out=below)
    added = np.zeros((len(column.masses), len(sets)), dtype=np.int64)
    for at, rows in enumerate(sets):
        if left_out := set(range(n_rows)) - set(rows):
            added[:, at] = column.values[:, left_out.pop()]
    first = int((lows + added.min(axis=0)).max())
    last = int((lows + shape - 1 + added.max(axis=0)).max())
    cumulative = np.zeros(last - first + 1)
    for total in range(first, last + 1):
        at = np.minimum(total - added - lows, shape - 1)
        inside = (at >= 0).all(axis=1)
        cumulative[total - first] = column.masses[inside] @ below[tuple(at[inside].T)]
    # Rounding may make the difference of two nearly equal sums a little negative.
    masses = np.maximum(np.diff(cumulative, prepend=0.0), 0.0)
    return collect_totals(np.arange(first, last + 1), masses, lost)


def bound_hard_matching(
    memberships: Floats, codes: Codes, n_columns: int, *, max_lost_mass: float
) -> HardMatchingCost:
    """Predict the cost of `hard_matching_law` without doing its work; O(n k1)."""
    n_rows = memberships.shape[1]
    is_open = memberships.max(axis=1) < 1
    open_codes, open_rows = codes[is_open], memberships[is_open]
    options, means, variances = moments_by_column(open_rows, open_codes, n_columns)
    n_open = np.bincount(open_codes, minlength=n_columns)
    widths = window_widths(means, variances, options, max_lost_mass=max_lost_mass)
    sizes = [  # states of each column: cells of a box, or ways to share out the objects
        min(float(prod(sorted(own)[:-1])), float(comb(m + max(1, choice) - 1, m)))
        for own, m, choice in zip(
            widths.tolist(), n_open.tolist(), (options > 0).sum(axis=1).tolist(), strict=True
        )
    ]
    order: list[int] = np.argsort(sizes, kind="stable").tolist()
    n_done = n_open[order].cumsum()
    # A best matching of some columns varies about as much as the sum of their widest counts.
    sides = window_widths(
        means.max(axis=1)[order].cumsum(),
        variances.max(axis=1)[order].cumsum(),
        n_done,
        max_lost_mass=max_lost_mass,
    ).tolist()
    n_sets = [
        sum(comb(n_rows, size) for size in _needed_sizes(n_rows, n_columns, done))
        for done in range(1, n_columns + 1)
    ]
    bits = max(sets * log2(m + 1) for sets, m in zip(n_sets, n_done.tolist(), strict=True))
    states, merges, most = 1.0, 0.0, 1.0
    for column, sets, side in zip(order[:-1], n_sets[:-1], sides[:-1], strict=True):
        merges += states * sizes[column]
        states = min(states * sizes[column], 2.0 ** min(sets * log2(max(side, 1.0)), 1000.0))
        most = max(most, states)
    # _finish passes over the last column once for each total.
    merges += sizes[order[-1]] * sides[-1]
    return HardMatchingCost(most, merges, bits <= _MOST_BITS)
