"""What the estimators share: parameters, reading data, restarts and labels of new objects."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

import warnings
from abc import ABC, abstractmethod
from typing import Any, Literal, Self, TypeAlias, cast

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    TransformerMixin,
)
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from sfumato._typing import Codes, Floats
from sfumato.cluster.alternation import Updates, best_run
from sfumato.cluster.distances import center_points, distances_to
from sfumato.cluster.parameters import check_count, check_matrix, check_number
from sfumato.errors import InputError
from sfumato.partitions import IndependentPartition

__all__ = ["LARGEST", "Init", "RandomState", "SoftClusterer", "draw_objects"]

Init: TypeAlias = Literal["random"] | ArrayLike
RandomState: TypeAlias = np.random.RandomState | int | None

LARGEST = 1e100  # features and parameters beyond it have squares that overflow
_LEAST_SPREAD = 1e-100  # differences below it have squares that underflow


class SoftClusterer(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, BaseEstimator, ABC
):
    """A clustering of objects around centres, in the conventions of scikit-learn."""

    cluster_centers_: Floats
    labels_: Codes
    n_iter_: int
    objective_: float
    objective_history_: Floats
    partition_: IndependentPartition

    def __init__(
        self,
        n_clusters: int,
        init: Init,
        n_init: int,
        max_iter: int,
        tol: float,
        random_state: RandomState,
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: object = None) -> Self:
        """Cluster the objects.

        Parameters
        ----------
        X : array-like of shape (n, d)
        y : ignored
        """
        data = self._read(X)
        starts = self._starts(data)
        self._descend(data, starts)
        self._keep(data)
        return self

    @abstractmethod
    def _updates(self) -> Updates:
        """The steps of the algorithm, for parameters that were checked."""

    @abstractmethod
    def _keep(self, data: Floats) -> None:
        """Set what is known of the objects of the fit, once the centres are known."""

    @abstractmethod
    def _label(self, data: Floats) -> Codes:
        """Clusters of objects, of shape (n, d), once the centres are known."""

    @abstractmethod
    def _partition(self, data: Floats) -> IndependentPartition:
        """What the centres that were fitted say of objects, of shape (n, d)."""

    def _objective(self, data: Floats) -> float:
        """What objects, of shape (n, d), add to the objective at the fitted centres."""
        updates = self._updates()
        return updates.assign(
            distances_to(data, updates.prototypes(self.cluster_centers_))
        ).objective

    def partition(self, X: ArrayLike) -> IndependentPartition:
        """What the fitted centres say of objects, new ones or those of the fit.

        Parameters
        ----------
        X : array-like of shape (n, d)

        Returns
        -------
        Partition
            Of the kind of ``partition_``, which it equals for the objects of the fit; but rough
            k-means gives some objects of the fit to clusters that would have none of their own.

        Notes
        -----
        O(n k d), for evidential c-means O(n f d).
        """
        check_is_fitted(self)
        return self._partition(self._validate(X, reset=False))

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Pignistic memberships of objects: every set's mass shared equally by its clusters.

        Of fuzzy c-means these are the memberships; of the others they leave out what `partition`
        knows.

        Parameters
        ----------
        X : array-like of shape (n, d)

        Returns
        -------
        ndarray of shape (n, n_clusters)
            Rows sum to 1.
        """
        return np.array(self.partition(X).pignistic().memberships)

    def transform(self, X: ArrayLike) -> Floats:
        """Distance of each object from each centre.

        Parameters
        ----------
        X : array-like of shape (n, d)

        Returns
        -------
        ndarray of shape (n, n_clusters)
        """
        check_is_fitted(self)
        data = self._validate(X, reset=False)
        return np.ascontiguousarray(np.sqrt(distances_to(data, self.cluster_centers_)).T)

    def score(self, X: ArrayLike, y: object = None) -> float:
        """Minus the objective of objects at the fitted centres: greater is better.

        Parameters
        ----------
        X : array-like of shape (n, d)
        y : ignored

        Returns
        -------
        float
            Comparable for one kind of estimator with the same parameters and number of clusters;
            to compare with true labels see `sfumato.interop.make_soft_scorer`.
        """
        check_is_fitted(self)
        return -self._objective(self._validate(X, reset=False))

    @property
    def _n_features_out(self) -> int:
        """Columns of what `transform` gives, for scikit-learn."""
        return len(self.cluster_centers_)

    def predict(self, X: ArrayLike) -> Codes:
        """Cluster of each object, as in ``labels_``, by the centres that were fitted.

        Parameters
        ----------
        X : array-like of shape (n, d)

        Returns
        -------
        ndarray of shape (n,)
        """
        check_is_fitted(self)
        return self._label(self._validate(X, reset=False))

    def _validate(self, X: ArrayLike, *, reset: bool) -> Floats:
        data: Any = X  # scikit-learn's default, a string, would be taken for its type
        values = cast(Floats, validate_data(self, data, reset=reset, dtype=np.float64))
        if (largest := np.abs(values).max()) > LARGEST:
            raise InputError(
                f"X holds {largest:.3g}, whose square overflows; rescale the features."
            )
        return values

    def _read(self, X: ArrayLike) -> Floats:
        """Check the parameters and the objects."""
        for name in ("n_clusters", "n_init", "max_iter"):
            check_count(name, getattr(self, name))
        check_number("tol", self.tol, least=0)
        data = self._validate(X, reset=True)
        if 0 < (spread := float(np.ptp(data, axis=0).max())) < _LEAST_SPREAD:
            raise InputError(
                f"X spans only {spread:.3g}, whose square underflows; rescale the features."
            )
        if len(data) < self.n_clusters:
            raise InputError(
                f"n_samples={len(data)} is less than n_clusters={self.n_clusters}; "
                "ask for fewer clusters."
            )
        return data

    def _starts(self, data: Floats) -> list[Floats]:
        """The given centres, or ``n_init`` times as many objects drawn at random."""
        if not isinstance(self.init, str):
            return [check_matrix("init", self.init, (self.n_clusters, data.shape[1]))]
        if self.init != "random":
            raise InputError(f"init must be 'random' or an array of centres; got {self.init!r}.")
        random = check_random_state(self.random_state)
        starts = [draw_objects(data, self.n_clusters, random) for _ in range(self.n_init)]
        n_distinct = len(np.unique(starts[0], axis=0))
        if n_distinct < self.n_clusters:
            warnings.warn(
                f"{n_distinct} distinct objects for n_clusters={self.n_clusters}; "
                "some clusters coincide.",
                ConvergenceWarning,
                stacklevel=3,
            )
        return starts

    def _descend(self, data: Floats, starts: list[Floats]) -> None:
        """Keep the best run over the starts in the fitted attributes."""
        points = center_points(data, data.mean(axis=0))
        tol = self.tol * points.scale
        run = best_run(
            points,
            self._updates(),
            (start - points.origin for start in starts),
            max_iter=self.max_iter,
            tol=tol,
        )
        self.cluster_centers_ = run.centers + points.origin
        self.n_iter_ = len(run.history) - 1
        self.objective_history_ = run.history
        self.objective_ = float(run.history[-1])
        if not run.is_converged:
            warnings.warn(
                f"{type(self).__name__} did not converge in {self.n_iter_} iterations: a centre "
                f"still moves by {run.shift:.2g}, more than {tol:.2g}; raise max_iter or tol, "
                "or start elsewhere.",
                ConvergenceWarning,
                stacklevel=3,
            )


def draw_objects(values: Floats, n_clusters: int, random: np.random.RandomState) -> Floats:
    """Objects drawn at random that differ from each other, of shape (n_clusters, d).

    Where there are too few different ones, they are repeated.

    >>> objects = np.array([[1.0], [1.0], [1.0], [2.0]])
    >>> sorted(draw_objects(objects, 2, np.random.RandomState(0)).ravel().tolist())
    [1.0, 2.0]
    """
    chosen: dict[tuple[float, ...], int] = {}
    for row in random.permutation(len(values)):
        chosen.setdefault(tuple(values[row].tolist()), int(row))
        if len(chosen) == n_clusters:
            break
    return values[np.resize(list(chosen.values()), n_clusters)]
