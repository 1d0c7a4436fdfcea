"""Combine possibilities by a t-norm, or turn them into costs that add up."""

import numpy as np

from sfumato._typing import Floats, TNorm

__all__ = ["combine", "combine_all", "costs_of", "possibilities_of"]


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


def costs_of(t_norm: TNorm, possibilities: Floats) -> Floats:
    """Turn possibilities mu into costs: -log mu (product) or 1 - mu (lukasiewicz).

    Where possibilities combine by the t-norm, costs add. They are the additive generators of the
    two t-norms :cite:`klement2000triangular`. The t-norm min has none.

    Examples
    --------
    >>> costs_of("lukasiewicz", np.array([1.0, 0.25])).tolist()
    [0.0, 0.75]
    """
    if t_norm == "lukasiewicz":
        return 1.0 - possibilities
    impossible = possibilities <= 0.0
    return np.where(impossible, np.inf, -np.log(np.where(impossible, 1.0, possibilities)))


def possibilities_of(t_norm: TNorm, costs: Floats) -> Floats:
    """Turn total costs back into possibilities: the inverse of `costs_of`.

    Examples
    --------
    >>> possibilities_of("lukasiewicz", np.array([0.0, 0.75, 1.5])).tolist()
    [1.0, 0.25, 0.0]
    """
    if t_norm == "lukasiewicz":
        return np.maximum(0.0, 1.0 - costs)
    return np.exp(-costs)
