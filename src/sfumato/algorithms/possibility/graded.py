"""Hold two possibilistic partitions, joined by a t-norm, as plain data for the algorithms."""

from dataclasses import dataclass
from typing import final

import numpy as np

from sfumato._typing import Bools, Floats, Ints, TNorm
from sfumato.algorithms.tables.choices import Choices
from sfumato.families import Objective

__all__ = ["Graded"]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Graded:
    """Types of objects with the possibilities of their clusters on each side."""

    objective: Objective
    t_norm: TNorm
    rows: Floats  # (t, k1): possibility of each cluster, for each type
    columns: Floats  # (t, k2)
    counts: Ints  # (t,): objects of each type
    levels: Floats  # (l,): all positive possibilities, highest first
    costs: Choices  # cells that each type may choose, with the costs of the t-norm as weights
    has_hard_side: bool

    def sets_at(self, level: float) -> tuple[Bools, Bools, Ints]:
        """The distinct sets of rows and of columns at a level, and the objects with each pair."""
        row_sets, row_of = np.unique(self.rows >= level, axis=0, return_inverse=True)
        column_sets, column_of = np.unique(self.columns >= level, axis=0, return_inverse=True)
        counts = np.zeros((len(row_sets), len(column_sets)), dtype=np.int64)
        np.add.at(counts, (row_of.ravel(), column_of.ravel()), self.counts)
        return row_sets, column_sets, counts
