"""Bracket the mean of a quotient, from moments of its numerator and its denominator."""

from collections.abc import Callable
from math import inf, sqrt
from typing import NamedTuple, TypeAlias

import numpy as np

from sfumato._typing import Floats
from sfumato.algorithms.moments.known_moments import SumMoments

__all__ = ["Floor", "Form", "MeanBracket", "bracket_quotient", "bracket_root"]

Floor: TypeAlias = tuple[float, float]  # a risk, and what the denominator stays above but for it

_ROWS, _COLUMNS = np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])


class MeanBracket(NamedTuple):
    """A mean, the limits between which it surely lies, and the standard deviation if known.

    The standard deviation is ``std``, give or take ``std_error``.
    """

    mean: float
    low: float
    high: float
    std: float = 0.0
    std_error: float = inf


class Form(NamedTuple):
    """A function of the sums A, B and S of psi over rows, columns and cells.

    It is at_means + slopes @ (sums - means) + product * (A - E A) (B - E B), and a remainder. Its
    mean is off by at most ``error``. ``std`` and ``fourth`` bound the norms of the remainder, which
    the numerator and the denominator share.
    """

    at_means: float
    slopes: Floats  # (3,)
    product: float
    error: float
    std: float = 0.0
    fourth: float = 0.0


def bracket_quotient(
    bounds: tuple[float, float],
    moments: SumMoments,
    above: Form,
    below: Form,
    floors: list[Floor],
) -> MeanBracket:
    r"""Bracket the mean of f = X / Y.

    f lies within bounds [lo, hi], and Y is 0 only where X is. For any numbers r and y (here r is
    about E X / E Y, and y about E Y) let T = X - r Y and u = 1 - Y / y. As X = f Y, every table
    has

    .. math:: f - r = T / y + (f - r) u,

    so that :math:`E f = r + E T / y + E (f - r) u`, and once more

    .. math:: E f = r + E T / y + E T u / y + E (f - r) u^2.

    Where :math:`Y \ge y_1`, :math:`|f - r| \le |T| / y_1`. Elsewhere :math:`0 < u \le 1`, and
    :math:`|f - r| \le D`, the distance of r from the farther bound. So

    .. math:: |E (f - r) u| \le \lVert T \rVert \lVert u \rVert / y_1 + D P(Y < y_1), \qquad
              |E (f - r) u^2| \le \lVert T \rVert \lVert u \rVert_4^2 / y_1 + D P(Y < y_1),

    and the second is at most :math:`D \lVert u \rVert^2` too. Where :math:`u = u_1 + u_2`,
    Minkowski's inequality in :math:`L^2(|f - r|)` bounds its root by that of
    :math:`\lVert u_1 \rVert_4^2 (\lVert T \rVert / y_1 + D \sqrt{P(Y < y_1)})` and
    :math:`\sqrt D \lVert u_2 \rVert`.

    ``above`` and ``below`` are X and Y, which share their remainder; ``floors`` are pairs of a risk
    and a y1.
    """
    lo, hi = bounds
    y = below.at_means
    if y <= 4 * below.error:  # nearly always 0 over 0: nothing can be said
        return MeanBracket(lo, lo, hi)
    r = min(max(above.at_means / y, lo), hi)
    t = above.slopes - r * below.slopes
    mean_t = abs(above.at_means - r * y) + above.error + abs(r) * below.error
    mean_u = below.error / y
    product_t = above.product - r * below.product
    rest_t = _of_product(product_t, moments.std) + abs(1 - r) * above.std
    rest_y = _of_product(below.product, moments.std) + below.std
    std_t, std_y = moments.std(t), moments.std(below.slopes)
    norm_t, norm_u = std_t + rest_t + mean_t, (std_y + rest_y) / y + mean_u
    centre, radius = moments.covariance(t, below.slopes)
    radius += rest_t * std_y + rest_y * std_t + rest_t * rest_y
    fourth_t = moments.fourth_norm(t) + abs(1 - r) * above.fourth + mean_t
    fourth_t += _of_product(product_t, moments.fourth_norm)
    fourth_y = moments.fourth_norm(below.slopes) + below.fourth
    fourth_u = (fourth_y + _of_product(below.product, moments.fourth_norm)) / y + mean_u
    if norm_u <= mean_u:
        fourth_u = mean_u
    far = max(hi - r, r - lo)
    floors = [(risk, min(least, y)) for risk, least in floors if least > 0.0]

    def beyond(norms: float, power: int = 1) -> float:
        """Bound a mean of |f - r|^power times something, by its norms with T for f - r."""
        each = ((norms / least) ** power + far**power * risk for risk, least in floors)
        return min(each, default=inf)

    first = mean_t / y + beyond(norm_t * norm_u)
    second = (mean_t + mean_t * mean_u + radius / y) / y
    single, larger = moments.split_norms(below.slopes)
    single, larger = single / y, (larger + rest_y) / y + mean_u
    split = (norm_t / least + far * sqrt(risk) for risk, least in floors)
    split = (single * sqrt(min(split, default=inf)) + sqrt(far) * larger) ** 2
    rest = min(beyond(norm_t * fourth_u**2), split)
    middle = r - centre / y**2
    low = max(lo, r - first, middle - second - min(rest, (r - lo) * norm_u**2))
    high = min(hi, r + first, middle + second + min(rest, (hi - r) * norm_u**2))
    mean = r - moments.likely_covariance(t, below.slopes) / y**2
    least_t = sqrt(moments.least_variance(t))
    std_error = (std_t - least_t) / 2 + rest_t + mean_t
    std_error = std_error / y + sqrt(beyond(fourth_t * fourth_u, power=2)) + max(high - r, r - low)
    return MeanBracket(min(max(mean, low), high), low, high, (least_t + std_t) / 2 / y, std_error)


def _of_product(coefficient: float, norm: Callable[[Floats], float]) -> float:
    """A norm of coefficient * (A - E A) (B - E B): A and B are independent."""
    return coefficient and abs(coefficient) * norm(_ROWS) * norm(_COLUMNS)


def bracket_root(moments: SumMoments, above: Form, below: Form, floors: list[Floor]) -> MeanBracket:
    r"""Bracket the mean of :math:`f = t / \sqrt Y` within [0, 1], where Y is a p(A) q(B).

    With :math:`r = t_0 / \sqrt{Y_0}`, :math:`\tau = 1 - t / t_0`, :math:`w = 1 - Y / Y_0` and
    :math:`s = \sqrt{Y / Y_0}` every table has

    .. math:: f = r (1 - \tau)(1 + w / 2) + f w^2 \kappa(s), \qquad
              \kappa(s) = \frac{2 + s}{2 (1 + s)^2}
              = \frac 3 8 + w \lambda(s), \quad \lambda(s) = \frac{5 + 3 s}{8 (1 + s)^3},

    .. math:: E f = r [1 - E \tau + \tfrac 1 2 E w - \tfrac 1 2 E \tau w + \tfrac 3 8 E w^2]
              + \tfrac 3 8 E (f - r) w^2 + E f w^3 \lambda(s).

    Where :math:`s \ge s_1`, :math:`|f - r| \le \frac{r}{s_1} |\tau - \frac w 2 - \frac{w^2}{2 (1 +
    s)^2}|`. Elsewhere the last two terms are at most 3/8 and 5/8.

    The denominator is a product of a function of A and one of B, or a function of A alone.
    """
    t0, y0 = above.at_means, below.at_means
    if t0 <= 4 * above.error:  # pairs joined by both: f is at most as many
        return MeanBracket(0.0, 0.0, min(1.0, max(t0, 0.0) + above.error))
    if y0 <= 4 * below.error:
        return MeanBracket(0.0, 0.0, 1.0)
    r = min(t0 / sqrt(y0), 1.0)
    by_t, by_w = -above.slopes / t0, -below.slopes / y0
    mean_tau, mean_w = above.error / t0, below.error / y0
    shift = abs(t0 / sqrt(y0) - r) + r * (mean_tau + mean_w / 2)
    product = _of_product(below.product / y0, moments.std)
    # The three parts of w are uncorrelated: of A, of B, and their product.
    parts = [by_w * _ROWS, by_w * _COLUMNS]
    w_square = (
        sum(moments.least_variance(part) for part in parts),
        sum(moments.variance(part) for part in parts) + product**2 + mean_w**2,
    )
    std_t, norm_w = moments.std(by_t), sqrt(w_square[1])
    centre, radius = moments.covariance(by_t, by_w)
    radius += product * std_t + mean_tau * mean_w
    fourth_w = moments.fourth_norm(by_w) + _of_product(below.product / y0, moments.fourth_norm)
    fourth_w = fourth_w + mean_w if norm_w > mean_w else mean_w
    half = moments.std(by_t - by_w / 2) + product / 2 + mean_tau + mean_w / 2
    first, second, spread = inf, inf, inf
    for risk, least in floors:
        s = sqrt(min(max(least / y0, 0.0), 1.0))
        kappa = (2 + s) / (2 * (1 + s) ** 2)
        first = min(first, kappa * w_square[1] + risk)
        spread = min(spread, kappa * fourth_w**2 + sqrt(risk))
        if s == 0.0:
            continue
        apart = r / s * (half + fourth_w**2 / (2 * (1 + s) ** 2))
        lambda_ = (5 + 3 * s) / (8 * (1 + s) ** 3)
        second = min(second, (0.375 * apart + lambda_ * norm_w) * fourth_w**2 + risk)
    crossed = r * (std_t + mean_tau) * norm_w / 2
    curved = 0.375 * sum(w_square) / 2
    middle = r * (1 - centre / 2 + curved)
    mean = r * (1 - moments.likely_covariance(by_t, by_w) / 2 + curved)
    error = r * (radius / 2 + 0.375 * (w_square[1] - w_square[0]) / 2) + second + shift
    low = max(0.0, r - crossed - shift, middle - error)
    high = min(1.0, r + crossed + first + shift, middle + error)
    by_both = by_t - by_w / 2
    least, most = sqrt(moments.least_variance(by_both)), moments.std(by_both)
    fourth_t = moments.fourth_norm(by_t) + mean_tau
    std_error = r * ((most - least) / 2 + product / 2 + mean_tau + mean_w + fourth_t * fourth_w / 2)
    std_error += spread + max(high - r, r - low)
    std = r * (least + most) / 2
    return MeanBracket(min(max(mean, low), high), low, high, std, std_error)
