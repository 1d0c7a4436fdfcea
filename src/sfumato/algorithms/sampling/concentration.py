r"""Bound how far a mean of independent draws can be from the truth, and find the draws needed.

A mean differs from the truth by at most the half-width. This holds for ``n_means`` means at once
with probability ``confidence``. Each of c means may be too large or too small, so with a joint
confidence :math:`\gamma` all bounds contain

.. math:: L = \log \frac{2 c}{1 - \gamma}.

The number of draws is s.
"""

from math import ceil, inf, log, sqrt

__all__ = [
    "bernstein_half_width",
    "clopper_pearson",
    "dkw_band",
    "freedman_draws",
    "freedman_half_width",
    "hoeffding_draws",
    "hoeffding_half_width",
    "line_half_width",
]


def _log_term(confidence: float, n_means: int) -> float:
    return log(2 * n_means / (1.0 - confidence))


def hoeffding_half_width(n_draws: int, spread: float, confidence: float, n_means: int) -> float:
    r"""Half-width for values in a range of length r :cite:`hoeffding1963`.

    .. math:: \varepsilon = r \sqrt{L / (2 s)}

    Examples
    --------
    >>> round(hoeffding_half_width(18445, 1.0, 0.95, 1), 4)
    0.01
    """
    if spread == inf:
        return inf
    return spread * sqrt(_log_term(confidence, n_means) / (2 * n_draws))


def hoeffding_draws(tolerance: float, spread: float, confidence: float, n_means: int) -> float:
    """Number of draws that makes Hoeffding's half-width at most ``tolerance``.

    Examples
    --------
    >>> hoeffding_draws(0.01, 1.0, 0.95, 1)
    18445
    """
    if spread == inf:
        return inf
    return max(1, ceil(spread**2 * _log_term(confidence, n_means) / (2 * tolerance**2)))


def freedman_half_width(
    n_draws: int, step: float, unsureness: float, confidence: float, n_means: int
) -> float:
    r"""Half-width for a value that each object changes by at most c, if most objects are sure.

    An object makes its likeliest choice with probability :math:`1 - \eta`. It adds at most
    :math:`c^2 \eta (1 - \eta)` to the variance, or :math:`c^2 / 4` if :math:`\eta \ge 1/2`. Let
    :math:`c^2 u` be the sum over objects. Freedman's inequality :cite:`freedman1975tail`, for the
    martingale of all objects of all draws, gives

    .. math:: \varepsilon = \frac{1}{s} \left( \frac{c L}{3}
              + \sqrt{\frac{c^2 L^2}{9} + 2 s c^2 u L} \right)

    Examples
    --------
    >>> round(freedman_half_width(125, 1 / 149, 150 / 4, 0.95, 1), 3)
    0.01
    >>> round(freedman_half_width(125, 1 / 149, 150 / 40, 0.95, 1), 3)
    0.003
    """
    if step == inf:
        return inf
    log_term = _log_term(confidence, n_means)
    third = step * log_term / 3
    return (third + sqrt(third**2 + 2 * n_draws * step**2 * unsureness * log_term)) / n_draws


def freedman_draws(
    tolerance: float, step: float, unsureness: float, confidence: float, n_means: int
) -> float:
    """Number of draws that makes Freedman's half-width at most ``tolerance``.

    Examples
    --------
    >>> freedman_draws(0.01, 1 / 149, 150 / 40, 0.95, 1)
    15
    """
    if step == inf:
        return inf
    variance = step**2 * unsureness + step * tolerance / 3
    return max(1, ceil(2 * _log_term(confidence, n_means) * variance / tolerance**2))


def line_half_width(half_width: float, planned: int, n_draws: int) -> float:
    r"""Turn a bound for a planned number of draws into one for any number, whatever decides it.

    .. math:: \varepsilon_s = \frac{\varepsilon}{2} \left( 1 + \frac{p}{s} \right)

    for s draws where p were planned. The bounds of Hoeffding, McDiarmid and Freedman say that
    :math:`\exp(\lambda S_s - s \psi(\lambda))` is a supermartingale, S the sum of what the draws
    differ from their mean, and choose :math:`\lambda` for p draws. By Ville's inequality
    S stays below the line :math:`(L + s \psi(\lambda)) / \lambda` for ever
    :cite:`howard2020time`, and at p draws both parts of it are equal. Nothing is lost at p draws.

    Examples
    --------
    >>> line_half_width(0.01, 1000, 1000), line_half_width(0.01, 1000, 250)
    (0.01, 0.025)
    """
    return half_width * (1 + planned / n_draws) / 2


def bernstein_half_width(
    n_draws: int, variance: float, spread: float, confidence: float, n_means: int
) -> float:
    r"""Half-width for values with sample variance v in a range of length r (empirical Bernstein).

    .. math:: \varepsilon = \sqrt{\frac{2 v L'}{s}} + \frac{7 r L'}{3 (s - 1)}, \quad
              L' = \log \frac{4 c}{1 - \gamma}

    Theorem 4 of :cite:`maurer2009empirical`, for both sides. The sample variance v has the divisor
    s - 1.

    Examples
    --------
    >>> round(bernstein_half_width(10_000, 1e-4, 1.0, 0.95, 1), 4)
    0.0013
    """
    if spread == inf or n_draws < 2:
        return inf
    log_term = log(4 * n_means / (1.0 - confidence))
    return sqrt(2 * variance * log_term / n_draws) + 7 * spread * log_term / (3 * (n_draws - 1))


def dkw_band(n_draws: int, confidence: float, n_functions: int) -> float:
    """Bound the error of empirical distribution functions (Dvoretzky, Kiefer and Wolfowitz).

    It holds for all ``n_functions`` functions at once: two, for the lower and the upper end.

    Examples
    --------
    >>> round(dkw_band(1000, 0.95, 1), 3)
    0.043
    """
    return sqrt(log(2 * n_functions / (1.0 - confidence)) / (2 * n_draws))


def clopper_pearson(share: float, n_draws: int, risk: float) -> tuple[float, float]:
    """Limits of a probability, from the share of draws in which an event happened.

    Each of them is wrong with a probability of at most ``risk``, whatever the probability is
    :cite:`clopper1934use`.

    Examples
    --------
    >>> low, high = clopper_pearson(0.9, 1000, 0.025)
    >>> round(low, 3), round(high, 3)
    (0.88, 0.918)
    """
    from scipy.special import betaincinv

    count = share * n_draws
    low = float(betaincinv(count, n_draws - count + 1, risk)) if count > 0 else 0.0
    high = float(betaincinv(count + 1, n_draws - count, 1.0 - risk)) if share < 1 else 1.0
    return low, high
