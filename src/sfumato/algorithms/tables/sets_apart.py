"""Count the pairs of objects that sets of clusters surely join or surely part, on two sides."""

from typing import NamedTuple, final

import numpy as np

from sfumato._typing import Bools, Floats, Ints

__all__ = ["MOST_PRODUCTS", "SetSide", "SurePairs", "n_products", "pairs_of_sets"]

MOST_PRODUCTS = 2e10  # beyond, pairs of objects are not counted
_BLOCK = 512  # sets that are compared with all others at a time


class SurePairs(NamedTuple):
    """Ordered pairs of objects on which the two sides surely agree, or surely disagree."""

    agree: float
    disagree: float


@final
class SetSide:
    """Which sets of one side are single clusters, and which two sets share none."""

    def __init__(self, sets: Bools) -> None:
        self.is_single: Bools = sets.sum(axis=1) == 1
        self.members: Floats = sets.astype(np.float64)

    def apart(self, counts: Floats | Ints) -> Floats:
        """For each set, sum the counts of all sets that share no cluster with it: shape (d, m)."""
        sums = np.empty(counts.shape)
        for at in range(0, len(sums), _BLOCK):
            is_apart = self.members[at : at + _BLOCK] @ self.members.T == 0
            sums[at : at + _BLOCK] = is_apart.astype(np.float64) @ counts
        return sums


def n_products(n_row_sets: int, n_column_sets: int) -> float:
    """Cost of `pairs_of_sets`."""
    return float(n_row_sets) * n_column_sets * (n_row_sets + n_column_sets)


def pairs_of_sets(a: SetSide, b: SetSide, counts: Floats | Ints) -> SurePairs:
    """Count ordered pairs, each object with itself too, by the sets of both objects.

    A side surely joins two objects if both have the same single cluster. It surely parts them if
    their sets are disjoint. The two sides surely agree if both join a pair or both part it.

    ``counts`` of shape (d1, d2) are the objects with each pair of sets, or how many are expected.
    Let G be the counts and D and E say which two sets of each side are apart. The entries of D G
    times those of G E sum to the pairs that both sides part. O(d1 d2 (d1 + d2)).

    Examples
    --------
    >>> side = SetSide(np.array([[True, False], [False, True], [True, True]]))
    >>> pairs_of_sets(side, side, np.diag([2, 1, 1]))
    SurePairs(agree=9.0, disagree=0.0)
    """
    a_apart, b_apart = a.apart(counts), b.apart(counts.T).T
    joined = counts[np.ix_(a.is_single, b.is_single)]
    return SurePairs(
        agree=float((joined**2).sum() + (a_apart * b_apart).sum()),
        disagree=float(
            (counts * b_apart)[a.is_single].sum() + (counts * a_apart)[:, b.is_single].sum()
        ),
    )
