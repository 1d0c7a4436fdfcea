"""Least and most objects that each cluster of a rough partition may have."""

from typing import NamedTuple

import numpy as np

from sfumato._typing import Ints
from sfumato.algorithms.tables.focal_model import SetTypes

__all__ = ["MarginLimits", "limits_of_types"]


class MarginLimits(NamedTuple):
    """Least and most objects in each row or column of each of t tables."""

    least: Ints  # (t, k)
    most: Ints


def limits_of_types(types: SetTypes, shape: tuple[int, int]) -> tuple[MarginLimits, MarginLimits]:
    """The limits of rows and columns of rough partitions given by bit masks."""
    rows, columns = (
        _limits(sets, types.counts, size)
        for sets, size in zip((types.row_sets, types.column_sets), shape, strict=True)
    )
    return rows, columns


def _limits(sets: Ints, counts: Ints, n_clusters: int) -> MarginLimits:
    members = (sets[:, None] >> np.arange(n_clusters)) & 1
    certain = members * (members.sum(axis=1) == 1)[:, None]
    return MarginLimits(counts @ certain, counts @ members)
