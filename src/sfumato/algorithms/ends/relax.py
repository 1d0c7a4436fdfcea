"""Bracket both ends of a measure over the tables within reach of rough partitions of any size.

This is for questions that no exact solver can answer: many clusters, or a family without a solver
for two rough sides. Each end lies between a certified bound and an attained value.
"""

from typing import NamedTuple, TypeAlias

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.ends.adjusted import adjusted_bounds, most_chance
from sfumato.algorithms.ends.batch_matchings import (
    MatchingBounds,
    largest_majorities,
    largest_matchings,
    smallest_majorities,
    smallest_matchings,
)
from sfumato.algorithms.ends.contrast import Contrast
from sfumato.algorithms.ends.ratio_bounds import ratio_bounds, slopes_at, sums_at
from sfumato.algorithms.ends.ratio_lines import RatioLine, adjusted_line, ratio_line
from sfumato.algorithms.ends.relaxed_sums import climb_down, least_sums, near_bounds
from sfumato.algorithms.ends.rough_batch import RoughBatch
from sfumato.algorithms.ends.sum_ranges import MarginLimits
from sfumato.families import (
    Adjusted,
    Difference,
    Majority,
    Matching,
    Objective,
    Ratio,
    Separable,
)

__all__ = ["RelaxedEnds", "contrast_ends", "relax_seconds", "relaxed_ends"]

_SECONDS_PER_CELL = 1e-6
_SECONDS_PER_PRODUCT = 1e-8  # of the Hungarian method
_SLACK = 1e-10  # relative: added to a bound, so that rounding cannot make it wrong


class RelaxedEnds(NamedTuple):
    """Both ends for each table of a batch, in the orientation of the measure.

    ``lows`` and ``highs`` are attained by the tables that ``low_sent`` and ``high_sent`` fill. No
    value lies beyond ``low_bounds`` and ``high_bounds``.
    """

    lows: Floats
    low_bounds: Floats
    low_sent: Ints
    highs: Floats
    high_bounds: Floats
    high_sent: Ints


class _Attained(NamedTuple):
    values: Floats  # (n_tables,)
    sent: Ints  # (cells,)


_End: TypeAlias = tuple[_Attained, Floats]  # what is attained, and bounds


def relax_seconds(objective: Objective, n_cells: float) -> float:
    """Estimate the time of `relaxed_ends` for one table, by family and by the listed cells."""
    seconds = _SECONDS_PER_CELL * n_cells
    match objective.family:
        case Matching():
            products = float(min(objective.shape)) ** 2 * max(objective.shape)
            return 0.5 * seconds + _SECONDS_PER_PRODUCT * products
        case Majority():
            return 0.5 * seconds
        case Ratio() | Adjusted():
            return 4 * seconds
        case Difference(first=first):
            return seconds + relax_seconds(first, n_cells) / 2
        case _:
            return seconds


def relaxed_ends(objective: Objective, batch: RoughBatch) -> RelaxedEnds:
    """Bracket both ends of each table between a bound and an attained value.

    Notes
    -----
    O(cells of all entries and tables) times a few rounds, and O(k^3) a table for matchings.
    """
    match family := objective.family:
        case Separable():
            low, high = (_separable_end(objective, family, batch, sense) for sense in (1, -1))
        case Ratio():
            low, high = _ratio_ends(objective, family, batch)
        case Adjusted():
            low, high = _adjusted_ends(objective, batch)
        case Matching():
            ends = smallest_matchings(batch), largest_matchings(batch)
            low, high = _count_ends(objective, batch, ends, family.offset, family.slope)
        case Majority():
            ends = smallest_majorities(batch), largest_majorities(batch)
            low, high = _count_ends(objective, batch, ends, 0.0, family.slope)
        case Difference():
            contrast = Contrast(family, batch)
            first, second = (
                relaxed_ends(alone, contrast.alone(at))
                for at, alone in enumerate((family.first, family.second))
            )
            return contrast_ends(objective, batch, first, second)
        case None:
            raise AssertionError("a measure without a family has no bounds")
    return _rounded(objective, low, high)


def _rounded(objective: Objective, lower: _End, upper: _End) -> RelaxedEnds:
    (low, low_bounds), (high, high_bounds) = lower, upper
    slack = _SLACK * np.maximum(1.0, np.abs(low.values))
    low_bounds = np.where(low_bounds == low.values, low_bounds, low_bounds - slack)
    high_bounds = np.where(high_bounds == high.values, high_bounds, high_bounds + slack)
    return RelaxedEnds(
        low.values,
        np.minimum(np.maximum(low_bounds, objective.bounds[0]), low.values),
        low.sent,
        high.values,
        np.maximum(np.minimum(high_bounds, objective.bounds[1]), high.values),
        high.sent,
    )


def _separable_end(objective: Objective, family: Separable, batch: RoughBatch, sense: int) -> _End:
    value = family.value
    weights = np.tile([value.rows, value.columns, value.cells], (batch.n_tables, 1)) * sense
    relaxed = least_sums(batch, family.psi, weights)
    found = near_bounds(batch, family.psi, weights, relaxed)
    return _best(objective, batch, found, sense), value.offset + sense * relaxed.bounds


def _ratio_ends(objective: Objective, family: Ratio, batch: RoughBatch) -> tuple[_End, _End]:
    """Find attained values by following the slopes of the ratio, twice; then bound the ratio."""
    ends: list[_Attained] = []
    for sense in (1, -1):
        weights = sense * slopes_at(family, sums_at(family.psi, batch, batch.equal_shares()))
        found = near_bounds(batch, family.psi, weights, least_sums(batch, family.psi, weights))
        first = _best(objective, batch, found, sense)
        weights = sense * slopes_at(family, sums_at(family.psi, batch, first.sent))
        second = climb_down(batch, family.psi, weights, first.sent)
        ends.append(_best(objective, batch, [first.sent, second], sense))
    low, high = ends
    sums = [sums_at(family.psi, batch, end.sent) for end in ends]
    bounds = ratio_bounds(family, batch, (low.values, high.values), sums, objective.bounds)
    return (low, bounds[0]), (high, bounds[1])


def _adjusted_ends(objective: Objective, batch: RoughBatch) -> tuple[_End, _End]:
    """Attained by the ends of the share of information, and bounded by its bounds."""
    share = relaxed_ends(objective.unadjusted(), batch)
    bounds = adjusted_bounds(objective, *_margins(batch), (share.low_bounds, share.high_bounds))
    low, high = (
        _best(objective, batch, [share.low_sent, share.high_sent], sense) for sense in (1, -1)
    )
    return (low, bounds[0]), (high, bounds[1])


def contrast_ends(
    objective: Objective, batch: RoughBatch, first: RelaxedEnds, second: RelaxedEnds
) -> RelaxedEnds:
    """Bracket a difference, by the ends of either candidate alone and by the truth they share."""
    family = objective.family
    assert isinstance(family, Difference)
    contrast = Contrast(family, batch)
    apart = first.low_bounds - second.high_bounds, second.low_bounds - first.high_bounds
    measure = family.first.family
    ours, theirs = (
        _line_near(alone, contrast.alone(at), found)
        for at, (alone, found) in enumerate(((family.first, first), (family.second, second)))
    )
    ends: list[_End] = []
    for sense, bounds in zip((1, -1), apart, strict=True):
        if isinstance(measure, Separable):
            together, sent = contrast.least_sums(measure, sense)
            bounds = np.maximum(bounds, together)
        elif ours is not None and theirs is not None:
            psi = measure.psi if isinstance(measure, Ratio) else "xlogx"
            together, sent = contrast.least_ratios(psi, (ours, theirs), sense)
            bounds = np.maximum(bounds, together)
        else:
            sent = [*contrast.near_ends(1), *contrast.near_ends(-1)]
        if isinstance(measure, Matching | Majority):
            turned = sense if measure.slope > 0 else -sense
            together = contrast.least_counts(turned, one_to_one=isinstance(measure, Matching))
            bounds = np.maximum(bounds, abs(measure.slope) * together)
        ends.append((_best(objective, batch, sent, sense), sense * bounds))
    return _rounded(objective, *ends)


def _line_near(alone: Objective, batch: RoughBatch, found: RelaxedEnds) -> RatioLine | None:
    """A line near the value of one candidate, where that is a ratio; None where none is known."""
    match alone.family:
        case Ratio() as family:
            return ratio_line(family, batch, found.low_bounds, found.high_bounds)
        case Adjusted(share=share, is_arithmetic=True):
            chance = most_chance(alone, *_margins(batch))
            return adjusted_line(share, batch, found.low_bounds, found.high_bounds, chance)
        case _:
            return None


def _margins(batch: RoughBatch) -> tuple[MarginLimits, MarginLimits]:
    rows, columns = (
        MarginLimits(*(side.reshape(batch.n_tables, -1) for side in view.limits))
        for view in batch.views[:2]
    )
    return rows, columns


def _count_ends(
    objective: Objective,
    batch: RoughBatch,
    ends: tuple[MatchingBounds, MatchingBounds],
    offset: float,
    slope: float,
) -> tuple[_End, _End]:
    """Bracket both ends of a measure that is affine in a count.

    Where bound and attained count are equal, the bound is set to the attained value exactly.
    """
    found: list[_End] = []
    for reach, sense in zip(ends, (1, -1) if slope > 0 else (-1, 1), strict=True):
        attained = _best(objective, batch, list(reach.sent), sense)
        counts = np.rint((attained.values - offset) / slope)
        bounds = np.where(counts == reach.bounds, attained.values, offset + slope * reach.bounds)
        found.append((attained, bounds))
    return (found[0], found[1]) if slope > 0 else (found[1], found[0])


def _best(objective: Objective, batch: RoughBatch, found: list[Ints], sense: int) -> _Attained:
    """Choose for each table the filling with the smallest value; the largest if ``sense`` is -1."""
    values = np.stack([objective.of_tables(batch.fill(sent)) for sent in found])
    which = (sense * values).argmin(axis=0)
    sent = np.stack(found)[which[batch.tables][batch.owners], np.arange(len(batch.owners))]
    return _Attained(values[which, np.arange(batch.n_tables)], sent)
