"""Where the runs begin."""

import numpy as np

from sfumato._typing import Floats

__all__ = ["draw_objects"]


def draw_objects(values: Floats, n_clusters: int, random: np.random.RandomState) -> Floats:
    """Objects drawn at random that differ from each other, of shape (n_clusters, d).

    Where there are too few different ones, they are repeated.

    Examples
    --------
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
