"""Sums over pairs of objects that both, one or neither side joins, and the indices made of them."""

from math import inf, sqrt
from typing import NamedTuple

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.moments.pair_means import pair_means
from sfumato.algorithms.tables.pair_counts import pair_counts
from sfumato.partitions import (
    FuzzyPartition,
    HardPartition,
    IndependentPartition,
    PossibilisticPartition,
)
from sfumato.question.joint import probability_rows

__all__ = [
    "PairSums",
    "expected_sums",
    "gram_sums",
    "hard_sums",
    "memberships_of",
    "pairs_inside",
    "sum_of_products",
]

# Sums over pairs are differences of sums of that size: what is smaller, in units of all pairs, is
# rounding. One pair is larger up to some 20 million objects.
_ROUNDING = 4 * 2.0**-52


class PairSums(NamedTuple):
    """Degrees to which pairs are joined by both sides, the first only, the second only, neither."""

    both: float
    first: float
    second: float
    neither: float

    @classmethod
    def of_joined(cls, both: float, first: float, second: float, n_pairs: float) -> "PairSums":
        """From the pairs that both sides join, those that either side joins, and all pairs."""
        if n_pairs == 0:  # nothing but rounding would be left
            return cls(0.0, 0.0, 0.0, 0.0)
        return cls(both, first - both, second - both, n_pairs - first - second + both)

    def rand(self) -> float:
        """Share of agreement; 1 where there is no pair."""
        return self._share(self.both + self.neither, sum(self), at_zero=1.0)

    def jaccard(self) -> float:
        """Pairs joined by both among those joined by either; 1 where there is none."""
        return self._share(self.both, self.both + self.first + self.second, at_zero=1.0)

    def dice(self) -> float:
        """Twice the pairs joined by both over those joined by each; 1 where there is none."""
        return self._share(2 * self.both, 2 * self.both + self.first + self.second, at_zero=1.0)

    def fowlkes_mallows(self) -> float:
        """Geometric mean of precision and recall; 0 where either side joins no pair."""
        of_first, of_second = self._joined()
        return self.both / sqrt(of_first * of_second) if of_first * of_second > 0 else 0.0

    def adjusted_rand(self) -> float:
        """The expression of Hubert and Arabie; 1 where it is 0/0."""
        (p, q), (r, s), (a, b, c, d) = self._joined(), self.parted(), self
        below = p * s + q * r
        return 1.0 if below == 0 else 2 * (a * d - b * c) / below

    def hubert(self) -> float:
        """Hubert's gamma: the correlation of the two relations.

        Where a side joins all pairs or none it is 0/0: 1 without any disagreement, else 0.
        """
        (p, q), (r, s), (a, b, c, d) = self._joined(), self.parted(), self
        spread = sqrt(p * r) * sqrt(q * s)
        if spread == 0:
            return float(self._clean(b + c) == 0)
        return (a * d - b * c) / spread

    def minkowski(self) -> float:
        """Root of the disagreement over the pairs that the second side joins: 0 is best.

        Where it joins none: 0 without any disagreement, else infinite.
        """
        apart, joined = self._clean(self.first + self.second), self._joined()[1]
        return sqrt(apart / joined) if joined > 0 else (inf if apart > 0 else 0.0)

    def _joined(self) -> tuple[float, float]:
        """Pairs that the first side joins, and the second."""
        return self._clean(self.both + self.first), self._clean(self.both + self.second)

    def parted(self) -> tuple[float, float]:
        """Pairs that the first side parts, and the second."""
        return self._clean(self.second + self.neither), self._clean(self.first + self.neither)

    def _share(self, part: float, whole: float, *, at_zero: float) -> float:
        return at_zero if self._clean(whole) == 0 else part / whole

    def _clean(self, value: float) -> float:
        """The value, or 0 if it is but rounding; whole counts have none."""
        if isinstance(value, int):
            return value
        return 0.0 if abs(value) <= _ROUNDING * sum(map(abs, self)) else value


def memberships_of(side: IndependentPartition) -> Floats:
    """The degrees of a hard, fuzzy or possibilistic partition, of shape (n, k)."""
    match side:
        case HardPartition():
            return side.to_fuzzy().memberships
        case FuzzyPartition() | PossibilisticPartition():
            return side.memberships
        case _:
            raise AssertionError("the door lets only hard, fuzzy and possibilistic sides in")


def hard_sums(first: IndependentPartition, second: IndependentPartition) -> PairSums | None:
    """The four counts if both sides are hard, else None; O(n log n) for any number of clusters."""
    one, other = first.simplest(), second.simplest()
    if not (isinstance(one, HardPartition) and isinstance(other, HardPartition)):
        return None
    cells = np.unique(one.codes * other.n_clusters + other.codes, return_counts=True)[1]
    sizes = cells, np.bincount(one.codes), np.bincount(other.codes), np.array([one.n_objects])
    return PairSums.of_joined(*map(pairs_inside, sizes))


def pairs_inside(sizes: Ints) -> int:
    """Pairs of objects inside groups of these sizes."""
    return int(pair_counts(sizes))


def expected_sums(first: IndependentPartition, second: IndependentPartition) -> PairSums:
    """The four counts by the probabilities that two objects share a cluster.

    O(n k1 k2), memory O(k1 k2); O(n log n) and O(n) for two hard partitions. Of these the Rand
    index is the mean over clusterings drawn from the partitions.

    >>> expected_sums(HardPartition([0, 0, 0, 1]), HardPartition([0, 0, 1, 1]))
    PairSums(both=1, first=2, second=1, neither=2)
    """
    if (sums := hard_sums(first, second)) is not None:
        return sums
    n = first.n_objects
    ordered = pair_means(probability_rows(first), probability_rows(second)) - n
    of_first, of_second, both = (ordered / 2).tolist()
    return PairSums.of_joined(both, of_first, of_second, n * (n - 1) / 2)


def sum_of_products(rows: Floats) -> float:
    """Sum over pairs i < j of the inner product of two rows; O(n k)."""
    return float(np.square(rows.sum(axis=0)).sum() - np.square(rows).sum()) / 2


def gram_sums(first: Floats, second: Floats) -> PairSums:
    r"""Sums over pairs i < j of products of :math:`\psi_{ij} = u_i \cdot u_j` of two sides.

    .. math:: \sum_{i < j} \psi_{ij} \phi_{ij}
              = \tfrac12 \left( \|U^T V\|_F^2 - \sum_i |u_i|^2 |v_i|^2 \right)

    O(n k k'), by Gram matrices.
    """
    own = np.square(first).sum(axis=1) @ np.square(second).sum(axis=1)
    both = float(np.square(first.T @ second).sum() - own) / 2
    n_pairs = len(first) * (len(first) - 1) / 2
    return PairSums.of_joined(both, sum_of_products(first), sum_of_products(second), n_pairs)
