"""Count the expected pairs of objects on which random sets surely agree, or surely disagree."""

# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false

from typing import Any, NamedTuple, final

import numpy as np

from sfumato._typing import Bools, Floats, Ints
from sfumato.algorithms.expectations.set_pairs import (
    SetPairs,
    blocks_of_types,
    expected_counts,
    sums_by,
)

__all__ = ["SurePairs", "sure_pairs"]

_FEW_SETS = 2048  # with more sets, a sparse matrix says which of them overlap
_MOST_OVERLAPS = 3e7  # pairs of sets of one side that share a cluster
_MOST_COUNTS = 2e7  # pairs of a set of one side and a set of the other


class SurePairs(NamedTuple):
    """Expected ordered pairs of objects on which the two sides surely agree, or disagree."""

    agree: float
    disagree: float


def sure_pairs(pairs: SetPairs) -> SurePairs:
    r"""Expected ordered pairs that agree in all compatible clusterings, or disagree in all.

    On each side two objects are surely joined with probability
    :math:`s_{xy} = \sum_i m_x(\{i\}) m_y(\{i\})` and surely apart with probability
    :math:`d_{xy} = \sum_{A \cap B = \emptyset} m_x(A) m_y(B)` (the degree of conflict). The two
    sides are independent. The result is

    .. math:: \sum_{x \ne y} (s^1 s^2 + d^1 d^2), \qquad \sum_{x \ne y} (s^1 d^2 + d^1 s^2)

    Parameters
    ----------
    pairs : SetPairs

    Returns
    -------
    SurePairs
        (0, 0) where there are too many sets: still a valid lower bound of both.

    Notes
    -----
    Let G be the expected number of objects for each pair of sets. Let J say which two sets of the
    second side surely join, and D which two sets of the first side surely part. Then a sum over all
    ordered pairs is the sum of the entries of G * (D G J'). O(f1 f2 (f1 + f2)) at most, and O(n f)
    to take away the pairs of an object with itself. No array has n^2 entries. The degree of
    conflict between objects is that of :cite:`denoeux2017evaluating`.

    Examples
    --------
    Two objects have the same cluster on one side. Nothing is known of them on the other side:

    >>> from sfumato.algorithms.expectations.set_pairs import SetPairs, sums_by
    >>> one, both = np.array([[True]]), np.array([[True, True]])
    >>> lists = [[2], [0, 1], [0], [1.0], [0, 2], [0, 1]]
    >>> sure_pairs(SetPairs(*map(np.array, lists), one, both, np.array([0]), np.array([0])))
    SurePairs(agree=0.0, disagree=0.0)
    """
    if len(pairs.a_sets) * float(len(pairs.b_sets)) > _MOST_COUNTS:
        return SurePairs(0.0, 0.0)
    if max(_n_overlaps(pairs.a_sets), _n_overlaps(pairs.b_sets)) > _MOST_OVERLAPS:
        return SurePairs(0.0, 0.0)
    counts = np.zeros((len(pairs.a_sets), len(pairs.b_sets)))
    counts[pairs.a_set, pairs.b_set] = expected_counts(pairs)
    a, b = _Side(pairs.a_sets), _Side(pairs.b_sets)
    a_apart, b_apart = a.apart(counts), b.apart(counts.T).T
    joined = counts[np.ix_(a.is_single, b.is_single)]
    totals = {
        "joined": float((joined**2).sum()),
        "apart": float((a_apart * b_apart).sum()),
        "a_joined": float((counts * b_apart)[a.is_single].sum()),
        "b_joined": float((counts * a_apart)[:, b.is_single].sum()),
    }
    own = _own_pairs(pairs, a, b)
    return SurePairs(
        agree=max(0.0, totals["joined"] + totals["apart"] - own.agree),
        disagree=max(0.0, totals["a_joined"] + totals["b_joined"] - own.disagree),
    )


@final
class _Side:
    """Which sets of one side are single clusters, and which two sets share a cluster."""

    def __init__(self, sets: Bools) -> None:
        self.is_single: Ints = np.flatnonzero(sets.sum(axis=1) == 1)
        members = sets.astype(np.float64)
        self.is_dense = len(sets) <= _FEW_SETS
        if self.is_dense:
            self.overlaps: Any = (members @ members.T > 0).astype(np.float64)
        else:
            from scipy import sparse

            compact: Any = sparse.csr_matrix(members)
            self.overlaps = (compact @ compact.T > 0).astype(np.float64)

    def apart(self, counts: Floats) -> Floats:
        """For each set, sum the counts of all sets that share no cluster with it: shape (f, m)."""
        return np.maximum(counts.sum(axis=0) - self.overlaps @ counts, 0.0)

    def own(self, masses: Floats) -> tuple[Floats, Floats]:
        """Probabilities that two draws of sets for one object are surely joined, or apart."""
        joined = (masses[:, self.is_single] ** 2).sum(axis=1)
        if self.is_dense:
            overlapping: Floats = (masses @ self.overlaps * masses).sum(axis=1)
        else:
            from scipy import sparse

            compact: Any = sparse.csr_matrix(masses)
            overlapping = np.asarray((compact @ self.overlaps).multiply(compact).sum(axis=1))
        return joined, np.maximum(masses.sum(axis=1) ** 2 - overlapping.ravel(), 0.0)


def _own_pairs(pairs: SetPairs, a: _Side, b: _Side) -> SurePairs:
    """Sum over each object paired with itself, to be taken away: this is not a pair."""
    agree = disagree = 0.0
    n_sets = len(pairs.a_sets), len(pairs.b_sets)
    for block in blocks_of_types(pairs, max(n_sets)):
        counts = pairs.counts[block]
        first, last = pairs.starts[block.start], pairs.starts[block.start + len(counts)]
        owners = np.repeat(
            np.arange(len(counts)), np.diff(pairs.starts[block.start :][: len(counts) + 1])
        )
        own = pairs.pairs[first:last]
        masses = [
            sums_by(owners * n + of_pair[own], pairs.masses[first:last], len(counts) * n)
            for n, of_pair in zip(n_sets, (pairs.a_set, pairs.b_set), strict=True)
        ]
        (a_joined, a_apart), (b_joined, b_apart) = (
            side.own(mass.reshape(len(counts), -1))
            for side, mass in zip((a, b), masses, strict=True)
        )
        agree += float(counts @ (a_joined * b_joined + a_apart * b_apart))
        disagree += float(counts @ (a_joined * b_apart + a_apart * b_joined))
    return SurePairs(agree, disagree)


def _n_overlaps(sets: Bools) -> float:
    return float((sets.sum(axis=0).astype(np.float64) ** 2).sum())
