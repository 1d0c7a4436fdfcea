"""Counts of objects by what a hard or rough partition says on either side: they add up."""

from contextlib import suppress
from dataclasses import dataclass
from numbers import Number
from typing import Literal, NamedTuple, TypeAlias, cast, final

import numpy as np

from sfumato._typing import Ints, Name
from sfumato.errors import InputError
from sfumato.measures.contingency import tally
from sfumato.partitions.base import IndependentPartition
from sfumato.partitions.hard import HardPartition
from sfumato.partitions.reading.labels import object_array
from sfumato.partitions.reading.open_labels import unsaid_noise
from sfumato.partitions.reading.reading_options import AS_IT_IS
from sfumato.partitions.rough import RoughPartition
from sfumato.partitions.setlist import SetList, group_sets
from sfumato.partitions.statements import Statements
from sfumato.question.joint_types import JointTypes

__all__ = ["CountedSide", "PairCounts", "joined_names", "noise_note", "sort_of"]

CountedKind: TypeAlias = Literal["hard", "rough"]


class CountedSide(NamedTuple):
    """Sets of clusters that one partition speaks of; of a hard one, single clusters."""

    kind: CountedKind
    names: tuple[Name, ...]
    sets: SetList

    def partition(self, which: Ints) -> HardPartition | RoughPartition:
        """The partition that says of each object the set in that place; it has all clusters."""
        if self.kind == "rough":
            like = HardPartition.from_codes(which, object_array(self.names), None)
            return RoughPartition.trusted(which, self.sets, like=like, names=self.names)
        codes = self.sets.members[which]
        return HardPartition.from_codes(codes, object_array(self.names), None)


@final
@dataclass(frozen=True, eq=False)
class PairCounts:
    """How many objects are in each pair of sets of clusters, one on either side.

    Examples
    --------
    >>> some = PairCounts.of(HardPartition([0, 0, 1]), HardPartition(["x", "y", "y"]))
    >>> more = PairCounts.of(HardPartition([2, 0]), HardPartition(["y", "y"]))
    >>> both = some + more
    >>> both.a.names, both.counts.tolist()
    ((0, 1, 2), [1, 2, 1, 1])
    """

    a: CountedSide
    b: CountedSide
    a_sets: Ints  # (t,): the pairs, each once
    b_sets: Ints
    counts: Ints  # (..., t)

    def __post_init__(self) -> None:
        for array in (self.a_sets, self.b_sets, self.counts):
            array.flags.writeable = False

    @classmethod
    def of(
        cls, a: IndependentPartition, b: IndependentPartition, counts: Ints | None = None
    ) -> "PairCounts":
        """Count the objects of two hard or rough partitions; O(n).

        ``counts`` are the objects that each one stands for, where it is not one.
        """
        types = JointTypes.of(a.statements(), b.statements(), counts)
        first, a_sets = _in_order(a, types.rows, types.row_statements)
        second, b_sets = _in_order(b, types.columns, types.column_statements)
        order = np.lexsort((b_sets, a_sets))
        return cls(first, second, a_sets[order], b_sets[order], types.counts[order])

    @property
    def names(self) -> tuple[tuple[Name, ...], tuple[Name, ...]]:
        """Those of the clusters of either side."""
        return self.a.names, self.b.names

    @property
    def n_objects(self) -> int:
        """Objects that were counted."""
        return int(self.counts.sum())

    def __add__(self, other: object) -> "PairCounts":
        if not isinstance(other, PairCounts):
            return NotImplemented
        a, own_a, other_a = _joined(self.a, other.a, "a")
        b, own_b, other_b = _joined(self.b, other.b, "b")
        width = len(b.sets.starts) - 1
        pairs = np.concatenate(
            [
                own_a[self.a_sets] * width + own_b[self.b_sets],
                other_a[other.a_sets] * width + other_b[other.b_sets],
            ]
        )
        found, which = np.unique(pairs, return_inverse=True)
        counts = np.zeros((*self.counts.shape[:-1], len(found)), dtype=np.int64)
        np.add.at(counts.T, which, np.concatenate([self.counts, other.counts], axis=-1).T)
        return PairCounts(a, b, found // width, found % width, counts)

    def turned(self) -> "PairCounts":
        """The same with the two sides swapped."""
        return PairCounts(self.b, self.a, self.b_sets, self.a_sets, self.counts)

    def noise_notes(self) -> list[str]:
        """Notes on labels that look like noise, on either side."""
        return [
            noise_note(side.names, tally(side.sets.members[which], len(side.names), self.counts))
            for side, which in ((self.a, self.a_sets), (self.b, self.b_sets))
            if side.kind == "hard"
        ]

    def partitions(self) -> tuple[IndependentPartition, IndependentPartition]:
        """Partitions of one object for each pair."""
        a, b = self.a.partition(self.a_sets), self.b.partition(self.b_sets)
        return a.simplest(), b.simplest()


def noise_note(names: tuple[Name, ...], sizes: Ints) -> str:
    """A note where the labels of a hard side look like noise; ``sizes`` are those of clusters."""
    labels = HardPartition.from_codes(np.arange(len(names)), object_array(names), None)
    return unsaid_noise(labels, AS_IT_IS, sizes)


def _joined(one: CountedSide, other: CountedSide, which: str) -> tuple[CountedSide, Ints, Ints]:
    """A side with the sets of both, and where theirs are found in it."""
    if one.kind != other.kind:
        raise InputError(
            f"side {which} is {other.kind} here and {one.kind} elsewhere: give all chunks one kind."
        )
    names, own, theirs = joined_names(one.names, other.names, which)
    lists = [
        SetList(side.sets.starts, places[side.sets.members])
        for side, places in ((one, own), (other, theirs))
    ]
    n_own = len(one.sets.starts) - 1
    first, second = one.sets, other.sets
    are_equal = np.array_equal(first.starts, second.starts)
    are_equal = are_equal and np.array_equal(first.members, second.members)
    if names == one.names == other.names and are_equal:
        same = np.arange(n_own)
        return one, same, same
    if one.kind == "hard":
        singles = SetList.singletons(len(names))
        return CountedSide(one.kind, names, singles), lists[0].members, lists[1].members
    members = [_sorted_within(each) for each in lists]
    starts = np.concatenate([lists[0].starts, lists[0].starts[-1] + lists[1].starts[1:]])
    codes, sets = group_sets(SetList(starts, np.concatenate(members)))
    sets, places = _sorted(sets)
    return CountedSide(one.kind, names, sets), places[codes[:n_own]], places[codes[n_own:]]


def _in_order(
    side: IndependentPartition, said: Statements, which: Ints
) -> tuple[CountedSide, Ints]:
    """The sets of a partition in a fixed order, and those of some of its statements."""
    sets, places = _sorted(said.family.take(said.sets))
    return CountedSide(cast("CountedKind", side.kind), side.names, sets), places[which]


def _sorted(sets: SetList) -> tuple[SetList, Ints]:
    """The sets by their members, and where each of the old ones is."""
    bounds = zip(sets.starts[:-1], sets.starts[1:], strict=True)
    members = sets.members.tolist()
    listed = [members[first:last] for first, last in bounds]
    order = np.array(sorted(range(len(listed)), key=listed.__getitem__), dtype=np.int64)
    places = np.empty_like(order)
    places[order] = np.arange(len(order))
    return sets.take(order), places


def _sorted_within(sets: SetList) -> Ints:
    owners = np.repeat(np.arange(len(sets.starts) - 1), sets.sizes)
    return sets.members[np.lexsort((sets.members, owners))]


def joined_names(
    one: tuple[Name, ...], other: tuple[Name, ...], which: str
) -> tuple[tuple[Name, ...], Ints, Ints]:
    """All names, sorted where they have an order, and the places of either list among them."""
    first, second = sort_of(one), sort_of(other)
    if first != second and "mixed" not in (first, second):
        raise InputError(
            f"side {which} has labels that are {second}, such as {other[0]!r}, where others are "
            f"{first}, such as {one[0]!r}: give all chunks labels of one type."
        )
    if one == other:
        same = np.arange(len(one))
        return one, same, same
    names = tuple(dict.fromkeys((*one, *other)))
    with suppress(TypeError):  # names without an order stay as they come
        names = tuple(sorted(cast("tuple[str, ...]", names)))
    place = {name: at for at, name in enumerate(names)}
    own, theirs = (
        np.array([place[name] for name in side], dtype=np.int64) for side in (one, other)
    )
    return names, own, theirs


def sort_of(names: tuple[Name, ...]) -> str:
    """What names are: numbers, text, truth values, of another type, or mixed."""
    sorts = set(map(_sort_of_one, names))
    return sorts.pop() if len(sorts) == 1 else "mixed"


def _sort_of_one(name: Name) -> str:
    if isinstance(name, bool):  # equal to 0 or 1, and no number
        return "truth values"
    if isinstance(name, Number):
        return "numbers"
    return "text" if isinstance(name, str) else f"of type {type(name).__name__}"
