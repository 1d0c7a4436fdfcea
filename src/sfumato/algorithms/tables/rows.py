"""Hold, check and rescale rows of probabilities: one row per object, one entry per cluster."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato import _core
from sfumato._typing import Codes, Floats, Ints
from sfumato.algorithms.tables.ragged import starts_of

__all__ = [
    "RowSummary",
    "Rows",
    "copy_rows",
    "dense_rows",
    "hard_rows",
    "rescale_rows",
    "slice_rows",
    "sparse_rows",
]

_NO_INTS: Ints = np.empty(0, dtype=np.int64)
_NO_FLOATS: Floats = np.empty(0)


class Rows(NamedTuple):
    """The probabilities of the clusters of each object, in one of three forms.

    Sparse: row ``x`` is the entries from ``starts[x]`` to ``starts[x + 1]``, with columns in
    increasing order. Dense: no starts and no columns, only the values, row after row. Hard: no
    starts and no values, only one column for each row, which has probability 1.
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
    def mean_length(self) -> float:
        """Entries per row."""
        return max(len(self.values), len(self.columns)) / self.n_rows


def dense_rows(memberships: Floats) -> Rows:
    """Rows of a C-ordered matrix of shape (n, k), without a copy.

    Examples
    --------
    >>> dense_rows(np.array([[0.5, 0.5], [0.0, 1.0]])).n_rows
    2
    """
    return Rows(_NO_INTS, _NO_INTS, memberships.reshape(-1), memberships.shape[1])


def hard_rows(codes: Codes, n_clusters: int) -> Rows:
    """Rows of a hard partition: probability 1 for one cluster.

    Examples
    --------
    >>> hard_rows(np.array([0, 1, 1]), 2).mean_length
    1.0
    """
    return Rows(_NO_INTS, codes, _NO_FLOATS, n_clusters)


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
        return Rows(starts, rows.columns, np.ones(rows.n_rows), rows.width)
    at = np.flatnonzero(rows.values)
    sizes = np.bincount(at // rows.width, minlength=rows.n_rows)
    return Rows(starts_of(sizes), at % rows.width, rows.values[at], rows.width)


def slice_rows(rows: Rows, first: int, last: int) -> Rows:
    """The rows from ``first`` to before ``last``, without a copy of entries.

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
        return rows._replace(columns=rows.columns[first:last])
    return rows._replace(values=rows.values[first * rows.width : last * rows.width])


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

    Parameters
    ----------
    values : ndarray of shape (entries,)
    out : ndarray of shape (entries,)
        Written to; it may be ``values`` itself.
    width : int
        Clusters.
    largest : float
        An entry above this is bad.
    starts : ndarray of shape (n + 1,)
        Where the rows begin; empty if each has ``width`` entries.

    Examples
    --------
    >>> out = np.empty(4)
    >>> found = copy_rows(np.array([0.5, 0.5, 0.5, 0.25]), out, width=2, largest=1.0)
    >>> found.lowest_row, found.lowest_sum, found.n_off
    (1, 0.75, 1)
    """
    return RowSummary(*_core.copy_rows(values, starts, width, largest, _rounding(width), out))


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
