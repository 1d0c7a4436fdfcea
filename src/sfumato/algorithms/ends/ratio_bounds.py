"""Bound a ratio of sums of psi over the tables within reach of rough partitions of any size."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sfumato._typing import Bools, Floats, Ints
from sfumato.algorithms.ends.relaxed_sums import least_sums, sum_limits
from sfumato.algorithms.ends.rough_batch import RoughBatch
from sfumato.families import Psi, Ratio, psi_of

__all__ = [
    "ROUNDING",
    "RatioParts",
    "column_ends",
    "ratio_at",
    "ratio_bounds",
    "ratio_parts",
    "slopes_at",
    "sums_at",
]

_ROUNDS = 4
_CLOSE, _LEAST_GAIN = 1e-4, 0.05  # of what is left, where that is little: for another round
_MOST_SHARPENED = 64  # clusters: with more, what is attained hardly limits a row
_STEP = 1e-4  # relative change of a sum, to find a slope
ROUNDING = 1e-12  # relative


class RatioParts(NamedTuple):
    """Numerator and denominator: offset, weights of the sums over rows, columns and cells."""

    above: Floats  # (n_tables, 4)
    below: Floats


def ratio_parts(family: Ratio, column_sums: Floats) -> RatioParts:
    """Numerator and denominator of each table, given its sum over columns."""
    # Against a hard side all tables have the same sum.
    totals, which = np.unique(column_sums, return_inverse=True)
    above, below = (
        np.array([[p.offset, p.rows, p.columns, p.cells] for p in side])[which]
        for side in zip(*map(family.parts, totals.tolist()), strict=True)
    )
    return RatioParts(above, below)


def slopes_at(family: Ratio, at: Floats) -> Floats:
    """How the ratio changes with the sums over rows, columns and cells: (n_tables, 3), as they are.

    Where the ratio is not defined the slopes are those of its numerator.
    """
    steps = _STEP * np.maximum(1.0, np.abs(at))
    slopes = np.empty_like(at)
    for term in range(3):
        step = np.zeros_like(at)
        step[:, term] = steps[:, term]
        rise = ratio_at(family, at + step) - ratio_at(family, at - step)
        slopes[:, term] = rise / steps[:, term]
    plain = ratio_parts(family, at[:, 1]).above[:, 1:]
    return np.where(np.isfinite(slopes).all(axis=1, keepdims=True), slopes, plain)


def sums_at(psi: Psi, batch: RoughBatch, shares: Floats | Ints) -> Floats:
    """Sums of psi over rows, columns and cells, given the objects in each listed cell."""
    return np.stack([psi_of(psi, view.totals(shares)).sum(axis=1) for view in batch.views], axis=1)


def ratio_at(family: Ratio, sums: Floats) -> Floats:
    """The ratio for given sums over rows, columns and cells; nan where it is not defined."""
    parts = ratio_parts(family, sums[:, 1])
    above, below = (part[:, 0] + (part[:, 1:] * sums).sum(axis=1) for part in parts)
    return np.where(below > 0, above / np.maximum(below, 1e-300) ** family.power, np.nan)


def ratio_bounds(
    family: Ratio,
    batch: RoughBatch,
    attained: tuple[Floats, Floats],
    sums: Sequence[Floats],
    limits: tuple[float, float],
) -> tuple[Floats, Floats]:
    r"""Lower and upper bounds of a ratio :math:`P / Q^p`, given attained values.

    ``attained`` are low and high values, and ``sums`` those over rows, columns and cells of the
    tables that attain them, of shape (n_tables, 3). No value lies outside of ``limits``.

    Let :math:`P - \theta Q \ge \lambda` on all tables, and let Q lie in [q, r] with q > 0. Then
    :math:`P / Q \ge \theta + \lambda / q` if :math:`\lambda` is negative, and
    :math:`P / Q \ge \theta + \lambda / r` if it is positive. The new bound is the next
    :math:`\theta`, as in the iteration of :cite:`dinkelbach1967nonlinear`. Once :math:`\lambda` is
    positive, secants give the next :math:`\theta`. A root of Q is replaced by a tangent above it or
    a chord below it. If P and Q are not affine in the sum over columns, the bounds are found for
    the smallest and for the largest such sum: the ratio is monotone between them.

    The bounds are infinite where Q may be zero.
    """
    ends = column_ends(family, batch)
    open_ends = [
        np.abs(value - limit) > ROUNDING for value, limit in zip(attained, limits, strict=True)
    ]
    bounds = [
        _bounds_given(family, batch, ratio_parts(family, end), attained, sums, open_ends)
        for end in ends
    ]
    lows, highs = zip(*bounds, strict=True)
    return (
        np.where(open_ends[0], np.min(lows, axis=0), limits[0]),
        np.where(open_ends[1], np.max(highs, axis=0), limits[1]),
    )


def column_ends(family: Ratio, batch: RoughBatch) -> list[Floats]:
    """The sums over columns to look at: both ends, or one sum if it is certain or not needed."""
    weights = np.tile([0.0, 1.0, 0.0], (batch.n_tables, 1))
    if not family.needs_fixed_columns or batch.columns.is_certain:
        return [least_sums(batch, family.psi, weights, 2).bounds]
    return list(sum_limits(batch, family.psi, weights, 2))


def _bounds_given(
    family: Ratio,
    batch: RoughBatch,
    parts: RatioParts,
    attained: tuple[Floats, Floats],
    sums: Sequence[Floats],
    open_ends: Sequence[Bools],
) -> tuple[Floats, Floats]:
    below = parts.below
    least, most = (below[:, 0] + end for end in sum_limits(batch, family.psi, below[:, 1:]))
    can_be_zero = least <= ROUNDING * np.maximum(1.0, most)
    limits = np.where(can_be_zero, 1.0, least), np.where(can_be_zero, 1.0, most)
    low, high = (
        sense * _descend(family, batch, parts, limits, sense * value, own_sums, is_open, sense)
        for sense, value, own_sums, is_open in zip((1, -1), attained, sums, open_ends, strict=True)
    )
    return np.where(can_be_zero, -np.inf, low), np.where(can_be_zero, np.inf, high)


def _descend(
    family: Ratio,
    batch: RoughBatch,
    parts: RatioParts,
    limits: tuple[Floats, Floats],
    start: Floats,
    sums: Floats,
    is_open: Bools,
    sense: int,
) -> Floats:
    """Lower bounds of ``sense * P / Q**p``; of no worth where they are not asked for."""
    power = family.power
    theta, best = start, np.where(is_open, -np.inf, start)
    inner, inner_gap = start, np.full(batch.n_tables, -np.inf)  # the last theta that is no bound
    for _ in range(_ROUNDS):
        if not is_open.any():
            break
        offset, slope = _line_for_power(limits, power, theta)
        share = theta * slope
        weights = sense * parts.above - share[:, None] * parts.below
        attained = None
        if max(batch.shape) <= _MOST_SHARPENED:
            attained = np.where(is_open, (weights[:, 1:] * sums).sum(axis=1), -np.inf)
        least = least_sums(batch, family.psi, weights[:, 1:], attained=attained).bounds
        gap = least + weights[:, 0] - theta * offset
        bound = theta + gap / np.where(gap < 0, *limits) ** power
        before, best = best, np.where(is_open, np.maximum(best, bound), best)
        left = start - best
        is_done = (left < _CLOSE) & (best - before < _LEAST_GAIN * left)
        is_open = is_open & (left > ROUNDING) & ~is_done
        is_inner = gap < 0
        inner, inner_gap = np.where(is_inner, theta, inner), np.where(is_inner, gap, inner_gap)
        # The smallest P - theta Q is concave in theta: a line between two of its points is below.
        rise = np.divide(gap, gap - inner_gap, out=np.zeros_like(gap), where=gap > 0)
        theta = np.where(is_inner, best, np.maximum(best, theta + rise * (inner - theta)))
    return best


def _line_for_power(
    limits: tuple[Floats, Floats], power: float, theta: Floats
) -> tuple[Floats, Floats]:
    """Offset and slope of a line above Q**p where theta is positive, else of a line below it."""
    least, most = limits
    if power == 1.0:
        return np.zeros_like(least), np.ones_like(least)
    middle = (least + most) / 2
    tangent = power * middle ** (power - 1.0)
    room = most - least
    rise = most**power - least**power
    chord = np.divide(rise, room, out=tangent.copy(), where=room > 0)
    above = middle**power - tangent * middle
    return (
        np.where(theta >= 0, above, least**power - chord * least),
        np.where(theta >= 0, tangent, chord),
    )
