"""Power sums of fuzzy memberships with the names of their clusters: they add up."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, final

import numpy as np

from sfumato._typing import Floats, Ints, Name
from sfumato.algorithms.moments.power_sums import PowerSums, power_sums
from sfumato.algorithms.tables.rows import dense_rows
from sfumato.errors import InputError
from sfumato.partitions.base import IndependentPartition
from sfumato.partitions.fuzzy import FuzzyPartition
from sfumato.partitions.hard import HardPartition
from sfumato.partitions.reading.labels import object_array
from sfumato.partitions.setlist import SetList
from sfumato.question.counted_pairs import (
    CountedSide,
    PairCounts,
    joined_names,
    noise_note,
    sort_of,
)
from sfumato.question.joint import probability_rows

__all__ = ["MomentSums", "SummedKind"]

SummedKind: TypeAlias = Literal["hard", "fuzzy"]


@final
@dataclass(frozen=True, eq=False)
class MomentSums:
    """Power sums of two partitions, each hard or fuzzy.

    Parameters
    ----------
    kinds : (str, str)
    a, b : tuple
        Names of the clusters; those of a fuzzy side are the same in all chunks, in one order.
    sums : PowerSums
        Rows are a's clusters.
    """

    kinds: tuple[SummedKind, SummedKind]
    a: tuple[Name, ...]
    b: tuple[Name, ...]
    sums: PowerSums

    @classmethod
    def of(cls, a: IndependentPartition, b: IndependentPartition, order: int) -> "MomentSums":
        """Sum powers up to an order over the objects; O(n k1 k2 order) at most."""
        sums = power_sums(probability_rows(a), probability_rows(b), order)
        kinds: list[SummedKind] = [
            "hard" if isinstance(side, HardPartition) else "fuzzy" for side in (a, b)
        ]
        return cls((kinds[0], kinds[1]), a.names, b.names, sums)

    @property
    def n_objects(self) -> int:
        """Objects that were summed over."""
        return self.sums.n_objects

    def __add__(self, other: object) -> "MomentSums":
        if not isinstance(other, MomentSums):
            return NotImplemented
        first, second = self._on(other, 0), self._on(other, 1)
        one, two = (
            side.sums if spread is None else spread(side.sums)
            for side, spread in (
                (self, _both(first[1], second[1])),
                (other, _both(first[2], second[2])),
            )
        )
        return replace(self, a=first[0], b=second[0], sums=one + two)

    def _on(
        self, other: "MomentSums", at: int
    ) -> tuple[tuple[Name, ...], tuple[Ints, int, int] | None, tuple[Ints, int, int] | None]:
        """The names of both on one side, and where those of either go."""
        which = "ab"[at]
        kind, its = self.kinds[at], other.kinds[at]
        one, two = ((self.a, other.a), (self.b, other.b))[at]
        if kind != its:
            raise InputError(
                f"side {which} is {its} here and {kind} elsewhere: give all chunks one kind."
            )
        if one == two:
            return one, None, None
        if kind == "fuzzy":
            raise InputError(
                f"side {which} has clusters {_some(two)} here and {_some(one)} elsewhere: give all "
                "chunks the same columns in the same order."
            )
        names, own, theirs = joined_names(one, two, which)
        return names, (own, len(names), at), (theirs, len(names), at)

    @property
    def form(self) -> tuple[object, ...]:
        """What must be the same in all chunks: columns of memberships, and the sort of labels."""
        return tuple(
            names if kind == "fuzzy" else sort_of(names)
            for kind, names in zip(self.kinds, (self.a, self.b), strict=True)
        )

    def pair_counts(self) -> PairCounts | None:
        """Counts of pairs of clusters if all memberships are 0 or 1, else None."""
        cells = self.sums.cells
        if not np.array_equal(cells[0], cells[1]):
            return None
        rows, columns = np.nonzero(cells[0])
        a, b = (
            CountedSide("hard", names, SetList.singletons(len(names))) for names in (self.a, self.b)
        )
        return PairCounts(a, b, rows, columns, cells[0][rows, columns].round().astype(np.int64))

    def noise_notes(self) -> list[str]:
        """Notes on labels that look like noise, on a hard side."""
        sides = (self.a, self.sums.rows[0]), (self.b, self.sums.columns[0])
        return [
            noise_note(names, sizes.round().astype(np.int64))
            for kind, (names, sizes) in zip(self.kinds, sides, strict=True)
            if kind == "hard"
        ]

    def partitions(self) -> tuple[IndependentPartition, IndependentPartition]:
        """Partitions of no object into these clusters."""
        a, b = (
            _without_objects(kind, names)
            for kind, names in zip(self.kinds, (self.a, self.b), strict=True)
        )
        return a, b


def _both(
    first: tuple[Ints, int, int] | None, second: tuple[Ints, int, int] | None
) -> Callable[[PowerSums], PowerSums] | None:
    if first is None and second is None:
        return None

    def spread(sums: PowerSums) -> PowerSums:
        for move in (first, second):
            if move is not None:
                sums = _spread(sums, *move)
        return sums

    return spread


def _spread(sums: PowerSums, places: Ints, width: int, at: int) -> PowerSums:
    """The same sums with more rows or columns, of which ``places`` are the old ones."""

    def moved(old: Floats, axis: int) -> Floats:
        shape = list(old.shape)
        shape[axis] = width
        new = np.zeros(shape)
        new[(slice(None),) * axis + (places,)] = old
        return new

    if at == 0:
        return sums._replace(rows=moved(sums.rows, 1), cells=moved(sums.cells, 1))
    return sums._replace(columns=moved(sums.columns, 1), cells=moved(sums.cells, 2))


def _without_objects(kind: SummedKind, names: tuple[Name, ...]) -> IndependentPartition:
    if kind == "fuzzy":
        return FuzzyPartition.from_rows(dense_rows(np.empty((0, len(names)))), names)
    return HardPartition.from_codes(np.empty(0, dtype=np.int64), object_array(names), None)


def _some(names: tuple[Name, ...]) -> str:
    return ", ".join(map(repr, names[:4])) + (", ..." if len(names) > 4 else "")
