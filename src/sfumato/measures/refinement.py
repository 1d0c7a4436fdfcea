"""Whether one clustering splits the other, decided in integers.

Scores that are 1 in these cases are then exactly 1, whatever the rounding of their logarithms.
"""

import numpy as np

from sfumato._typing import Bools
from sfumato.measures.contingency import Contingency

__all__ = ["are_equivalent", "columns_refine_rows", "rows_refine_columns"]


def rows_refine_columns(contingency: Contingency) -> Bools:
    """Whether every row lies within one column, for each table."""
    cells = contingency.cells
    return np.asarray(((cells == 0) | (cells == contingency.cell_rows)).all(axis=-1))


def columns_refine_rows(contingency: Contingency) -> Bools:
    """Whether every column lies within one row, for each table."""
    cells = contingency.cells
    return np.asarray(((cells == 0) | (cells == contingency.cell_columns)).all(axis=-1))


def are_equivalent(contingency: Contingency) -> Bools:
    """Whether the two clusterings are equal up to the names of their clusters."""
    return rows_refine_columns(contingency) & columns_refine_rows(contingency)
