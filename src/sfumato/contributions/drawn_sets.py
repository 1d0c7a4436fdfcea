"""Draw the sets of clusters that the objects of one side are said to be in."""

from dataclasses import replace
from typing import NamedTuple, Self

import numpy as np

from sfumato._typing import Bools, Floats, Ints
from sfumato.partitions.base import IndependentPartition
from sfumato.partitions.possibilistic import PossibilisticPartition
from sfumato.partitions.statements import Statements

__all__ = ["DrawnSets"]


class DrawnSets(NamedTuple):
    """The sets of one side, with what is needed to draw one for each object."""

    statements: Statements  # as mass functions, smaller sets first
    ends: Floats  # (e,): cumulative masses of the entries, plus the number of the statement
    has_common_level: bool  # whether all objects are cut at the same level (the t-norm min)

    @classmethod
    def of(cls, side: IndependentPartition) -> Self:
        """Read a side; a possibilistic one by its nested sets."""
        is_joint = False
        if isinstance(side, PossibilisticPartition):
            is_joint, side = side.t_norm is not None, side.with_t_norm(None)
        given: Statements = side.statements()
        order = np.lexsort((given.family.sizes[given.sets], given.owners))
        weights = given.weights[order]
        totals: Floats = np.cumsum(weights)
        before = np.concatenate([[0.0], totals])[given.starts]
        ends = (totals - before[given.owners]) / (before[1:] - before[:-1])[given.owners]
        ends[given.starts[1:] - 1] = 1.0  # whatever rounding says
        statements = replace(given, sets=given.sets[order], weights=weights)
        return cls(statements, ends + given.owners, is_joint)

    @property
    def is_random(self) -> bool:
        """Whether some object has more than one set."""
        return len(self.statements.sets) > self.statements.n_statements

    @property
    def is_hard(self) -> bool:
        """Whether each object has one cluster."""
        sizes = self.statements.family.sizes[self.statements.sets]
        return not self.is_random and bool((sizes == 1).all())

    @property
    def levels(self) -> Floats:
        """Where the sets of some object change, from 0 to 1."""
        return np.unique(np.concatenate([[0.0], self.ends.round(9) % 1.0, [1.0]]))

    def draw(self, shares: Floats | float) -> Ints:
        """The set of each object at its share of the mass, small sets first; of shape (n,)."""
        codes = self.statements.codes
        entries = np.searchsorted(self.ends, codes + shares, side="right")
        return self.statements.sets[np.minimum(entries, self.statements.starts[codes + 1] - 1)]

    def targets(self, *, with_sets: bool) -> tuple[Ints, Ints]:
        """Bit masks of what an object may be moved to: each cluster, then each larger set.

        Also the place of each set among them; -1 where larger sets are left out.
        """
        masks, sizes = self.statements.set_masks(), self.statements.family.sizes
        places = np.full(len(masks), -1)
        places[sizes == 1] = np.log2(masks[sizes == 1]).astype(np.int64)
        clusters = np.left_shift(np.int64(1), np.arange(self.statements.n_clusters))
        if not with_sets:
            return clusters, places
        places[sizes > 1] = len(clusters) + np.arange(int((sizes > 1).sum()))
        return np.concatenate([clusters, masks[sizes > 1]]), places

    def members(self) -> Bools:
        """Which clusters are in each set, of shape (g, k)."""
        return self.statements.family.to_mask(self.statements.n_clusters)

    def masses(self) -> Floats:
        """Mass of each set in each statement, of shape (d, g)."""
        given = self.statements
        table = np.zeros((given.n_statements, len(given.family.sizes)))
        table[given.owners, given.sets] = given.weights
        return table
