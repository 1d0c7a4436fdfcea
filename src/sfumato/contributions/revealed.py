"""Build the two sides of a comparison again, with the clusters of one object fixed."""

from collections.abc import Callable, Iterator
from itertools import product
from typing import NamedTuple, TypeAlias

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.display.progress import progress_bar
from sfumato.partitions.base import Partition
from sfumato.question.query import Query
from sfumato.results.comparison import Comparison

__all__ = ["Compare", "Sides", "by_comparisons", "open_objects"]

Compare: TypeAlias = Callable[[Partition, Partition], Comparison]


class Sides(NamedTuple):
    """Weights of the clusters of each object on each side; 0 means impossible."""

    a: Floats  # (n, k1)
    b: Floats  # (n, k2)

    def n_pairs(self, objects: Ints) -> Ints:
        """Number of pairs of clusters that each of the objects may have."""
        return (self.a[objects] > 0).sum(axis=1) * (self.b[objects] > 0).sum(axis=1)


def open_objects(query: Query, sides: Sides) -> tuple[Ints, Ints]:
    """List one object of each type with a choice, and give the place of every object in this list.

    The place of an object is that of its type; -1 if it has no choice.
    """
    types = query.joint.types.type_of_objects()
    _, first, place = np.unique(types, return_index=True, return_inverse=True)
    has_choice = sides.n_pairs(first) > 1
    places = np.where(has_choice, np.cumsum(has_choice) - 1, -1)
    return first[has_choice], places[place]


def by_comparisons(
    sides: Sides,
    objects: Ints,
    seconds: float,
    compare: Callable[[Sides], float],
    sum_up: Callable[[Floats, Floats], float],
) -> Floats:
    """Fix each of the objects to each possible pair of its clusters, and compare.

    ``sum_up`` makes one number of the values for an object and their weights. A comparison takes
    about so many ``seconds``.
    """
    found: list[float] = []
    with progress_bar("contributions", seconds * float(sides.n_pairs(objects).sum())) as progress:
        for x in objects.tolist():
            outcomes = [(compare(known), weight) for known, weight in _revealed(sides, x)]
            values, weights = np.array(outcomes).T
            found.append(sum_up(values, weights))
            progress(len(found) / len(objects))
    return np.array(found)


def _revealed(sides: Sides, x: int) -> Iterator[tuple[Sides, float]]:
    """Fix object x to each possible pair of clusters: give the new sides and the weight."""
    for i, j in product(np.flatnonzero(sides.a[x]).tolist(), np.flatnonzero(sides.b[x]).tolist()):
        a, b = sides.a.copy(), sides.b.copy()
        a[x], b[x] = 0.0, 0.0
        a[x, i], b[x, j] = 1.0, 1.0
        yield Sides(a, b), float(sides.a[x, i] * sides.b[x, j])
