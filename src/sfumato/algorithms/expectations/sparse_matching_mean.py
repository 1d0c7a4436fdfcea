"""Bracket the mean matching of two fuzzy partitions with sparse memberships."""

from math import sqrt

import numpy as np

from sfumato.algorithms.expectations.matching_arcs import bound_improvement_on_average
from sfumato.algorithms.expectations.matching_mean import (
    Improvement,
    MatchingMean,
    best_order,
    bracket_fixed,
)
from sfumato.algorithms.tables.ragged import gather
from sfumato.algorithms.tables.rows import Rows, sparse_rows

__all__ = ["bracket_sparse_matching_mean"]


def bracket_sparse_matching_mean(a: Rows, b: Rows) -> MatchingMean:
    """Bracket the mean of the largest matching without a dense matrix of memberships.

    Parameters
    ----------
    a, b : Rows
        Memberships of the same objects, in any form.

    Returns
    -------
    MatchingMean
        From the expected table and its best matching alone. Where other matchings are nearly as
        good, it is wider than that of `bracket_matching_mean`.

    Notes
    -----
    O(e + k^3). Here e is the number of possible pairs of a cluster in ``a`` and one in ``b``,
    summed over all objects.

    Examples
    --------
    >>> from sfumato.algorithms.tables.rows import dense_rows, hard_rows
    >>> a = dense_rows(np.repeat([[0.9, 0.1], [0.1, 0.9]], 50, axis=0))
    >>> found = bracket_sparse_matching_mean(a, hard_rows(np.repeat([0, 1], 50), 2))
    >>> round(found.low, 9), round(found.high, 9)
    (90.0, 90.0)
    """
    first, second = map(sparse_rows, (a, b) if a.width <= b.width else (b, a))
    objects = np.repeat(np.arange(first.n_rows), np.diff(first.starts))
    sizes, others = gather(second.starts, objects)
    entries = np.repeat(np.arange(len(objects)), np.diff(sizes))
    rows, columns = first.columns[entries], second.columns[others]
    events = first.values[entries] * second.values[others]
    shape = first.width, second.width
    cells = np.bincount(rows * shape[1] + columns, events, shape[0] * shape[1])
    expected = cells.astype(np.float64).reshape(shape)
    order = best_order(expected)
    is_matched = columns == order[rows]
    matched = np.bincount(objects[entries[is_matched]], events[is_matched], first.n_rows)
    matched = np.minimum(matched.astype(np.float64), 1.0)
    bound = bound_improvement_on_average(expected[:, order], first.n_rows)
    norm = sqrt(first.n_rows * bound.mean)
    gain = Improvement(0.0, bound.mean, norm, bound.probability)
    return bracket_fixed(matched, gain)
