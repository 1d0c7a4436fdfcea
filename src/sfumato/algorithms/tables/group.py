"""Group the equal rows of a matrix."""

import numpy as np
from numpy.typing import NDArray

from sfumato import _core
from sfumato._typing import Codes, Ints

__all__ = ["group_rows"]


def group_rows(rows: NDArray[np.generic]) -> tuple[Codes, Ints]:
    """Group the rows of a matrix of shape (n, w) that are equal byte for byte.

    First the group of each row, numbered by first appearance, then the first row of each group.
    O(n w) by hashing; memory O(n + g). The caller replaces -0.0 by 0.0 first: their bytes differ.

    Examples
    --------
    >>> codes, first = group_rows(np.array([[1, 2], [3, 4], [1, 2]]))
    >>> codes.tolist(), first.tolist()
    ([0, 1, 0], [0, 1])
    """
    contiguous = np.ascontiguousarray(rows)
    width = contiguous.shape[1] * contiguous.itemsize
    return _core.group_rows(contiguous.view(np.uint8).reshape(len(rows), width))
