"""Bound the denominator of a ratio from below, when limits of all cluster sizes are known."""

import numpy as np

from sfumato.algorithms.ends.sum_ranges import sum_range
from sfumato.algorithms.tables.likely_sizes import SizeLimits
from sfumato.families import Affine, Psi, Ratio, psi_of

__all__ = ["extreme_sums", "least_denominator", "range_of_sums"]

_ROUNDING = 1e-14


def least_denominator(
    family: Ratio, rows: SizeLimits, columns: SizeLimits, n_objects: int
) -> float:
    """A number that the denominator is never below.

    The sum S over the cells is at most A and at most B, those over the rows and the columns, and
    it has no positive coefficient. So the denominator is at least that of S = A, and that of
    S = B. Both are affine in A and in B: least at a corner of their ranges.

    Examples
    --------
    >>> from sfumato.measures import Dice
    >>> even = SizeLimits(np.array([5.0, 5.0]), np.array([5.0, 5.0]))
    >>> round(least_denominator(Dice().family(10), even, even, 10), 6)
    80.0
    """
    a_range = range_of_sums(family.psi, rows, n_objects)
    b_range = range_of_sums(family.psi, columns, n_objects)
    corners = [(a, b, family.parts(b)[1]) for a in a_range for b in b_range]
    if any(part.cells > 0.0 for _, _, part in corners):
        return 0.0
    return max(
        min(_not_above(part, a, b, a) for a, b, part in corners),
        min(_not_above(part, a, b, b) for a, b, part in corners),
    )


def range_of_sums(psi: Psi, limits: SizeLimits, n_objects: int) -> tuple[float, float]:
    """Bracket the sum of psi over cluster sizes within limits; both ends alike if all are known."""
    if (limits.least == limits.most).all():
        known = float(psi_of(psi, limits.most).sum())
        return known, known
    lowest, highest = extreme_sums(psi, n_objects)
    low, high = sum_range(psi, limits.least, limits.most, n_objects)
    return max(low, lowest), min(high, highest)


def extreme_sums(psi: Psi, n_objects: int) -> tuple[float, float]:
    """Sums of psi over singletons and over a single cluster.

    Examples
    --------
    >>> extreme_sums("square", 10)
    (10.0, 100.0)
    """
    n = float(n_objects)
    return n * float(psi_of(psi, np.array(1.0))), float(psi_of(psi, np.array(n)))


def _not_above(part: Affine, rows: float, columns: float, cells: float) -> float:
    """The value of a part, less what rounding may have added."""
    size = abs(part.rows) * rows + abs(part.columns) * columns + abs(part.cells) * cells
    return part.of_sums(rows, columns, cells) - _ROUNDING * (size + abs(part.offset))
