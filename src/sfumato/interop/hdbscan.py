"""HDBSCAN, of the package hdbscan and of scikit-learn."""

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import InputError
from sfumato.partitions import Partition, as_partition
from sfumato.partitions.reading.checks import shown
from sfumato.partitions.reading.reading_options import Missing, Noise

__all__ = ["from_hdbscan", "read_hdbscan_labels"]

_NOT_READABLE = (-2, -3)  # scikit-learn: objects with infinite, and with missing features


def from_hdbscan(
    clusterer: object,
    *,
    noise: Noise = "singletons",
    soft: bool = False,
    missing: Missing = "raise",
) -> Partition:
    """The clusters that HDBSCAN found, with its noise read as you say.

    Parameters
    ----------
    clusterer : fitted HDBSCAN
        Of the package hdbscan, or of scikit-learn.
    noise : {"singletons", "unknown", "drop", "cluster"}
        What noise is, as in `as_partition`: objects in no cluster, each alone; in a cluster that
        is not known; left out on both sides; or one cluster. See ``docs/noise.md``.
    soft : bool
        Read the membership vectors instead of the labels. Their rows sum to the probability of not
        being noise, and `noise` says what the rest is. Needs the package hdbscan and a clusterer
        with ``prediction_data=True``.
    missing : {"raise", "unknown", "drop"}
        What objects are whose vector is NaN, and those that scikit-learn labels -2 or -3 because
        their features are infinite or missing.

    Returns
    -------
    Partition
        Labels: hard, or rough where something is unknown. Vectors: fuzzy, or evidential where
        something is unknown.

    Raises
    ------
    InputError
        If there are no labels, no data for membership vectors, or nothing is left.

    Examples
    --------
    >>> from sklearn.cluster import HDBSCAN
    >>> objects = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2], [50.0]])
    >>> fitted = HDBSCAN(min_cluster_size=3, copy=True).fit(objects)
    >>> from_hdbscan(fitted)
    HardPartition(7 objects, 3 clusters, sizes 1 to 3)
    >>> from_hdbscan(fitted, noise="unknown")
    RoughPartition(7 objects, 2 clusters, 1 ambiguous object)
    """
    if soft and (vectors := _vectors(clusterer)).ndim == 2:
        return as_partition(vectors, noise=noise, missing=missing)
    labels = getattr(clusterer, "labels_", None)
    if labels is None:
        raise InputError(f"{shown(clusterer)} has no labels_; fit an HDBSCAN first.")
    return read_hdbscan_labels(np.asarray(labels), noise, missing)


def read_hdbscan_labels(
    labels: NDArray[np.generic], noise: Noise | None, missing: Missing
) -> Partition:
    """Labels of which -1 marks noise, and -2 and -3 mark objects that could not be read."""
    unread = np.isin(labels, _NOT_READABLE)
    if not unread.any():
        return as_partition(labels, noise=noise, missing=missing)
    if missing == "raise":
        raise InputError(
            f"Label {int(np.argmax(unread))} is {labels[unread][0]}: its features are missing or "
            'infinite, so it has no label; pass missing="unknown" or "drop".'
        )
    filled = np.where(unread, cast("Any", None), labels)
    return as_partition(filled, noise=noise, missing=missing)


def _vectors(clusterer: object) -> NDArray[np.generic]:
    """Membership vectors of shape (n, k), or n zeros where hdbscan found no cluster."""
    module = type(clusterer).__module__.partition(".")[0]
    if module != "hdbscan":
        raise InputError(
            f"Membership vectors come with the package hdbscan, and this clusterer is of {module}; "
            "leave soft out for its labels."
        )
    if getattr(clusterer, "prediction_data_", None) is None:
        raise InputError(
            "The clusterer has no data for membership vectors; fit it with prediction_data=True, "
            "or call generate_prediction_data()."
        )
    import hdbscan

    package: Any = hdbscan
    with np.errstate(invalid="ignore", divide="ignore"):  # rows that come out as NaN
        return cast("NDArray[np.generic]", package.all_points_membership_vectors(clusterer))
