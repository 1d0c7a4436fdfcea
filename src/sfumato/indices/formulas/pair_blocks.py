"""Sums over all pairs of objects, block by block: memory of a block, never of all pairs."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.tables.group import group_rows

__all__ = ["Types", "pair_blocks", "sum_of_gaps", "sum_over_pairs", "types_of"]

_ENTRIES = 1 << 17  # pairs in a block: some arrays of this size fit into a cache


class Types(NamedTuple):
    """Objects collapsed by what two sides say of them: distinct rows and how often they occur."""

    first: Floats  # (t, k)
    second: Floats  # (t, k')
    counts: Ints  # (t,)


def types_of(first: Floats, second: Floats) -> Types:
    """Collapse objects whose rows are equal on both sides; O(n (k + k'))."""
    codes, at = group_rows(np.hstack((first, second)) + 0.0)  # -0.0 becomes 0.0
    return Types(first[at], second[at], np.bincount(codes))


def pair_blocks(n_rows: int) -> Iterator[tuple[slice, slice]]:
    """Rows and columns of blocks that cover the upper triangle of all pairs.

    The columns of a block begin with its first row, so that entry (i, j) of a block is above the
    diagonal where j > i.
    """
    start = 0
    while start < n_rows:
        stop = min(n_rows, start + max(1, _ENTRIES // (n_rows - start)))
        yield slice(start, stop), slice(start, n_rows)
        start = stop


def sum_over_pairs(counts: Ints, of: Callable[[slice, slice], Sequence[Floats]]) -> list[float]:
    """Sum symmetric functions over all pairs of two different objects.

    Parameters
    ----------
    counts : ndarray of shape (t,)
        Objects of each type.
    of : callable
        Given the rows and columns of a block, one matrix of values per function.

    Returns
    -------
    list of float
        One sum per function, every unordered pair of objects counted once.
    """
    weights = counts.astype(np.float64)
    twins = weights * (weights - 1) / 2  # pairs of objects of one type
    totals: Floats = np.zeros(0)
    for rows, columns in pair_blocks(len(counts)):
        parts = [
            weights[rows] @ (np.triu(values, 1) @ weights[columns])
            + twins[rows] @ np.diagonal(values)
            for values in of(rows, columns)
        ]
        totals = np.array(parts) if not totals.size else totals + parts
    return totals.tolist()


def sum_of_gaps(first: Floats, second: Floats, kernel: Callable[[Floats, Floats], Floats]) -> float:
    """Sum over pairs of how far what a kernel says of them differs between the two sides."""
    types = types_of(first, second)

    def gap(rows: slice, columns: slice) -> list[Floats]:
        one, other = (kernel(each[rows], each[columns]) for each in types[:2])
        return [np.abs(one - other)]

    return sum_over_pairs(types.counts, gap)[0]
