"""Expected numbers of pairs that two hard or fuzzy partitions put together."""

from typing import NamedTuple

import numpy as np

from sfumato._typing import Ints
from sfumato.algorithms.moments.pair_means import pair_means
from sfumato.measures.contingency import Contingency
from sfumato.partitions import HardPartition, IndependentPartition
from sfumato.question.joint import probability_rows

__all__ = ["JoinedPairs", "joined_pairs", "mean_rand"]


class JoinedPairs(NamedTuple):
    """Pairs x < y that share a cluster of the first side, of the second, and of both."""

    first: float
    second: float
    both: float


def joined_pairs(a: IndependentPartition, b: IndependentPartition) -> JoinedPairs:
    """Count the pairs by the probabilities that their objects share a cluster.

    Notes
    -----
    O(n k1 k2), memory O(k1 k2); O(n log n) and O(n) for two hard partitions.

    Examples
    --------
    >>> joined_pairs(HardPartition([0, 0, 0, 1]), HardPartition([0, 0, 1, 1]))
    JoinedPairs(first=3.0, second=2.0, both=1.0)
    """
    if isinstance(a, HardPartition) and isinstance(b, HardPartition):
        counts = Contingency.from_codes(
            a.codes, b.codes, n_rows=a.n_clusters, n_columns=b.n_clusters
        )
        return JoinedPairs(*map(_pairs_within, (counts.rows, counts.columns, counts.cells)))
    ordered = pair_means(probability_rows(a), probability_rows(b)) - a.n_objects
    return JoinedPairs(*(ordered / 2).tolist())


def mean_rand(a: IndependentPartition, b: IndependentPartition) -> float:
    """Rand of two hard partitions, or its mean over clusterings drawn from fuzzy ones.

    Examples
    --------
    >>> mean_rand(HardPartition([0, 0, 0, 1]), HardPartition([0, 0, 1, 1]))
    0.5
    """
    n = a.n_objects
    if n < 2:
        return 1.0
    first, second, both = joined_pairs(a, b)
    return 1.0 - (first + second - 2 * both) / (n * (n - 1) / 2)


def _pairs_within(sizes: Ints) -> float:
    each = sizes.astype(np.float64)
    return float((each * (each - 1)).sum()) / 2
