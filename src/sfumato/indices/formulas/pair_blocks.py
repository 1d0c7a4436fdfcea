"""Sums over all pairs of objects, block by block: memory of a block, never of all pairs."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.tables.group import group_rows
from sfumato.partitions import PairMasses, Relational

__all__ = [
    "Distance",
    "PairTypes",
    "Types",
    "mean_over_pairs",
    "pair_blocks",
    "pair_types",
    "sum_of_gaps",
    "sum_over_pairs",
    "types_of",
]

Distance: TypeAlias = Callable[[PairMasses, PairMasses], Floats]

_BLOCK = 256  # some matrices with this side fit into a cache


class Types(NamedTuple):
    """Objects collapsed by what two sides say of them: distinct rows and how often they occur."""

    first: Floats  # (t, k)
    second: Floats  # (t, k')
    counts: Ints  # (t,)


def types_of(first: Floats, second: Floats) -> Types:
    """Collapse objects whose rows are equal on both sides; O(n (k + k'))."""
    codes, at = group_rows(np.hstack((first, second)) + 0.0)  # -0.0 becomes 0.0
    return Types(first[at], second[at], np.bincount(codes))


def pair_blocks(n_rows: int) -> Iterator[tuple[slice, slice]]:
    """Rows and columns of the blocks on and above the diagonal of all pairs.

    Where the two slices are equal the block is on the diagonal, and holds each pair twice.
    """
    cuts = [slice(at, at + _BLOCK) for at in range(0, n_rows, _BLOCK)]
    return ((rows, columns) for i, rows in enumerate(cuts) for columns in cuts[i:])


def sum_over_pairs(counts: Ints, of: Callable[[slice, slice], Sequence[Floats]]) -> list[float]:
    """Sum symmetric functions over all pairs of two different objects, each counted once.

    ``of`` gives one matrix of values per function, for the rows and columns of a block of types.
    Values of a type with itself count only if ``counts`` says that several objects are of it.
    """
    weights = counts.astype(np.float64)

    def total(values: Floats, rows: slice, columns: slice) -> float:
        if rows != columns:
            return float(weights[rows] @ values @ weights[columns])
        own = weights[rows]
        several = np.flatnonzero(own > 1)  # a value may be infinite: 0 times it is no number
        inside = own[several] * (own[several] - 1) / 2 @ np.diagonal(values)[several]
        return float(own @ np.triu(values, 1) @ own + inside)

    totals = np.zeros(1)
    for rows, columns in pair_blocks(len(counts)):
        found = of(rows, columns)
        totals = totals + [total(values, rows, columns) for values in found]
    return totals.tolist()


def sum_of_gaps(first: Floats, second: Floats, kernel: Callable[[Floats, Floats], Floats]) -> float:
    """Sum over pairs of how far what a kernel says of them differs between the two sides."""
    types = types_of(first, second)

    def gap(rows: slice, columns: slice) -> list[Floats]:
        one, other = (kernel(each[rows], each[columns]) for each in types[:2])
        return [np.abs(one - other)]

    return sum_over_pairs(types.counts, gap)[0]


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
