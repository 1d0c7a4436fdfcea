"""Count the pairs of objects on which two rough partitions surely agree, or surely disagree."""

import numpy as np

from sfumato._typing import Bools, Floats, Ints

__all__ = ["MOST_PRODUCTS", "forced_pairs"]

MOST_PRODUCTS = 2e10
_BLOCK = 512  # sets that are compared with all others at a time


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
    if counts.size * float(sum(counts.shape)) > MOST_PRODUCTS:
        return 0.0, 0.0
    weights = counts.astype(np.float64)
    a_single, b_single = (sets.sum(axis=1) == 1 for sets in (a_sets, b_sets))
    against_b = _times_apart(weights, b_sets)  # objects with a set that b parts from each set
    against_a = _times_apart(weights.T, a_sets).T
    both_apart = weights * _times_apart(against_b.T, a_sets).T
    both_joined = weights[np.ix_(a_single, b_single)]
    differ = (weights * against_b)[a_single].sum() + (weights * against_a)[:, b_single].sum()
    # An object is joined with itself where both its sets are single: not a pair.
    agree = (both_joined**2 - both_joined).sum() + both_apart.sum()
    return float(agree) / 2, float(differ) / 2


def _times_apart(weights: Floats, sets: Bools) -> Floats:
    """Sums of the columns of weights whose sets are disjoint from each set: (r, d) to (r, d)."""
    members = sets.astype(np.float64)
    sums = np.empty(weights.shape)
    for at in range(0, len(sets), _BLOCK):
        is_apart = members @ members[at : at + _BLOCK].T == 0
        sums[:, at : at + _BLOCK] = weights @ is_apart.astype(np.float64)
    return sums
