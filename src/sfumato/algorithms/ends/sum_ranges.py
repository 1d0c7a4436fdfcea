"""Limits of the sizes of clusters, and brackets of a sum of psi over sizes within limits."""

from typing import NamedTuple

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.tables.focal_model import SetTypes
from sfumato.families import Psi, psi_of

__all__ = ["MarginLimits", "largest_sums", "limits_of_types", "sum_range"]

_SLACK = 1e-12  # relative: rounding must not cut into a range


class MarginLimits(NamedTuple):
    """Least and most objects in each row or column of each of t tables."""

    least: Ints  # (t, k)
    most: Ints


def limits_of_types(types: SetTypes, shape: tuple[int, int]) -> tuple[MarginLimits, MarginLimits]:
    """The limits of rows and columns of rough partitions given by bit masks."""
    rows, columns = (
        _limits(sets, types.counts, size)
        for sets, size in zip((types.row_sets, types.column_sets), shape, strict=True)
    )
    return rows, columns


def _limits(sets: Ints, counts: Ints, n_clusters: int) -> MarginLimits:
    members = (sets[:, None] >> np.arange(n_clusters)) & 1
    certain = members * (members.sum(axis=1) == 1)[:, None]
    return MarginLimits(counts @ certain, counts @ members)


def sum_range(
    psi: Psi, least: Ints | Floats, most: Ints | Floats, total: int
) -> tuple[float, float]:
    r"""Bracket :math:`\sum_i \psi(x_i)` over all counts within the limits that have a given sum.

    psi is convex, so the sum is smallest if all counts are as near to a common level as the limits
    allow. For the upper bound psi is replaced by its chord between the limits, which gives a
    fractional knapsack. O(c log c) for c counts.

    Examples
    --------
    >>> least, largest = sum_range("square", np.array([0, 1]), np.array([2, 3]), 3)
    >>> round(least, 9), round(largest, 9)
    (4.5, 9.0)
    """
    low, high = least.astype(np.float64), most.astype(np.float64)
    level = _common_level(low, high, total)
    smallest = float(psi_of(psi, np.clip(level, low, high)).sum())
    largest = float(largest_sums(psi, low, high, total))
    # Rounding must not cut into the range.
    return smallest - _SLACK * max(1.0, abs(largest)), largest


def largest_sums(psi: Psi, least: Floats, most: Floats, total: int) -> Floats:
    """The larger end of `sum_range` for limits of shape (..., c), as an array of shape (...).

    Examples
    --------
    >>> largest_sums("square", np.array([[0.0, 1.0], [1.0, 1.0]]), np.array([2.0, 3.0]), 3).round(9)
    array([9., 6.])
    """
    room = most - least
    at_least, at_most = psi_of(psi, least), psi_of(psi, most)
    slopes = np.divide(at_most - at_least, room, out=np.zeros_like(room), where=room > 0)
    order = np.argsort(-slopes, axis=-1, kind="stable")
    left = total - least.sum(axis=-1, keepdims=True)
    filled = np.minimum(np.cumsum(np.take_along_axis(room, order, axis=-1), axis=-1), left)
    amounts = np.diff(filled, prepend=0.0, axis=-1)
    gains = (np.take_along_axis(slopes, order, axis=-1) * amounts).sum(axis=-1)
    largest = at_least.sum(axis=-1) + gains
    return largest + _SLACK * np.maximum(1.0, np.abs(largest))


def _common_level(low: Floats, high: Floats, total: float) -> float:
    """Find the level for which the counts, clipped to their limits, have the given sum."""
    ends = np.concatenate([low, high])
    order = np.argsort(ends, kind="stable")
    levels = ends[order]
    rising = np.cumsum(np.where(order < len(low), 1.0, -1.0))  # counts that follow the level
    gained = np.cumsum(rising[:-1] * np.diff(levels))
    return float(np.interp(total, low.sum() + np.concatenate([[0.0], gained]), levels))
