"""Rough k-means: approximations by ratios of distances, and three kinds of centres."""

from dataclasses import dataclass
from typing import Literal, TypeAlias, final

import numpy as np
from numpy.typing import ArrayLike

from sfumato._typing import Bools, Codes, Floats
from sfumato.cluster.alternation import Assignment, Updates, weighted_means
from sfumato.cluster.base import LARGEST, Init, RandomState, SoftClusterer
from sfumato.cluster.distances import distances_to
from sfumato.cluster.parameters import check_number
from sfumato.partitions import RoughPartition
from sfumato.partitions.reading.checks import check_choice

__all__ = ["RoughKMeans", "Variant", "upper_approximations"]

Variant: TypeAlias = Literal["pi", "lingras", "peters"]


def possible_clusters(squares: Floats, threshold: float) -> Bools:
    """Clusters nearly as close as the closest, each object by itself, of shape (k, n)."""
    return squares <= threshold**2 * squares.min(axis=0)


def upper_approximations(squares: Floats, threshold: float) -> Bools:
    """Possible clusters of every object, of shape (k, n), with no lower approximation empty.

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


@final
@dataclass(frozen=True)
class RoughUpdates(Updates):
    """Centres of the three variants.

    By the principle of indifference (Peters 2014) an object weighs as much in each of its possible
    clusters. The others add to the mean of the lower approximation a second one: of the boundary in
    Lingras and West 2004, of the upper approximation in Peters 2006.
    """

    variant: Variant
    threshold: float
    weight_lower: float

    def assign(self, squares: Floats) -> Assignment:
        """Equal shares, (k, n); or lower approximations above what the second means are of."""
        upper = upper_approximations(squares, self.threshold)
        shares: Floats = upper / upper.sum(axis=0)
        objective = float(np.vdot(shares, squares))
        if self.variant == "pi":
            return Assignment(shares, objective)
        lower = _lower(upper)
        second = upper & ~lower if self.variant == "lingras" else upper
        return Assignment(np.vstack([lower, second]).astype(np.float64), objective)

    def move(self, totals: Floats, sums: Floats, centers: Floats) -> Floats:
        """Weighted sum of the two means, if there are two; the first where the second has none."""
        k, weight = len(centers), self.weight_lower
        first = weighted_means(totals[:k], sums[:k], centers)
        if self.variant == "pi":
            return first
        second = weighted_means(totals[k:], sums[k:], first)
        return weight * first + (1 - weight) * second


@final
class RoughKMeans(SoftClusterer):
    r"""Every object may be in the clusters whose centres are nearly as close as the closest.

    .. math:: T(x) = \{c : |x - v_c| \le \zeta \min_b |x - v_b|\}

    An object with one cluster in T(x) is in the lower approximation of it; the others are in the
    upper approximations of all clusters of T(x).

    Parameters
    ----------
    n_clusters : int
    variant : {"pi", "lingras", "peters"}
        How centres are made. By the principle of indifference: the mean of the objects, each
        weighing 1/\|T(x)\|. Lingras and West: ``weight_lower`` times the mean of the lower
        approximation plus the rest times the mean of the boundary, if there is one. Peters: the
        same with the upper approximation instead of the boundary.
    threshold : float
        The ratio zeta, at least 1, in all variants.
    weight_lower : float
        In [0, 1]; "pi" does not use it.
    init : "random" or array-like of shape (n_clusters, d)
        Different objects drawn at random, or the first centres; those are started from once.
    n_init : int
        How many random starts are tried; the lowest objective is kept.
    max_iter : int
        Most iterations of one start.
    tol : float
        A run ends when no centre moves further than this share of the root mean variance of the
        features.
    random_state : int, RandomState or None

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters, d)
    lower_, upper_ : ndarray of shape (n, n_clusters), bool
    partition_ : RoughPartition
    labels_ : ndarray of shape (n,)
        The closest of the possible clusters.
    objective_ : float
        Squared distances to the possible clusters, in equal shares:
        sum over x of the mean of \|x - v_c\|^2 over T(x).
    objective_history_ : ndarray of shape (1 + iterations,)
        May increase: the sets T(x) do not minimise the objective, nor do centres that weigh the
        approximations. Only "pi" with threshold 1, which is k-means, is sure to descend.
    n_iter_ : int
    n_features_in_ : int

    Raises
    ------
    InputError
        For parameters out of range, missing values, and fewer objects than clusters.

    Notes
    -----
    O(n k d) per iteration. Defined in :cite:`peters2014rough` ("pi"), :cite:`lingras2004interval`
    and :cite:`peters2006refinements`. The threshold is a ratio throughout, as Peters has it. No
    lower approximation is left empty: a cluster without one takes the object nearest to its centre
    that no other cluster needs. As there are finitely many assignments, a run that does not
    converge goes round in a cycle.

    Examples
    --------
    >>> objects = np.array([[0.0], [1.0], [2.0], [5.0], [8.0], [9.0], [10.0]])
    >>> fitted = RoughKMeans(2, threshold=1.5, random_state=0).fit(objects)
    >>> fitted.partition_
    RoughPartition(7 objects, 2 clusters, 1 ambiguous object)
    >>> fitted.lower_.sum(axis=0)
    array([3, 3])
    """

    lower_: Bools
    upper_: Bools

    def __init__(
        self,
        n_clusters: int = 2,
        *,
        variant: Variant = "pi",
        threshold: float = 1.1,
        weight_lower: float = 0.7,
        init: Init = "random",
        n_init: int = 10,
        max_iter: int = 300,
        tol: float = 1e-6,
        random_state: RandomState = None,
    ) -> None:
        super().__init__(n_clusters, init, n_init, max_iter, tol, random_state)
        self.variant: Variant = variant
        self.threshold = threshold
        self.weight_lower = weight_lower

    def _read(self, X: ArrayLike) -> Floats:
        check_number("threshold", self.threshold, least=1, most=LARGEST)
        check_number("weight_lower", self.weight_lower, least=0, most=1)
        check_choice(self.variant, ("pi", "lingras", "peters"), "variant")
        return super()._read(X)

    def _keep(self, data: Floats) -> None:
        squares = distances_to(data, self.cluster_centers_)
        upper = upper_approximations(squares, self.threshold)
        self.upper_ = np.ascontiguousarray(upper.T)
        self.lower_ = self.upper_ & (self.upper_.sum(axis=1) == 1)[:, None]
        self.partition_ = RoughPartition(self.upper_)
        self.labels_ = np.argmin(np.where(upper, squares, np.inf), axis=0)

    def _updates(self) -> RoughUpdates:
        return RoughUpdates(self.variant, self.threshold, self.weight_lower)

    def _partition(self, data: Floats) -> RoughPartition:
        squares = distances_to(data, self.cluster_centers_)
        return RoughPartition(np.ascontiguousarray(possible_clusters(squares, self.threshold).T))

    def _objective(self, data: Floats) -> float:
        squares = distances_to(data, self.cluster_centers_)
        upper = possible_clusters(squares, self.threshold)
        return float((np.where(upper, squares, 0.0).sum(axis=0) / upper.sum(axis=0)).sum())

    def _label(self, data: Floats) -> Codes:
        return np.argmin(distances_to(data, self.cluster_centers_), axis=0)
