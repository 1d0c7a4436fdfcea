"""Count the objects that must be, and that may be, in each row, column and cell of a table."""

from typing import NamedTuple

import numpy as np

from sfumato._typing import Bools, Ints

__all__ = ["TableLimits", "table_limits"]


class TableLimits(NamedTuple):
    """Limits of the counts: ``least <= count <= most`` in every compatible table."""

    least_rows: Ints  # (k,)
    most_rows: Ints
    least_columns: Ints  # (l,)
    most_columns: Ints
    least_cells: Ints  # (k, l)
    most_cells: Ints


def table_limits(a_sets: Bools, b_sets: Bools, counts: Ints) -> TableLimits:
    """Count the objects that must be, and that may be, in each row, column and cell.

    Parameters
    ----------
    a_sets : ndarray of shape (d1, k)
        The distinct sets of the first partition.
    b_sets : ndarray of shape (d2, l)
    counts : ndarray of shape (d1, d2)
        Objects with each pair of sets.

    Notes
    -----
    O(d1 d2 l + d1 k l).

    Examples
    --------
    >>> either = np.array([[True, True], [True, False]])
    >>> table_limits(either, np.array([[True]]), np.array([[2], [1]])).most_rows.tolist()
    [3, 2]
    """

    def cells(a: Bools, b: Bools) -> Ints:
        product = a.T.astype(np.float64) @ (counts.astype(np.float64) @ b.astype(np.float64))
        return np.rint(product).astype(np.int64)

    a_single = a_sets & (a_sets.sum(axis=1) == 1)[:, None]
    b_single = b_sets & (b_sets.sum(axis=1) == 1)[:, None]
    a_counts, b_counts = counts.sum(axis=1), counts.sum(axis=0)
    return TableLimits(
        least_rows=a_counts @ a_single,
        most_rows=a_counts @ a_sets,
        least_columns=b_counts @ b_single,
        most_columns=b_counts @ b_sets,
        least_cells=cells(a_single, b_single),
        most_cells=cells(a_sets, b_sets),
    )
