"""Pairs counted for two hard partitions, where all soft counts are the plain ones."""

import numpy as np

from sfumato._typing import Ints
from sfumato.algorithms.tables.pair_counts import pair_counts
from sfumato.indices.formulas.pair_table import PairSums
from sfumato.partitions import HardPartition, IndependentPartition

__all__ = ["hard_sums", "pairs_inside"]


def hard_sums(first: IndependentPartition, second: IndependentPartition) -> PairSums | None:
    """The four counts if both sides are hard, else None; O(n log n) for any number of clusters."""
    one, other = first.simplest(), second.simplest()
    if not (isinstance(one, HardPartition) and isinstance(other, HardPartition)):
        return None
    cells = np.unique(one.codes * other.n_clusters + other.codes, return_counts=True)[1]
    both, of_first, of_second = map(
        pairs_inside, (cells, np.bincount(one.codes), np.bincount(other.codes))
    )
    n_pairs = pairs_inside(np.array([one.n_objects]))
    return PairSums(both, of_first - both, of_second - both, n_pairs - of_first - of_second + both)


def pairs_inside(sizes: Ints) -> int:
    """Pairs of objects inside groups of these sizes."""
    return int(pair_counts(sizes))
