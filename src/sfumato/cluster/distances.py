"""Squared Euclidean distances, clusters first, accurate where they are small."""

from typing import NamedTuple

import numpy as np

from sfumato._typing import Floats

__all__ = ["Points", "center_points", "distances_to", "squared_distances"]

# Below this share of |x|^2 + |p|^2 the expanded square has lost four digits or more.
_NEAR = 1e-4


class Points(NamedTuple):
    """Objects seen from an origin in their midst, which keeps the squares small."""

    values: Floats  # (n, d): objects minus origin
    norms: Floats  # (n,): squared lengths of values
    origin: Floats  # (d,)

    @property
    def scale(self) -> float:
        """Root of the mean variance of the features, if the origin is the mean."""
        return float(np.sqrt(self.norms.mean() / self.values.shape[1]))


def center_points(data: Floats, origin: Floats) -> Points:
    """Move the origin of the objects, of shape (n, d)."""
    values = data - origin
    return Points(values, np.einsum("ij,ij->i", values, values), origin)


def distances_to(data: Floats, prototypes: Floats) -> Floats:
    """Squared distance of every prototype, (f, d), to every object, (n, d), of shape (f, n).

    >>> distances_to(np.array([[0.0], [3.0]]), np.array([[1.0]]))
    array([[1., 4.]])
    """
    origin = prototypes.mean(axis=0)
    return squared_distances(center_points(data, origin), prototypes - origin)


def squared_distances(points: Points, prototypes: Floats) -> Floats:
    r"""Squared distance of every prototype to every object, of shape (f, n).

    .. math:: |x - p|^2 = |x|^2 + |p|^2 - 2 x \cdot p

    The product is one matrix multiplication; entries where the right side cancels are computed
    again from the differences, so that an object on a prototype is at distance 0 exactly. O(n f d)
    time, O(n (f + d)) memory.

    >>> points = center_points(np.array([[0.0, 0.0], [3.0, 4.0]]), np.array([1.5, 2.0]))
    >>> squared_distances(points, points.values[:1])
    array([[ 0., 25.]])
    """
    sizes = np.einsum("ij,ij->i", prototypes, prototypes)
    totals = points.norms + sizes[:, None]
    squares = prototypes @ points.values.T
    squares *= -2
    squares += totals
    totals *= _NEAR
    is_near = squares < totals
    for row in np.flatnonzero(is_near.any(axis=1)):
        objects = np.flatnonzero(is_near[row])
        differences = points.values[objects] - prototypes[row]
        squares[row, objects] = np.einsum("ij,ij->i", differences, differences)
    return squares
