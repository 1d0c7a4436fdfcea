"""Compute the mean of N log N for a count N of independent events.

A sum of exponentials stands for the logarithm; tools/fit_logarithm.py finds them.
"""

import json
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from sfumato import _core
from sfumato._typing import Floats, Ints
from sfumato.algorithms.tables.ragged import starts_of

__all__ = [
    "FITS",
    "LOST",
    "CountLaw",
    "CountTransform",
    "add_counts",
    "choose_fits",
    "expected_xlogx_of_lists",
    "law_of_count",
    "log_sums_of_lists",
    "n_nodes",
    "transform_count",
    "xlogx_from_log_sums",
]

LOST = 1e-32  # tails of a law that are dropped


class LogarithmFit(NamedTuple):
    """log(x) is constant + sum(weights * exp(-rates * x)) for x from 1 to ``largest``.

    Up to the certified ``error``; for the integers among them alone where ``is_discrete``.
    """

    largest: float
    is_discrete: bool
    error: float
    constant: float
    rates: list[float]
    weights: list[float]


_STORED = files("sfumato.algorithms.moments") / "logarithm_fits.json"
FITS = tuple(LogarithmFit(**fit) for fit in json.loads(_STORED.read_text(encoding="utf-8")))


class CountLaw(NamedTuple):
    """Probabilities of the counts first, first + 1, ...; the probability ``lost`` is left out."""

    first: int
    probabilities: Floats
    lost: float


class CountTransform(NamedTuple):
    """The generating function G(s) of a count N at the points s that E[f(N) N log N] needs.

    For all N that are not negligibly unlikely, log N is the sum of ``weights * s**N``, up to
    ``error``.
    """

    gaps: Floats  # 1 - s, the first of them 0
    weights: Floats
    values: Floats  # G(s)
    slopes: Floats  # G'(s) / G(s)
    error: float


@cache
def _fits() -> tuple[Floats, Floats, Floats, Floats, Ints, Floats, Floats]:
    """The fits as arrays: one number of each, then all rates and weights, and where they start."""
    *numbers, each_rates, each_weights = zip(*FITS, strict=True)
    largest, is_discrete, error, constant = np.array(numbers, dtype=np.float64)
    starts = starts_of(np.array([len(own) for own in each_rates]))
    rates, weights = np.concatenate(each_rates), np.concatenate(each_weights)
    return largest, is_discrete, error, constant, starts, rates, weights


def law_of_count(events: Floats, negligible: float) -> CountLaw:
    r"""Find the law of the number of events that happen (the Poisson-binomial law).

    .. math:: f_x(m) = (1 - p_x) f_{x-1}(m) + p_x f_{x-1}(m - 1)

    Tails with probabilities below ``negligible`` are dropped on the way. O(n w), where w is the
    number of counts kept, at most n + 1. Every probability has a small relative error. See
    :cite:`hong2013computing`.

    Examples
    --------
    >>> law_of_count(np.array([0.5, 0.5, 1.0]), 0.0)
    CountLaw(first=0, probabilities=array([0.  , 0.25, 0.5 , 0.25]), lost=0.0)
    """
    return CountLaw(*_core.count_law(np.ascontiguousarray(events, dtype=np.float64), negligible))


def add_counts(one: CountLaw, two: CountLaw) -> CountLaw:
    """The law of the sum of two independent counts."""
    first, probabilities, lost = _core.add_count_laws(
        one.first + two.first, one.probabilities, two.probabilities, LOST
    )
    return CountLaw(first, probabilities, lost + one.lost + two.lost)


def expected_xlogx_of_lists(events: Floats, starts: Ints) -> tuple[Floats, Floats]:
    r"""Mean of N log N for several counts N of independent events, and a bound of its error.

    .. math:: E[N \log N] \approx c\,E[N] + \sum_q w_q E[N s_q^N], \quad
              E[N s^N] = s G'(s), \quad G(s) = \prod_x (1 - p_x (1 - s))

    ``events`` are the probabilities of the events of each count, one list after the other, and
    ``starts``, of shape (c + 1,), where each list begins. The error is at most 2e-14 times the mean
    of N, from replacing the logarithm, and a bound of rounding.

    Notes
    -----
    O(n) for each count. A sum of 7 to 28 exponentials :cite:`braess2005approximation` replaces the
    logarithm within a window. N is outside the window with a probability of at most 2e-20
    (Bennett's inequality, :cite:`bennett1962probability`). With up to 64 uncertain events the law
    of N is used instead.

    Examples
    --------
    >>> values, errors = expected_xlogx_of_lists(np.array([1.0, 0.5, 0.5]), np.array([0, 1, 3]))
    >>> values.round(6).tolist(), bool(errors.max() < 1e-13)
    ([0.0, 0.346574], True)
    """
    return _core.count_entropies(np.ascontiguousarray(events, dtype=np.float64), starts, *_fits())


def choose_fits(means: Floats, variances: Floats, n_objects: int) -> tuple[Ints, Floats]:
    """The cheapest fit of the logarithm that holds where counts are likely to be.

    For each count of up to ``n_objects`` events the number of the fit, and what the count is
    divided by there. The variances may be too large.

    Examples
    --------
    >>> fits, scales = choose_fits(np.array([5.0, 1e4]), np.array([4.0, 1e3]), 10**5)
    >>> n_nodes(fits).tolist(), scales.tolist()
    ([22, 7], [1.0, 9681.0])
    """
    fits, scales = _core.choose_fits(means, variances, float(n_objects), *_fits())
    assert not len(fits) or fits.min() >= 0, "the fits reach over every window"
    return fits, scales


def n_nodes(fits: Ints) -> Ints:
    """Exponentials in each of these fits."""
    return np.array([len(fit.rates) for fit in FITS])[fits]


def log_sums_of_lists(
    events: Floats, starts: Ints, means: Floats, fits: Ints, scales: Floats
) -> tuple[Floats, Floats, Floats]:
    r"""What the mean of N log N needs of some of the events of each count; it adds up.

    ``events`` and ``starts`` are lists as in `expected_xlogx_of_lists`; ``means``, ``fits`` and
    ``scales`` are those of the whole counts. O(1) for each event and node.

    The first of three arrays, of shape (3, c), has sums of the probabilities, numbers of those that
    are 1, and steps of rounding. The others have :math:`\sum \log(1 - p (1 - s))` and
    :math:`\sum p / (1 - p (1 - s))` over p < 1 at the nodes s of each count, one list after the
    other.
    """
    return _core.count_log_sums(events, starts, means, fits, scales, *_fits())


def xlogx_from_log_sums(
    totals: Floats, logs: Floats, slopes: Floats, fits: Ints, scales: Floats, n_objects: int
) -> tuple[Floats, Floats]:
    """Mean of N log N as in `expected_xlogx_of_lists`, from sums over the events of each count.

    ``totals``, ``logs`` and ``slopes`` are those of `log_sums_of_lists`, over all events.
    """
    return _core.entropies_of_log_sums(
        np.ascontiguousarray(totals), logs, slopes, fits, scales, float(n_objects), *_fits()
    )


def transform_count(events: Floats) -> CountTransform:
    """Find the generating function of a count at the points that replace its logarithm.

    At least one event is possible. O(n). Points where G is below 1e-100 are left out. They are
    multiplied by a power of n at most, so they cannot matter.
    """
    events = np.ascontiguousarray(events, dtype=np.float64)
    constant, error, exponents, weights, logs, slopes = _core.count_transform(events, *_fits())
    assert len(exponents) > 0, "the fits reach over every window"
    n_sure = np.count_nonzero(events == 1.0)
    values = np.exp(logs - n_sure * exponents)
    slopes = slopes + n_sure * np.exp(exponents)
    kept = values > 1e-100
    return CountTransform(
        gaps=np.concatenate([[0.0], -np.expm1(-exponents[kept])]),
        weights=np.concatenate([[constant], weights[kept]]),
        values=np.concatenate([[1.0], values[kept]]),
        slopes=np.concatenate([[events.sum()], slopes[kept]]),
        error=error,
    )
