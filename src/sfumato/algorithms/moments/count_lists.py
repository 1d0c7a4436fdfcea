"""List the events that each row sum, column sum and cell of the table of two partitions counts.

A cell of the table counts only objects that may be in both its row and its column. Where
memberships are sparse, only these are listed: there is no dense matrix of memberships and no dense
table of cells.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.deadline import look
from sfumato.algorithms.tables.ragged import gather, owners_of, starts_of
from sfumato.algorithms.tables.rows import Rows, count_codes, full_rows, sparse_rows

__all__ = ["CountLists", "count_lists"]

_EVENTS_AT_ONCE = 1 << 21
_PAIRS_AT_ONCE = 1 << 20  # of an object and a possible cell, where memberships are sparse


class CountLists(NamedTuple):
    """Some row sums, some column sums or some cells, and the probabilities that they count."""

    rows: Ints  # (c,): -1 for the sum of a column
    columns: Ints  # (c,): -1 for the sum of a row
    events: Floats  # (starts[-1],): one list after the other
    starts: Ints  # (c + 1,)

    @property
    def part(self) -> int:
        """Whether these are rows (0), columns (1) or cells (2)."""
        return 1 if self.rows[0] < 0 else 0 if self.columns[0] < 0 else 2


def count_lists(a: Rows, b: Rows) -> Iterator[CountLists]:
    """List the events of each count, of a few counts at a time.

    Each count once, but for the sums of a hard side, which are known, and counts of no object.

    Notes
    -----
    Dense memberships: O(n k1 k2), or O(n k1) against a hard side. Sparse ones: O(e log e), e the
    number of possible pairs of a cluster in ``a`` and one in ``b``, summed over all objects. Memory
    O(entries of a and b), and the lists of a few counts.

    Examples
    --------
    >>> from sfumato.algorithms.tables.rows import dense_rows, hard_rows
    >>> fuzzy, hard = dense_rows(np.array([[0.2, 0.8], [0.5, 0.5]])), hard_rows(np.array([1, 0]), 2)
    >>> rows, *cells = count_lists(fuzzy, hard)
    >>> rows.events.tolist(), [(each.columns.tolist(), each.events.tolist()) for each in cells]
    ([0.2, 0.5, 0.8, 0.5], [([0, 0], [0.5, 0.5]), ([1, 1], [0.2, 0.8])])
    """
    if a.is_sparse or b.is_sparse or not len(a.values):
        yield from _of_sparse(a, b)
        return
    first = _by_cluster(a)
    for at, part in _parts(first):
        yield _lists(at, np.full(len(at), -1), part)
    if len(b.values):
        second = _by_cluster(b)
        for at, part in _parts(second):
            yield _lists(np.full(len(at), -1), at, part)
        for at, part in _parts(second):
            for rows, own in _parts(first, part.size):
                events = (own[:, None] * part).reshape(-1, part.shape[1])
                yield _lists(np.repeat(rows, len(at)), np.tile(at, len(rows)), events)
        return
    order = np.argsort(b.columns, kind="stable")
    starts = starts_of(count_codes(b.columns, b.width))
    for column in np.flatnonzero(np.diff(starts)):
        own = first[:, order[starts[column] : starts[column + 1]]]
        for at, part in _parts(own):
            yield _lists(at, np.full(len(at), column), part)


def _by_cluster(rows: Rows) -> Floats:
    return np.ascontiguousarray(full_rows(rows).values.reshape(-1, rows.width).T)


def _parts(memberships: Floats, n_events: int = 0) -> Iterator[tuple[Ints, Floats]]:
    """Give a few clusters at a time, with their numbers; each makes so many events, or its own."""
    step = max(1, _EVENTS_AT_ONCE // max(1, n_events or memberships.shape[1]))
    for start in range(0, len(memberships), step):
        part = memberships[start : start + step]
        yield np.arange(start, start + len(part)), part


def _lists(rows: Ints, columns: Ints, events: Floats) -> CountLists:
    starts = np.arange(len(events) + 1) * events.shape[1]
    return CountLists(rows, columns, np.ascontiguousarray(events).reshape(-1), starts)


def _of_sparse(a: Rows, b: Rows) -> Iterator[CountLists]:
    first, second = sparse_rows(a), sparse_rows(b)
    if len(a.values):
        rows, events, starts = _sorted(first.columns, first.values)
        yield CountLists(rows, np.full(len(rows), -1), events, starts)
    if len(b.values):
        columns, events, starts = _sorted(second.columns, second.values)
        yield CountLists(np.full(len(columns), -1), columns, events, starts)
    for cells, pairs in _cells(first, second):
        found, events, starts = _sorted(cells, pairs)
        yield CountLists(found // b.width, found % b.width, events, starts)


def _sorted(counts: Ints, events: Floats) -> tuple[Ints, Floats, Ints]:
    """Counts, and lists of events of which each adds one to the count with this number."""
    order = np.argsort(counts, kind="stable")
    ordered = counts[order]
    breaks = np.flatnonzero(np.diff(ordered)) + 1
    starts = np.concatenate([[0], breaks, [len(ordered)]]).astype(np.int64)
    return ordered[starts[:-1]], events[order], starts


def _cells(a: Rows, b: Rows) -> Iterator[tuple[Ints, Floats]]:
    """List the possible cells of all objects with their probabilities, in blocks of whole rows."""
    objects = owners_of(a.starts)
    order = np.argsort(a.columns, kind="stable")
    partners = np.diff(b.starts)[objects]
    by_row = np.bincount(a.columns, partners, minlength=a.width).astype(np.int64)
    block_of_row = np.cumsum(by_row) // _PAIRS_AT_ONCE
    blocks = block_of_row[a.columns[order]]
    edges = np.concatenate([[0], np.flatnonzero(np.diff(blocks)) + 1, [len(order)]])
    for first, last in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        look()
        entries = order[first:last]
        _, others = gather(b.starts, objects[entries])
        one = np.repeat(entries, partners[entries])
        cells = a.columns[one] * b.width + b.columns[others]
        yield cells, a.values[one] * b.values[others]
