"""Build a table with given row sums and column sums."""

import numpy as np

from sfumato._typing import Ints

__all__ = ["table_with_margins"]


def table_with_margins(rows: Ints, columns: Ints) -> Ints:
    """Build one table with these row and column sums, filled from the first cell on.

    From shapes (..., k1) and (k2,), with the same sum, to shape (..., k1, k2); O(k1 k2) each. The
    objects, sorted by row, are paired with the objects, sorted by column.

    Examples
    --------
    >>> table_with_margins(np.array([2, 1]), np.array([1, 2])).tolist()
    [[1, 1], [0, 1]]
    """
    row_ends, column_ends = np.cumsum(rows, axis=-1)[..., None], np.cumsum(columns)
    first = np.maximum(row_ends - rows[..., None], column_ends - columns)
    last = np.minimum(row_ends, column_ends)
    return np.maximum(last - first, 0)
