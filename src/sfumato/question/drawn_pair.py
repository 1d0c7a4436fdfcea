"""Two candidates of which at least one is drawn, as one partition."""

from itertools import product
from math import prod
from typing import ClassVar, final

import numpy as np

from sfumato._arguments import generator_of
from sfumato._typing import Floats, Ints, Kind, RandomSource
from sfumato.errors import CostError
from sfumato.partitions.base import Partition
from sfumato.partitions.drawn import DrawnPartition

__all__ = ["DrawnPair", "check_number_of_draws"]

_MOST_DRAWS = 2e7  # 0.3 GB of probabilities and sizes


@final
class DrawnPair(Partition):
    """Each draw of one candidate beside each of the other: the candidates are independent.

    Clusters are pairs of theirs. A candidate that is not drawn counts as one draw of itself.
    Both speak of the same objects in the same order, in their simplest form.
    """

    __slots__ = ("candidates", "sizes", "weights")

    kind: ClassVar[Kind] = "drawn"
    candidates: tuple[Partition, Partition]
    sizes: Ints  # clusters of each pair of draws, at most
    weights: Floats  # probability of each pair of draws

    def __init__(self, a: Partition, b: Partition) -> None:
        check_number_of_draws(a, b)
        (first, one), (second, other) = _law(a), _law(b)
        self._fill(
            candidates=(a, b),
            sizes=np.outer(one, other).ravel(),
            weights=np.outer(first, second).ravel(),
            names=tuple(product(a.names, b.names)),
            n_objects=a.n_objects,
            n_clusters=a.n_clusters * b.n_clusters,
            index=a.index,
            notes=tuple(dict.fromkeys((*a.notes, *b.notes))),
            given=None,
        )

    def draw(self, at: int) -> tuple[Partition, Partition]:
        """Both candidates in pair number ``at``; one that is drawn is hard."""
        a, b = self.candidates
        places = divmod(at, len(_law(b)[0]))
        return _draw(a, places[0]), _draw(b, places[1])

    def _fact(self) -> str:
        return f"{len(self.weights):,} pairs of draws"

    def _repr_html_(self) -> str:
        return f"<p>{self!r}</p>"

    def simplest(self) -> Partition:
        """Self: at least one candidate varies."""
        return self

    def sample(self, rng: RandomSource = None) -> "DrawnPair":
        """One pair of draws."""
        at = generator_of(rng).choice(len(self.weights), p=self.weights)
        return DrawnPair(*self.draw(int(at)))

    def _rows(self, rows: Ints) -> "DrawnPair":
        a, b = self.candidates
        return DrawnPair(a.take(rows), b.take(rows))


def check_number_of_draws(*sides: Partition) -> None:
    """Refuse more combinations of draws than fit in memory."""
    counts = [len(_law(side)[0]) for side in sides]
    if prod(counts) > _MOST_DRAWS:
        raise CostError(
            f"{' x '.join(f'{count:,}' for count in counts)} combinations of draws are too many "
            f"({_MOST_DRAWS:.0e} at most): thin the draws."
        )


def _law(side: Partition) -> tuple[Floats, Ints]:
    """Probabilities and numbers of clusters of all draws."""
    if isinstance(side, DrawnPartition):
        return side.distinct.weights, side.distinct.sizes
    return np.ones(1), np.array([side.n_clusters])


def _draw(side: Partition, at: int) -> Partition:
    return side.hard(side.distinct.codes[at]) if isinstance(side, DrawnPartition) else side
