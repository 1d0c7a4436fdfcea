"""Compute the mean sums of x log x of the table of two fuzzy partitions, whatever their form.

A cell of the table counts only objects that may be in both its row and its column. Where
memberships are sparse, only these are listed: there is no dense matrix of memberships and no dense
table of cells.
"""

from collections.abc import Iterator

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.deadline import look
from sfumato.algorithms.moments.counts import expected_xlogx_of_lists
from sfumato.algorithms.moments.entropies import (
    EntropySums,
    expected_sums,
    expected_sums_against_hard,
)
from sfumato.algorithms.tables.ragged import gather, owners_of
from sfumato.algorithms.tables.rows import Rows, full_rows, sparse_rows

__all__ = ["expected_sums_of_rows"]

# Pairs of an object and a possible cell that are listed at once.
_MOST_AT_ONCE = 1 << 20


def expected_sums_of_rows(a: Rows, b: Rows) -> EntropySums:
    """Means of the sums of x log x over rows, columns and cells, as `expected_sums` gives them.

    Parameters
    ----------
    a, b : Rows
        Memberships of the same objects, in any form.

    Returns
    -------
    EntropySums

    Notes
    -----
    Dense memberships: O(n k1 k2), or O(n k1) against a hard side. Sparse ones: O(e log e), e the
    number of possible pairs of a cluster in ``a`` and one in ``b``, summed over all objects. Memory
    O(entries of a and b), and the pairs of a few clusters.

    Examples
    --------
    >>> from sfumato.algorithms.tables.rows import dense_rows, hard_rows
    >>> fuzzy, hard = dense_rows(np.full((2, 2), 0.5)), hard_rows(np.zeros(2, int), 1)
    >>> found = expected_sums_of_rows(fuzzy, hard)
    >>> round(found.rows, 6), round(found.columns, 6), round(found.cells, 6)
    (0.693147, 1.386294, 0.693147)
    """
    if not (a.is_sparse or b.is_sparse) and len(a.values):
        if len(b.values):
            return expected_sums(_by_cluster(a), _by_cluster(b))
        return expected_sums_against_hard(_by_cluster(a), b.columns)
    first, second = sparse_rows(a), sparse_rows(b)
    (row, row_error), (column, column_error) = (
        _sum_of_means(side.columns, side.values) for side in (first, second)
    )
    blocks = [_sum_of_means(cells, events) for cells, events in _cells(first, second)]
    cell, cell_error = np.sum(blocks, axis=0).tolist()
    return EntropySums(row, column, cell, (row_error, column_error, cell_error))


def _by_cluster(rows: Rows) -> Floats:
    return np.ascontiguousarray(full_rows(rows).values.reshape(-1, rows.width).T)


def _sum_of_means(counts: Ints, events: Floats) -> tuple[float, float]:
    """Sum of the means of N log N, and sum of their errors.

    Event ``e`` has probability ``events[e]`` and adds one to the count with number ``counts[e]``.
    """
    order = np.argsort(counts, kind="stable")
    ordered = counts[order]
    breaks = np.flatnonzero(np.diff(ordered)) + 1
    starts = np.concatenate([[0], breaks, [len(ordered)]]).astype(np.int64)
    values, errors = expected_xlogx_of_lists(events[order], starts)
    return float(values.sum()), float(errors.sum())


def _cells(a: Rows, b: Rows) -> Iterator[tuple[Ints, Floats]]:
    """List the possible cells of all objects with their probabilities, in blocks of whole rows."""
    objects = owners_of(a.starts)
    order = np.argsort(a.columns, kind="stable")
    partners = np.diff(b.starts)[objects]
    by_row = np.bincount(a.columns, partners, minlength=a.width).astype(np.int64)
    block_of_row = np.cumsum(by_row) // _MOST_AT_ONCE
    blocks = block_of_row[a.columns[order]]
    edges = np.concatenate([[0], np.flatnonzero(np.diff(blocks)) + 1, [len(order)]])
    for first, last in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        look()
        entries = order[first:last]
        _, others = gather(b.starts, objects[entries])
        one = np.repeat(entries, partners[entries])
        cells = a.columns[one] * b.width + b.columns[others]
        yield cells, a.values[one] * b.values[others]
