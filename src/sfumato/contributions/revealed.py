"""Comparisons in which the clusters of one object have become known."""

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.partitions.base import Partition
from sfumato.question.query import Query
from sfumato.results.comparison import Comparison

__all__ = ["Compare", "Sides", "open_objects", "revealed"]

Compare: TypeAlias = Callable[[Partition, Partition], Comparison]


class Sides(NamedTuple):
    """Weights of the clusters of each object on either side, 0 where impossible."""

    a: Floats  # (n, k1)
    b: Floats  # (n, k2)

    def n_pairs(self, objects: Ints) -> Ints:
        """Pairs of clusters that each of the objects may have."""
        return (self.a[objects] > 0).sum(axis=1) * (self.b[objects] > 0).sum(axis=1)


def open_objects(query: Query, sides: Sides) -> tuple[Ints, Ints]:
    """One object of each type that has a choice, and the place of every object in that list.

    Objects that have none are at -1.
    """
    types = query.joint.types.type_of_objects()
    _, first, place = np.unique(types, return_index=True, return_inverse=True)
    has_choice = sides.n_pairs(first) > 1
    places = np.where(has_choice, np.cumsum(has_choice) - 1, -1)
    return first[has_choice], places[place]


def revealed(sides: Sides, x: int) -> Iterator[tuple[Sides, float]]:
    """The sides with the clusters of object x fixed, for each pair that is possible."""
    for i in np.flatnonzero(sides.a[x]).tolist():
        for j in np.flatnonzero(sides.b[x]).tolist():
            a, b = sides.a.copy(), sides.b.copy()
            a[x], b[x] = 0.0, 0.0
            a[x, i], b[x, j] = 1.0, 1.0
            yield Sides(a, b), float(sides.a[x, i] * sides.b[x, j])
