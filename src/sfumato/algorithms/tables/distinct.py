"""Find the distinct values in a list, where values that differ only by rounding count as one."""

import numpy as np

from sfumato._typing import Floats, Ints

__all__ = ["ROUNDING", "distinct_values"]

# Two tables with equal values in theory may differ by a few units in the last place.
ROUNDING = 64 * float(np.finfo(np.float64).eps)


def distinct_values(values: Floats) -> tuple[Floats, Ints]:
    """Sort the distinct values, and say which of them each value is.

    Two values count as one if they differ by at most `ROUNDING`, times the value if it is above 1.

    Examples
    --------
    >>> values, which = distinct_values(np.array([0.3, 0.1 + 0.2, 0.1]))
    >>> values.tolist(), which.tolist()
    ([0.1, 0.3], [1, 1, 0])
    """
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    starts_new = np.ones(len(values), dtype=bool)
    starts_new[1:] = np.diff(ordered) > ROUNDING * np.maximum(1.0, np.abs(ordered[1:]))
    which = np.empty(len(values), dtype=np.int64)
    which[order] = np.cumsum(starts_new) - 1
    return ordered[starts_new], which
