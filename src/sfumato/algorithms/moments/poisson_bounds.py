r"""Bound means of convex and concave functions of a count of independent events.

Let N count independent events, with mean :math:`\mu`, and let M be a Poisson number with the same
mean. Then :math:`E f(N) \le E f(M)` for every convex f :cite:`hoeffding1956distribution`. Here
:math:`\psi(x) = x \log x`, :math:`\delta(m) = \psi(m + 1) - \psi(m)` is what one more event adds,
and :math:`\delta_2(m) = \delta(m + 1) - \delta(m)`. :math:`\delta` grows and is concave;
:math:`\delta_2^2` falls and is convex. Up to a mean of 300 Poisson series are summed, beyond it
closed bounds are used.
"""

from collections.abc import Callable
from math import sqrt

import numpy as np

from sfumato._typing import Floats
from sfumato.families import xlogx

__all__ = ["curved_norm", "eighth_moment", "step_means", "step_squares", "tangent_points"]

_LARGEST_MEAN = 300.0  # of a series
_LEAST_MEAN = 2.3e-308  # whose inverse is finite
_ROUNDING = 1e-11  # relative, of a series
_TERMS_AT_ONCE = 1 << 20


def step_means(means: Floats, largest: Floats) -> tuple[Floats, Floats]:
    r"""Lower and upper limits of :math:`E \delta(N - 1_e)` for every event e of each count N.

    ``means`` are those of N, above 0, and ``largest`` the largest probabilities of an event.
    Without the event the mean is at least :math:`\mu - p`. Above: Jensen's inequality. Below: the
    Poisson number, or :math:`E \delta \ge \log \mu + 1 - 1/\mu`, because
    :math:`E \log(M + 1) \ge \log \mu` and :math:`m \log(1 + 1/m) \ge 1 - 1/(2m + 1)`.

    Examples
    --------
    >>> low, high = step_means(np.array([2.0, 1e6]), np.array([0.5, 0.5]))
    >>> (high - low).round(6).tolist()
    [0.515022, 2e-06]
    """
    less = np.maximum(means - largest, 0.0)
    above = np.maximum(means, _LEAST_MEAN)  # 1 / means might overflow
    high = (np.log1p(above) + above * np.log1p(1.0 / above)) * (1 + _ROUNDING)
    low = np.zeros_like(means)
    is_small = less <= _LARGEST_MEAN
    low[is_small] = _poisson_means(lambda m, _: _step(m), less[is_small]) * (1 - _ROUNDING)
    far = less[~is_small]
    low[~is_small] = np.log(far) + 1.0 - 1.0 / far
    return np.minimum(low, high), high


def step_squares(means: Floats, largest: Floats) -> Floats:
    r"""Bound :math:`E \delta_2(N')^2`, where N' lacks any two events of each count N.

    Times the variance v of N it bounds the variance of :math:`\delta(N - 1_e)` for every event e
    :cite:`efron1981jackknife`. The Poisson number with mean :math:`\mu - 2p` gives a larger mean;
    for it :math:`E \delta_2^2 \le 1/\mu^2 + 8.6/\mu^3`, since
    :math:`\delta_2(m)^2 \le \frac{1}{(m+1)(m+2)} + \frac{8.6}{(m+1)(m+2)(m+3)}`.

    Examples
    --------
    >>> (5e3 * step_squares(np.array([1e4]), np.array([1.0]))).round(8).tolist()
    [5.006e-05]
    """
    less = np.maximum(means - 2.0 * largest, 0.0)
    squares = np.empty_like(means)
    is_small = less <= _LARGEST_MEAN
    found = _poisson_means(lambda m, _: (_step(m + 1.0) - _step(m)) ** 2, less[is_small])
    squares[is_small] = found * (1 + _ROUNDING)
    far = less[~is_small]
    squares[~is_small] = 1.0 / far**2 + 8.6 / far**3
    return squares


def eighth_moment(variances: Floats) -> Floats:
    r"""Bound the eighth central moment of counts: :math:`105 v^4 + 490 v^3 + 119 v^2 + v`.

    Multiplied out, the moment is a sum over the partitions of eight factors into groups that
    share an object. No group has one factor, and a group adds up to v at most, because an event
    differs from its probability by 1 at most. There are 105, 490, 119 and 1 partitions into four,
    three, two groups and one.

    Examples
    --------
    >>> eighth_moment(np.array([1.0])).tolist()
    [715.0]
    """
    return variances * (1.0 + variances * (119.0 + variances * (490.0 + variances * 105.0)))


def tangent_points(means: Floats) -> Floats:
    """Where the tangent of x log x touches: at the mean, unless it is very small."""
    return np.maximum(means, 0.5)


def curved_norm(means: Floats, variances: Floats) -> Floats:
    r"""Bound the 4-norm of :math:`Z = N \log(N/m) - N + m`, what x log x has above its tangent.

    m is where the tangent touches. :math:`Z \le (N - m)^2/m`, and :math:`Z^4` is convex, so that
    its mean is at most that of the Poisson number.

    Examples
    --------
    >>> curved_norm(np.array([1.0]), np.array([1.0])).round(4).tolist()
    [1.307]
    """
    at = tangent_points(means)
    off = (means - at) ** 2
    norms = eighth_moment(variances) ** 0.25
    norms = np.where(off > 0.0, 2.0 * norms + 2.0 * off, norms) / at
    is_small = means <= _LARGEST_MEAN
    fourth = _poisson_means(_curved_power, means[is_small])
    norms[is_small] = np.minimum(norms[is_small], (fourth * (1 + _ROUNDING)) ** 0.25)
    return norms


def _step(m: Floats) -> Floats:
    return xlogx(m + 1.0) - xlogx(m)


def _curved_power(m: Floats, means: Floats) -> Floats:
    at = tangent_points(means)
    return np.maximum(xlogx(m) - m * np.log(at) - m + at, 0.0) ** 4


def _poisson_means(function: Callable[[Floats, Floats], Floats], means: Floats) -> Floats:
    """Means of function(M, mean) for Poisson numbers M; what is cut off is below 1e-30."""
    found = np.empty_like(means)
    order = np.argsort(means, kind="stable")
    first = 0
    while first < len(order):
        # As many as have about the same tail.
        longest = min(2.0 * float(means[order[first]]) + 1.0, _LARGEST_MEAN)
        last = int(np.searchsorted(means[order], longest, side="right"))
        terms = int(longest + 20.0 * sqrt(longest) + 60.0)
        last = max(first + 1, min(last, first + _TERMS_AT_ONCE // terms))
        block = order[first:last]
        m = np.arange(float(terms))
        log_factorials = np.cumsum(np.log(np.maximum(m, 1.0)))
        own = np.maximum(means[block], 1e-300)[:, None]
        weights = np.exp(m * np.log(own) - own - log_factorials)
        found[block] = (weights * function(m, own)).sum(axis=1)
        first = last
    return found
