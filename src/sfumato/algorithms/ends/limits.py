"""Bracket a measure over all tables of two rough partitions, from limits of the counts.

This is fast for any number of objects, but the bracket may be wide.
"""

# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

from itertools import product
from typing import NamedTuple

import numpy as np

from sfumato._typing import Bools, Ints
from sfumato.algorithms.ends.adjusted import adjusted_bounds
from sfumato.algorithms.ends.sum_ranges import MarginLimits, sum_range
from sfumato.algorithms.tables.sets_apart import MOST_PRODUCTS, SetSide, n_products, pairs_of_sets
from sfumato.families import (
    Adjusted,
    Difference,
    Majority,
    Matching,
    Objective,
    Ratio,
    Separable,
)

__all__ = ["bracket_of_values"]

_SLACK = 1e-12  # relative: added to a bound, so that rounding cannot make it wrong

Range = tuple[float, float]


class _TableLimits(NamedTuple):
    """Objects that must be, and that may be, in each row, column and cell of a table."""

    rows: MarginLimits  # (1, k)
    columns: MarginLimits  # (1, l)
    cells: MarginLimits  # (k, l)


def bracket_of_values(objective: Objective, a_sets: Bools, b_sets: Bools, counts: Ints) -> Range:
    """Bracket the values of a rough comparison: surely no value lies outside.

    ``a_sets`` (d1, k1) and ``b_sets`` (d2, k2) are the sets of rows and columns that objects may go
    to; ``counts`` (d1, d2) says how many objects have each pair.

    Notes
    -----
    O(d1 d2 (d1 + d2)), independent of the number of objects.
    """
    limits = _table_limits(a_sets, b_sets, counts)
    n = objective.n_objects
    match family := objective.family:
        case Separable() | Ratio():
            low, high = _corner_range(family, limits, n)
            if isinstance(family, Separable) and family.counts_pairs:
                pairs = _pair_range(family, a_sets, b_sets, counts, n)
                low, high = max(low, pairs[0]), min(high, pairs[1])
        case Matching():
            low, high = _matching_range(family, limits, n)
        case Majority():
            least, most = (int(side.max(axis=1).sum()) for side in limits.cells)
            low, high = family.slope * least, family.slope * min(n, most)
        case Adjusted():
            # The range of the share of information, adjusted for the chance that margins allow.
            share = bracket_of_values(objective.unadjusted(), a_sets, b_sets, counts)
            ends = np.array(share[:1]), np.array(share[1:])
            least, most = adjusted_bounds(objective, limits.rows, limits.columns, ends)
            low, high = float(least[0]), float(most[0])
        case Difference() | None:
            low, high = -np.inf, np.inf
    lowest, highest = objective.bounds
    slack = _SLACK * max(1.0, *(abs(end) for end in (low, high) if np.isfinite(end)), 0.0)
    return max(lowest, low - slack), min(highest, high + slack)


def _table_limits(a_sets: Bools, b_sets: Bools, counts: Ints) -> _TableLimits:
    """Limits of the counts, in O(d1 d2 l + d1 k l)."""

    def cells(a: Bools, b: Bools) -> Ints:
        product = a.T.astype(np.float64) @ (counts.astype(np.float64) @ b.astype(np.float64))
        return np.rint(product).astype(np.int64)

    a_single = a_sets & (a_sets.sum(axis=1) == 1)[:, None]
    b_single = b_sets & (b_sets.sum(axis=1) == 1)[:, None]
    a_counts, b_counts = counts.sum(axis=1)[None], counts.sum(axis=0)[None]
    return _TableLimits(
        MarginLimits(a_counts @ a_single, a_counts @ a_sets),
        MarginLimits(b_counts @ b_single, b_counts @ b_sets),
        MarginLimits(cells(a_single, b_single), cells(a_sets, b_sets)),
    )


def _corner_range(family: Separable | Ratio, limits: _TableLimits, n: int) -> Range:
    """Bracket a measure by its values at the corners of the box of sums of psi.

    A ratio of affine functions is monotone in each sum. So is a ratio with a root, if its numerator
    rises with the cells and its denominator with the margins. The bracket is infinite if a
    denominator can be zero.
    """
    ranges = (sum_range(family.psi, least.ravel(), most.ravel(), n) for least, most in limits)
    values = [family.of_sums(*corner) for corner in product(*ranges)]
    return (-np.inf, np.inf) if np.isnan(values).any() else (min(values), max(values))


def _pair_range(family: Separable, a_sets: Bools, b_sets: Bools, counts: Ints, n: int) -> Range:
    """Bracket a measure that counts the pairs that disagree: half of R^2 + C^2 - 2 N^2, summed."""
    value, scale = family.value, family.distance_scale
    assert scale is not None
    if n_products(*counts.shape) > MOST_PRODUCTS:
        return -np.inf, np.inf
    a, b = SetSide(a_sets), SetSide(b_sets)
    sure = pairs_of_sets(a, b, counts)
    # An object is joined with itself where both its sets are single: not a pair.
    agree = sure.agree - int(counts[np.ix_(a.is_single, b.is_single)].sum())
    ends = [value.offset + scale * pairs for pairs in (sure.disagree, n * (n - 1) - agree)]
    return min(ends), max(ends)


def _matching_range(family: Matching, limits: _TableLimits, n: int) -> Range:
    """Bracket a matching: it covers at least the certain and at most the possible objects."""
    from scipy.optimize import linear_sum_assignment  # quicker than ours for many clusters

    totals = [cells[linear_sum_assignment(cells, maximize=True)].sum() for cells in limits.cells]
    ends = [family.offset + family.slope * min(n, int(total)) for total in totals]
    return min(ends), max(ends)
