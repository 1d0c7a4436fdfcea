"""Hold many rough comparisons of one shape side by side, as lists of the cells that are open."""

from functools import cached_property
from typing import NamedTuple, final

import numpy as np

from sfumato._typing import Bools, Floats, Ints, Tables
from sfumato.algorithms.tables.focal_model import SetTypes
from sfumato.algorithms.tables.ragged import cross, gather, owners_of

__all__ = ["Lines", "RoughBatch", "View", "batch_of_types", "rough_batch"]

_FEW_KEYS = 4  # for each group of objects


class Lines(NamedTuple):
    """Where the objects of each entry may go, in one of three views: rows, columns or cells.

    A place is a row, a column or a cell. Entry ``e`` may go to
    ``places[starts[e]:starts[e + 1]]``. The places of table ``t`` have the numbers from
    ``t * size`` to ``(t + 1) * size``.
    """

    starts: Ints  # (e + 1,)
    places: Ints  # (starts[e],)
    size: int  # places of one table


class View(NamedTuple):
    """One of the sums over places: where entries may go, and how many objects a place can hold."""

    line: Lines
    of_cell: Ints  # (cells,): position in the list of places of each listed cell
    limits: tuple[Ints, Ints]  # least and most objects in each place of all tables

    @property
    def of_cells(self) -> Ints:
        """The place of each listed cell."""
        return self.line.places[self.of_cell]


@final
class RoughBatch:
    """Many rough comparisons, each with one table, as a list of entries.

    An entry is the objects of one table that have the same pair of sets. The entries of a table
    follow each other.

    Parameters
    ----------
    tables : ndarray of shape (e,)
        The table that each entry belongs to.
    counts : ndarray of shape (e,)
        Objects of each entry.
    lines : three Lines
        Rows, columns and cells that are open to each entry.
    of_cell : two ndarrays of shape (cells.starts[e],)
        For each listed cell, the position of its row in the list of rows, and of its column in the
        list of columns.
    n_tables : int
    shape : (int, int)
    """

    def __init__(
        self,
        tables: Ints,
        counts: Ints,
        lines: tuple[Lines, Lines, Lines],
        of_cell: tuple[Ints, Ints],
        n_tables: int,
        shape: tuple[int, int],
    ) -> None:
        self.tables, self.counts = tables, counts
        self.rows, self.columns, self.cells = lines
        self.row_of_cell, self.column_of_cell = of_cell
        self.n_tables, self.shape = n_tables, shape

    @property
    def lines(self) -> tuple[Lines, Lines, Lines]:
        """Rows, columns and cells."""
        return self.rows, self.columns, self.cells

    @cached_property
    def owners(self) -> Ints:
        """The entry of each listed cell."""
        return owners_of(self.cells.starts)

    @cached_property
    def n_objects(self) -> int:
        """Objects of each table; all tables have the same number."""
        return int(self.counts.sum()) // self.n_tables

    @cached_property
    def limits(self) -> tuple[tuple[Ints, Ints], ...]:
        """Least and most objects in each place of the rows, columns and cells of all tables."""
        return tuple(self.limits_of(line) for line in self.lines)

    def limits_of(self, line: Lines) -> tuple[Ints, Ints]:
        """Least and most objects in each place of one view of all tables."""
        sizes = np.diff(line.starts)
        counts = np.repeat(self.counts, sizes)
        single = np.where(np.repeat(sizes, sizes) == 1, counts, 0)
        n_places = self.n_tables * line.size
        least, most = (
            np.rint(np.bincount(line.places, weights, n_places)).astype(np.int64)
            for weights in (single, counts)
        )
        return least, most

    @cached_property
    def views(self) -> tuple[View, ...]:
        """Rows, columns and cells, each with its limits."""
        of_cells = self.row_of_cell, self.column_of_cell, np.arange(len(self.cells.places))
        return tuple(map(View, self.lines, of_cells, self.limits))

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

    def fill(self, sent: Ints) -> Tables:
        """Tables of shape (n_tables, k1, k2) with ``sent`` objects in each listed cell."""
        n_cells = self.n_tables * self.cells.size
        cells = np.rint(np.bincount(self.cells.places, sent, n_cells)).astype(np.int64)
        return cells.reshape(self.n_tables, *self.shape)

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

    Parameters
    ----------
    tables : ndarray of shape (m,)
        The table of each group of objects.
    pairs : two ndarrays of shape (m,)
        The set that each group has on the first and on the second side.
    counts : ndarray of shape (m,)
        Objects in each group. The sum over each table is the same.
    a_sets, b_sets : two ndarrays each
        The sets of each side as lists of clusters: starts and members.
    n_tables : int
    shape : (int, int)

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

    def lines(starts: Ints, within: Ints, size: int) -> Lines:
        return Lines(starts, within + np.repeat(of_table * size, np.diff(starts)), size)

    return RoughBatch(
        of_table,
        merged,
        (
            lines(row_starts, a_sets[1][row_entries], n_rows),
            lines(column_starts, b_sets[1][column_entries], n_columns),
            lines(starts, cells, n_rows * n_columns),
        ),
        (
            first + np.repeat(row_starts[:-1] - a_sets[0][a], sizes),
            second + np.repeat(column_starts[:-1] - b_sets[0][b], sizes),
        ),
        n_tables,
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
