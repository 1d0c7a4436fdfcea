"""Hold many rough comparisons of one shape side by side, as lists of the cells that are open."""

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from sfumato._typing import Bools, Floats, Ints, Tables
from sfumato.algorithms.tables.focal_model import SetTypes
from sfumato.algorithms.tables.ragged import cross, gather, owners_of

__all__ = ["RoughBatch", "View", "batch_of_types", "rough_batch"]

_FEW_KEYS = 4  # for each group of objects


@final
@dataclass(frozen=True, eq=False)
class View:
    """Where the objects of each entry may go: to rows, columns, cells or other places.

    Entry ``e`` may go to ``places[starts[e]:starts[e + 1]]``. The places of table ``t`` have the
    numbers from ``t * size`` to ``(t + 1) * size``.
    """

    counts: Ints  # (e,): objects of each entry
    n_tables: int
    starts: Ints  # (e + 1,)
    places: Ints  # (starts[e],)
    size: int  # places of one table
    of_cell: Ints  # (cells,): position in the list of places of each listed cell

    @property
    def is_certain(self) -> bool:
        """Whether each entry has one place."""
        return len(self.places) == len(self.counts)

    @property
    def of_cells(self) -> Ints:
        """The place of each listed cell."""
        return self.places[self.of_cell]

    @cached_property
    def limits(self) -> tuple[Ints, Ints]:
        """Least and most objects in each place of all tables."""
        sizes = np.diff(self.starts)
        counts = np.repeat(self.counts, sizes)
        single = np.where(np.repeat(sizes, sizes) == 1, counts, 0)
        least, most = (
            np.rint(np.bincount(self.places, weights, self.n_tables * self.size)).astype(np.int64)
            for weights in (single, counts)
        )
        return least, most

    def totals(self, shares: Floats | Ints) -> Floats:
        """Objects in the places of each table, given those in each listed cell."""
        totals = np.bincount(self.of_cells, shares, self.n_tables * self.size)
        return totals.astype(np.float64).reshape(self.n_tables, -1)


@final
@dataclass(frozen=True, eq=False)
class RoughBatch:
    """Many rough comparisons, each with one table, as a list of entries.

    An entry is the objects of one table that have the same pair of sets. The entries of a table
    follow each other.
    """

    tables: Ints  # (e,): that each entry belongs to
    rows: View
    columns: View
    cells: View
    shape: tuple[int, int]

    @property
    def n_tables(self) -> int:
        """Rough comparisons."""
        return self.cells.n_tables

    @property
    def counts(self) -> Ints:
        """Objects of each entry."""
        return self.cells.counts

    @property
    def views(self) -> tuple[View, View, View]:
        """Rows, columns and cells."""
        return self.rows, self.columns, self.cells

    @cached_property
    def starts(self) -> Ints:
        """Where the entries of each table start: (n_tables + 1,)."""
        return np.searchsorted(self.tables, np.arange(self.n_tables + 1)).astype(np.int64)

    @cached_property
    def owners(self) -> Ints:
        """The entry of each listed cell."""
        return owners_of(self.cells.starts)

    @cached_property
    def n_objects(self) -> int:
        """Objects of each table; all tables have the same number."""
        return int(self.counts.sum()) // self.n_tables

    def equal_shares(self) -> Floats:
        """Objects in each listed cell if each entry spreads them evenly."""
        return self.shared_among(np.ones(len(self.owners), dtype=bool))

    def shared_among(self, is_wanted: Bools) -> Floats:
        """Objects in each listed cell if each entry spreads them evenly over its wanted cells."""
        wanted = np.add.reduceat(is_wanted.astype(np.float64), self.cells.starts[:-1])
        return is_wanted * (self.counts / wanted)[self.owners]

    def sums_by_table(self, entries: Floats) -> Floats:
        """Sum over the entries of each table."""
        return np.bincount(self.tables, entries, self.n_tables).astype(np.float64)

    def totals(self, shares: Floats | Ints) -> Floats:
        """Tables of shape (n_tables, k1, k2) with such shares in each listed cell."""
        totals = np.bincount(self.cells.places, shares, self.n_tables * self.cells.size)
        return totals.astype(np.float64).reshape(self.n_tables, *self.shape)

    def fill(self, sent: Ints) -> Tables:
        """The same with whole objects."""
        return np.rint(self.totals(sent)).astype(np.int64)

    def send_to(self, chosen: Ints) -> Ints:
        """Send all objects of each entry to one cell, given by its position in the list."""
        sent = np.zeros(len(self.cells.places), dtype=np.int64)
        sent[chosen] = self.counts
        return sent

    def best_places(self, costs: Floats) -> tuple[Floats, Ints]:
        """Smallest cost in each entry's list of cells, and the first position that has it."""
        least = np.minimum.reduceat(costs, self.cells.starts[:-1])
        places = np.flatnonzero(costs == least[self.owners])
        owners = self.owners[places]
        return least, places[np.diff(owners, prepend=-1) > 0]


def rough_batch(
    tables: Ints,
    pairs: tuple[Ints, Ints],
    counts: Ints,
    a_sets: tuple[Ints, Ints],
    b_sets: tuple[Ints, Ints],
    *,
    n_tables: int,
    shape: tuple[int, int],
) -> RoughBatch:
    """Merge equal entries and list where each may go.

    Group g of ``counts[g]`` objects is in table ``tables[g]`` and has the sets ``pairs[0][g]`` and
    ``pairs[1][g]`` on the two sides. The sets of each side are lists of clusters: starts and
    members. All tables have the same number of objects.

    Notes
    -----
    O(m log m), and O(cells of all entries) in memory.

    Examples
    --------
    Three objects. Two of them have the sets {0, 1} on the first side and {0} on the second:

    >>> sets = np.array([0, 1, 3]), np.array([0, 0, 1])
    >>> pairs = np.array([1, 0, 1]), np.array([0, 0, 0])
    >>> batch = rough_batch(
    ...     np.zeros(3, int), pairs, np.ones(3, int), sets, sets, n_tables=1, shape=(2, 2)
    ... )
    >>> batch.counts.tolist(), batch.cells.places.tolist()
    ([1, 2], [0, 0, 2])
    """
    n_a, n_b = len(a_sets[0]) - 1, len(b_sets[0]) - 1
    keys, merged = _merged((tables * n_a + pairs[0]) * n_b + pairs[1], counts, n_tables * n_a * n_b)
    of_table, a, b = keys // (n_a * n_b), keys // n_b % n_a, keys % n_b
    row_starts, row_entries = gather(a_sets[0], a)
    column_starts, column_entries = gather(b_sets[0], b)
    starts, first, second = cross(a_sets[0], a, b_sets[0], b)
    sizes = np.diff(starts)
    n_rows, n_columns = shape
    cells = a_sets[1][first] * n_columns + b_sets[1][second]

    def view(starts: Ints, within: Ints, size: int, of_cell: Ints) -> View:
        places = within + np.repeat(of_table * size, np.diff(starts))
        return View(merged, n_tables, starts, places, size, of_cell)

    row_of_cell = first + np.repeat(row_starts[:-1] - a_sets[0][a], sizes)
    column_of_cell = second + np.repeat(column_starts[:-1] - b_sets[0][b], sizes)
    return RoughBatch(
        of_table,
        view(row_starts, a_sets[1][row_entries], n_rows, row_of_cell),
        view(column_starts, b_sets[1][column_entries], n_columns, column_of_cell),
        view(starts, cells, n_rows * n_columns, np.arange(len(cells))),
        shape,
    )


def _merged(keys: Ints, counts: Ints, n_keys: int) -> tuple[Ints, Ints]:
    """The keys of which there are objects, in increasing order, and how many."""
    if n_keys <= _FEW_KEYS * len(keys):  # quicker than to sort
        sums = np.rint(np.bincount(keys, counts, n_keys)).astype(np.int64)
        present = np.flatnonzero(sums)
        return present, sums[present]
    present, which = np.unique(keys, return_inverse=True)
    sums = np.rint(np.bincount(which, counts, len(present))).astype(np.int64)
    return present[sums > 0], sums[sums > 0]


def batch_of_types(types: SetTypes, shape: tuple[int, int]) -> RoughBatch:
    """Build a batch from rough comparisons that share their pairs of sets, given as bit masks."""
    tables, present = np.nonzero(types.counts)
    a_sets, b_sets = (
        _lists(masks, size)
        for masks, size in zip((types.row_sets, types.column_sets), shape, strict=True)
    )
    return rough_batch(
        tables,
        (present, present),
        types.counts[tables, present],
        a_sets,
        b_sets,
        n_tables=len(types.counts),
        shape=shape,
    )


def _lists(masks: Ints, n_clusters: int) -> tuple[Ints, Ints]:
    """Turn bit masks into lists of members."""
    sets, members = np.nonzero(masks[:, None] >> np.arange(n_clusters) & 1)
    starts = np.searchsorted(sets, np.arange(len(masks) + 1))
    return starts.astype(np.int64), members.astype(np.int64)
