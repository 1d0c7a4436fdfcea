"""Objects collapsed by what the two partitions say of them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.tables.choices import Choices
from sfumato.algorithms.tables.focal_model import FocalModel, SetTypes, focal_model
from sfumato.algorithms.tables.ragged import cross
from sfumato.partitions.statements import Statements

__all__ = ["JointTypes"]

_BLOCK = 1 << 12
_MOST_TALLIED = 1 << 16


@final
@dataclass(frozen=True, slots=True, eq=False)
class JointTypes:
    """Objects of which both partitions say the same, counted.

    Objects of one type are exchangeable: a comparison depends on the counts alone.

    Parameters
    ----------
    a, b : Statements
    counts : ndarray of shape (t,)
        Objects of each type.
    a_statements, b_statements : ndarray of shape (t,)
        What is said of the objects of each type.
    """

    a: Statements
    b: Statements
    counts: Ints
    a_statements: Ints
    b_statements: Ints

    @classmethod
    def of(cls, a: Statements, b: Statements) -> "JointTypes":
        """Count the pairs of statements; O(n), or O(n log n) if there are many."""
        n_b = len(b.starts) - 1
        n_pairs = (len(a.starts) - 1) * n_b
        if n_pairs <= _MOST_TALLIED:
            tally = np.zeros(n_pairs, dtype=np.int64)
            for at in range(0, len(a.codes), _BLOCK):  # no array as long as the objects
                pairs = a.codes[at : at + _BLOCK] * n_b
                pairs += b.codes[at : at + _BLOCK]
                tally += np.bincount(pairs, minlength=n_pairs)
            types = np.flatnonzero(tally)
            counts = tally[types]
        else:
            types, counts = np.unique(a.codes * n_b + b.codes, return_counts=True)
        return cls(a, b, counts.astype(np.int64), types // n_b, types % n_b)

    @property
    def n_types(self) -> int:
        """Number of distinct pairs of statements."""
        return len(self.counts)

    def set_choices(self, combine: Callable[[Floats, Floats], Floats]) -> Choices:
        """What each type may choose: pairs of a set of ``a`` and a set of ``b``.

        The weight of a pair is ``combine`` of the two weights; a pair is labelled by
        ``a_set * n_b_sets + b_set``.
        """
        n_b_sets = len(self.b.set_starts) - 1
        starts, a_entries, b_entries = cross(
            self.a.starts, self.a_statements, self.b.starts, self.b_statements
        )
        pairs = self.a.sets[a_entries] * n_b_sets + self.b.sets[b_entries]
        labels, cells = np.unique(pairs, return_inverse=True)
        weights = combine(self.a.weights[a_entries], self.b.weights[b_entries])
        return Choices(self.counts, starts, cells.astype(np.int64), weights, labels)

    def pair_cells(self, pairs: Ints) -> tuple[Ints, Ints]:
        """Cells of the table that each labelled pair of sets leaves open, as lists."""
        n_b_sets = len(self.b.set_starts) - 1
        starts, a_entries, b_entries = cross(
            self.a.set_starts, pairs // n_b_sets, self.b.set_starts, pairs % n_b_sets
        )
        rows, columns = self.a.set_members[a_entries], self.b.set_members[b_entries]
        return starts, rows * self.b.n_clusters + columns

    def type_of_objects(self) -> Ints:
        """The type of each object."""
        n_b = len(self.b.starts) - 1
        pairs = self.a_statements * n_b + self.b_statements
        return np.searchsorted(pairs, self.a.codes * n_b + self.b.codes)

    def focal_model(self) -> FocalModel:
        """The two partitions as one random choice of sets, each leaving cells open."""
        choices = self.set_choices(np.multiply)
        starts, cells = self.pair_cells(choices.labels)
        return focal_model(choices, starts, cells, self.a.n_clusters * self.b.n_clusters)

    def set_types(self) -> SetTypes:
        """The types by bit masks of rows and columns, when every statement is one set."""
        return SetTypes(
            self.a.masks()[self.a_statements], self.b.masks()[self.b_statements], self.counts[None]
        )

    def cell_choices(self, combine: Callable[[Floats, Floats], Floats]) -> Choices:
        """What each type may choose when all sets are singletons: cells of the table."""
        choices = self.set_choices(combine)
        _, cells = self.pair_cells(choices.labels)
        return choices._replace(labels=cells)
