"""Many rough comparisons of one shape side by side, as lists of the cells that are open."""

from functools import cached_property
from typing import NamedTuple, final

import numpy as np

from sfumato._typing import Bools, Floats, Ints, Tables
from sfumato.algorithms.tables.focal_model import SetTypes
from sfumato.algorithms.tables.ragged import cross, gather

__all__ = ["Lines", "RoughBatch", "batch_of_types", "rough_batch"]


class Lines(NamedTuple):
    """Where the objects of each entry may go, in one of three views: rows, columns or cells.

    Entry ``e`` owns ``places[starts[e]:starts[e + 1]]``; a place is numbered within its table, and
    those of table t lie behind those of the tables before.
    """

    starts: Ints  # (e + 1,)
    places: Ints  # (starts[e],)
    size: int  # places of one table


@final
class RoughBatch:
    """Entries are objects of one table with one pair of sets; those of a table are consecutive.

    Parameters
    ----------
    tables : ndarray of shape (e,)
        The table that each entry belongs to.
    counts : ndarray of shape (e,)
    rows, columns, cells : Lines
    row_of_cell, column_of_cell : ndarray of shape (cells.starts[e],)
        The place in the lists of rows and columns that each listed cell belongs to.
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
        return np.repeat(np.arange(len(self.counts)), np.diff(self.cells.starts))

    @cached_property
    def n_objects(self) -> int:
        """Objects of each table: the same for all."""
        return int(self.counts.sum()) // self.n_tables

    @cached_property
    def limits(self) -> tuple[tuple[Ints, Ints], ...]:
        """Least and most objects in each place of the rows, columns and cells of all tables."""
        found: list[tuple[Ints, Ints]] = []
        for line in self.lines:
            sizes = np.diff(line.starts)
            counts = np.repeat(self.counts, sizes)
            single = np.where(np.repeat(sizes, sizes) == 1, counts, 0)
            n_places = self.n_tables * line.size
            least, most = (
                np.rint(np.bincount(line.places, weights, n_places)).astype(np.int64)
                for weights in (single, counts)
            )
            found.append((least, most))
        return tuple(found)

    def equal_shares(self) -> Floats:
        """Objects in each listed cell if each entry spreads them evenly."""
        return self.shared_among(np.ones(len(self.owners), dtype=bool))

    def shared_among(self, is_wanted: Bools) -> Floats:
        """The objects of each entry spread evenly over those of its listed cells."""
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
        """All objects of each entry to one cell, given by its position in the list of cells."""
        sent = np.zeros(len(self.cells.places), dtype=np.int64)
        sent[chosen] = self.counts
        return sent

    def best_places(self, costs: Floats) -> tuple[Floats, Ints]:
        """The least cost in each entry's list of cells, and the first place that has it."""
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
        The table that some objects belong to.
    pairs : two ndarrays of shape (m,)
        The set of the first and of the second side that these objects have.
    counts : ndarray of shape (m,)
        How many they are; the sum over each table is the same.
    a_sets, b_sets : two ndarrays each
        The sets of either side as lists of clusters: starts and members.
    n_tables : int
    shape : (int, int)

    Notes
    -----
    O(m log m), and O(cells of all entries) in memory.

    Examples
    --------
    Three objects of which two share their sets, {0, 1} on the first side and {0} on the second:

    >>> sets = np.array([0, 1, 3]), np.array([0, 0, 1])
    >>> pairs = np.array([1, 0, 1]), np.array([0, 0, 0])
    >>> batch = rough_batch(
    ...     np.zeros(3, int), pairs, np.ones(3, int), sets, sets, n_tables=1, shape=(2, 2)
    ... )
    >>> batch.counts.tolist(), batch.cells.places.tolist()
    ([1, 2], [0, 0, 2])
    """
    n_a, n_b = len(a_sets[0]) - 1, len(b_sets[0]) - 1
    keys, which = np.unique((tables * n_a + pairs[0]) * n_b + pairs[1], return_inverse=True)
    merged = np.rint(np.bincount(which, counts, len(keys))).astype(np.int64)
    keys, merged = keys[merged > 0], merged[merged > 0]
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


def batch_of_types(types: SetTypes, shape: tuple[int, int]) -> RoughBatch:
    """Rough comparisons that share their pairs of sets, which are given as bit masks."""
    n_tables, n_types = len(types.counts), len(types.row_sets)
    each = np.tile(np.arange(n_types), n_tables)
    a_sets, b_sets = (
        _lists(masks, size)
        for masks, size in zip((types.row_sets, types.column_sets), shape, strict=True)
    )
    return rough_batch(
        np.repeat(np.arange(n_tables), n_types),
        (each, each),
        types.counts.ravel(),
        a_sets,
        b_sets,
        n_tables=n_tables,
        shape=shape,
    )


def _lists(masks: Ints, n_clusters: int) -> tuple[Ints, Ints]:
    """Members of the sets of some bit masks, as lists."""
    sets, members = np.nonzero(masks[:, None] >> np.arange(n_clusters) & 1)
    starts = np.searchsorted(sets, np.arange(len(masks) + 1))
    return starts.astype(np.int64), members.astype(np.int64)
