"""k-means, the hard clustering that the soft ones are set beside."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportArgumentType=false
# pyright: reportUnknownArgumentType=false

import numpy as np

from sfumato._typing import Codes, Floats

__all__ = ["k_means"]


def k_means(features: Floats, n_clusters: int, *, n_init: int, seed: int) -> tuple[Codes, Floats]:
    """Labels and centres of the lowest inertia among ``n_init`` starts.

    >>> labels, centers = k_means(np.array([[0.0], [1.0], [9.0]]), 2, n_init=1, seed=0)
    >>> np.sort(centers.ravel()).tolist()
    [0.5, 9.0]
    """
    from sklearn.cluster import KMeans

    fitted = KMeans(n_clusters, n_init=n_init, random_state=seed).fit(features)
    return np.asarray(fitted.labels_), np.asarray(fitted.cluster_centers_)
