"""Bracket the mean matching of two fuzzy partitions with sparse or very many memberships."""

from math import sqrt

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.expectations.matching_arcs import bound_improvement
from sfumato.algorithms.expectations.matching_mean import (
    Improvement,
    MatchingMean,
    best_order,
    bracket_fixed,
)
from sfumato.algorithms.moments.pair_means import paired_blocks, table_sums
from sfumato.algorithms.tables.ragged import gather, owners_of
from sfumato.algorithms.tables.rows import Rows, sparse_rows

__all__ = ["bracket_sparse_matching_mean"]

_NUMBERS_AT_ONCE = 1 << 21


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
    summed over all objects. Memory O(n + k^2), and that of a block of objects.

    Examples
    --------
    >>> from sfumato.algorithms.tables.rows import dense_rows, hard_rows
    >>> a = dense_rows(np.repeat([[0.9, 0.1], [0.1, 0.9]], 50, axis=0))
    >>> found = bracket_sparse_matching_mean(a, hard_rows(np.repeat([0, 1], 50), 2))
    >>> round(found.low, 9), round(found.high, 9)
    (90.0, 90.0)
    """
    first, second = (a, b) if a.width <= b.width else (b, a)
    expected = table_sums(first, second).cells
    order = best_order(expected)
    per_object = first.mean_length * second.mean_length + first.mean_length + second.mean_length
    step = max(1, int(_NUMBERS_AT_ONCE / per_object))
    blocks = paired_blocks(first, second, step)
    matched = np.concatenate([_matched(own, other, order) for own, other in blocks])
    bound = bound_improvement(expected[:, order], first.n_rows)
    norm = sqrt(first.n_rows * bound.mean)
    gain = Improvement(0.0, bound.mean, norm, bound.probability)
    return bracket_fixed(np.minimum(matched, 1.0), gain)


def _matched(first: Rows, second: Rows, order: Ints) -> Floats:
    """Probability that each object is in a row and in the column matched to it."""
    if first.is_dense and second.is_dense:
        p, q = (side.values.reshape(-1, side.width) for side in (first, second))
        return np.einsum("xi,xi->x", p, q[:, order[: first.width]])
    if first.is_dense and not second.is_sparse:
        own = np.argsort(order)[second.columns]  # the row of its column, if there is one
        p = first.values.reshape(-1, first.width)
        chosen = p[np.arange(len(p)), np.minimum(own, first.width - 1)]
        return np.where(own < first.width, chosen, 0.0)
    first, second = sparse_rows(first), sparse_rows(second)
    objects = owners_of(first.starts)
    sizes, others = gather(second.starts, objects)
    entries = owners_of(sizes)
    is_matched = second.columns[others] == order[first.columns[entries]]
    events = (first.values[entries] * second.values[others])[is_matched]
    owners = objects[entries[is_matched]]
    return np.bincount(owners, events, first.n_rows).astype(np.float64)
