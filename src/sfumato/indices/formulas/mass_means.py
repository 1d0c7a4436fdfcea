"""Means over all pairs of objects of what two partitions say of a pair, block by block."""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.tables.group import group_rows
from sfumato.indices.formulas.pair_blocks import sum_over_pairs
from sfumato.partitions import PairMasses, Relational

__all__ = ["Distance", "PairTypes", "mean_over_pairs", "pair_types"]

Distance: TypeAlias = Callable[[PairMasses, PairMasses], Floats]


class PairTypes(NamedTuple):
    """One object for each distinct pair of statements, and how many objects share it."""

    objects: Ints  # (t,)
    counts: Ints  # (t,)

    @property
    def n_pairs(self) -> float:
        """Pairs of types to visit, each type with itself included."""
        return len(self.objects) * (len(self.objects) + 1) / 2


def pair_types(a: Relational, b: Relational) -> PairTypes:
    """Collapse the objects that both sides say the same of."""
    said = (a.statements.codes, b.statements.codes, a.empty_mass, b.empty_mass)
    codes, first = group_rows(np.column_stack(said).astype(np.float64))
    return PairTypes(first, np.bincount(codes))


def mean_over_pairs(
    a: Relational, b: Relational, distance: Distance, types: PairTypes | None = None
) -> float:
    """Mean over the pairs x < y of ``distance`` of the masses of either side.

    The distance is symmetric in the two objects, of which there are at least two; ``types`` are
    those of the two sides, if they are known already. O(t^2 (F + F')) for t distinct pairs of
    statements, at most n; memory O(n F) and a few blocks, whatever n is.
    """
    objects, counts = pair_types(a, b) if types is None else types

    def distances(rows: slice, columns: slice) -> list[Floats]:
        here, there = objects[rows], objects[columns]
        return [distance(a.block(here, there), b.block(here, there))]

    return sum_over_pairs(counts, distances)[0] / (a.n_objects * (a.n_objects - 1) / 2)
