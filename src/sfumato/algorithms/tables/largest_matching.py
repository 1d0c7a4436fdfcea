"""Match the clusters of two partitions one to one, so that most objects are in matched cells."""

import numpy as np

from sfumato import _core
from sfumato._typing import Ints, Tables

__all__ = ["largest_matching"]


def largest_matching(tables: Tables) -> Ints:
    """Count the objects in the best one-to-one matching of rows to columns of each table.

    O(k1 k2 min(k1, k2)) per table by the Hungarian method.

    Examples
    --------
    >>> int(largest_matching(np.array([[3, 1, 0], [2, 2, 1]])))
    5
    """
    flat = np.ascontiguousarray(tables.reshape(-1, *tables.shape[-2:]), dtype=np.int64)
    return _core.largest_matching(flat).reshape(tables.shape[:-2])
