"""Collapse objects: those of which both partitions say the same are counted together."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar, final

import numpy as np
from numpy.typing import NDArray

from sfumato._typing import Floats, Ints
from sfumato.algorithms.tables.choices import Choices
from sfumato.algorithms.tables.ragged import cross
from sfumato.partitions.statements import Statements

__all__ = ["JointTypes"]

T = TypeVar("T", bound=np.generic)

_BLOCK = 1 << 12
_MOST_TALLIED = 1 << 16


@final
@dataclass(frozen=True, slots=True, eq=False)
class JointTypes:
    """Objects of which both partitions say the same, counted.

    Objects of one type are exchangeable: a comparison depends on the counts alone.
    """

    rows: Statements
    columns: Statements
    counts: Ints  # (t,): objects of each type
    row_statements: Ints  # (t,): what is said of them
    column_statements: Ints

    @classmethod
    def of(cls, rows: Statements, columns: Statements, counts: Ints | None = None) -> "JointTypes":
        """Count the pairs of statements; O(n), or O(n log n) if there are many.

        ``counts`` are the objects that each entry stands for, where it is not one.
        """
        width = columns.n_statements
        n_pairs = rows.n_statements * width
        if counts is not None:
            types, which = np.unique(rows.codes * width + columns.codes, return_inverse=True)
            tally = np.zeros(len(types), dtype=np.int64)
            np.add.at(tally, which, counts)  # integers: exact beyond 2^53
            return cls(rows, columns, tally, types // width, types % width)
        if n_pairs <= _MOST_TALLIED:
            tally = np.zeros(n_pairs, dtype=np.int64)
            for at in range(0, len(rows.codes), _BLOCK):  # no array as long as the objects
                pairs = rows.codes[at : at + _BLOCK] * width
                pairs += columns.codes[at : at + _BLOCK]
                tally += np.bincount(pairs, minlength=n_pairs)
            types = np.flatnonzero(tally)
            counts = tally[types]
        else:
            types, counts = np.unique(rows.codes * width + columns.codes, return_counts=True)
        return cls(rows, columns, counts.astype(np.int64), types // width, types % width)

    @property
    def n_types(self) -> int:
        """Number of distinct pairs of statements."""
        return len(self.counts)

    def of_each(self, read: Callable[[Statements], NDArray[T]]) -> tuple[NDArray[T], NDArray[T]]:
        """Something read off the statements of either side, for each type of objects."""
        return read(self.rows)[self.row_statements], read(self.columns)[self.column_statements]

    def type_of_objects(self) -> Ints:
        """The type of each object."""
        width = self.columns.n_statements
        types = self.row_statements * width + self.column_statements
        return np.searchsorted(types, self.rows.codes * width + self.columns.codes)

    def set_choices(self, combine: Callable[[Floats, Floats], Floats]) -> Choices:
        """What each type may choose: pairs of a set of rows and a set of columns.

        The weight of a pair is ``combine`` of the two weights; a pair is labelled by
        ``row_set * n_column_sets + column_set``.
        """
        starts, of_rows, of_columns = cross(
            self.rows.starts, self.row_statements, self.columns.starts, self.column_statements
        )
        pairs = self.rows.sets[of_rows] * self.n_column_sets + self.columns.sets[of_columns]
        labels, cells = np.unique(pairs, return_inverse=True)
        weights = combine(self.rows.weights[of_rows], self.columns.weights[of_columns])
        return Choices(self.counts, starts, cells.astype(np.int64), weights, labels)

    @property
    def n_column_sets(self) -> int:
        """Sets that the column side speaks of."""
        return len(self.columns.set_starts) - 1

    def pair_cells(self, pairs: Ints) -> tuple[Ints, Ints]:
        """Cells of the table that each labelled pair of sets leaves open, as lists."""
        starts, of_rows, of_columns = cross(
            self.rows.set_starts,
            pairs // self.n_column_sets,
            self.columns.set_starts,
            pairs % self.n_column_sets,
        )
        rows, columns = self.rows.set_members[of_rows], self.columns.set_members[of_columns]
        return starts, rows * self.columns.n_clusters + columns

    def pair_masks(self, pairs: Ints) -> tuple[Ints, Ints]:
        """Bit masks of the rows and of the columns of each labelled pair of sets; k <= 62."""
        rows = self.rows.set_masks()[pairs // self.n_column_sets]
        return rows, self.columns.set_masks()[pairs % self.n_column_sets]
