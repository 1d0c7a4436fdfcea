"""Possibilistic c-means."""

import warnings
from dataclasses import dataclass
from typing import Literal, TypeAlias, final

import numpy as np
from numpy.typing import ArrayLike

from sfumato._typing import Codes, Floats
from sfumato.cluster.alternation import Assignment, Updates, weighted_means
from sfumato.cluster.base import LARGEST, Init, RandomState, SoftClusterer
from sfumato.cluster.distances import distances_to
from sfumato.cluster.fuzzy_c_means import FuzzyCMeans
from sfumato.cluster.parameters import check_number
from sfumato.cluster.shares import split
from sfumato.errors import InputError
from sfumato.partitions import PossibilisticPartition

__all__ = ["Eta", "PossibilisticCMeans"]

Eta: TypeAlias = Literal["fcm"] | float | ArrayLike

# Centres nearer than this share of the smaller width (the root of eta) are taken for one.
_COINCIDENT = 0.1


@final
@dataclass(frozen=True, eq=False)
class PossibilisticUpdates(Updates):
    """Typicality by distance in units of eta; centres are means weighted by its powers."""

    fuzzifier: float
    eta: Floats  # (k,)

    def assign(self, squares: Floats) -> Assignment:
        """Powers of the typicalities.

        With t the typicality, t^m d^2 + eta (1 - t)^m = t^(m-1) d^2.
        """
        logarithms = log_typicalities(squares, self.eta, self.fuzzifier)
        powers = np.exp((self.fuzzifier - 1) * logarithms)
        objective = float(np.vdot(powers, squares))
        return Assignment(powers * np.exp(logarithms), objective)


def log_typicalities(squares: Floats, eta: Floats, fuzzifier: float) -> Floats:
    r"""Logarithms of t = 1 / (1 + (d^2 / eta)^(1/(m-1))), of shape (k, n).

    >>> np.exp(log_typicalities(np.array([[0.0, 2.0, 8.0]]), np.array([2.0]), 2.0))
    array([[1. , 0.5, 0.2]])
    """
    with np.errstate(divide="ignore"):
        logarithms = np.log(squares)
    logarithms -= np.log(eta)[:, None]
    return -np.logaddexp(0, logarithms / (fuzzifier - 1))


@final
class PossibilisticCMeans(SoftClusterer):
    r"""Every object is typical of a cluster to a degree that does not depend on the others.

    .. math:: \min_{t, v} \sum_x \sum_c t_{xc}^m |x - v_c|^2
       + \sum_c \eta_c \sum_x (1 - t_{xc})^m

    Parameters
    ----------
    n_clusters : int
    fuzzifier : float
        The exponent m, above 1.
    eta : "fcm", float or array-like of shape (n_clusters,)
        Squared distance at which an object is half typical of a cluster. "fcm" takes the fuzzy
        mean of the squared distances in a run of :class:`FuzzyCMeans` with the same fuzzifier.
    init : "random" or array-like of shape (n_clusters, d)
        What that run starts from; it ends where this algorithm begins. With both ``eta`` and
        ``init`` given there is no such run, and the first centres are those of ``init``.
    n_init : int
        How many random starts :class:`FuzzyCMeans` tries. The possibilistic step is run once: its
        objective would prefer starts that lead all clusters to the same place.
    max_iter : int
        Most iterations of one start.
    tol : float
        A run ends when no centre moves further than this share of the root mean variance of the
        features.
    random_state : int, RandomState or None

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters, d)
    eta_ : ndarray of shape (n_clusters,)
    memberships_ : ndarray of shape (n, n_clusters)
        Typicalities; rows need not sum to 1.
    partition_ : PossibilisticPartition
        Typicalities divided by the largest of each object.
    labels_ : ndarray of shape (n,)
        The cluster of highest typicality.
    objective_ : float
    objective_history_ : ndarray of shape (1 + iterations,)
        Never increases.
    n_iter_ : int
    n_features_in_ : int

    Raises
    ------
    InputError
        For parameters out of range, missing values, and fewer objects than clusters.

    Warns
    -----
    UserWarning
        If clusters coincide, which this algorithm allows: two centres are closer than a tenth of
        the root of their smaller eta.

    Notes
    -----
    O(n k d) per iteration. Defined in :cite:`krishnapuram1993possibilistic`; eta stays fixed.

    Examples
    --------
    >>> objects = np.array([[0.0], [1.0], [2.0], [8.0], [9.0], [10.0], [30.0]])
    >>> fitted = PossibilisticCMeans(2, eta=1.0, init=[[1.0], [9.0]]).fit(objects)
    >>> fitted.cluster_centers_.ravel().round(2)
    array([1.01, 8.99])
    >>> fitted.memberships_[-1].round(3)   # an outlier is typical of nothing
    array([0.001, 0.002])
    """

    eta_: Floats
    memberships_: Floats

    def __init__(
        self,
        n_clusters: int = 2,
        *,
        fuzzifier: float = 2.0,
        eta: Eta = "fcm",
        init: Init = "random",
        n_init: int = 10,
        max_iter: int = 300,
        tol: float = 1e-6,
        random_state: RandomState = None,
    ) -> None:
        super().__init__(n_clusters, init, n_init, max_iter, tol, random_state)
        self.fuzzifier = fuzzifier
        self.eta = eta

    def _read(self, X: ArrayLike) -> Floats:
        check_number("fuzzifier", self.fuzzifier, least=1, most=LARGEST, is_open=True)
        return super()._read(X)

    def _keep(self, data: Floats) -> None:
        logarithms = self._logarithms(data)
        self.memberships_ = np.exp(logarithms)
        self.partition_ = _relative(logarithms)
        self.labels_ = np.argmax(logarithms, axis=1)
        self._warn_if_coincident()

    def _starts(self, data: Floats) -> list[Floats]:
        """First centres, and eta beside them; by fuzzy c-means where they are not given."""
        eta = None if isinstance(self.eta, str) else self._given_eta()
        if isinstance(self.eta, str) and self.eta != "fcm":
            raise InputError(f"eta must be 'fcm' or positive numbers; got {self.eta!r}.")
        if eta is not None and not isinstance(self.init, str):
            self.eta_ = eta
            return super()._starts(data)
        fuzzy = FuzzyCMeans(
            self.n_clusters,
            fuzzifier=self.fuzzifier,
            init=self.init,
            n_init=self.n_init,
            max_iter=self.max_iter,
            tol=self.tol,
            random_state=self.random_state,
        ).fit(data)
        centers = fuzzy.cluster_centers_
        self.eta_ = _fuzzy_widths(data, centers, self.fuzzifier) if eta is None else eta
        return [centers]

    def _given_eta(self) -> Floats:
        try:
            eta = np.broadcast_to(np.asarray(self.eta, dtype=np.float64), self.n_clusters)
        except (TypeError, ValueError):
            raise InputError(
                f"eta must be 'fcm', a number or {self.n_clusters} numbers; got {self.eta!r}."
            ) from None
        if not ((eta > 0) & (eta <= LARGEST)).all():
            raise InputError(f"eta must be positive and finite; got {self.eta!r}.")
        return eta

    def _logarithms(self, data: Floats) -> Floats:
        squares = distances_to(data, self.cluster_centers_)
        logarithms = log_typicalities(squares, self.eta_, self.fuzzifier)
        return np.ascontiguousarray(logarithms.T)

    def _updates(self) -> PossibilisticUpdates:
        return PossibilisticUpdates(self.fuzzifier, self.eta_)

    def _partition(self, data: Floats) -> PossibilisticPartition:
        return _relative(self._logarithms(data))

    def _label(self, data: Floats) -> Codes:
        return np.argmax(self._logarithms(data), axis=1)

    def _warn_if_coincident(self) -> None:
        squares = distances_to(self.cluster_centers_, self.cluster_centers_)
        widths = np.minimum(self.eta_, self.eta_[:, None])
        pairs = np.argwhere(np.triu(squares < _COINCIDENT**2 * widths, k=1))
        if len(pairs):
            first, second = pairs[0]
            warnings.warn(
                f"Clusters {first} and {second} coincide ({len(pairs)} such pairs); "
                "ask for fewer clusters, or lower eta or the fuzzifier.",
                UserWarning,
                stacklevel=4,
            )


def _relative(logarithms: Floats) -> PossibilisticPartition:
    """Typicalities divided by the largest of each object, of shape (n, k)."""
    # Divided as logarithms: an object far from everything may have typicalities of 0.
    return PossibilisticPartition(np.exp(logarithms - logarithms.max(axis=1, keepdims=True)))


def _fuzzy_widths(data: Floats, centers: Floats, fuzzifier: float) -> Floats:
    """Fuzzy mean of the squared distances in each cluster, of shape (k,)."""
    squares = distances_to(data, centers)
    weights = split(squares, fuzzifier).weights
    widths = weighted_means(
        weights.sum(axis=1), (weights * squares).sum(axis=1)[:, None], np.zeros((len(centers), 1))
    )
    # A cluster of equal objects has no width; one far below rounding lets logarithms be taken.
    variance = float(data.var(axis=0).sum())
    return np.maximum(widths[:, 0], max(np.finfo(np.float64).eps * variance, 1e-200))
