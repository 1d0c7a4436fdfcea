"""Objects with a choice, apart from those without, against a hard truth."""

from typing import NamedTuple

import numpy as np

from sfumato._typing import Codes, Floats, Ints
from sfumato.algorithms.tables.rows import Rows, sparse_rows

__all__ = ["OpenObjects", "open_objects"]


class OpenObjects(NamedTuple):
    """What is not known of a table, and the part that is.

    Attributes
    ----------
    memberships : ndarray of shape (m, r)
        Of the objects that may be in more than one cluster, in the clusters that they may be in.
    codes : ndarray of shape (m,)
        Their columns.
    rows : ndarray of shape (r,)
        Those clusters.
    base : ndarray of shape (k1, k2)
        The table of all other objects.
    """

    memberships: Floats
    codes: Codes
    rows: Ints
    base: Ints


def open_objects(rows: Rows, codes: Codes, n_columns: int, *, most_rows: int) -> OpenObjects | None:
    """Split the table of a fuzzy partition and a hard truth into what is sure and what is open.

    Parameters
    ----------
    rows : Rows
        Memberships, dense or sparse.
    codes : ndarray of shape (n,)
        Columns of the objects.
    n_columns : int
    most_rows : int
        With more open clusters the answer is None.

    Notes
    -----
    O(n k1) time, or O(entries) if sparse; sparse rows are never made dense but for what is open.

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
