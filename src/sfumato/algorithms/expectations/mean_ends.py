"""Compute the lower and the upper expectation of a mass function over sets of numbers."""

from typing import NamedTuple

import numpy as np

from sfumato._typing import Floats

__all__ = ["Expectations", "expectations"]


class Expectations(NamedTuple):
    """Means and standard deviations of the smallest and of the largest value of a random set."""

    lower: float
    upper: float
    lower_std: float
    upper_std: float


def expectations(lows: Floats, highs: Floats, masses: Floats) -> Expectations:
    r"""Lower and upper expectation, and the standard deviation of each end.

    .. math:: \underline{E} = \sum_V m(V) \min V, \qquad \overline{E} = \sum_V m(V) \max V

    ``lows`` and ``highs`` are the smallest and the largest value of each focal set. The masses need
    not sum to 1.

    Examples
    --------
    >>> expectations(np.array([0.0, 1.0]), np.array([1.0, 1.0]), np.array([0.5, 0.5]))
    Expectations(lower=0.5, upper=1.0, lower_std=0.5, upper_std=0.0)
    """
    shares = masses / masses.sum()
    lower, lower_std = _mean_and_std(lows, shares)
    upper, upper_std = (lower, lower_std) if highs is lows else _mean_and_std(highs, shares)
    return Expectations(lower, upper, lower_std, upper_std)


def _mean_and_std(values: Floats, shares: Floats) -> tuple[float, float]:
    # Offsets keep the mean of equal values equal to them; those from the likeliest value lose the
    # least. Sums and not matrix products: the order of summation must not depend on threads.
    centre = float(values[np.argmax(shares)])
    offsets = values - centre
    mean = float((offsets * shares).sum())
    variance = float(((offsets - mean) ** 2 * shares).sum())
    return centre + mean, variance**0.5
