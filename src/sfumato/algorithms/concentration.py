"""How far a mean of independent draws can be from the truth."""

from math import ceil, inf, log, sqrt

__all__ = ["dkw_band", "hoeffding_draws", "hoeffding_half_width"]


def hoeffding_half_width(n_draws: int, spread: float, confidence: float, n_means: int) -> float:
    r"""Half-width that holds for ``n_means`` means at once, by Hoeffding's inequality.

    .. math:: \varepsilon = r \sqrt{\frac{\log(2 c / (1 - \gamma))}{2 s}}

    for s draws of values in a range r, c means and joint confidence gamma; infinite where the
    range is. From :cite:`hoeffding1963`.

    Examples
    --------
    >>> round(hoeffding_half_width(18445, 1.0, 0.95, 1), 4)
    0.01
    """
    if spread == inf:
        return inf
    return spread * sqrt(log(2 * n_means / (1.0 - confidence)) / (2 * n_draws))


def hoeffding_draws(tolerance: float, spread: float, confidence: float, n_means: int) -> int:
    """Draws that make Hoeffding's half-width at most ``tolerance``.

    Examples
    --------
    >>> hoeffding_draws(0.01, 1.0, 0.95, 1)
    18445
    """
    return max(1, ceil(spread**2 * log(2 * n_means / (1.0 - confidence)) / (2 * tolerance**2)))


def dkw_band(n_draws: int, confidence: float) -> float:
    """Largest error of an empirical distribution function (Dvoretzky, Kiefer and Wolfowitz).

    Examples
    --------
    >>> round(dkw_band(1000, 0.95), 3)
    0.043
    """
    return sqrt(log(2 / (1.0 - confidence)) / (2 * n_draws))
