"""Sums over pairs of objects that both, one or neither side joins, and the indices made of them."""

from math import inf, sqrt
from typing import NamedTuple

__all__ = ["PairSums"]


class PairSums(NamedTuple):
    """Degrees to which pairs are joined by both sides, the first only, the second only, neither."""

    both: float
    first: float
    second: float
    neither: float

    def rand(self) -> float:
        """Share of agreement; 1 where there is no pair."""
        agreeing = self.both + self.neither
        return _divide(agreeing, agreeing + self.first + self.second, at_zero=1.0)

    def jaccard(self) -> float:
        """Pairs joined by both among those joined by either; 1 where there is none."""
        return _divide(self.both, self.both + self.first + self.second, at_zero=1.0)

    def dice(self) -> float:
        """Twice the pairs joined by both over those joined by each; 1 where there is none."""
        return _divide(2 * self.both, 2 * self.both + self.first + self.second, at_zero=1.0)

    def fowlkes_mallows(self) -> float:
        """Geometric mean of precision and recall; 0 where either side joins no pair."""
        squared = (self.both + self.first) * (self.both + self.second)
        return self.both / sqrt(squared) if squared > 0 else 0.0

    def adjusted_rand(self) -> float:
        """The expression of Hubert and Arabie; 1 where it is 0/0."""
        a, b, c, d = self
        return _divide(2 * (a * d - b * c), (a + b) * (b + d) + (a + c) * (c + d), at_zero=1.0)

    def hubert(self) -> float:
        """Hubert's gamma: the correlation of the two relations.

        Where a side joins all pairs or none it is 0/0: 1 without any disagreement, else 0.
        """
        a, b, c, d = self
        spread = sqrt((a + b) * (c + d)) * sqrt((a + c) * (b + d))
        return _divide(a * d - b * c, spread, at_zero=float(b == c == 0))

    def minkowski(self) -> float:
        """Root of the disagreement over the pairs that the second side joins: 0 is best.

        Where it joins none: 0 without any disagreement, else infinite.
        """
        apart, joined = self.first + self.second, self.both + self.second
        return sqrt(apart / joined) if joined > 0 else (inf if apart > 0 else 0.0)


def _divide(above: float, below: float, *, at_zero: float) -> float:
    return at_zero if below == 0 else above / below
