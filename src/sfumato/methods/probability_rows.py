"""Probabilities of the clusters of each object, for hard and fuzzy partitions alike."""

from sfumato.algorithms.tables.rows import Rows, hard_rows
from sfumato.partitions.base import Partition
from sfumato.partitions.fuzzy import FuzzyPartition
from sfumato.partitions.hard import HardPartition

__all__ = ["probability_rows"]


def probability_rows(side: Partition) -> Rows:
    """The rows of a hard or fuzzy partition, as they are stored."""
    if isinstance(side, HardPartition):
        return hard_rows(side.codes, side.n_clusters)
    assert isinstance(side, FuzzyPartition)
    return side.rows
