"""Combine possibilities by a t-norm, or turn them into costs that add up."""

from math import inf, log

import numpy as np

from sfumato._typing import Floats, TNorm

__all__ = ["combine", "combine_all", "cost_limit", "costs_of", "possibilities_of", "settled"]

# A sum of n terms that add up to 1 is off by n / 2 ulp at most, by far less as a rule.
_ROUNDING = 2.0**-40  # 4096 ulp of 1, about 1e-12


def settled(t_norm: TNorm, possibilities: Floats) -> Floats:
    """Possibilities, with 0 for those that differ from it by rounding only.

    By Lukasiewicz a possibility is one less a sum of costs. Where that sum is 1 in exact numbers,
    a sum of floating-point numbers falls on either side of 1, depending on the order of its terms.
    So one convention holds for all methods: up to 2^-40 it is 0. Products are not sums, and min
    takes no arithmetic: these are left as they are.

    Examples
    --------
    >>> settled("lukasiewicz", np.array([1 - (0.6 + 0.2 + 0.2), 1 - (0.2 + 0.2 + 0.6)])).tolist()
    [0.0, 0.0]
    """
    if t_norm != "lukasiewicz":
        return possibilities
    return np.where(possibilities <= _ROUNDING, 0.0, possibilities)


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
    return settled(t_norm, left + right - 1.0)


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
    return float(possibilities_of(t_norm, (1.0 - possibilities).sum()))


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
    """Possibilities of given total costs, the inverse of `costs_of`, up to rounding (`settled`).

    Examples
    --------
    >>> possibilities_of("lukasiewicz", np.array([0.0, 0.75, 1.5])).tolist()
    [1.0, 0.25, 0.0]
    """
    if t_norm == "lukasiewicz":
        return settled(t_norm, 1.0 - costs)
    return np.exp(-costs)


def cost_limit(t_norm: TNorm, max_lost_mass: float) -> float:
    """What a table must cost to be left out: all of it is impossible, or of so little possibility.

    Examples
    --------
    >>> cost_limit("product", 0.5) == costs_of("product", np.array(0.5))
    np.True_
    >>> float(possibilities_of("lukasiewicz", np.array(cost_limit("lukasiewicz", 0.5))))
    0.0
    """
    if t_norm == "lukasiewicz":
        return 1.0 - _ROUNDING
    return -log(max_lost_mass) if max_lost_mass > 0 else inf
