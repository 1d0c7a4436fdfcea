"""Separate the objects that may be in several clusters from the others, against a hard truth."""

from typing import NamedTuple

import numpy as np

from sfumato._typing import Codes, Floats, Ints
from sfumato.algorithms.tables.rows import Rows, sparse_rows

__all__ = ["OpenObjects", "open_objects"]


class OpenObjects(NamedTuple):
    """The objects that are open, and the table of all others.

    An object is open if it may be in more than one cluster. A cluster is open if an open object
    may be in it.
    """

    memberships: Floats  # (m, r): of the open objects in the open clusters
    codes: Codes  # (m,): columns of the open objects
    rows: Ints  # (r,): the open clusters
    base: Ints  # (k1, k2): the table of all other objects


def open_objects(rows: Rows, codes: Codes, n_columns: int, *, most_rows: int) -> OpenObjects | None:
    """Split a comparison of a fuzzy partition with a hard truth into a sure and an open part.

    ``codes`` are the columns of the objects. None if there are more than ``most_rows`` open
    clusters. O(n k1) time, or O(entries) if sparse: only the open part of sparse rows is made
    dense.

    Examples
    --------
    >>> from sfumato.algorithms.tables.rows import dense_rows
    >>> rows = dense_rows(np.array([[0.5, 0.0, 0.5], [0.0, 1.0, 0.0]]))
    >>> found = open_objects(rows, np.array([0, 0]), 1, most_rows=3)
    >>> found.memberships.tolist(), found.rows.tolist(), found.base.tolist()
    ([[0.5, 0.5]], [0, 2], [[0], [1], [0]])
    """
    starts, clusters, values, _ = sparse_rows(rows)
    sizes = np.diff(starts)
    objects = np.repeat(np.arange(rows.n_rows), sizes)
    is_open = (sizes > 1)[objects]
    places = np.unique(clusters[is_open])
    if len(places) > most_rows:
        return None
    sure = clusters[~is_open] * n_columns + codes[objects[~is_open]]
    base = np.bincount(sure, minlength=rows.width * n_columns).reshape(rows.width, n_columns)
    chosen, which = np.unique(objects[is_open], return_inverse=True)
    memberships = np.zeros((len(chosen), len(places)))
    memberships[which, np.searchsorted(places, clusters[is_open])] = values[is_open]
    return OpenObjects(memberships, codes[chosen], places, base)
