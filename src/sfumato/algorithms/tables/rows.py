"""Hold, check and rescale rows of probabilities: one row per object, one entry per cluster."""

from collections.abc import Iterator
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from sfumato import _core
from sfumato._typing import Codes, Floats, Ints
from sfumato.algorithms.tables.ragged import starts_of

__all__ = [
    "NUMBERS_AT_ONCE",
    "RowSummary",
    "Rows",
    "copy_rows",
    "copy_single_rows",
    "count_codes",
    "dense_rows",
    "full_rows",
    "hard_rows",
    "rescale_rows",
    "row_blocks",
    "slice_rows",
    "sparse_rows",
]

_NO_INTS: Ints = np.empty(0, dtype=np.int64)
_NO_FLOATS: Floats = np.empty(0)
NUMBERS_AT_ONCE = 1 << 18


class Rows(NamedTuple):
    """The probabilities of the clusters of each object, in one of three forms.

    Sparse: row ``x`` is the entries from ``starts[x]`` to ``starts[x + 1]``, with columns in
    increasing order. Dense: no starts and no columns, only the values, row after row. Hard: no
    starts and no values, only one column for each row, which has probability 1; these may be in few
    bytes, to be looked up and not to be multiplied: `slice_rows` and `sparse_rows` widen them.

    Dense values may be in *single* precision: then they stand for their quotients by the sums of
    their rows in double precision, and `row_blocks` or `full_rows` gives these.
    """

    starts: Ints  # (n + 1,)
    columns: Ints  # (entries,)
    values: Floats  # (entries,)
    width: int

    @property
    def n_rows(self) -> int:
        """Number of objects."""
        if len(self.starts):
            return len(self.starts) - 1
        return len(self.columns) or len(self.values) // self.width

    @property
    def is_sparse(self) -> bool:
        """Whether only some clusters are listed for each object."""
        return len(self.starts) > 0

    @property
    def is_dense(self) -> bool:
        """Whether every cluster has a value for each object."""
        return len(self.values) > 0 and not self.is_sparse

    @property
    def is_hard(self) -> bool:
        """Whether every object has one cluster."""
        return len(self.values) == 0

    @property
    def is_single(self) -> bool:
        """Whether the values are in single precision, and rows sum to 1 only nearly."""
        return self.values.dtype == np.float32

    @property
    def mean_length(self) -> float:
        """Entries per row."""
        return max(len(self.values), len(self.columns)) / self.n_rows


def dense_rows(memberships: Floats | NDArray[np.float32]) -> Rows:
    """Rows of a C-ordered matrix of shape (n, k), without a copy.

    Examples
    --------
    >>> dense_rows(np.array([[0.5, 0.5], [0.0, 1.0]])).n_rows
    2
    """
    values = cast(Floats, memberships.reshape(-1))
    return Rows(_NO_INTS, _NO_INTS, values, memberships.shape[1])


def hard_rows(codes: Codes, n_clusters: int) -> Rows:
    """Rows of a hard partition: probability 1 for one cluster.

    Examples
    --------
    >>> hard_rows(np.array([0, 1, 1]), 2).mean_length
    1.0
    """
    return Rows(_NO_INTS, codes, _NO_FLOATS, n_clusters)


def count_codes(codes: Codes, n_clusters: int) -> Ints:
    """How often each code occurs, a few codes at a time: NumPy copies what is read-only.

    Examples
    --------
    >>> count_codes(np.array([0, 2, 2]), 4).tolist()
    [1, 0, 2, 0]
    """
    sizes = np.zeros(n_clusters, dtype=np.int64)
    step = max(NUMBERS_AT_ONCE, n_clusters)
    for first in range(0, len(codes), step):
        sizes += np.bincount(codes[first : first + step], minlength=n_clusters)
    return sizes


def sparse_rows(rows: Rows) -> Rows:
    """Bring rows into sparse form, without zeros. Sparse rows stay as they are.

    Examples
    --------
    >>> sparse_rows(dense_rows(np.array([[0.5, 0.5], [0.0, 1.0]]))).columns.tolist()
    [0, 1, 1]
    """
    if rows.is_sparse:
        return rows
    if not len(rows.values):
        starts = np.arange(rows.n_rows + 1)
        columns = rows.columns.astype(np.int64, copy=False)
        return Rows(starts, columns, np.ones(rows.n_rows), rows.width)
    rows = full_rows(rows)
    at = np.flatnonzero(rows.values)
    sizes = np.bincount(at // rows.width, minlength=rows.n_rows)
    return Rows(starts_of(sizes), at % rows.width, rows.values[at], rows.width)


def slice_rows(rows: Rows, first: int, last: int) -> Rows:
    """The rows from ``first`` to before ``last``, without a copy of entries in double precision.

    Examples
    --------
    >>> slice_rows(dense_rows(np.array([[0.5, 0.5], [0.0, 1.0]])), 1, 2).values.tolist()
    [0.0, 1.0]
    """
    if rows.is_sparse:
        starts = rows.starts[first : last + 1]
        entries = slice(starts[0], starts[-1])
        return Rows(starts - starts[0], rows.columns[entries], rows.values[entries], rows.width)
    if not len(rows.values):
        return rows._replace(columns=rows.columns[first:last].astype(np.int64, copy=False))
    part = rows._replace(values=rows.values[first * rows.width : last * rows.width])
    return full_rows(part)


def full_rows(rows: Rows) -> Rows:
    """Rows in double precision that sum to 1; a copy only where they are in single precision.

    Examples
    --------
    >>> single = dense_rows(np.array([[0.5, 0.5], [0.25, 0.5]], dtype=np.float32))
    >>> full_rows(single).values.round(3).tolist()
    [0.5, 0.5, 0.333, 0.667]
    """
    if not rows.is_single:
        return rows
    values = rows.values.astype(np.float64)
    rescale_rows(values, width=rows.width)
    return rows._replace(values=values)


def row_blocks(rows: Rows) -> Iterator[Rows]:
    """Rows in double precision: as they are, or a few at a time if they are in single precision.

    Examples
    --------
    >>> [block.n_rows for block in row_blocks(dense_rows(np.ones((3, 1), dtype=np.float32)))]
    [3]
    """
    step = max(1, NUMBERS_AT_ONCE // rows.width) if rows.is_single else rows.n_rows
    for first in range(0, rows.n_rows, step):
        yield slice_rows(rows, first, min(first + step, rows.n_rows)) if rows.is_single else rows


class RowSummary(NamedTuple):
    """What a pass over rows of numbers finds."""

    has_bad_entry: bool  # not finite, negative or above the largest allowed
    lowest_row: int
    lowest_sum: float
    highest_row: int
    highest_sum: float
    n_off: int  # rows whose sum differs from 1 by more than rounding


def copy_rows(
    values: NDArray[np.float64] | NDArray[np.float32],
    out: Floats,
    *,
    width: int,
    largest: float,
    starts: Ints = _NO_INTS,
) -> RowSummary:
    """Copy, check and sum rows in one pass. Negative zeros become zeros.

    ``out`` may be ``values`` itself. An entry above ``largest`` is bad. ``starts`` say where the
    rows begin, and are empty if each has ``width`` entries.

    Examples
    --------
    >>> out = np.empty(4)
    >>> found = copy_rows(np.array([0.5, 0.5, 0.5, 0.25]), out, width=2, largest=1.0)
    >>> found.lowest_row, found.lowest_sum, found.n_off
    (1, 0.75, 1)
    """
    return RowSummary(*_core.copy_rows(values, starts, width, largest, _rounding(width), out))


def copy_single_rows(
    values: NDArray[np.float32], out: NDArray[np.float32], *, largest: float
) -> RowSummary:
    """As `copy_rows`, for a matrix in any order and in single precision, a few rows at a time."""
    n_rows, width = values.shape
    step = max(1, NUMBERS_AT_ONCE // width)
    scratch = np.empty(min(step, n_rows) * width)
    found: list[RowSummary] = []
    for first in range(0, n_rows, step):
        part = out[first : first + step]
        np.add(values[first : first + step], np.float32(0.0), out=part)
        own = copy_rows(part.reshape(-1), scratch[: part.size], width=width, largest=largest)
        lowest, highest = first + own.lowest_row, first + own.highest_row
        found.append(own._replace(lowest_row=lowest, highest_row=highest))
    lowest = min(found, key=lambda own: own.lowest_sum)
    highest = max(found, key=lambda own: own.highest_sum)
    return RowSummary(
        any(own.has_bad_entry for own in found),
        *(lowest.lowest_row, lowest.lowest_sum),
        *(highest.highest_row, highest.highest_sum),
        sum(own.n_off for own in found),
    )


def rescale_rows(values: Floats, *, width: int, starts: Ints = _NO_INTS) -> None:
    """Divide rows by their sums, in place. Rows that are off by rounding only stay as they are.

    Examples
    --------
    >>> values = np.array([0.5, 0.5, 1.0, 3.0])
    >>> rescale_rows(values, width=2)
    >>> values.tolist()
    [0.5, 0.5, 0.25, 0.75]
    """
    _core.rescale_rows(values, starts, width, _rounding(width))


def _rounding(width: int) -> float:
    return 4 * width * float(np.finfo(np.float64).eps)
