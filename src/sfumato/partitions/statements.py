"""What a partition says of its objects, said once."""

from dataclasses import dataclass, replace
from typing import final

import numpy as np

from sfumato._typing import Codes, Floats, Ints
from sfumato.algorithms.tables.likely_sizes import Memberships, SizeLimits
from sfumato.algorithms.tables.ragged import gather, owners_of, starts_of
from sfumato.partitions.setlist import SetList, first_appearance

__all__ = ["Statements"]

_FEW_PAIRS = 50_000_000  # of statements and clusters
_DENSE = 8  # clusters for each member of a set, where it is quicker not to list members
_MOST_BITS = 62  # of a mask


@final
@dataclass(frozen=True, slots=True, eq=False)
class Statements:
    """The distinct statements that a partition makes, and which one each object gets.

    A statement is a list of sets of clusters with weights: one set of weight 1 for hard and rough
    partitions, singletons with probabilities for fuzzy ones, sets with masses for evidential ones,
    singletons with possibilities for possibilistic ones read with a t-norm. Only positive weights
    are listed. Lists of lists are stored flat: statement ``s`` owns the entries from
    ``starts[s]`` to ``starts[s + 1]``.

    Parameters
    ----------
    codes : ndarray of shape (n,)
        The statement made of each object.
    starts : ndarray of shape (d + 1,)
    sets : ndarray of shape (starts[-1],)
        Which set each entry speaks of.
    weights : ndarray of shape (starts[-1],)
    set_starts : ndarray of shape (g + 1,)
    set_members : ndarray of shape (set_starts[-1],)
        Clusters in each set, in increasing order.
    n_clusters : int

    Examples
    --------
    >>> from sfumato.partitions import FuzzyPartition
    >>> statements = FuzzyPartition([[0.5, 0.5], [0.0, 1.0], [0.5, 0.5]]).statements()
    >>> statements.codes.tolist(), statements.starts.tolist(), statements.weights.tolist()
    ([0, 1, 0], [0, 2, 3], [0.5, 0.5, 1.0])
    """

    codes: Codes
    starts: Ints
    sets: Ints
    weights: Floats
    set_starts: Ints
    set_members: Ints
    n_clusters: int

    @classmethod
    def from_weights(
        cls, codes: Codes, weights: Floats, sets: SetList, n_clusters: int
    ) -> "Statements":
        """List the positive entries of a matrix of shape (d, g), one row per statement."""
        is_positive = weights != 0
        return cls(
            codes=codes,
            starts=starts_of(is_positive.sum(axis=1)),
            sets=np.flatnonzero(is_positive) % weights.shape[1],
            weights=weights[is_positive],
            set_starts=sets.starts,
            set_members=sets.members,
            n_clusters=n_clusters,
        )

    @classmethod
    def of_sets(cls, codes: Codes, sets: SetList, n_clusters: int) -> "Statements":
        """One statement for each set: the object is somewhere in it."""
        every = np.arange(len(sets.starts))
        ones = np.ones(len(every) - 1)
        return cls(codes, every, every[:-1].copy(), ones, sets.starts, sets.members, n_clusters)

    @property
    def n_statements(self) -> int:
        """Number of distinct statements."""
        return len(self.starts) - 1

    @property
    def owners(self) -> Ints:
        """The statement that each entry belongs to."""
        return owners_of(self.starts)

    @property
    def family(self) -> SetList:
        """The sets that the statements speak of."""
        return SetList(self.set_starts, self.set_members)

    def pairs(self) -> tuple[Ints, Ints, Ints]:
        """Which clusters each statement speaks of, and in which of its entries.

        Pairs are statement times ``n_clusters`` plus cluster, in increasing order; if there are not
        too many, all of them, for that is quicker than to sort. Then, for each cluster in the set
        of each entry, the place of its pair, and the entry.
        """
        starts, members = gather(self.set_starts, self.sets)
        entries = owners_of(starts)
        which = self.owners[entries] * self.n_clusters + self.set_members[members]
        n_pairs = self.n_statements * self.n_clusters
        if n_pairs <= _FEW_PAIRS:
            return np.arange(n_pairs), which, entries
        return *np.unique(which, return_inverse=True), entries

    def memberships(self) -> Memberships:
        """Belief and plausibility that an object of each statement is in each cluster."""
        pairs, plausibility = self._plausibilities()
        is_single = self.family.sizes[self.sets] == 1
        alone = self.set_members[self.set_starts[self.sets[is_single]]]
        which = np.searchsorted(pairs, self.owners[is_single] * self.n_clusters + alone)
        belief = np.bincount(which, self.weights[is_single], len(pairs))
        is_listed = plausibility > 0
        pairs = pairs[is_listed]
        counts = np.bincount(self.codes, minlength=self.n_statements)
        return Memberships(
            clusters=pairs % self.n_clusters,
            counts=counts[pairs // self.n_clusters],
            belief=belief[is_listed].astype(np.float64),
            plausibility=plausibility[is_listed].astype(np.float64),
            n_clusters=self.n_clusters,
        )

    def _plausibilities(self) -> tuple[Ints, Floats]:
        """Pairs of a statement and a cluster, as one number each in order, and their sums."""
        n_pairs = self.n_statements * self.n_clusters
        n_members = int(self.family.sizes[self.sets].sum())
        if n_pairs <= _FEW_PAIRS and len(self.sets) * self.n_clusters <= _DENSE * n_members:
            mask = self.family.to_mask(self.n_clusters).T.copy()
            sums = [
                np.add.reduceat(np.where(row[self.sets], self.weights, 0.0), self.starts[:-1])
                for row in mask
            ]
            return np.arange(n_pairs), np.stack(sums, axis=1).ravel()
        pairs, which, entries = self.pairs()
        sums = np.bincount(which, self.weights[entries], len(pairs))
        return pairs, sums.astype(np.float64)

    def size_limits(self, weights: Ints | None = None) -> SizeLimits:
        """Least and most objects that each cluster can hold.

        ``weights`` are the objects that each entry of ``codes`` stands for, where it is not one.
        """
        if self.n_clusters <= _MOST_BITS and self.n_statements * self.n_clusters <= _FEW_PAIRS:
            unions = np.bitwise_or.reduceat(self.set_masks()[self.sets], self.starts[:-1])
            statements, clusters = np.nonzero(unions[:, None] >> np.arange(self.n_clusters) & 1)
        else:
            pairs, which, _ = self.pairs()
            is_listed = np.bincount(which, minlength=len(pairs)) > 0
            statements, clusters = np.divmod(pairs[is_listed], self.n_clusters)
        counts = np.bincount(self.codes, weights, minlength=self.n_statements)[statements]
        is_sure = np.bincount(statements)[statements] == 1
        least, most = (
            np.bincount(clusters, objects, self.n_clusters).astype(np.float64)
            for objects in (counts * is_sure, counts)
        )
        return SizeLimits(least, most)

    def spread(self, shares: Floats) -> Floats:
        """Give each cluster of a set its share of the set's weight, of shape (d, k).

        ``shares`` has one entry for each set. Sums run in the order of the sets.
        """
        entries = np.lexsort((self.sets, self.owners))
        starts, members = gather(self.set_starts, self.sets[entries])
        places = np.repeat(self.owners[entries], np.diff(starts)) * self.n_clusters
        places += self.set_members[members]
        weights = np.repeat(self.weights[entries] * shares[self.sets[entries]], np.diff(starts))
        spread = np.bincount(places, weights, minlength=self.n_statements * self.n_clusters)
        return spread.astype(np.float64, copy=False).reshape(self.n_statements, self.n_clusters)

    def take(self, order: Ints) -> "Statements":
        """What is said of the objects ``order``, in that order."""
        codes, used = first_appearance(self.codes[order], self.n_statements)
        starts, entries = gather(self.starts, used)
        return replace(
            self, codes=codes, starts=starts, sets=self.sets[entries], weights=self.weights[entries]
        )

    def set_masks(self) -> Ints:
        """Every set as a bit mask; k <= 62."""
        bits = np.left_shift(np.int64(1), self.set_members)
        return np.bitwise_or.reduceat(bits, self.set_starts[:-1])

    def masks(self) -> Ints:
        """The set of each statement as a bit mask; of statements that are one set, k <= 62."""
        return self.set_masks()[self.sets]

    def __post_init__(self) -> None:
        for array in self._arrays():
            array.flags.writeable = False

    def __reduce__(self) -> tuple[type["Statements"], tuple[object, ...]]:
        return Statements, (*self._arrays(), self.n_clusters)

    def _arrays(self) -> tuple[Ints | Floats, ...]:
        said = self.codes, self.starts, self.sets, self.weights
        return *said, self.set_starts, self.set_members
