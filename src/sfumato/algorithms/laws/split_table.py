"""Split random tables against a hard truth into the law of one column and the law of the others."""

from collections.abc import Callable
from math import inf
from typing import NamedTuple, TypeAlias

import numpy as np

from sfumato import _core
from sfumato._typing import Codes, Floats, Ints
from sfumato.algorithms.laws.column_laws import (
    column_laws,
    column_work,
    drop_threshold,
    exponents,
    lost_exponent,
)

__all__ = ["CellTotals", "SplitCost", "SplitTable", "bound_split", "split_table"]

CellTotals: TypeAlias = Callable[[Ints], Ints]  # (s, k1) -> (s,): sums of psi over a column

_MOST_KEYS = 2.0**62
_MOST_COLUMN_WORK = 3e7  # additions that a plan may spend on the laws of the columns


class SplitTable(NamedTuple):
    """The law of all columns but the last, grouped by row sums, and the law of the last.

    A state is a pair of row sums and a total.
    """

    rows: Ints  # (g, k1): distinct row sums
    starts: Ints  # (g + 1,): where the states of each group begin
    totals: Ints  # (m,): sum of psi over the cells, for each state
    masses: Floats  # (m,): most probable first within a group
    last: Ints  # (s, k1): counts of the last column
    last_masses: Floats  # (s,): most probable first
    lost_mass: float
    drop: float  # a state with a last column may be left out if its probability is below this


class SplitCost(NamedTuple):
    """About the cost of `split_table` and of a pass over the last column, at most."""

    states: float  # of all columns but the last
    pairs: float  # of such a state and a state of the last column


def split_table(
    memberships: Floats,
    codes: Codes,
    n_columns: int,
    cell_totals: CellTotals,
    *,
    max_lost_mass: float,
) -> SplitTable:
    """Add up the columns of a table, all but the one with most states.

    A measure needs only the row sums and the sum of psi over the cells. Both add up over columns.
    So states that are equal in both are merged.

    Parameters
    ----------
    memberships : ndarray of shape (n, k1)
    codes : ndarray of shape (n,)
        The column of each object.
    cell_totals : callable
        Integer sums of psi over the cells of columns.
    max_lost_mass : float
        Most probability that may be left out, also in the pass over the last column.

    Notes
    -----
    `bound_split` gives the cost. The row sums and the total of a state are packed into one integer,
    so that adding two such integers adds all of them.

    Examples
    --------
    >>> memberships = np.array([[0.5, 0.5], [0.0, 1.0], [0.0, 1.0]])
    >>> found = split_table(
    ...     memberships, np.array([0, 1, 1]), 2, lambda n: (n * n).sum(axis=1), max_lost_mass=0.0
    ... )
    >>> found.rows.tolist(), found.totals.tolist(), found.last.tolist()
    ([[0, 2]], [4], [[0, 1], [1, 0]])
    """
    share = max_lost_mass / (2 * n_columns)  # half for the columns, half for the merges
    *others, last = column_laws(memberships, codes, n_columns, max_lost_mass=share)
    n_rows = memberships.shape[1]
    vectors = [
        np.column_stack([column.values[:, : n_rows - 1], cell_totals(column.values)])
        for column in others
    ]
    lows = np.array([vector.min(axis=0) for vector in vectors]).reshape(-1, n_rows)
    highs = np.array([vector.max(axis=0) for vector in vectors]).reshape(-1, n_rows)
    sides = (highs - lows).sum(axis=0) + 1
    strides = np.cumprod(np.append(1, sides[:0:-1]))[::-1]
    keys, masses = np.zeros(1, dtype=np.int64), np.ones(1)
    lost = last.lost_mass
    for column, vector, low in zip(others, vectors, lows, strict=True):
        drop = drop_threshold(masses, column.masses, share)
        keys, masses, dropped = _core.merge_keys(
            keys, masses, (vector - low) @ strides, column.masses, drop
        )
        lost += column.lost_mass + dropped
    order = _core.group_order(keys, masses, int(sides[-1]))
    keys, masses = keys[order], masses[order]
    groups = keys // sides[-1]
    starts = np.flatnonzero(np.diff(groups, prepend=-1))
    firsts = keys[starts, None] // strides[:-1] % sides[:-1] + lows[:, :-1].sum(axis=0)
    n_others = len(memberships) - int(last.values[0].sum())
    rows = np.column_stack([firsts, n_others - firsts.sum(axis=1)])
    return SplitTable(
        rows=np.ascontiguousarray(rows),
        starts=np.append(starts, len(keys)),
        totals=keys % sides[-1] + int(lows[:, -1].sum()),
        masses=masses,
        last=last.values,
        last_masses=last.masses,
        lost_mass=lost,
        drop=drop_threshold(masses, last.masses, share),
    )


def bound_split(
    memberships: Floats,
    codes: Codes,
    n_columns: int,
    cell_totals: CellTotals,
    *,
    max_lost_mass: float,
) -> SplitCost:
    """Predict the states and pairs that `split_table` and a pass over its last column visit.

    The laws of the columns are found, unless this alone costs too much. Combinations of their
    states are then counted by the exponents of their probabilities. Merging is taken into account
    only by a limit: the number of different row sums and totals.
    """
    share = max_lost_mass / (2 * n_columns)
    work = column_work(memberships, codes, n_columns, max_lost_mass=share)
    if work > _MOST_COLUMN_WORK:
        return SplitCost(inf, inf)
    counts, masses, cells = np.ones(1), np.ones(1), np.ones(memberships.shape[1])
    states = most = pairs = 1.0
    for column in column_laws(memberships, codes, n_columns, max_lost_mass=share):
        most = max(most, states)
        own = exponents(column.masses)
        masses = np.convolve(masses, np.bincount(own, column.masses))
        counts = np.convolve(counts, np.bincount(own))
        kept = max(1, lost_exponent(masses, share))
        counts, masses = counts[:kept], masses[:kept]
        pairs = min(states * len(own), float(counts.sum()))
        vectors = np.column_stack([column.values, cell_totals(column.values)])
        spans = vectors.max(axis=0) - vectors.min(axis=0)
        # One row sum follows from the others.
        cells = cells + np.append(np.sort(spans[:-1])[:-1], spans[-1])
        n_keys = float(np.prod(cells))
        if n_keys > _MOST_KEYS:
            return SplitCost(inf, inf)
        states = min(pairs, n_keys)
        counts *= states / max(1.0, float(counts.sum()))
    return SplitCost(most, pairs)
