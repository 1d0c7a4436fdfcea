"""Sums over pairs of objects that both, one or neither side joins, and the indices made of them."""

from math import inf, sqrt
from typing import NamedTuple

__all__ = ["PairSums"]

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
