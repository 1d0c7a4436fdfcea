"""Replace a ratio of sums of psi by a line, with a bound of how far it lies off.

For differences of ratios: the ratios of two candidates have no common denominator, but lines add
up.
"""

from typing import NamedTuple

import numpy as np

from sfumato._typing import Floats
from sfumato.algorithms.ends.ratio_bounds import ROUNDING, column_ends, ratio_parts, sums_at
from sfumato.algorithms.ends.relaxed_sums import sum_limits
from sfumato.algorithms.ends.rough_batch import RoughBatch
from sfumato.families import Ratio

__all__ = ["RatioLine", "adjusted_line", "ratio_line"]


class RatioLine(NamedTuple):
    """The ratio is offset + weights times the sums over rows, columns and cells, within slack."""

    offset: Floats  # (n_tables,)
    weights: Floats  # (n_tables, 3)
    slack: Floats  # (n_tables,): infinite where the denominator may be zero


def ratio_line(family: Ratio, batch: RoughBatch, lows: Floats, highs: Floats) -> RatioLine:
    r"""A line near a ratio :math:`f = P / Q^p` on all tables within reach, for each of many.

    Let :math:`\theta` be the ratio at some sums, and :math:`L = P - \theta Q^p`. Then
    :math:`f = \theta + L / Q^p`. Let Q lie in [q, r] with q > 0, and let c be the middle of
    :math:`q^{-p}` and :math:`r^{-p}`, h half their distance. Then

    .. math:: |f - \theta - c L| \le h |L| \le h r^p \max |f - \theta|

    L is the line of its slopes but for products of differences of two sums, which have limits, and
    for what a root lies below its tangent.

    The ratio surely lies between ``lows`` and ``highs``, of shape (n_tables,).

    Notes
    -----
    Some relaxations as in `least_sums`, of two rounds each.
    """
    power = family.power
    at = sums_at(family.psi, batch, batch.equal_shares())
    parts, shifted = (ratio_parts(family, at[:, 1] + shift) for shift in (0.0, 1.0))
    above, below = (part[:, 0] + (part[:, 1:] * at).sum(axis=1) for part in parts)
    least, most = _denominators(family, batch)
    is_fine = (least > ROUNDING * np.maximum(1.0, most)) & (below > 0)
    least, most, below = (np.where(is_fine, each, 1.0) for each in (least, most, below))
    slopes, errors = zip(
        *(
            _slopes(family, batch, own, other - own, at)
            for own, other in zip(parts, shifted, strict=True)
        ),
        strict=True,
    )
    theta = above / below**power
    tangent = power * below ** (power - 1.0)
    lost = np.max(
        [below**power + tangent * (end - below) - end**power for end in (least, most)], axis=0
    )
    error = errors[0] + np.abs(theta) * (tangent * errors[1] + lost)
    near, far = least**-power, most**-power
    middle, half = (near + far) / 2, (near - far) / 2
    reach = np.maximum(0.0, np.maximum(highs - theta, theta - lows)) * most**power
    weights = (slopes[0] - (theta * tangent)[:, None] * slopes[1]) * middle[:, None]
    slack = error * middle + reach * half
    return RatioLine(
        np.where(is_fine, theta - (weights * at).sum(axis=1), 0.0),
        np.where(is_fine[:, None], weights, 0.0),
        np.where(is_fine & np.isfinite(slack), slack, np.inf),
    )


def adjusted_line(
    family: Ratio, batch: RoughBatch, lows: Floats, highs: Floats, chance: Floats
) -> RatioLine:
    r"""The same for :math:`(u - e) / (1 - e)`, a share u adjusted for the share e of chance.

    ``lows`` and ``highs`` hold the adjusted share, and e lies between 0 and ``chance``. At the
    middle of these the adjusted share is a line in u; from there e moves it by at most
    :math:`(1 - u) |e - e_0| / ((1 - e) (1 - e_0))`.
    """
    is_small = chance < 0.5
    chance = np.where(is_small, chance, 0.0)
    least = np.maximum(lows, 0.0)
    line = ratio_line(family, batch, least, highs + chance * (1.0 - highs))
    middle = chance / 2
    scale = 1.0 / (1.0 - middle)
    moved = (1.0 - least) * middle * scale / (1.0 - chance)
    return RatioLine(
        (line.offset - middle) * scale,
        line.weights * scale[:, None],
        np.where(is_small, line.slack * scale + moved, np.inf),
    )


def _denominators(family: Ratio, batch: RoughBatch) -> tuple[Floats, Floats]:
    """Limits of Q: it is affine in the sum over columns, so both ends of this sum tell."""
    ends: list[Floats] = []
    for end in column_ends(family, batch):
        below = ratio_parts(family, end).below
        ends += [below[:, 0] + side for side in sum_limits(batch, family.psi, below[:, 1:], 2)]
    return np.min(ends, axis=0), np.max(ends, axis=0)


def _slopes(
    family: Ratio, batch: RoughBatch, part: Floats, rise: Floats, at: Floats
) -> tuple[Floats, Floats]:
    """Slopes of P or Q in the three sums, and how far it may lie off the line of these slopes.

    ``rise`` is what its coefficients gain where the sum over columns is larger by 1.
    """
    slopes = part[:, 1:].copy()
    slopes[:, 1] += rise[:, 0] + (rise[:, 1:] * at).sum(axis=1)
    if not rise[:, 1:].any():
        return slopes, np.zeros(len(part))
    reach = np.stack([_reach(family, batch, term, at) for term in range(3)], axis=1)
    return slopes, (np.abs(rise[:, 1:]) * reach).sum(axis=1) * reach[:, 1]


def _reach(family: Ratio, batch: RoughBatch, term: int, at: Floats) -> Floats:
    """How far one of the sums may lie from where the line touches."""
    weights = np.zeros_like(at)
    weights[:, term] = 1.0
    low, high = sum_limits(batch, family.psi, weights, 2)
    return np.maximum(high - at[:, term], at[:, term] - low)
