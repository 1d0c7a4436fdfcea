"""Pairs that two hard or fuzzy partitions put together, counted without looking at pairs."""

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.moments.pair_means import pair_means
from sfumato.algorithms.tables.pair_counts import pair_counts
from sfumato.indices.formulas.pair_table import PairSums
from sfumato.partitions import HardPartition, IndependentPartition
from sfumato.question.joint import probability_rows

__all__ = ["expected_sums", "gram_sums", "hard_sums", "pairs_inside", "sum_of_products"]


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

    Notes
    -----
    O(n k1 k2), memory O(k1 k2); O(n log n) and O(n) for two hard partitions. Of these the Rand
    index is the mean over clusterings drawn from the partitions.

    Examples
    --------
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

    Notes
    -----
    O(n k k'), by Gram matrices.
    """
    own = np.square(first).sum(axis=1) @ np.square(second).sum(axis=1)
    both = float(np.square(first.T @ second).sum() - own) / 2
    n_pairs = len(first) * (len(first) - 1) / 2
    return PairSums.of_joined(both, sum_of_products(first), sum_of_products(second), n_pairs)
