"""How a value of pairs of objects is distributed over all pairs, in bounded memory."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from sfumato._typing import Floats
from sfumato.indices.formulas.pair_blocks import pair_blocks, types_of

__all__ = ["MOST_VALUES", "N_BINS", "PairValues", "mean_difference", "pair_values"]

MOST_VALUES = 1 << 22  # kept one by one up to here, in bins beyond
N_BINS = 1 << 20


class PairValues(NamedTuple):
    """Values in [0, 1] of all pairs, sorted, with their shares.

    Where ``width`` is positive, values within one bin of that width stand at their mean.
    """

    points: Floats
    shares: Floats
    width: float

    @property
    def mean(self) -> float:
        """The mean over all pairs."""
        return float(self.points @ self.shares)

    @property
    def rounding(self) -> float:
        """How far off a distance to these values can be: only those in one bin with it are."""
        return self.width * float(self.shares.max())

    def distance(self) -> Callable[[Floats], Floats]:
        """The function that gives the mean distance of these values to each given one."""
        below = np.concatenate(([0.0], np.cumsum(self.shares)))
        moment = np.concatenate(([0.0], np.cumsum(self.shares * self.points)))

        def to(values: Floats) -> Floats:
            at = np.searchsorted(self.points, values)
            return values * (2 * below[at] - below[-1]) + moment[-1] - 2 * moment[at]

        return to


def pair_values(memberships: Floats, of: Callable[[Floats, Floats], Floats]) -> PairValues:
    """The values, in [0, 1], that a function of two rows takes on all pairs of objects.

    O(t^2 k) for t distinct rows. Up to four million pairs of them every value is kept; beyond,
    values are counted in a million bins, which keep their means.
    """
    types = types_of(memberships, memberships[:, :0])
    rows, weights = types.first, types.counts.astype(np.float64)
    blocks = _weighted_blocks(rows, weights, of)
    n_pairs = weights.sum() * (weights.sum() - 1) / 2
    if len(rows) * (len(rows) + 1) / 2 <= MOST_VALUES:
        found = list(blocks)
        values = np.concatenate([value for value, _ in found])
        order = np.argsort(values)
        shares = np.concatenate([weight for _, weight in found])[order] / n_pairs
        return PairValues(values[order], shares, 0.0)
    counts, sums = np.zeros(N_BINS + 1), np.zeros(N_BINS + 1)
    for value, weight in blocks:
        bins = (value * N_BINS).astype(np.int64)
        counts += np.bincount(bins, weight, N_BINS + 1)
        sums += np.bincount(bins, weight * value, N_BINS + 1)
    used = np.flatnonzero(counts)
    return PairValues(sums[used] / counts[used], counts[used] / n_pairs, 1 / N_BINS)


def _weighted_blocks(
    rows: Floats, weights: Floats, of: Callable[[Floats, Floats], Floats]
) -> Iterator[tuple[Floats, Floats]]:
    """Values and numbers of pairs, block by block; pairs of equal rows are there as well."""
    for above, across in pair_blocks(len(rows)):
        values = np.clip(of(rows[above], rows[across]), 0.0, 1.0)
        pairs = np.outer(weights[above], weights[across])
        if above == across:
            pairs = np.triu(pairs, 1)
            np.fill_diagonal(pairs, weights[above] * (weights[above] - 1) / 2)
        counted = pairs > 0
        yield values[counted], pairs[counted]


def mean_difference(first: PairValues, second: PairValues) -> tuple[float, float]:
    """Mean of |x - y| over all values of one and all of the other, and how far off it may be.

    Only where x and y share a bin, the difference of the means of a bin can be too small.
    """
    mean = float(first.shares @ second.distance()(first.points))
    width = max(first.width, second.width)
    if width == 0:
        return mean, 0.0
    shares = [
        np.bincount((side.points / width).astype(np.int64), side.shares, N_BINS + 1)
        for side in (first, second)
    ]
    return mean, width * float(shares[0] @ shares[1])
