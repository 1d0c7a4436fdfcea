"""The steps of rough k-means: approximations by ratios of distances, and three kinds of centres."""

from dataclasses import dataclass
from typing import Literal, final

import numpy as np

from sfumato._typing import Bools, Floats
from sfumato.cluster.alternation import Assignment, Updates, weighted_means

__all__ = [
    "IndifferentUpdates",
    "TwoMeansUpdates",
    "possible_clusters",
    "upper_approximations",
]


def possible_clusters(squares: Floats, threshold: float) -> Bools:
    """Clusters nearly as close as the closest, each object by itself, of shape (k, n)."""
    return squares <= threshold**2 * squares.min(axis=0)


def upper_approximations(squares: Floats, threshold: float) -> Bools:
    """Possible clusters of every object, of shape (k, n), with no lower approximation empty.

    Examples
    --------
    >>> upper_approximations(np.array([[0.0, 4.0, 9.0], [9.0, 4.4, 0.0]]), 1.1).astype(int)
    array([[1, 1, 0],
           [0, 1, 1]])
    """
    upper = possible_clusters(squares, threshold)
    for cluster in np.flatnonzero(~_lower(upper).any(axis=1)):
        lower = _lower(upper)
        is_needed = lower[lower.sum(axis=1) == 1].any(axis=0)  # the only one of its cluster
        nearest = np.argmin(np.where(is_needed, np.inf, squares[cluster]))
        upper[:, nearest] = False
        upper[cluster, nearest] = True
    return upper


def _lower(upper: Bools) -> Bools:
    return upper & (upper.sum(axis=0) == 1)


def _indifferent(upper: Bools) -> Floats:
    """Equal shares of every object for its possible clusters."""
    return upper / upper.sum(axis=0)


@final
@dataclass(frozen=True)
class IndifferentUpdates(Updates):
    """Peters 2014: an object weighs as much in each of its possible clusters."""

    threshold: float

    def assign(self, squares: Floats) -> Assignment:
        """Equal shares, of shape (k, n)."""
        shares = _indifferent(upper_approximations(squares, self.threshold))
        return Assignment(shares, float(np.vdot(shares, squares)))


@final
@dataclass(frozen=True)
class TwoMeansUpdates(Updates):
    """The mean of the lower approximation, and a second one.

    Of the boundary in Lingras and West 2004, of the upper approximation in Peters 2006.
    """

    threshold: float
    weight_lower: float
    second: Literal["boundary", "upper"]

    def assign(self, squares: Floats) -> Assignment:
        """Lower approximations above what the second means are of, of shape (2 k, n)."""
        upper = upper_approximations(squares, self.threshold)
        lower = _lower(upper)
        second = upper & ~lower if self.second == "boundary" else upper
        objective = float(np.vdot(_indifferent(upper), squares))
        return Assignment(np.vstack([lower, second]).astype(np.float64), objective)

    def move(self, totals: Floats, sums: Floats, centers: Floats) -> Floats:
        """Weighted sum of the two means; the first alone where there is no second."""
        k, weight = len(centers), self.weight_lower
        first = weighted_means(totals[:k], sums[:k], centers)
        second = weighted_means(totals[k:], sums[k:], first)
        return weight * first + (1 - weight) * second
