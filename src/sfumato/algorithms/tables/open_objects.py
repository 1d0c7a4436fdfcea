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

    Attributes
    ----------
    memberships : ndarray of shape (m, r)
        Of the open objects in the open clusters.
    codes : ndarray of shape (m,)
        Columns of the open objects.
    rows : ndarray of shape (r,)
        The open clusters.
    base : ndarray of shape (k1, k2)
        The table of all other objects.
    """

    memberships: Floats
    codes: Codes
    rows: Ints
    base: Ints


def open_objects(rows: Rows, codes: Codes, n_columns: int, *, most_rows: int) -> OpenObjects | None:
    """Split a comparison of a fuzzy partition with a hard truth into a sure and an open part.

    Parameters
    ----------
    rows : Rows
        Memberships, dense or sparse.
    codes : ndarray of shape (n,)
        Columns of the objects.
    n_columns : int
    most_rows : int
        If there are more open clusters than this, the answer is None.

    Notes
    -----
    O(n k1) time, or O(entries) if sparse. Only the open part of sparse rows is made dense.

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
