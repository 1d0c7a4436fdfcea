"""Power sums of fuzzy memberships with the names of their clusters: they add up."""

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, final

import numpy as np

from sfumato._typing import Ints, Name
from sfumato.algorithms.moments.power_sums import PowerSums, power_sums
from sfumato.algorithms.tables.rows import dense_rows
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
)
from sfumato.question.joint import probability_rows

__all__ = ["MomentSums", "SummedKind"]

SummedKind: TypeAlias = Literal["hard", "fuzzy"]


@final
@dataclass(frozen=True, eq=False)
class MomentSums:
    """Power sums of two partitions, each hard or fuzzy.

    The clusters of a fuzzy side are the same in all chunks, in one order.
    """

    kinds: tuple[SummedKind, SummedKind]
    a: tuple[Name, ...]  # names of the clusters
    b: tuple[Name, ...]
    sums: PowerSums  # rows are a's clusters

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
        moves = [
            joined_names(one, two, which)
            for one, two, which in zip(self.names, other.names, "ab", strict=True)
        ]
        (a, b), own, theirs = zip(*moves, strict=True)
        return replace(
            self, a=a, b=b, sums=_spread(self.sums, own, a, b) + _spread(other.sums, theirs, a, b)
        )

    @property
    def names(self) -> tuple[tuple[Name, ...], tuple[Name, ...]]:
        """Those of the clusters of either side."""
        return self.a, self.b

    def pair_counts(self) -> PairCounts | None:
        """Counts of pairs of clusters if all memberships are 0 or 1, else None.

        A single object may be in any clusters: all clusterings of it are equivalent.
        """
        cells = self.sums.cells
        if self.n_objects == 1:
            cells = np.zeros_like(cells)
            cells[:, 0, 0] = 1.0
        elif not np.array_equal(cells[0], cells[1]):
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
            FuzzyPartition.from_rows(dense_rows(np.empty((0, len(names)))), names)
            if kind == "fuzzy"
            else HardPartition.from_codes(np.empty(0, dtype=np.int64), object_array(names), None)
            for kind, names in zip(self.kinds, self.names, strict=True)
        )
        return a, b


def _spread(
    sums: PowerSums, places: tuple[Ints, Ints], a: tuple[Name, ...], b: tuple[Name, ...]
) -> PowerSums:
    """The same sums for more rows or columns, of which ``places`` are the old ones."""
    rows = np.zeros((sums.order, len(a)))
    columns = np.zeros((sums.order, len(b)))
    cells = np.zeros((sums.order, len(a), len(b)))
    rows[:, places[0]], columns[:, places[1]] = sums.rows, sums.columns
    cells[:, places[0][:, None], places[1]] = sums.cells
    return sums._replace(rows=rows, columns=columns, cells=cells)
