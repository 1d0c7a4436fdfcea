"""A table with given margins."""

import numpy as np

from sfumato._typing import Ints

__all__ = ["table_with_margins"]


def table_with_margins(rows: Ints, columns: Ints) -> Ints:
    """Some table with these row and column sums: filled from the first cell on.

    Parameters
    ----------
    rows : ndarray of shape (..., k1)
    columns : ndarray of shape (k2,)
        With the same sum.

    Returns
    -------
    ndarray of shape (..., k1, k2)

    Notes
    -----
    O(k1 k2) each. Objects in the order of the rows meet objects in the order of the columns.

    Examples
    --------
    >>> table_with_margins(np.array([2, 1]), np.array([1, 2])).tolist()
    [[1, 1], [0, 1]]
    """
    row_ends, column_ends = np.cumsum(rows, axis=-1)[..., None], np.cumsum(columns)
    first = np.maximum(row_ends - rows[..., None], column_ends - columns)
    last = np.minimum(row_ends, column_ends)
    return np.maximum(last - first, 0)
