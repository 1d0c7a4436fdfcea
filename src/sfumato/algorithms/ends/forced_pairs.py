"""Count the pairs of objects on which two rough partitions surely agree, or surely disagree."""

import numpy as np

from sfumato._typing import Bools, Floats, Ints

__all__ = ["forced_pairs"]

_MOST_PRODUCTS = 2e10


def forced_pairs(a_sets: Bools, b_sets: Bools, counts: Ints) -> tuple[float, float]:
    """Count the unordered pairs that surely agree, and those that surely disagree.

    Surely means: in all compatible clusterings. A partition surely joins two objects if both have
    the same single cluster. It surely parts them if their sets are disjoint. The pair surely agrees
    if both partitions join it or both part it.

    Parameters
    ----------
    a_sets : ndarray of shape (d1, k1)
        The distinct sets of the first partition.
    b_sets : ndarray of shape (d2, k2)
    counts : ndarray of shape (d1, d2)
        Objects with each pair of sets.

    Returns
    -------
    (float, float)
        Pairs that surely agree, pairs that surely disagree. (0, 0) where d1 d2 (d1 + d2) products
        would be too many: still a valid lower bound of both.

    Examples
    --------
    >>> sets = np.array([[True, False], [False, True], [True, True]])
    >>> forced_pairs(sets, sets, np.diag([2, 1, 1]))
    (3.0, 0.0)
    """
    if counts.size * float(sum(counts.shape)) > _MOST_PRODUCTS:
        return 0.0, 0.0
    weights = counts.astype(np.float64)
    (a_joined, a_apart), (b_joined, b_apart) = _relations(a_sets), _relations(b_sets)
    both_joined = _ordered_pairs(weights, a_joined, b_joined)
    both_apart = _ordered_pairs(weights, a_apart, b_apart)
    differ = _ordered_pairs(weights, a_joined, b_apart) + _ordered_pairs(weights, a_apart, b_joined)
    # Take away the objects with two single clusters: they are counted as joined with themselves.
    single = weights[np.ix_(a_joined.diagonal() > 0, b_joined.diagonal() > 0)].sum()
    return float(both_joined - single + both_apart) / 2, float(differ) / 2


def _relations(sets: Bools) -> tuple[Floats, Floats]:
    """For each two sets: whether objects with them are surely joined, or surely apart."""
    overlap = sets.astype(np.float64) @ sets.T.astype(np.float64)
    apart = (overlap == 0).astype(np.float64)
    joined = np.diag((sets.sum(axis=1) == 1).astype(np.float64))
    return joined, apart


def _ordered_pairs(weights: Floats, a_relation: Floats, b_relation: Floats) -> Floats:
    return np.asarray((weights * (a_relation @ weights @ b_relation)).sum())
