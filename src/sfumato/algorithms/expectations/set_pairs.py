"""Hold types of objects that draw a pair of focal sets, and the cells that each pair leaves open.

A pair has one set from each side.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, final

import numpy as np

from sfumato._typing import Bools, Floats, Ints
from sfumato.algorithms.deadline import look
from sfumato.algorithms.tables.ragged import gather, owners_of

__all__ = ["OpenCells", "SetPairs", "blocks_of_types", "open_cells", "sums_by", "table_by"]

_NUMBERS_AT_ONCE = 1 << 22


@final
@dataclass(frozen=True, eq=False)
class SetPairs:
    """Types of objects with their masses on pairs of sets.

    Type ``t`` is the entries from ``starts[t]`` to ``starts[t + 1]`` of ``pairs`` and ``masses``.
    Pair ``p`` leaves open the entries from ``cell_starts[p]`` to ``cell_starts[p + 1]`` of
    ``cells``. A cell is ``row * n_columns + column``. A *policy* sends each pair to its cells in
    fixed shares, one for each of ``cells``.
    """

    counts: Ints  # (t,): objects of each type
    starts: Ints  # (t + 1,)
    pairs: Ints  # (entries,)
    masses: Floats  # (entries,)
    cell_starts: Ints  # (p + 1,)
    cells: Ints  # (cell_starts[p],)
    a_sets: Bools  # (f1, n_rows): the sets of the first side
    b_sets: Bools  # (f2, n_columns)
    a_set: Ints  # (p,): the set of the first side that each pair has
    b_set: Ints  # (p,)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the table."""
        return int(self.a_sets.shape[1]), int(self.b_sets.shape[1])

    @property
    def n_cells(self) -> int:
        """Cells of the table."""
        return self.shape[0] * self.shape[1]

    @property
    def n_objects(self) -> int:
        """Objects of all types."""
        return int(self.counts.sum())

    @cached_property
    def has_hard_rows(self) -> bool:
        """Whether the first side is certain: one set of one cluster for each type."""
        return self._is_certain(self.a_set, self.a_sets)

    @cached_property
    def has_hard_columns(self) -> bool:
        """Whether the second side is certain: one set of one cluster for each type."""
        return self._is_certain(self.b_set, self.b_sets)

    def _is_certain(self, of_pair: Ints, sets: Bools) -> bool:
        own = of_pair[self.pairs]
        first = own[self.starts[:-1]]
        is_single = bool((sets.sum(axis=1) == 1).all())
        return is_single and np.array_equal(own, first[self.owners])

    @cached_property
    def owners(self) -> Ints:
        """The type of each entry."""
        return owners_of(self.starts)

    @cached_property
    def weights(self) -> Floats:
        """Expected number of objects that draw each pair of sets."""
        weights = self.masses * self.counts[self.owners]
        return sums_by(self.pairs, weights, len(self.a_set))

    @cached_property
    def sizes(self) -> Ints:
        """How many cells each pair leaves open."""
        return np.diff(self.cell_starts)

    @cached_property
    def cell_owners(self) -> Ints:
        """The pair of each of ``cells``."""
        return owners_of(self.cell_starts)

    @cached_property
    def lines(self) -> tuple[Ints, Ints]:
        """The row and the column of each of ``cells``."""
        return self.cells // self.shape[1], self.cells % self.shape[1]

    @property
    def equal_shares(self) -> Floats:
        """The pignistic policy: each pair is shared evenly among its cells."""
        return 1.0 / self.sizes[self.cell_owners]

    def whole_shares(self, sent: Ints) -> Floats:
        """The policy that sends each pair to one cell, as shares."""
        return (self.cells == sent[self.cell_owners]).astype(np.float64)

    def cells_of_largest(self, values: Floats) -> Ints:
        """The open cell of each pair with the largest value, the last of several."""
        return self.cells[np.lexsort((values, self.cell_owners))[self.cell_starts[1:] - 1]]

    @property
    def most_plausible(self) -> Ints:
        """The open cell of each pair into which most objects may go."""
        plausible = self.table(self.weights[self.cell_owners]).ravel()
        return self.cells_of_largest(plausible[self.cells])

    def table(self, objects: Floats) -> Floats:
        """The table with so many objects in each of ``cells``; they need not be whole."""
        return sums_by(self.cells, objects, self.n_cells).reshape(self.shape)


def sums_by(places: Ints, weights: Floats, n_places: int) -> Floats:
    """Sum of the weights at each place."""
    return np.bincount(places, weights, n_places).astype(np.float64)


def table_by(rows: Ints, columns: Ints, weights: Floats, shape: tuple[int, int]) -> Floats:
    """Sum of the weights in each row and column."""
    return sums_by(rows * shape[1] + columns, weights, shape[0] * shape[1]).reshape(shape)


def blocks_of_types(pairs: SetPairs, width: int) -> list[slice]:
    """Split the types into blocks that fit into memory.

    A block needs ``width`` numbers for each type, and all its open cells.
    """
    n_open = int(pairs.sizes[pairs.pairs].sum())
    n_types = len(pairs.counts)
    step = max(1, _NUMBERS_AT_ONCE // max(1, width, n_open // n_types))
    return [slice(at, min(at + step, n_types)) for at in range(0, n_types, step)]


class OpenCells(NamedTuple):
    """All cells that the entries of some types leave open, as three parallel lists."""

    types: Ints  # position within the block
    entries: Ints  # position in SetPairs.pairs and SetPairs.masses
    places: Ints  # position in SetPairs.cells


def open_cells(pairs: SetPairs, block: slice) -> OpenCells:
    """List the open cells of a block of types."""
    look()
    starts, entries = gather(pairs.starts, np.arange(len(pairs.counts))[block])
    offsets, places = gather(pairs.cell_starts, pairs.pairs[entries])
    own = owners_of(offsets)
    return OpenCells(owners_of(starts)[own], entries[own], places)
