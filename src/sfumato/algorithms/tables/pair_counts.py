"""Count pairs of objects, exactly at any size."""

from typing import cast

import numpy as np

from sfumato._typing import Floats, Ints

__all__ = ["divide", "pair_counts"]

# Up to this many objects, x * (x - 1) and every sum of pair counts stay below 2**63.
_LARGEST_INT64 = 3_000_000_000


def pair_counts(sizes: Ints) -> Ints:
    """Count the pairs of distinct objects that share a group, for groups of the given sizes.

    Over the last axis: int64, or Python integers (dtype object) where int64 would overflow.

    Examples
    --------
    >>> pair_counts(np.array([[3, 2], [5, 0]]))
    array([ 4, 10])
    >>> int(pair_counts(np.array([10**10])))
    49999999995000000000
    """
    if sizes.size and int(sizes.sum(axis=-1).max()) > _LARGEST_INT64:
        sizes = cast(Ints, sizes.astype(object))
    # Keep the dtype: else NumPy would turn a single large sum into an unsigned or a float number.
    return np.asarray((sizes * (sizes - 1) // 2).sum(axis=-1), dtype=sizes.dtype)


def divide(
    numerator: Ints | Floats | int, denominator: Ints | Floats | int, *, at_zero: float
) -> Floats:
    """Divide, and give a stated value where the denominator is zero.

    Python integers are allowed, because arithmetic on single counts of dtype object gives them.

    Examples
    --------
    >>> divide(np.array([1, 0]), np.array([4, 0]), at_zero=1.0)
    array([0.25, 1.  ])
    >>> divide(10**20, 4 * 10**20, at_zero=1.0)
    array(0.25)
    """
    above, below = _as_array(numerator), _as_array(denominator)
    is_zero = below == 0
    quotient = above / np.where(is_zero, 1, below)
    return np.where(is_zero, at_zero, quotient).astype(np.float64)


def _as_array(number: Ints | Floats | int) -> Ints | Floats:
    # By default NumPy refuses Python integers beyond 2**64, or turns them into floats.
    return cast(Ints, np.asarray(number, dtype=object)) if isinstance(number, int) else number
