"""Find both ends of a measure over the tables within reach of rough partitions.

The family of the measure and the kinds of the two sides pick the algorithm. One call solves many
rough comparisons that share their pairs of sets.
"""

from collections.abc import Callable
from math import inf
from typing import NamedTuple

import numpy as np

from sfumato._typing import Floats, Tables
from sfumato.algorithms.ends import both_rough, hard_truth, majority, matching
from sfumato.algorithms.ends.adjusted import adjusted_bounds
from sfumato.algorithms.ends.distance import ends_by_distance, has_distance
from sfumato.algorithms.ends.found_ends import Budget, FoundEnds
from sfumato.algorithms.ends.ratio import ratio_ends
from sfumato.algorithms.ends.sum_ranges import limits_of_types
from sfumato.algorithms.tables.focal_model import SetTypes
from sfumato.families import (
    Adjusted,
    Difference,
    Majority,
    Matching,
    Objective,
    Ratio,
    Separable,
)

__all__ = ["Solved", "has_brackets", "is_solvable", "node_seconds", "solve_seconds", "solve_types"]

_MOST_ROWS = 12
_MOST_COLUMNS = 32
_MOST_CELLS = 64


class Solved(NamedTuple):
    """Both ends for a batch of rough comparisons, in the orientation of the measure.

    ``lows`` and ``highs`` are attained by the tables. No value lies beyond ``low_bounds`` and
    ``high_bounds``.
    """

    lows: Floats
    low_bounds: Floats
    low_tables: Tables
    highs: Floats
    high_bounds: Floats
    high_tables: Tables


def is_solvable(objective: Objective, types: SetTypes | None) -> bool:
    """Whether an algorithm can find both ends, for this family and for these types (if known)."""
    n_rows, n_columns = objective.shape
    if types is None or max(n_rows, n_columns) > _MOST_COLUMNS:
        return False
    family = objective.family
    if isinstance(family, Adjusted | Difference):
        return False
    if types.has_hard_columns:
        return n_rows <= _MOST_ROWS and _fits_hard_truth(objective)
    if types.turned().has_hard_columns:
        return (
            n_columns <= _MOST_ROWS
            and objective.is_turnable
            and _fits_hard_truth(objective.turned())
        )
    if isinstance(family, Separable):
        return objective.n_cells <= _MOST_CELLS and family.distance_scale is not None
    if isinstance(family, Ratio):
        is_defined = max(n_rows, n_columns) < objective.n_objects
        return objective.n_cells <= _MOST_CELLS and is_defined and family.is_even
    return isinstance(family, Matching)


def has_brackets(objective: Objective, types: SetTypes | None) -> bool:
    """Whether both ends can be solved, or at least bracketed.

    By those of a distance, or of the share of information that is adjusted for chance.
    """
    if isinstance(objective.family, Adjusted):
        return has_brackets(objective.unadjusted(), types)
    if types is None or is_solvable(objective, types):
        return types is not None
    has_hard_side = types.has_hard_columns or types.turned().has_hard_columns
    return not has_hard_side and has_distance(objective)


def _fits_hard_truth(objective: Objective) -> bool:
    if isinstance(objective.family, Ratio):
        # The denominator is positive on all tables if there are more objects than clusters, and
        # if the truth has more than one class but fewer classes than objects.
        n, (n_clusters, n_truth) = objective.n_objects, objective.shape
        return 1 < n_truth < n and n_clusters < n
    return objective.family is not None


def solve_seconds(objective: Objective, *, has_hard_side: bool, max_nodes: float = inf) -> float:
    """Estimate the time for both ends of one rough comparison, by family and size.

    A search ends with its nodes, ``max_nodes``; an integer program may take long for the first.
    """
    if isinstance(objective.family, Adjusted):
        objective = objective.unadjusted()
    seconds = _closing_seconds(objective, has_hard_side=has_hard_side)
    if not isinstance(objective.family, Separable | Ratio):
        return seconds
    return min(seconds, node_seconds(objective, max_nodes, has_hard_side=has_hard_side))


def node_seconds(objective: Objective, max_nodes: float, *, has_hard_side: bool) -> float:
    """Estimate the time of the searches for both ends that use up their nodes."""
    family, rounds = objective.family, 1.0
    if isinstance(family, Ratio) and (has_hard_side or family.is_even):
        rounds = 4.0 if family.power == 1.0 else 8.0  # searched again until the ratio is found
    if not has_hard_side:
        return rounds * (1e-3 + 2e-4 * max_nodes)
    n_clusters = max(objective.shape)
    n_sets = 2.0 ** min(n_clusters, 500)
    first = 1e-3 + 2e-7 * objective.n_cells * n_sets
    each = 2e-6 * n_clusters
    if isinstance(family, Separable) and family.counts_pairs:  # orders of rows, by their sets
        each = 1.5e-6 + 2e-10 * n_clusters**2 * n_sets
    return rounds * (first + each * max_nodes)


def _closing_seconds(objective: Objective, *, has_hard_side: bool) -> float:
    """Estimate the time until both searches close."""
    family = objective.family
    n_clusters = max(objective.shape)
    growth = 4.0 ** min(max(0, n_clusters - 3), 500)  # beyond, floats end
    if isinstance(family, Matching):
        if n_clusters > 3:  # an integer program, by its types of objects
            n_types = min(objective.n_objects, 2.0**n_clusters * n_clusters)
            return max(0.03, 0.15 * (n_clusters / 8) ** 3 * max(1.0, n_types / 150) ** 0.7)
        return 1e-5 if has_hard_side else 3e-3
    if isinstance(family, Majority):
        return 5e-3 * n_clusters  # two integer programs
    if not has_hard_side:
        return growth * (2e-2 if isinstance(family, Ratio) and family.is_even else 2e-3)
    one = 2e-5
    if isinstance(family, Separable) and family.distance_scale is None:
        one *= 4.0
    if isinstance(family, Ratio):
        one *= 10.0 if family.power == 1.0 else 100.0
    return one * growth


def solve_types(objective: Objective, types: SetTypes, budget: Budget) -> Solved:
    """Find the smallest and the largest value within reach, for each row of counts.

    `has_brackets` must hold. Searches can close only if `is_solvable` holds too. The budget is for
    each search.
    """
    if types.turned().has_hard_columns and not types.has_hard_columns:
        found = solve_types(objective.turned(), types.turned(), budget)
        low, high = (
            np.ascontiguousarray(tables.transpose(0, 2, 1))
            for tables in (found.low_tables, found.high_tables)
        )
        return found._replace(low_tables=low, high_tables=high)
    family = objective.family
    assert family is not None
    if isinstance(family, Adjusted):
        return _adjusted(objective, types, solve_types(objective.unadjusted(), types, budget))
    if is_solvable(objective, types):
        least, most = _ends(objective, types, budget)
    else:
        least, most = ends_by_distance(objective, types, budget)
    values = objective.of_tables(np.concatenate([least.tables, most.tables]))
    lows, highs = values[: len(least.tables)], values[len(least.tables) :]
    low_bounds = _bounds_as_values(objective, least, lows, outward=np.minimum)
    high_bounds = _bounds_as_values(objective, most, highs, outward=np.maximum)
    return Solved(lows, low_bounds, least.tables, highs, high_bounds, most.tables)


def _adjusted(objective: Objective, types: SetTypes, share: Solved) -> Solved:
    """Attained by the ends of the share of information, and bounded by its bounds."""
    limits = limits_of_types(types, objective.shape)
    low_bounds, high_bounds = adjusted_bounds(
        objective, *limits, (share.low_bounds, share.high_bounds)
    )
    first, second = share.low_tables, share.high_tables
    of_first, of_second = objective.of_tables(first), objective.of_tables(second)
    lows, highs = np.minimum(of_first, of_second), np.maximum(of_first, of_second)
    is_rising = (of_first <= of_second)[:, None, None]
    return Solved(
        lows,
        np.minimum(low_bounds, lows),
        np.where(is_rising, first, second),
        highs,
        np.maximum(high_bounds, highs),
        np.where(is_rising, second, first),
    )


def _bounds_as_values(
    objective: Objective,
    found: FoundEnds,
    values: Floats,
    *,
    outward: Callable[[Floats, Floats], Floats],
) -> Floats:
    """Fit the bounds to values that the measure itself computed: no bound lies inside."""
    bounds = outward(np.clip(found.bounds, *objective.bounds), values)
    return np.where(found.bounds == found.values, values, bounds)


def _ends(objective: Objective, types: SetTypes, budget: Budget) -> tuple[FoundEnds, FoundEnds]:
    """Both ends, with values and bounds in the units of the measure."""
    shape = objective.shape
    match family := objective.family:
        case Separable():
            return _separable_ends(family, types, shape, budget)
        case Matching():
            smallest = matching.smallest_match(types, shape, budget)
            largest = matching.largest_match(types, shape, budget)
            return _scaled(smallest, largest, family.offset, family.slope)
        case Majority():
            smallest = majority.smallest_majority(types, shape)
            largest = majority.largest_majority(types, shape)
            return _scaled(smallest, largest, 0.0, family.slope)
        case Ratio():
            return ratio_ends(family, types, shape, objective.n_objects, budget)
        case _:
            raise AssertionError("bracketed, not solved")


def _scaled(
    smallest: FoundEnds, largest: FoundEnds, offset: float | Floats, scale: float
) -> tuple[FoundEnds, FoundEnds]:
    """Both ends of offset + scale * value, the smallest first."""
    ends: list[FoundEnds] = []
    for found in (smallest, largest) if scale > 0 else (largest, smallest):
        values = offset + scale * found.values
        bounds = np.where(found.bounds == found.values, values, offset + scale * found.bounds)
        ends.append(FoundEnds(found.tables, values, bounds))
    return ends[0], ends[1]


def _separable_ends(
    family: Separable, types: SetTypes, shape: tuple[int, int], budget: Budget
) -> tuple[FoundEnds, FoundEnds]:
    value, sides = family.value, both_rough
    scale, offset = -value.cells / 2, value.offset  # as in a distance, cells have weight -2
    weights = np.full(len(types.counts), round(value.rows / scale, 12))
    if types.has_hard_columns:
        sides = hard_truth
        offset = offset + value.columns * hard_truth.truth_sums(family.psi, types, shape[1])
    near, far = (
        end(types, shape, family.psi, weights, budget) for end in (sides.near_end, sides.far_end)
    )
    return _scaled(near, far, offset, scale)
