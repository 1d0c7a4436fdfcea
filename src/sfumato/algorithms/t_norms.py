"""How a t-norm combines possibilities."""

import numpy as np

from sfumato._typing import Floats, TNorm

__all__ = ["combine", "combine_all"]


def combine(t_norm: TNorm, left: Floats, right: Floats) -> Floats:
    """Combine two arrays of possibilities, element by element.

    Examples
    --------
    >>> combine("lukasiewicz", np.array([0.75]), np.array([0.5])).tolist()
    [0.25]
    """
    if t_norm == "min":
        return np.minimum(left, right)
    if t_norm == "product":
        return left * right
    return np.maximum(0.0, left + right - 1.0)


def combine_all(t_norm: TNorm, possibilities: Floats) -> float:
    """Combine all possibilities of a 1-D array into one.

    Examples
    --------
    >>> combine_all("lukasiewicz", np.array([0.75, 0.75, 1.0]))
    0.5
    """
    if t_norm == "min":
        return float(possibilities.min())
    if t_norm == "product":
        return float(possibilities.prod())
    return max(0.0, 1.0 - float((1.0 - possibilities).sum()))
