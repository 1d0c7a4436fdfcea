"""What is known of a standard deviation that lies between limits."""

from math import inf, isfinite, nan, sqrt

from sfumato._wording import option
from sfumato.results.answers import Bracket

__all__ = ["known_std", "most_std"]

_KNOWN = 1e-6  # no note is made where less than this part of it is unsure


def known_std(
    low: float,
    high: float,
    mean: Bracket,
    bounds: Bracket,
    *,
    estimate: float | None = None,
    is_of_sums: bool = False,
) -> tuple[float, tuple[str, ...]]:
    """A standard deviation between limits, or nan if nothing is known, and what to say of it.

    The mean lies within ``mean``, all values within ``bounds``. Without an estimate the middle of
    the limits is taken. ``is_of_sums`` says that the limits come from sums of one round over
    objects that are gone.

    >>> known_std(0.1, 3.0, (0.5, 0.5), (0.0, 1.0))
    (0.3, ('The standard deviation is known within 0.2.',))
    """
    if not isfinite(high):
        return nan, (f"The standard deviation is not known: {_estimates(is_of_sums)}.",)
    high = min(high, most_std(mean, bounds))
    low = min(max(low, 0.0), high)
    if is_of_sums:
        return nan, (f"The standard deviation is at most {high:.2g}: {_estimates(True)}.",)
    std = (low + high) / 2 if estimate is None else min(max(estimate, low), high)
    error = max(high - std, std - low)
    if error <= _KNOWN * std:
        return std, ()
    return std, (f"The standard deviation is known within {error:.2g}.",)


def most_std(mean: Bracket, bounds: Bracket) -> float:
    """The largest standard deviation of values within bounds that have such a mean.

    The variance is at most (upper - mean) (mean - lower), which values at the bounds attain.

    >>> most_std((0.5, 0.5), (0.0, 1.0))
    0.5
    """
    lower, upper = bounds
    if not isfinite(upper - lower):
        return inf
    middle = min(max((lower + upper) / 2, mean[0]), mean[1])
    return sqrt(max(upper - middle, 0.0) * max(middle - lower, 0.0))


def _estimates(is_of_sums: bool) -> str:
    if is_of_sums:
        return "a second round over the objects (rounds=2) finds it"
    return f"{option('engine', 'sampled')} estimates it"
