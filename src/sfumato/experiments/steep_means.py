"""The fuzzy and possibilistic c-means that the authors of the paper published as code."""

import numpy as np

from sfumato._typing import Floats

__all__ = ["steep_memberships"]

_STEPS = 400  # the centres have stopped moving long before
_FLOOR = 1e-3  # keeps an object on a centre from dividing by zero


def steep_memberships(features: Floats, centers: Floats, exponent: float) -> Floats:
    r"""Memberships that fall with a power of the distance, so that a larger power is *harder*.

    .. math:: u_{xc} \propto \left(\frac{d_{xc}}{\sum_{c'} d_{xc'}} + 10^{-3}\right)^{-m},
              \qquad v_c = \frac{\sum_x u_{xc}^m x}{\sum_x u_{xc}^m}

    In the textbook's fuzzy c-means the power is :math:`-2/(m-1)`: there a larger m is softer.

    Parameters
    ----------
    features : ndarray of shape (n, d)
    centers : ndarray of shape (k, d)
        Where to start.
    exponent : float
        The m of the formula.

    Returns
    -------
    ndarray of shape (n, k)
        Rows sum to 1.

    Examples
    --------
    >>> objects = np.array([[0.0], [1.0], [9.0], [10.0]])
    >>> steep_memberships(objects, np.array([[0.0], [10.0]]), 5).round(3).tolist()
    [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]]
    """
    for _ in range(_STEPS):
        weights = _memberships(features, centers, exponent) ** exponent
        centers = weights.T @ features / weights.sum(axis=0)[:, None]
    return _memberships(features, centers, exponent)


def _memberships(features: Floats, centers: Floats, exponent: float) -> Floats:
    distances = np.linalg.norm(features[:, None] - centers[None], axis=2)
    shares = (distances / distances.sum(axis=1, keepdims=True) + _FLOOR) ** -exponent
    return shares / shares.sum(axis=1, keepdims=True)
