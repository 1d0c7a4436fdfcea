"""Compute a measure of many tables that differ on a few cells only."""

import numpy as np

from sfumato._typing import Ints, Tables, Values
from sfumato.algorithms.tables.choices import Compact
from sfumato.families import Objective

__all__ = ["fill_tables", "values_of"]

_CELLS_AT_ONCE = 1 << 22  # tables are made dense a few at a time


def fill_tables(base: Ints, cells: Ints, counts: Compact | Ints, shape: tuple[int, int]) -> Tables:
    """Add counts of shape (m, c) on some cells to a base table: tables of shape (m, k1, k2)."""
    dense = np.repeat(base[None, :], len(counts), axis=0)
    dense[:, cells] += counts
    return dense.reshape(-1, *shape)


def values_of(objective: Objective, base: Ints, cells: Ints, counts: Compact | Ints) -> Values:
    """Values of the tables that `fill_tables` makes, a few tables at a time."""
    values = np.empty(len(counts), dtype=np.float64)
    step = max(1, _CELLS_AT_ONCE // max(1, len(base)))
    for start in range(0, len(counts), step):
        block = slice(start, start + step)
        tables = fill_tables(base, cells, counts[block], objective.shape)
        values[block] = objective.of_tables(tables)
    return values
