"""Arrays of a stored summary: what is wrong with them is found before they are used."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["ROUNDING", "Arrays", "check", "check_sizes", "integers"]

Arrays = dict[str, NDArray[np.generic]]

ROUNDING = 1e-4  # of sums of memberships, each of which may be off by as much as is taken


def integers(array: NDArray[np.generic]) -> NDArray[np.int64]:
    """An array of whole numbers."""
    is_empty = array.size == 0  # and its dtype is lost
    check(array.ndim == 1 and (is_empty or array.dtype == np.int64), "integers")
    return array.astype(np.int64)


def check(is_good: "NDArray[np.bool_] | np.bool_ | bool", what: str) -> None:
    """Raise a ValueError that names what is wrong, unless everything is good."""
    if not np.all(is_good):
        raise ValueError(what)


def check_sizes(array: NDArray[np.float64], what: str) -> None:
    """Numbers must be finite and not negative."""
    check(np.isfinite(array) & (array >= 0), what)
