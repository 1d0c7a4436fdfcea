"""Bracket both ends of a measure between two rough partitions, from the ends of a distance.

Let S be the sum of psi over the cells of a table, A the sum over its row sums and B the sum over
its column sums. Both ends of the distance G = A + B - 2 S can be solved (Rand for squares, the
variation of information for x log x). A and B have ranges of their own. Many measures are
functions of A, B and G, so the box of these three ranges brackets their values.
"""

from itertools import pairwise, product
from math import inf, isnan
from typing import TypeAlias

import numpy as np

from sfumato.algorithms.ends import both_rough
from sfumato.algorithms.ends.found_ends import Budget, FoundEnds
from sfumato.algorithms.ends.sum_ranges import limits_of_types, sum_range
from sfumato.algorithms.tables.focal_model import SetTypes
from sfumato.families import Objective, Ratio, Separable

__all__ = ["ends_by_distance", "has_distance"]

_MOST_CELLS = 64
_SLACK = 1e-12  # relative: added to a bound, so that rounding cannot make it wrong
_PIECES = 8  # each side of a box is cut into so many parts

Range: TypeAlias = tuple[float, float]


def has_distance(objective: Objective) -> bool:
    """Whether the measure is a function of A, B and G on tables that are small enough."""
    if min(objective.shape) < 2 or objective.n_cells > _MOST_CELLS:
        return False
    return isinstance(objective.family, Separable | Ratio)


def ends_by_distance(
    objective: Objective, types: SetTypes, budget: Budget
) -> tuple[FoundEnds, FoundEnds]:
    """Bracket both ends of a measure for which `has_distance` holds, in each instance.

    The smallest and the largest value are in units of the measure. The tables are those of the
    nearest and the farthest pair of clusterings.

    Notes
    -----
    A ratio of affine functions of A, B and G is monotone in each of them where the denominator
    keeps its sign. So it takes its ends at corners of the box.
    """
    family = objective.family
    assert isinstance(family, Separable | Ratio)
    weights = np.ones(len(types.counts))
    near, far = (
        end(types, objective.shape, family.psi, weights, budget)
        for end in (both_rough.near_end, both_rough.far_end)
    )
    rows, columns = (
        [sum_range(family.psi, *own, objective.n_objects) for own in zip(*limits, strict=True)]
        for limits in limits_of_types(types, objective.shape)
    )
    distances = zip(near.bounds.tolist(), far.bounds.tolist(), strict=True)
    low, high = np.array(
        [_value_range(family, *box) for box in zip(rows, columns, distances, strict=True)]
    ).T
    near_values, far_values = (objective.of_tables(found.tables) for found in (near, far))
    is_rising = (near_values < far_values)[:, None, None]
    least, most = np.minimum(near_values, far_values), np.maximum(near_values, far_values)
    return (
        FoundEnds(np.where(is_rising, near.tables, far.tables), least, np.minimum(low, least)),
        FoundEnds(np.where(is_rising, far.tables, near.tables), most, np.maximum(high, most)),
    )


def _value_range(family: Separable | Ratio, rows: Range, columns: Range, distance: Range) -> Range:
    """Bracket the values over a box of A, B and G. Infinite where a denominator may be zero."""
    corners = product(rows, columns, distance)
    values = [family.of_sums(a, b, (a + b - g) / 2) for a, b, g in corners]
    if any(map(isnan, values)):
        return -inf, inf
    low, high = min(values), max(values)
    if isinstance(family, Ratio) and family.power != 1.0:
        low = _least_root_ratio(family, rows, columns, distance[1])
    slack = _SLACK * max(1.0, abs(low), abs(high))
    return low - slack, high + slack


def _least_root_ratio(family: Ratio, rows: Range, columns: Range, distance: float) -> float:
    """Lower bound of a ratio with a root, which may be smallest inside the box.

    The box is cut into small boxes. The ratio rises with the sum over the cells and falls with the
    sums over the margins, so each small box is bounded by its worst values of these sums.
    """
    grid = [np.linspace(*side, _PIECES + 1).tolist() for side in (rows, columns)]
    least = inf
    for (a_low, a_high), (b_low, b_high) in product(*(pairwise(side) for side in grid)):
        cells = (a_low + b_low - distance) / 2
        numerator, denominator = family.parts(b_high)
        root = denominator.of_sums(a_high, b_high, cells) ** family.power
        least = min(least, numerator.of_sums(a_high, b_high, cells) / root)
    return least
