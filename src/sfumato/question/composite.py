"""Two candidates as one partition, whose clusters are pairs of theirs.

A difference between two candidates against one truth is a function of the table of this composite
partition and the truth, so that all that answers questions about two partitions answers it too.
"""

from itertools import product
from math import prod
from typing import ClassVar, NamedTuple, final

import numpy as np

from sfumato._arguments import generator_of
from sfumato._typing import Floats, Ints, Kind, RandomSource
from sfumato.algorithms.possibility.t_norms import combine
from sfumato.algorithms.tables.ragged import cross, gather
from sfumato.algorithms.tables.rows import Rows
from sfumato.errors import CostError, UnsupportedError
from sfumato.partitions.base import IndependentPartition, Partition, independent
from sfumato.partitions.drawn import DrawnPartition
from sfumato.partitions.evidential import EvidentialPartition
from sfumato.partitions.fuzzy import FuzzyPartition
from sfumato.partitions.hard import HardPartition
from sfumato.partitions.possibilistic import PossibilisticPartition, degrees_of
from sfumato.partitions.statements import Statements
from sfumato.partitions.theories import join, t_norm_of

__all__ = ["Composite", "DrawnPair", "check_number_of_draws", "composite"]

_MOST_ENTRIES = 5e7
_MOST_DRAWS = 2e7  # pairs of them: 0.3 GB of probabilities and sizes


class Composite(NamedTuple):
    """Two candidates as one partition.

    A cluster of it is a pair of clusters that some object can be in, and stands for the cluster
    ``first_rows`` of one and ``second_rows`` of the other. Clusters without such an object are not
    counted.
    """

    partition: Partition
    first_rows: Ints
    second_rows: Ints


def composite(a: Partition, b: Partition) -> Composite:
    """Both candidates at once, independent of each other.

    Examples
    --------
    >>> import sfumato as sf
    >>> fuzzy = sf.FuzzyPartition([[1, 0], [0.5, 0.5], [0, 1]])
    >>> both = composite(sf.HardPartition([0, 0, 1]), fuzzy)
    >>> both.partition.kind, both.first_rows.tolist(), both.second_rows.tolist()
    ('fuzzy', [0, 0, 1], [0, 1, 1])
    """
    notes = (*a.notes, *b.notes)
    a, b = a.simplest(), b.simplest()
    if isinstance(a, DrawnPartition) or isinstance(b, DrawnPartition):
        rows = np.divmod(np.arange(a.n_clusters * b.n_clusters), b.n_clusters)
        return Composite(DrawnPair(a, b), *rows)
    a, b = (independent(side, "A difference of candidates") for side in (a, b))
    theory = join(a, b)
    if theory == "levels":
        raise UnsupportedError(
            "A possibilistic candidate read with the t-norm min and a fuzzy or evidential one have "
            "no joint theory: read it object by object with .with_t_norm(None)."
        )
    names = tuple(product(a.names, b.names))
    if theory == "possibilistic":
        made, used = _possibilistic(a, b, names)
    elif isinstance(a, HardPartition) and isinstance(b, HardPartition):
        codes = a.codes * b.n_clusters + b.codes
        made, used = HardPartition.trusted(codes, like=a, names=names), np.unique(codes)
    else:
        made, used = _independent(a, b, names, is_fuzzy=theory == "fuzzy")
    fresh = [note for note in dict.fromkeys(notes) if note not in made.notes]
    rows = (np.unique(side, return_inverse=True)[1] for side in np.divmod(used, b.n_clusters))
    return Composite(made.noted(*fresh), *rows)


def _possibilistic(
    a: IndependentPartition, b: IndependentPartition, names: tuple[tuple[object, object], ...]
) -> tuple[IndependentPartition, Ints]:
    """A t-norm is associative, so that the possibility of a pair is that of both clusters."""
    t_norm = t_norm_of(a, b)
    _check_size(float(a.n_objects) * a.n_clusters * b.n_clusters)
    first, second = (degrees_of(side) for side in (a, b))
    both = combine(t_norm, first[:, :, None], second[:, None, :]).reshape(a.n_objects, -1)
    used = np.flatnonzero(both.any(axis=0))
    made = PossibilisticPartition(
        both[:, used], t_norm=t_norm, names=[names[at] for at in used.tolist()]
    )
    return made, used


def _independent(
    a: IndependentPartition,
    b: IndependentPartition,
    names: tuple[tuple[object, object], ...],
    *,
    is_fuzzy: bool,
) -> tuple[IndependentPartition, Ints]:
    """Each pair of sets has the product of their masses."""
    first, second = a.statements(), b.statements()
    pairs, codes = np.unique(first.codes * second.n_statements + second.codes, return_inverse=True)
    one, other = np.divmod(pairs, second.n_statements)
    lengths = np.diff(first.starts)[one].astype(float) * np.diff(second.starts)[other]
    _check_size(float(lengths[codes].sum() if is_fuzzy else lengths.sum()))
    starts, ours, theirs = cross(first.starts, one, second.starts, other)
    weights = first.weights[ours] * second.weights[theirs]
    n_sets = len(second.set_starts) - 1
    kept, sets = np.unique(first.sets[ours] * n_sets + second.sets[theirs], return_inverse=True)
    set_starts, mine, yours = cross(
        first.set_starts, kept // n_sets, second.set_starts, kept % n_sets
    )
    used, members = np.unique(
        first.set_members[mine] * b.n_clusters + second.set_members[yours], return_inverse=True
    )
    places: list[int] = used.tolist()
    listed = tuple(names[at] for at in places)
    if is_fuzzy:  # sets are single clusters
        row_starts, entries = gather(starts, codes)
        rows = Rows(row_starts, members[sets[entries]], weights[entries], len(used))
        return FuzzyPartition.from_rows(rows, listed, a.index), used
    statements = Statements(codes, starts, sets, weights, set_starts, members, len(used))
    return EvidentialPartition.from_statements(statements, like=a, names=listed), used


def _check_size(n_entries: float) -> None:
    if n_entries > _MOST_ENTRIES:
        raise CostError(
            f"The two candidates together have {n_entries:.2g} entries ({16 * n_entries / 1e9:.2g} "
            f"GB; {_MOST_ENTRIES:.0e} entries at most): harden them, or merge small clusters."
        )


# At least one candidate is drawn.


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
