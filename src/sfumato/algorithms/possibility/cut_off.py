"""Bracket the ends of the cuts at low levels, where a list of possible tables was cut off.

A cut at a level holds all values whose possibility reaches this level. Two facts bound a cut. No
t-norm exceeds min, so the cut lies within the cut of the t-norm min at the same level. And each
move of an object has a cost, so only a limited number of objects can move. For the partition
distance there are sharper bounds: the cheapest ways to agree and to disagree with each matching.
"""

from math import ceil, inf, nan
from typing import NamedTuple, TypeAlias

import numpy as np

from sfumato._typing import Floats, Ints, Quantity
from sfumato.algorithms.deadline import Deadline
from sfumato.algorithms.ends.found_ends import Budget
from sfumato.algorithms.ends.level_ends import (
    FIRST_SHARE,
    MOST_SEARCHES,
    Searches,
    has_level_ends,
    level_ends,
    level_seconds,
)
from sfumato.algorithms.ends.level_sweeps import LevelEnds
from sfumato.algorithms.ends.limits import bracket_of_values
from sfumato.algorithms.expectations.mean_ends import expectations
from sfumato.algorithms.possibility.matching_profile import (
    least_matching_at_most,
    matching_at_least,
    n_matchings,
)
from sfumato.algorithms.possibility.moves import Graded, attained_by_moves, bounds_by_moves
from sfumato.algorithms.possibility.t_norms import possibilities_of
from sfumato.algorithms.tables.level_types import LevelTypes, level_types
from sfumato.algorithms.tables.ragged import owners_of
from sfumato.families import Matching

__all__ = [
    "NEGLIGIBLE",
    "Cuts",
    "brackets",
    "cut_off_note",
    "outer_stds",
    "with_cuts_below",
]

NEGLIGIBLE = 1e-12  # values of at most this possibility may be left out like rounding
_MOST_MATCHING_STEPS = 2e7
_FEWEST_SOLVES = 4
_SOLVES = 60  # solves added if nothing was listed; fewer if the cut-off is lower
_SECONDS = 1.0  # about, for all solves
_NODES_SHARE = 5  # each solve gets this part (one in 5) of the nodes of a search
_BOUNDED_LEVELS = 8
_EVEN_LEVELS = 64
_MOST_TYPES = 1e6  # of objects at all levels
_MOST_CLUSTERS = 32  # sets of clusters are bit masks

Bracket: TypeAlias = tuple[float, float]


class Cuts(NamedTuple):
    """The cuts at falling levels, each within the next: their masses and brackets of their ends."""

    masses: Floats  # (l,)
    ends: LevelEnds


def cut_off_note(lost: float) -> str:
    """The note of a result about its cut-off."""
    note = f"Values of a possibility of at most {lost:.2g} may be left out"
    return f"{note}." if lost <= NEGLIGIBLE else f"{note}; the spread is that of the outer ends."


def with_cuts_below(graded: Graded, listed: Cuts, lost: float, budget: Budget) -> Cuts:
    """Add the cuts at levels of at most ``lost``; only brackets of their ends are known."""
    below = _matching_cuts(graded, lost) or _cuts_by_costs(graded, lost, budget)
    low_bounds, lows, highs, high_bounds = (
        np.concatenate([one, other]) for one, other in zip(listed.ends, below.ends, strict=True)
    )
    lows, highs = np.minimum.accumulate(lows), np.maximum.accumulate(highs)
    ends = LevelEnds(np.minimum(low_bounds, lows), lows, highs, np.maximum(high_bounds, highs))
    return Cuts(np.concatenate([listed.masses, below.masses]), ends)


def brackets(cuts: Cuts, quantity: Quantity) -> tuple[Bracket, Bracket]:
    """Bracket both expectations, or both ends of the range."""
    if quantity == "range":
        low, low_attained, high_attained, high = (float(side[-1]) for side in cuts.ends)
    else:
        low, low_attained, high_attained, high = (_mean(side, cuts.masses) for side in cuts.ends)
    return (low, low_attained), (high_attained, high)


def outer_stds(cuts: Cuts, quantity: Quantity) -> tuple[float, float]:
    """Standard deviations of the bounds of both ends; nan where a bound is infinite."""
    if quantity == "range":
        return 0.0, 0.0
    low, high = (
        expectations(bounds, bounds, cuts.masses).lower_std if np.isfinite(bounds).all() else nan
        for bounds in (cuts.ends.low_bounds, cuts.ends.high_bounds)
    )
    return low, high


def _mean(values: Floats, masses: Floats) -> float:
    # Subtract one of the values first: then the mean of equal values is exactly this value.
    return float(values[0]) + float((values - values[0]) @ masses) / float(masses.sum())


def _matching_cuts(graded: Graded, lost: float) -> Cuts | None:
    """Cuts of a measure of a matching; None if it is not one, or has too many matchings.

    The near end is exact: it comes from the cheapest ways to agree with a matching. The far end is
    bounded by the cheapest ways to disagree.
    """
    family = graded.objective.family
    n, shape = graded.objective.n_objects, graded.objective.shape
    if not isinstance(family, Matching) or max(shape) > 9:
        return None
    n_steps = n_matchings(*shape) * (n + len(graded.counts) * shape[0] * shape[1])
    if n_steps > _MOST_MATCHING_STEPS:
        return None
    choices = graded.costs
    costs = np.full((len(choices.counts), shape[0] * shape[1]), inf)
    costs[owners_of(choices.starts), choices.labels[choices.cells]] = choices.weights
    near, far = (
        possibilities_of(graded.t_norm, find(costs, choices.counts, *shape))
        for find in (matching_at_least, least_matching_at_most)
    )
    levels = np.unique(np.minimum(np.concatenate([near, far, [lost]]), lost))[::-1]
    levels = levels[levels > 0.0]
    most: Ints = np.searchsorted(-near, -levels, side="right") - 1
    least: Ints = np.searchsorted(far, levels, side="left")
    nearest, farthest = (
        family.offset + family.slope * totals.astype(np.float64) for totals in (most, least)
    )
    lows, highs = _attained(graded, levels)
    masses = levels - np.append(levels[1:], 0.0)
    if family.slope < 0:
        return Cuts(masses, LevelEnds(nearest, nearest, highs, farthest))
    return Cuts(masses, LevelEnds(farthest, lows, nearest, nearest))


def _cuts_by_costs(graded: Graded, lost: float, budget: Budget) -> Cuts:
    """Bound the cuts by those of the t-norm min, and by what a limited number of moves can do."""
    levels = graded.levels
    levels = levels[max(0, int(np.searchsorted(-levels, -lost, side="right")) - 1) :]
    even = lost * np.arange(1, _EVEN_LEVELS + 1) / _EVEN_LEVELS
    tops = np.unique(np.concatenate([np.minimum(levels, lost), even]))[::-1]
    bottoms = np.append(tops[1:], 0.0)
    by_min = _ends_by_min(graded, levels, lost, budget)
    at: Ints = np.searchsorted(-levels, -tops, side="right") - 1
    low_bounds, lows, highs, high_bounds = (side[at] for side in by_min)
    # These bounds must hold for all levels from top down to bottom, so take them at the bottom.
    moved_low, moved_high = bounds_by_moves(graded, bottoms)
    low_attained, high_attained = _attained(graded, tops)
    ends = LevelEnds(
        np.maximum(low_bounds, moved_low),
        np.minimum(lows, low_attained),
        np.maximum(highs, high_attained),
        np.minimum(high_bounds, moved_high),
    )
    return Cuts(tops - bottoms, ends)


def _attained(graded: Graded, levels: Floats) -> tuple[Floats, Floats]:
    """Smallest and largest known value whose possibility reaches each level. Levels fall."""
    values, possibilities = attained_by_moves(graded)
    order = np.argsort(-possibilities, kind="stable")
    at: Ints = np.searchsorted(-possibilities[order], -levels, side="right") - 1
    return np.minimum.accumulate(values[order])[at], np.maximum.accumulate(values[order])[at]


def _ends_by_min(graded: Graded, levels: Floats, lost: float, budget: Budget) -> LevelEnds:
    objective = graded.objective
    nothing = np.full(len(levels), inf)
    types = _types_within_reach(graded, levels)
    if types is None:
        low_bounds, high_bounds = _bounds_by_min(graded, levels, budget.deadline)
        return LevelEnds(low_bounds, nothing, -nothing, high_bounds)
    tops = np.minimum(levels, lost)
    masses = tops - np.append(tops[1:], 0.0)
    few_nodes = budget._replace(max_nodes=budget.max_nodes // _NODES_SHARE)
    first_nodes = -(-few_nodes.max_nodes // FIRST_SHARE)
    seconds = level_seconds(
        objective,
        len(graded.costs.cells),
        has_hard_side=graded.has_hard_side,
        max_nodes=first_nodes,
    )
    affordable = max(2, int(_SECONDS / seconds))
    max_solves = min(affordable, _FEWEST_SOLVES + ceil(_SOLVES * lost))
    searches = Searches(max_solves, first_nodes, MOST_SEARCHES * few_nodes.max_nodes)
    ends = level_ends(objective, types, masses, few_nodes, searches)
    lows, highs = nothing, -nothing
    if levels[0] == 1.0:  # at level 1 all t-norms give the same cut
        lows[0], highs[0] = float(ends.lows[0]), float(ends.highs[0])
    return LevelEnds(ends.low_bounds, lows, highs, ends.high_bounds)


def _types_within_reach(graded: Graded, levels: Floats) -> LevelTypes | None:
    """Types of objects at these levels if the rough comparisons there can be solved."""
    objective, sides = graded.objective, (graded.rows, graded.columns)
    n_types = len(graded.counts) * float(sum(objective.shape))
    is_few = n_types <= _MOST_TYPES and max(objective.shape) <= _MOST_CLUSTERS
    if not is_few or not has_level_ends(objective, *sides):
        return None
    return level_types(*sides, graded.counts, levels)


def _bounds_by_min(
    graded: Graded, levels: Floats, deadline: Deadline | None
) -> tuple[Floats, Floats]:
    """Certified bounds, found at a few levels. A bound also holds for all higher levels.

    The lowest level comes first, and where time is over the bounds found so far are all there are.
    """
    at = np.unique(np.linspace(0, len(levels) - 1, _BOUNDED_LEVELS).astype(np.int64))
    objective = graded.objective
    found = [objective.bounds]
    for i in at[::-1]:
        is_over = deadline is not None and deadline.is_over
        if is_over or objective.family is None:
            found.append(found[-1])
        else:
            found.append(bracket_of_values(objective, *graded.sets_at(float(levels[i]))))
    bounds = np.array(found[:0:-1])
    held = np.searchsorted(at, np.arange(len(levels)))
    return bounds[held, 0], bounds[held, 1]
