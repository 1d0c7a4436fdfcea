"""How an object divides itself among alternatives of different costs: the fuzzy step."""

from typing import NamedTuple

import numpy as np

from sfumato._typing import Floats

__all__ = ["Split", "split"]


class Split(NamedTuple):
    """Shares of every object, what they weigh, and the cost that is left."""

    shares: Floats  # (f, n): columns sum to 1
    weights: Floats  # (f, n): shares to the power of the fuzzifier
    costs: Floats  # (n,): sum of weights times costs


def split(costs: Floats, fuzzifier: float) -> Split:
    r"""Shares that minimise the fuzzy cost of every object.

    .. math:: u_a = \frac{c_a^{-1/(m-1)}}{\sum_b c_b^{-1/(m-1)}} \quad\text{minimises}\quad
       \sum_a u_a^m c_a

    Costs are divided by the smallest of the object and raised to their power by logarithms, so
    nothing overflows however near to 1 the fuzzifier is; alternatives that cost nothing share the
    object equally.

    Costs, of shape (f, n), are not negative; infinite ones get nothing, but one of each object must
    be finite. With r = min(c) / c and t the sum of r^(1/(m-1)), the weights are u r t^(1-m) and the
    cost min(c) t^(1-m), which takes one logarithm and one exponential per entry, none at m = 2.

    >>> split(np.array([[1.0, 0.0], [3.0, 2.0]]), 2.0).shares
    array([[0.75, 1.  ],
           [0.25, 0.  ]])
    """
    smallest = costs.min(axis=0)
    with np.errstate(invalid="ignore"):  # 0 / 0, which the next lines settle
        ratios = smallest / costs
    is_free = np.flatnonzero(smallest == 0)
    ratios[:, is_free] = costs[:, is_free] == 0
    shares = _power(ratios, 1 / (fuzzifier - 1))
    totals = shares.sum(axis=0)
    shares /= totals
    factors = totals ** (1 - fuzzifier)
    ratios *= shares
    ratios *= factors
    return Split(shares, ratios, smallest * factors)


def _power(ratios: Floats, exponent: float) -> Floats:
    if exponent == 1:
        return ratios.copy()
    with np.errstate(divide="ignore"):
        logarithms = np.log(ratios)
    logarithms *= exponent
    return np.exp(logarithms, out=logarithms)
