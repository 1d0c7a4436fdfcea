"""Count pairs of integers."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato import _core
from sfumato._typing import Ints

__all__ = ["Tally", "tally_integers"]

_MOST_PAIRS = 1 << 22


class Tally(NamedTuple):
    """How often the pair (first[0] + i, first[1] + j) occurs, for each i and j."""

    first: tuple[int, int]
    counts: Ints  # (n_a, n_b)


def tally_integers(a: NDArray[np.integer], b: NDArray[np.integer]) -> Tally | None:
    """Count pairs of integers; None where they span too many pairs, or are of 64 bits without sign.

    O(n + pairs), without holding up other threads.

    Examples
    --------
    >>> tally_integers(np.array([5, 6, 5]), np.array([0, 0, 0])).counts.tolist()
    [[2], [1]]
    """
    if any(values.dtype == np.uint64 for values in (a, b)):  # may not fit
        return None
    lowest_a, lowest_b, counts = _core.tally_pairs(_signed(a), _signed(b), _MOST_PAIRS)
    return Tally((lowest_a, lowest_b), counts) if counts.size else None


def _signed(values: NDArray[np.integer]) -> "NDArray[np.int32] | Ints":
    if values.dtype.kind == "i" and values.itemsize == 8:
        return np.ascontiguousarray(values, dtype=np.int64)
    if values.dtype == np.uint32:
        return values.astype(np.int64)
    return np.ascontiguousarray(values, dtype=np.int32)
