"""scikit-learn: fitted clusterers, mixtures, classifiers and topic models."""

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import InputError, UnsupportedError
from sfumato.interop.hdbscan import read_hdbscan_labels
from sfumato.interop.topics import from_topics
from sfumato.partitions import FuzzyPartition, Partition, as_partition
from sfumato.partitions.reading.checks import shown
from sfumato.partitions.reading.foreign import is_named
from sfumato.partitions.reading.reading_options import Missing, Noise

__all__ = ["from_sklearn"]

_TOPIC_MODELS = ("LatentDirichletAllocation", "NMF", "MiniBatchNMF")


def from_sklearn(
    estimator: object,
    X: object = None,
    *,
    noise: Noise | None = None,
    missing: Missing = "raise",
) -> Partition:
    """What a fitted estimator says of objects.

    Parameters
    ----------
    estimator : fitted estimator
        Asked in this order: for ``partition`` or ``partition_`` (the estimators of
        `sfumato.cluster`), ``predict_proba``, ``transform`` (LatentDirichletAllocation and NMF
        only, whose weights are divided by their sums), ``predict``, ``labels_``.
    X : array-like, optional
        The objects. Without them, what is known of the objects it was fitted to.
    noise, missing
        For labels, as in `as_partition`. scikit-learn's HDBSCAN labels noise -1; its labels -2 and
        -3 are missing values, not noise.

    Returns
    -------
    Partition
        Fuzzy where there are probabilities or weights, else hard; names of classes are kept.

    Raises
    ------
    InputError
        If the estimator is not fitted, needs X, or says nothing of clusters.

    Examples
    --------
    >>> from sklearn.mixture import GaussianMixture
    >>> objects = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
    >>> from_sklearn(GaussianMixture(2, random_state=0).fit(objects), objects).kind
    'fuzzy'
    """
    asked: Any = estimator
    if isinstance(estimator, type):
        raise InputError(f"{estimator.__name__} is a class; pass a fitted {estimator.__name__}().")
    if X is None:
        if isinstance(partition := getattr(asked, "partition_", None), Partition):
            return partition
        if (labels := getattr(asked, "labels_", None)) is not None:
            return _of_labels(asked, labels, noise, missing)
        if any(hasattr(asked, name) for name in ("predict_proba", "transform", "predict")):
            name = type(estimator).__name__
            raise InputError(f"{name} speaks of objects that it is given; pass X.")
    else:
        try:
            found = _of_objects(asked, X, noise, missing)
        except UnsupportedError:
            raise
        except (TypeError, ValueError) as error:  # scikit-learn's NotFittedError is a ValueError
            said = (str(error).strip() or type(error).__name__).splitlines()[0]
            raise InputError(f"{type(estimator).__name__}: {said}") from error
        if found is not None:
            return found
    raise InputError(
        f"{shown(estimator)} has no partition_, predict_proba, predict or labels_: fit it first, "
        "or pass labels or memberships to as_partition."
    )


def _of_objects(
    asked: Any, objects: object, noise: Noise | None, missing: Missing
) -> Partition | None:
    if hasattr(asked, "partition"):
        return cast(Partition, asked.partition(objects))
    if hasattr(asked, "predict_proba"):
        probabilities = asked.predict_proba(objects)
        classes = getattr(asked, "classes_", None)
        names = None if classes is None else np.asarray(classes).tolist()
        return FuzzyPartition(probabilities, names=names)
    if is_named(asked, *_TOPIC_MODELS):
        return from_topics(asked.transform(objects), normalize=True)
    if hasattr(asked, "predict"):
        return _of_labels(asked, asked.predict(objects), noise, missing)
    labels = getattr(asked, "labels_", None)
    if labels is None:
        return None
    shape = np.shape(cast("NDArray[np.generic]", objects))
    if not shape:
        raise InputError(f"X is {shown(objects)}; pass the objects, or leave it out.")
    n_objects = shape[0]
    if n_objects != len(labels):
        raise InputError(
            f"{type(asked).__name__} cannot label new objects: it was fitted to {len(labels)}, and "
            f"X has {n_objects}."
        )
    return _of_labels(asked, labels, noise, missing)


def _of_labels(
    asked: Any, labels: NDArray[np.generic], noise: Noise | None, missing: Missing
) -> Partition:
    if is_named(asked, "HDBSCAN"):
        return read_hdbscan_labels(np.asarray(labels), noise, missing)
    return as_partition(np.asarray(labels), noise=noise, missing=missing)
