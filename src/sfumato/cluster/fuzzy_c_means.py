"""Fuzzy c-means."""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from sfumato._typing import Codes, Floats
from sfumato.cluster.alternation import Assignment, Updates
from sfumato.cluster.base import LARGEST, Init, RandomState, SoftClusterer
from sfumato.cluster.distances import distances_to
from sfumato.cluster.parameters import check_number
from sfumato.cluster.shares import split
from sfumato.partitions import FuzzyPartition

__all__ = ["FuzzyCMeans", "FuzzyUpdates"]


@final
@dataclass(frozen=True)
class FuzzyUpdates(Updates):
    """Shares by distance; centres are means weighted by powers of the shares."""

    fuzzifier: float

    def assign(self, squares: Floats) -> Assignment:
        """Powers of the shares of every object."""
        divided = split(squares, self.fuzzifier)
        return Assignment(divided.weights, float(divided.costs.sum()))


@final
class FuzzyCMeans(SoftClusterer):
    r"""Every object belongs to every cluster to a degree that falls with the distance.

    .. math:: \min_{u, v} \sum_x \sum_c u_{xc}^m |x - v_c|^2, \qquad \sum_c u_{xc} = 1

    Parameters
    ----------
    n_clusters : int
    fuzzifier : float
        The exponent m, above 1. Towards 1 the clustering becomes that of k-means, towards
        infinity all memberships become equal.
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
    memberships_ : ndarray of shape (n, n_clusters)
        Rows sum to 1.
    partition_ : FuzzyPartition
    labels_ : ndarray of shape (n,)
        The cluster of highest membership.
    objective_ : float
    objective_history_ : ndarray of shape (1 + iterations,)
        Never increases.
    n_iter_ : int
    n_features_in_ : int

    Raises
    ------
    InputError
        For parameters out of range, missing values, and fewer objects than clusters.

    Notes
    -----
    O(n k d) per iteration. Defined in :cite:`bezdek1981pattern`.

    Examples
    --------
    >>> objects = np.array([[0.0], [1.0], [2.0], [8.0], [9.0], [10.0]])
    >>> fitted = FuzzyCMeans(2, random_state=0).fit(objects)
    >>> np.sort(fitted.cluster_centers_.ravel()).round(2)
    array([1., 9.])
    >>> fitted.partition_
    FuzzyPartition(6 objects, 2 clusters, 6 uncertain objects)
    """

    memberships_: Floats

    def __init__(
        self,
        n_clusters: int = 2,
        *,
        fuzzifier: float = 2.0,
        init: Init = "random",
        n_init: int = 10,
        max_iter: int = 300,
        tol: float = 1e-6,
        random_state: RandomState = None,
    ) -> None:
        super().__init__(n_clusters, init, n_init, max_iter, tol, random_state)
        self.fuzzifier = fuzzifier

    def _read(self, X: ArrayLike) -> Floats:
        check_number("fuzzifier", self.fuzzifier, least=1, most=LARGEST, is_open=True)
        return super()._read(X)

    def _keep(self, data: Floats) -> None:
        self.memberships_ = self._memberships(data)
        self.partition_ = FuzzyPartition(self.memberships_)
        self.labels_ = np.argmax(self.memberships_, axis=1)

    def _memberships(self, data: Floats) -> Floats:
        squares = distances_to(data, self.cluster_centers_)
        return np.ascontiguousarray(split(squares, self.fuzzifier).shares.T)

    def _updates(self) -> FuzzyUpdates:
        return FuzzyUpdates(self.fuzzifier)

    def _partition(self, data: Floats) -> FuzzyPartition:
        return FuzzyPartition(self._memberships(data))

    def _label(self, data: Floats) -> Codes:
        return np.argmax(self._memberships(data), axis=1)
