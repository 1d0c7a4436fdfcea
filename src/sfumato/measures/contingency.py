"""Contingency tables with their margins, dense or sparse."""

from dataclasses import dataclass
from typing import final

import numpy as np

from sfumato._typing import Bools, Codes, Ints, Tables

__all__ = ["Contingency", "tally"]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Contingency:
    """A batch of contingency tables as a list of cells beside their margins.

    Sums over cells never need the k1 x k2 layout, so two partitions with many clusters are held
    by their non-empty cells alone. Empty cells may be present and count nothing.

    Parameters
    ----------
    cells : ndarray of shape (..., c)
        Objects in each cell.
    cell_rows, cell_columns : ndarray of shape (..., c)
        The row sum and the column sum that belong to each cell.
    rows : ndarray of shape (..., k1)
    columns : ndarray of shape (..., k2)
        Cluster sizes of the two partitions; clusters without objects may be present.
    n_objects : ndarray of shape (...)
    """

    cells: Ints
    cell_rows: Ints
    cell_columns: Ints
    rows: Ints
    columns: Ints
    n_objects: Ints

    @classmethod
    def from_tables(cls, tables: Tables) -> "Contingency":
        """List the cells of tables of shape (..., k1, k2)."""
        rows, columns = tables.sum(axis=-1), tables.sum(axis=-2)
        flat = (*tables.shape[:-2], tables.shape[-2] * tables.shape[-1])
        return cls(
            cells=tables.reshape(flat),
            cell_rows=np.broadcast_to(rows[..., :, None], tables.shape).reshape(flat),
            cell_columns=np.broadcast_to(columns[..., None, :], tables.shape).reshape(flat),
            rows=rows,
            columns=columns,
            n_objects=rows.sum(axis=-1),
        )

    @classmethod
    def from_codes(
        cls, a: Codes, b: Codes, *, n_rows: int, n_columns: int, counts: Ints | None = None
    ) -> "Contingency":
        """Collect the non-empty cells of one table from the cluster codes of two partitions.

        ``counts`` are the objects that each entry of the codes stands for, where it is not one.
        """
        pairs = a * n_columns + b
        if counts is None:
            cells, in_cells = np.unique(pairs, return_counts=True)
        else:
            cells, which = np.unique(pairs, return_inverse=True)
            in_cells = tally(which, len(cells), counts)
        rows, columns = tally(a, n_rows, counts), tally(b, n_columns, counts)
        return cls(
            cells=in_cells.astype(np.int64, copy=False),
            cell_rows=rows[cells // n_columns],
            cell_columns=columns[cells % n_columns],
            rows=rows,
            columns=columns,
            n_objects=np.asarray(in_cells.sum(), dtype=np.int64),
        )

    # Whether a clustering splits the other is decided in integers: scores that are 1 in these cases
    # are then exactly 1, whatever the rounding of their logarithms.

    @property
    def rows_refine_columns(self) -> Bools:
        """Whether every row lies within one column, for each table."""
        return np.asarray(((self.cells == 0) | (self.cells == self.cell_rows)).all(axis=-1))

    @property
    def columns_refine_rows(self) -> Bools:
        """Whether every column lies within one row, for each table."""
        return np.asarray(((self.cells == 0) | (self.cells == self.cell_columns)).all(axis=-1))

    @property
    def is_equivalence(self) -> Bools:
        """Whether the two clusterings are equal up to the names of their clusters."""
        return self.rows_refine_columns & self.columns_refine_rows


def tally(codes: Codes, n_codes: int, counts: Ints | None = None) -> Ints:
    """Count how often each code occurs, or the objects that its entries stand for.

    >>> tally(np.array([0, 2, 0]), 3).tolist()
    [2, 0, 1]
    >>> tally(np.array([0, 2]), 3, np.array([5, 7])).tolist()
    [5, 0, 7]
    """
    if counts is None:
        return np.bincount(codes, minlength=n_codes).astype(np.int64, copy=False)
    total = np.zeros(n_codes, dtype=np.int64)
    np.add.at(total, codes, counts)  # integers: exact beyond 2^53
    return total
