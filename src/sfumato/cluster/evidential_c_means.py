"""Evidential c-means."""

from itertools import combinations
from typing import Literal, TypeAlias, cast, final

import numpy as np
from numpy.typing import ArrayLike

from sfumato._typing import Bools, Codes, Floats
from sfumato.cluster.alternation import Assignment, Updates
from sfumato.cluster.base import LARGEST, Init, RandomState, SoftClusterer
from sfumato.cluster.distances import distances_to
from sfumato.cluster.parameters import check_flag, check_number
from sfumato.cluster.shares import split
from sfumato.errors import CostError
from sfumato.partitions import EvidentialPartition
from sfumato.partitions.reading.checks import check_choice

__all__ = ["EvidentialCMeans", "Focal"]

Focal: TypeAlias = Literal["full", "pairs", "singletons"]

_MOST_MASSES = 1 << 28  # entries of the matrix of masses: 2 GiB


def focal_family(n_clusters: int, focal: Focal, *, omega: bool) -> Bools:
    """Sets that may get mass, of shape (f, k): by size, the empty set first.

    >>> focal_family(3, "singletons", omega=True).astype(int)
    array([[0, 0, 0],
           [1, 0, 0],
           [0, 1, 0],
           [0, 0, 1],
           [1, 1, 1]])
    """
    largest = {"full": n_clusters, "pairs": 2, "singletons": 1}[focal]
    sizes = {size for size in range(largest + 1) if size <= n_clusters} | {n_clusters}
    if not omega and n_clusters > 1:
        sizes.discard(n_clusters)
    members = [chosen for size in sorted(sizes) for chosen in combinations(range(n_clusters), size)]
    family = np.zeros((len(members), n_clusters), dtype=bool)
    for row, chosen in enumerate(members):
        family[row, list(chosen)] = True
    return family


@final
class EvidentialUpdates(Updates):
    """Masses by distance to the middles of sets; centres solve a small linear system."""

    def __init__(self, sets: Bools, alpha: float, beta: float, delta: float) -> None:
        self.members = sets[1:].astype(np.float64)  # without the empty set
        self.sizes = self.members.sum(axis=1)
        self.alpha = alpha
        self.beta = beta
        self.delta = delta

    def prototypes(self, centers: Floats) -> Floats:
        """The middle of the centres of every set but the empty one, of shape (f - 1, d)."""
        return self.members @ centers / self.sizes[:, None]

    def costs(self, squares: Floats) -> Floats:
        """What a unit of mass costs, of shape (f, n); delta^2 on the empty set, row 0."""
        costs = np.empty((len(squares) + 1, squares.shape[1]))
        costs[0] = self.delta**2
        np.multiply(squares, (self.sizes**self.alpha)[:, None], out=costs[1:])
        return costs

    def assign(self, squares: Floats) -> Assignment:
        """Powers of the masses of the sets that are not empty, of shape (f - 1, n)."""
        divided = split(self.costs(squares), self.beta)
        return Assignment(divided.weights[1:], float(divided.costs.sum()))

    def move(self, totals: Floats, sums: Floats, centers: Floats) -> Floats:
        r"""Solve for the centres, with w the total weights and y the weighted sums of objects.

        .. math:: \sum_b \Bigl(\sum_{A \ni a, b} |A|^{\alpha-2} w_A\Bigr) v_b
           = \sum_{A \ni a} |A|^{\alpha-1} y_A

        What is solved for is the move of least length, so that centres without weight stay.
        """
        left = self.members.T @ (self.members * (self.sizes ** (self.alpha - 2) * totals)[:, None])
        right = self.members.T @ (sums * (self.sizes ** (self.alpha - 1))[:, None])
        residual = right - left @ centers
        return centers + cast(Floats, np.linalg.lstsq(left, residual, rcond=None)[0])

    def masses(self, squares: Floats) -> Floats:
        """Masses of shape (n, f), never all on the empty set.

        Where the rest underflows beside the empty set, it keeps its proportions in a mass too
        small to change the sum, so that the object can still be conditioned.
        """
        costs = self.costs(squares)
        masses = split(costs, self.beta).shares
        is_lost = np.flatnonzero(masses[1:].sum(axis=0) < 1e-290)
        masses[1:, is_lost] = 1e-290 * split(costs[1:, is_lost], self.beta).shares
        return np.ascontiguousarray(masses.T)


@final
class EvidentialCMeans(SoftClusterer):
    r"""Every object divides its belief among sets of clusters, the empty set being for outliers.

    .. math:: \min_{m, v} \sum_x \Bigl(\sum_{A \ne \emptyset} |A|^\alpha m_{xA}^\beta
       |x - \bar v_A|^2 + \delta^2 m_{x\emptyset}^\beta\Bigr), \qquad \sum_A m_{xA} = 1

    Here v_A is the mean of the centres of the clusters in A.

    Parameters
    ----------
    n_clusters : int
    alpha : float
        At least 0, with k^alpha at most 1e100; the larger, the less mass goes to large sets.
    beta : float
        Above 1; the nearer to 1, the harder the masses.
    delta : float
        Above 0; the distance at which an object is an outlier. With infinity the empty set gets
        nothing.
    focal : {"full", "pairs", "singletons"}
        Which sets may get mass beside the empty one: all, those of at most two clusters, or of one.
    omega : bool
        Whether the set of all clusters may get mass too (if there is more than one).
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
    masses_ : ndarray of shape (n, f)
        Rows sum to 1.
    focal_sets_ : ndarray of shape (f, n_clusters), bool
        The empty set first, then by size.
    partition_ : EvidentialPartition
        With the empty set conditioned away.
    labels_ : ndarray of shape (n,)
        The most plausible cluster.
    objective_ : float
    objective_history_ : ndarray of shape (1 + iterations,)
        Never increases.
    n_iter_ : int
    n_features_in_ : int

    Raises
    ------
    InputError
        For parameters out of range, missing values, and fewer objects than clusters.
    CostError
        If the masses would take more than 2 GiB, as "full" does with many clusters.

    Notes
    -----
    O(n f d + k^3) per iteration, with f = 2^k for "full" and k^2 / 2 for "pairs". Defined in
    :cite:`masson2008ecm`.

    Examples
    --------
    >>> objects = np.array([[0.0], [1.0], [2.0], [5.0], [8.0], [9.0], [10.0]])
    >>> fitted = EvidentialCMeans(2, random_state=0).fit(objects)
    >>> fitted.focal_sets_.astype(int).tolist()
    [[0, 0], [1, 0], [0, 1], [1, 1]]
    >>> fitted.masses_[3].round(2)   # in the middle: both clusters are possible
    array([0., 0., 0., 1.])
    """

    masses_: Floats
    focal_sets_: Bools

    def __init__(
        self,
        n_clusters: int = 2,
        *,
        alpha: float = 1.0,
        beta: float = 2.0,
        delta: float = 10.0,
        focal: Focal = "full",
        omega: bool = True,
        init: Init = "random",
        n_init: int = 10,
        max_iter: int = 300,
        tol: float = 1e-6,
        random_state: RandomState = None,
    ) -> None:
        super().__init__(n_clusters, init, n_init, max_iter, tol, random_state)
        self.alpha = alpha
        self.beta = beta
        self.delta = delta
        self.focal: Focal = focal
        self.omega = omega

    def _read(self, X: ArrayLike) -> Floats:
        check_number("beta", self.beta, least=1, most=LARGEST, is_open=True)
        check_number("delta", self.delta, least=0, is_open=True)
        check_choice(self.focal, ("full", "pairs", "singletons"), "focal")
        check_flag("omega", self.omega)
        data = super()._read(X)
        # The largest set weighs k^alpha, which must not overflow.
        most = np.log(LARGEST) / np.log(max(2, self.n_clusters))
        check_number("alpha", self.alpha, least=0, most=float(most))
        self._check_cost(len(data))
        self.focal_sets_ = focal_family(self.n_clusters, self.focal, omega=self.omega)
        return data

    def _keep(self, data: Floats) -> None:
        self.masses_ = self._masses(data)
        self.partition_ = EvidentialPartition(self.masses_, self.focal_sets_)
        self.labels_ = self._most_plausible(self.masses_)

    def _check_cost(self, n_objects: int) -> None:
        k = self.n_clusters
        n_sets = {"full": 2**k, "pairs": k * (k + 1) // 2 + 2, "singletons": k + 2}[self.focal]
        if n_objects * n_sets > _MOST_MASSES:
            raise CostError(
                f"{n_sets} focal sets for {n_objects} objects take more than 2 GiB; "
                "use focal='pairs' or 'singletons', or fewer clusters."
            )

    def _updates(self) -> EvidentialUpdates:
        return EvidentialUpdates(self.focal_sets_, self.alpha, self.beta, self.delta)

    def _masses(self, data: Floats) -> Floats:
        updates = self._updates()
        return updates.masses(distances_to(data, updates.prototypes(self.cluster_centers_)))

    def _most_plausible(self, masses: Floats) -> Codes:
        return np.argmax(masses @ self.focal_sets_, axis=1)

    def _partition(self, data: Floats) -> EvidentialPartition:
        self._check_cost(len(data))
        return EvidentialPartition(self._masses(data), self.focal_sets_)

    def _label(self, data: Floats) -> Codes:
        return self._most_plausible(self._masses(data))
