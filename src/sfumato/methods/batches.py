"""Rough comparisons in the form that brackets of any size take."""

import numpy as np

from sfumato._typing import Ints
from sfumato.algorithms.ends.rough_batch import RoughBatch, rough_batch
from sfumato.algorithms.tables.focal_model import SetTypes
from sfumato.query import Query

__all__ = ["batch_of_rough", "batch_of_types"]

_MOST_CELLS = 2e7


def batch_of_rough(query: Query) -> RoughBatch | None:
    """The one comparison of a rough query; None if it leaves too many cells open."""
    joint = query.joint
    a = joint.a.sets[joint.a.starts[joint.a_statements]]  # a statement is one set
    b = joint.b.sets[joint.b.starts[joint.b_statements]]
    sizes = joint.a.family.sizes[a] * joint.b.family.sizes[b].astype(np.float64)
    if sizes.sum() > _MOST_CELLS:
        return None
    return rough_batch(
        np.zeros(len(a), dtype=np.int64),
        (a, b),
        joint.counts,
        (joint.a.set_starts, joint.a.set_members),
        (joint.b.set_starts, joint.b.set_members),
        n_tables=1,
        shape=query.shape,
    )


def batch_of_types(types: SetTypes, shape: tuple[int, int]) -> RoughBatch:
    """Rough comparisons that share their pairs of sets, which are given as bit masks."""
    n_tables, n_types = len(types.counts), len(types.row_sets)
    each = np.tile(np.arange(n_types), n_tables)
    a_sets, b_sets = (
        _lists(masks, size)
        for masks, size in zip((types.row_sets, types.column_sets), shape, strict=True)
    )
    return rough_batch(
        np.repeat(np.arange(n_tables), n_types),
        (each, each),
        types.counts.ravel(),
        a_sets,
        b_sets,
        n_tables=n_tables,
        shape=shape,
    )


def _lists(masks: Ints, n_clusters: int) -> tuple[Ints, Ints]:
    """Members of the sets of some bit masks, as lists."""
    sets, members = np.nonzero(masks[:, None] >> np.arange(n_clusters) & 1)
    starts = np.searchsorted(sets, np.arange(len(masks) + 1))
    return starts.astype(np.int64), members.astype(np.int64)
