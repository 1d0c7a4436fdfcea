"""Sets of clusters, stored flat so that many clusters cost no more than their members."""

from dataclasses import dataclass
from typing import final

import numpy as np

from sfumato._typing import Bools, Codes, Ints
from sfumato.algorithms.tables.group import group_rows
from sfumato.algorithms.tables.ragged import gather, owners_of, starts_of

__all__ = ["SetList", "first_appearance", "group_mask", "group_sets"]


@final
@dataclass(frozen=True, slots=True, eq=False)
class SetList:
    """A list of sets of clusters: set ``s`` holds ``members[starts[s]:starts[s + 1]]``.

    Parameters
    ----------
    starts : ndarray of shape (g + 1,)
    members : ndarray of shape (starts[-1],)
        In increasing order within each set.

    Examples
    --------
    >>> SetList.from_mask(np.array([[True, False], [True, True]])).members.tolist()
    [0, 0, 1]
    """

    starts: Ints
    members: Ints

    def __post_init__(self) -> None:
        self.starts.flags.writeable = False
        self.members.flags.writeable = False

    def __reduce__(self) -> tuple[type["SetList"], tuple[Ints, Ints]]:
        return SetList, (self.starts, self.members)  # read-only again after unpickling

    @classmethod
    def from_mask(cls, mask: Bools) -> "SetList":
        """The sets in the rows of a mask of shape (g, k)."""
        members = np.flatnonzero(mask) % mask.shape[1]  # far quicker than finding the rows too
        return cls(starts_of(mask.sum(axis=1)), members)

    @classmethod
    def singletons(cls, n_clusters: int) -> "SetList":
        """One set for each cluster."""
        return cls(np.arange(n_clusters + 1), np.arange(n_clusters))

    @property
    def sizes(self) -> Ints:
        """Number of clusters in each set."""
        return np.diff(self.starts)

    def to_mask(self, n_clusters: int) -> Bools:
        """The sets as rows of a mask."""
        mask = np.zeros((len(self.starts) - 1, n_clusters), dtype=bool)
        mask[owners_of(self.starts), self.members] = True
        return mask

    def take(self, order: Ints) -> "SetList":
        """The sets ``order``, in that order."""
        starts, entries = gather(self.starts, order)
        return SetList(starts, self.members[entries])


def first_appearance(codes: Codes, n_codes: int) -> tuple[Codes, Ints]:
    """Renumber codes by first appearance; also which old code each new one was.

    Examples
    --------
    >>> codes, order = first_appearance(np.array([2, 0, 2]), 4)
    >>> codes.tolist(), order.tolist()
    ([0, 1, 0], [2, 0])
    """
    first = np.full(n_codes, len(codes), dtype=np.int64)
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)  # the earliest is written last
    used = np.flatnonzero(first < len(codes))
    order = used[np.argsort(first[used], kind="stable")].astype(np.int64)
    rank = np.zeros(n_codes, dtype=np.int64)
    rank[order] = np.arange(len(order))
    return rank[codes], order


def group_mask(mask: Bools) -> tuple[Codes, SetList]:
    """Distinct rows of a mask as sets, and which one each row is.

    Examples
    --------
    >>> codes, sets = group_mask(np.array([[True, True], [True, False], [True, True]]))
    >>> codes.tolist(), sets.sizes.tolist()
    ([0, 1, 0], [2, 1])
    """
    # Packing costs more than it saves where a row of bytes fits into one word.
    codes, first = group_rows(mask if mask.shape[1] <= 8 else np.packbits(mask, axis=1))
    return codes, SetList.from_mask(mask[first])


def group_sets(rows: SetList) -> tuple[Codes, SetList]:
    """Distinct sets of a list, and which one each entry is; O(members), nothing dense.

    Sets of one size form a matrix, so equal ones are found size by size.
    """
    codes = np.empty(len(rows.starts) - 1, dtype=np.int64)
    representatives: list[Ints] = []
    n_found = 0
    sizes = rows.sizes
    for size in np.flatnonzero(np.bincount(sizes)):
        here = np.flatnonzero(sizes == size)
        members = rows.members[rows.starts[here][:, None] + np.arange(size)]
        group, first = group_rows(members)
        codes[here] = group + n_found
        representatives.append(here[first])
        n_found += len(first)
    return codes, rows.take(np.concatenate(representatives))
