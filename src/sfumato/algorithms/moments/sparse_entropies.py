"""Means of the entropy sums of a random contingency table, from sparse memberships.

A cell of the table counts the objects that may enter both its row and its column. With few clusters
per object these are few, and only they are listed: neither the memberships nor the cells are ever
laid out in full.
"""

from collections.abc import Iterator

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.moments.counts import expected_xlogx_of_lists
from sfumato.algorithms.moments.entropies import EntropySums
from sfumato.algorithms.tables.ragged import gather
from sfumato.algorithms.tables.rows import Rows, sparse_rows

__all__ = ["expected_sums_of_rows"]

# Events of cells that are laid out at once.
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
    O(e log e) time for e pairs of a cluster in ``a`` and one in ``b`` that an object may be in;
    memory O(entries of a and b) and a block of pairs, those of one cluster at least.

    Examples
    --------
    >>> from sfumato.algorithms.tables.rows import dense_rows, hard_rows
    >>> fuzzy, hard = dense_rows(np.full((2, 2), 0.5)), hard_rows(np.zeros(2, int), 1)
    >>> found = expected_sums_of_rows(fuzzy, hard)
    >>> round(found.rows, 6), round(found.columns, 6), round(found.cells, 6)
    (0.693147, 1.386294, 0.693147)
    """
    first, second = sparse_rows(a), sparse_rows(b)
    (row, row_error), (column, column_error) = (
        _sum_of_means(side.columns, side.values) for side in (first, second)
    )
    blocks = [_sum_of_means(cells, events) for cells, events in _cells(first, second)]
    cell, cell_error = np.sum(blocks, axis=0).tolist()
    return EntropySums(row, column, cell, (row_error, column_error, cell_error))


def _sum_of_means(counts: Ints, events: Floats) -> tuple[float, float]:
    """Sum of the means of N log N and of their errors; ``counts`` says what each event enters."""
    order = np.argsort(counts, kind="stable")
    ordered = counts[order]
    breaks = np.flatnonzero(np.diff(ordered)) + 1
    starts = np.concatenate([[0], breaks, [len(ordered)]]).astype(np.int64)
    values, errors = expected_xlogx_of_lists(events[order], starts)
    return float(values.sum()), float(errors.sum())


def _cells(a: Rows, b: Rows) -> Iterator[tuple[Ints, Floats]]:
    """Cells and probabilities of all pairs of entries of one object, by blocks of whole rows."""
    objects = np.repeat(np.arange(a.n_rows), np.diff(a.starts))
    order = np.argsort(a.columns, kind="stable")
    partners = np.diff(b.starts)[objects]
    by_row = np.bincount(a.columns, partners, minlength=a.width).astype(np.int64)
    block_of_row = np.cumsum(by_row) // _MOST_AT_ONCE
    blocks = block_of_row[a.columns[order]]
    edges = np.concatenate([[0], np.flatnonzero(np.diff(blocks)) + 1, [len(order)]])
    for first, last in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        entries = order[first:last]
        _, others = gather(b.starts, objects[entries])
        one = np.repeat(entries, partners[entries])
        cells = a.columns[one] * b.width + b.columns[others]
        yield cells, a.values[one] * b.values[others]
