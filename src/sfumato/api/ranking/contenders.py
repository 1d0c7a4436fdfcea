"""Candidates and the one truth that they face, read and aligned."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import nan
from typing import Literal, final

import numpy as np

from sfumato._typing import Floats, PartitionLike, Quantity
from sfumato.api.compare import answer
from sfumato.api.named import naming, partitions_of
from sfumato.api.seeds import Seeds
from sfumato.engines import Engine
from sfumato.measures import Measure, as_measure
from sfumato.partitions import (
    DrawnPartition,
    FuzzyPartition,
    HardPartition,
    IndependentPartition,
    Partition,
    PossibilisticPartition,
)
from sfumato.partitions.drawn import draws_note
from sfumato.partitions.reading.alignment import share_objects
from sfumato.partitions.reading.coerce import read_as
from sfumato.partitions.reading.reading_options import Reading
from sfumato.partitions.theories import join
from sfumato.question.query import Query, difference_query

__all__ = ["Contenders"]

_OTHERS = 1 << 20  # generators of values that are found later


@final
@dataclass(frozen=True, eq=False)
class Contenders:
    """Candidates and truth in the order of the truth, on the objects that none drops."""

    names: tuple[str, ...]
    sides: tuple[Partition, ...]
    truth: Partition
    measure: Measure
    notes: tuple[str, ...]  # of objects that were dropped, and of given draws

    @classmethod
    def read(
        cls,
        candidates: Mapping[str, PartitionLike],
        truth: PartitionLike,
        measure: Measure | str,
        reading: Reading,
    ) -> "Contenders":
        """Read and align all; an error says which one is at fault."""
        named = partitions_of(candidates, reading)
        with naming("truth"):
            reference = read_as(truth, None, reading)
        for name, side in named.items():
            with naming(name):
                share_objects((reference, side))  # complains about this one
        (reference, *sides), notes, _ = share_objects((reference, *named.values()))
        drawn = [side for side in (*sides, reference) if isinstance(side, DrawnPartition)]
        notes = tuple(dict.fromkeys((*notes, *map(draws_note, drawn))))
        return cls(tuple(named), tuple(sides), reference, as_measure(measure), notes)

    def alone(self, at: int) -> Query:
        """The question about the expectations of one candidate."""
        return Query.of(self.sides[at], self.truth, self.measure, "expectation")

    def pair(self, i: int, j: int, quantity: Quantity) -> Query:
        """The question about the difference of two candidates."""
        return difference_query(self.sides[i], self.sides[j], self.truth, self.measure, quantity)

    def has_no_composite(self, i: int, j: int) -> bool:
        """Whether one is possibilistic, read with min, and the other fuzzy or evidential.

        At each level they are two candidates like others, but not together one partition.
        """
        a, b, truth = (side.simplest() for side in (self.sides[i], self.sides[j], self.truth))
        if join(a, b) != "levels":
            return False
        for side in (a, b):
            join(side, truth)  # complains about another t-norm
        return True

    def is_apart(self, i: int, j: int) -> bool:
        """Whether the expectations of D are differences of those of the two candidates.

        So it is against a hard, fuzzy or drawn truth: each of its clusterings leaves nothing to
        share. By product and Lukasiewicz two candidates are not possible to a degree that each is
        alone.
        """
        sides = [side.simplest() for side in (self.sides[i], self.sides[j], self.truth)]
        norms = {side.t_norm for side in sides if isinstance(side, PossibilisticPartition)}
        is_precise = isinstance(sides[2], HardPartition | FuzzyPartition | DrawnPartition)
        return is_precise and norms <= {None, "min"}

    def precise_values(
        self, engine: Engine, seeds: Seeds, what: Literal["pignistic", "hardened"]
    ) -> Floats:
        """Values of the candidates after all partitions are made precise.

        nan where only a range is known, or where hardening would have to choose between clusters.
        """
        reference = _made_precise(what, self.truth)
        values = np.full(len(self.sides), nan)
        for at, side in enumerate(self.sides):
            candidate = _made_precise(what, side)
            if candidate is None or reference is None:
                continue
            query = Query.of(candidate, reference, self.measure, "expectation")
            found = answer(query, engine, Seeds(seeds.child(_OTHERS + at))).mean
            values[at] = nan if found is None else found
        return values


def _made_precise(what: Literal["pignistic", "hardened"], side: Partition) -> Partition | None:
    if not isinstance(side, IndependentPartition):  # each draw is hard
        return side
    if what == "pignistic":
        return side.pignistic()
    return None if side.has_ties() else side.harden()
