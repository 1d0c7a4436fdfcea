r"""Limits for a mean of bounded draws that hold whenever the drawing stops.

Someone who claims that the mean is m offers fair bets on the next draw. Starting with 1 and
betting :math:`\lambda_i \ge 0` on draws above m, chosen before the i-th draw, we own

.. math:: K_s(m) = \prod_{i \le s} (1 + \lambda_i (x_i - m))

after s draws. If m is the mean then K is a martingale, and the probability that it ever reaches
:math:`1 / \alpha` is at most :math:`\alpha` (Ville's inequality), so all m with
:math:`K_s(m) \ge 1 / \alpha` may be ruled out at any s, whatever s depends on
:cite:`waudbysmith2024estimating`.
"""

from math import log
from typing import NamedTuple

import numpy as np

from sfumato._typing import Floats, Ints

__all__ = ["Horizon", "betting_limits"]

_FIRST, _GROWTH = 16, 1.2  # draws with equal bets: so many, then by this factor more
_MOST_AT_STAKE = 0.9  # share of what is owned that a draw can lose
_SHARES = np.array([1.0, 0.1, 0.01])  # of the planned draws, where time may end them
_PRECISION, _OVERSHOOT, _MOST_STEPS = 1.005, 1.001, 100


class Horizon(NamedTuple):
    """When drawing is likely to end: bets are made for it, but limits hold whatever comes.

    At ``most`` draws, or where the error is within ``tolerance``, or much earlier if
    ``is_hurried``: then what is owned is shared among bettors with several horizons.
    """

    most: int
    tolerance: float | None = None
    is_hurried: bool = False


def betting_limits(
    low_values: Floats,
    high_values: Floats,
    bounds: tuple[float, float],
    risk: float,
    horizon: Horizon,
) -> tuple[float, float]:
    r"""A lower limit for the mean of one kind of draws and an upper one for that of another.

    Draws come in the order in which they were made; the same array twice for one mean. All values
    lie within ``bounds``. ``risk`` is the probability that one of the two limits is wrong at any
    number of draws; half for each. O(s). With :math:`L = \log(2 / \mathrm{risk})`, variance v and a
    range r the limits are about :math:`\sqrt{2 v L / s}` from the mean, and no closer than r L / s.

    Examples
    --------
    >>> draws = np.random.default_rng(0).random(1000)
    >>> low, high = betting_limits(draws, draws, (0.0, 1.0), 0.05, Horizon(1000))
    >>> round(low, 2), round(high, 2)
    (0.49, 0.54)
    """
    lowest, highest = bounds
    spread = highest - lowest
    if not 0.0 < spread < np.inf:
        return bounds
    if horizon.tolerance is not None:
        horizon = horizon._replace(tolerance=horizon.tolerance / spread)
    log_term = log(2.0 / risk)
    low = _lower_limit((low_values - lowest) / spread, log_term, horizon)
    high = _lower_limit((highest - high_values) / spread, log_term, horizon)
    return lowest + spread * low, highest - spread * high


def _lower_limit(values: Floats, log_term: float, horizon: Horizon) -> float:
    """The largest mean that the bets rule out, of values in [0, 1], to a part in 200.

    What is owned falls as the claimed mean grows, so all below one that is ruled out are, too.
    """
    starts = _starts(len(values))
    bets = _bets(values, starts, log_term, horizon)
    lengths = np.diff(starts, append=len(values))
    start = at = right = float(values.mean())
    left = 0.0  # ruled out, or nothing is
    for _ in range(_MOST_STEPS):
        if at <= left:
            break
        capital, slope = _log_capital(values, bets, lengths, at)
        left, right = (at, right) if capital >= log_term else (left, at)
        newton = at + (log_term - capital) / slope
        if at == left and start - left <= _PRECISION * (start - newton):
            break
        at = start - _OVERSHOOT * (start - newton)
        if not left < at < right:
            at = (left + right) / 2
    return left


def _log_capital(values: Floats, bets: Floats, lengths: Ints, mean: float) -> tuple[float, float]:
    """Logarithm of what is owned against a claimed mean, and its slope; no draw can ruin us."""
    stakes = np.minimum(bets, _MOST_AT_STAKE / mean)
    logs, slopes = np.zeros(len(bets)), np.zeros(len(bets))
    for bettor, row in enumerate(stakes):
        stake = np.repeat(row, lengths)
        gains = 1.0 + stake * (values - mean)
        logs[bettor] = _log_product(gains)
        slopes[bettor] = -(stake / gains).sum()
    shares = np.exp(logs - logs.max()) / len(bets)
    return float(logs.max() + np.log(shares.sum())), float(shares @ slopes / shares.sum())


def _log_product(gains: Floats) -> float:
    """Sum of logarithms, of products of 16: none of them leaves the floats."""
    even = len(gains) // 16 * 16
    products = gains[:even].reshape(16, -1).prod(axis=0)
    return float(np.log(products).sum() + np.log(gains[even:]).sum())


def _bets(values: Floats, starts: Ints, log_term: float, horizon: Horizon) -> Floats:
    """Bets of shape (h, b) for h horizons and b blocks, from the variance of the draws before."""
    before = np.maximum(starts, 1)
    sums, squares = (
        np.concatenate([[0.0], np.cumsum(np.add.reduceat(powers, starts))[:-1]])
        for powers in (values, values**2)
    )
    # As if one more draw had been 0 or 1, and the mean 1/2.
    means = (0.5 + sums) / (1 + starts)
    variances = (0.25 + np.maximum(squares - sums**2 / before, 0.0)) / (1 + starts)
    shares = _SHARES if horizon.is_hurried else _SHARES[:1]
    ends = shares[:, None] * np.full(len(starts), float(horizon.most))
    if horizon.tolerance is not None:
        ends = np.minimum(ends, 2 * variances * log_term / horizon.tolerance**2)
    return np.minimum(np.sqrt(2 * log_term / (variances * ends)), _MOST_AT_STAKE / means)


def _starts(n_draws: int) -> Ints:
    """First draws of the blocks with equal bets, which grow."""
    starts = [0]
    step = float(_FIRST)
    while starts[-1] + step < n_draws:
        starts.append(int(starts[-1] + step))
        step = max(step, (_GROWTH - 1) * starts[-1])
    return np.array(starts, dtype=np.int64)
