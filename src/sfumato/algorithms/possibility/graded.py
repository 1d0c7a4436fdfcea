"""Hold two possibilistic partitions, joined by a t-norm, as plain data for the algorithms."""

from dataclasses import dataclass
from typing import final

import numpy as np

from sfumato._typing import Bools, Floats, Ints, TNorm
from sfumato.algorithms.tables.choices import Choices
from sfumato.algorithms.tables.level_types import LevelTypes, level_types
from sfumato.families import Objective

__all__ = ["Graded", "level_types_of"]

_MOST_CLUSTERS = 32  # sets of clusters are bit masks


@final
@dataclass(frozen=True, slots=True, eq=False)
class Graded:
    """Types of objects with the possibilities of their clusters on each side.

    Parameters
    ----------
    objective : Objective
    t_norm : {"min", "product", "lukasiewicz"}
    rows, columns : ndarray of shapes (t, k1) and (t, k2)
        Possibility of each cluster, for each type.
    counts : ndarray of shape (t,)
        Objects of each type.
    levels : ndarray of shape (l,)
        All positive possibilities, highest first.
    costs : Choices
        The cells that each type may choose, with the costs of the t-norm as weights.
    has_hard_side : bool
    """

    objective: Objective
    t_norm: TNorm
    rows: Floats
    columns: Floats
    counts: Ints
    levels: Floats
    costs: Choices
    has_hard_side: bool

    def sets_at(self, level: float) -> tuple[Bools, Bools, Ints]:
        """The distinct sets of rows and of columns at a level, and the objects with each pair."""
        row_sets, row_of = np.unique(self.rows >= level, axis=0, return_inverse=True)
        column_sets, column_of = np.unique(self.columns >= level, axis=0, return_inverse=True)
        counts = np.zeros((len(row_sets), len(column_sets)), dtype=np.int64)
        np.add.at(counts, (row_of.ravel(), column_of.ravel()), self.counts)
        return row_sets, column_sets, counts


def level_types_of(graded: Graded, levels: Floats) -> LevelTypes | None:
    """Types of objects at each of these levels; None if there are too many clusters.

    ``levels`` are all levels, or the lowest ones.
    """
    if max(graded.objective.shape) > _MOST_CLUSTERS:
        return None
    return level_types(graded.rows, graded.columns, graded.counts, levels)
