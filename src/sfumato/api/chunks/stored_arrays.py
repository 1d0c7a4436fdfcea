"""Arrays of a stored summary: what is wrong with them is found before they are used."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["ROUNDING", "Arrays", "check", "integers"]

Arrays = dict[str, NDArray[np.generic]]

ROUNDING = 1e-4  # of sums of memberships, each of which may be off by as much as is taken


def integers(array: NDArray[np.generic]) -> NDArray[np.int64]:
    """An array of whole numbers."""
    is_empty = array.size == 0  # and its dtype is lost
    check(array.ndim == 1 and (is_empty or array.dtype == np.int64), "integers")
    return array.astype(np.int64)


def check(is_good: object, what: str) -> None:
    """Raise a ValueError that names what is wrong."""
    if not is_good:
        raise ValueError(what)
