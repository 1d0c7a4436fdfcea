"""Values that hold by convention: zero over zero, or a single object."""

import numpy as np

from sfumato._typing import Bools, Floats, Ints
from sfumato.algorithms.tables.choices import Compact
from sfumato.algorithms.tables.distinct import ROUNDING
from sfumato.algorithms.tables.table_values import fill_tables
from sfumato.families import Family, Objective, Ratio, psi_sum
from sfumato.measures.contingency import Contingency

__all__ = ["convention_notes", "hold_by_convention"]

_MOST_TABLES = 100
_BY_CONVENTION = (
    "is attained only where the measure is undefined (zero over zero, or a single object) and "
    "takes it by convention."
)


def convention_notes(
    objective: Objective, values: Floats, base: Ints, cells: Ints, tables: Compact
) -> tuple[str, ...]:
    """Say when the smallest or the largest value is attained only by convention.

    The m values are those of tables given by their counts on a few cells, added to a base table.
    """
    notes: list[str] = []
    for word, end in (("smallest", values.min()), ("largest", values.max())):
        at = np.flatnonzero(np.abs(values - end) <= ROUNDING * max(1.0, abs(end)))
        if len(at) > _MOST_TABLES:
            continue
        dense = fill_tables(base, cells, tables[at], objective.shape)
        if bool(hold_by_convention(objective.family, Contingency.from_tables(dense)).all()):
            notes.append(f"The {word} value, {end:g}, {_BY_CONVENTION}")
    return tuple(notes)


def hold_by_convention(family: Family | None, contingency: Contingency) -> Bools:
    """Which tables of a batch have a value by convention only, as an array of shape (m,)."""
    n_tables, n_objects = contingency.n_objects.size, int(contingency.n_objects.flat[0])
    if n_objects == 1:
        return np.ones(n_tables, dtype=bool)
    if not isinstance(family, Ratio):
        return np.zeros(n_tables, dtype=bool)
    rows, columns, cells = (
        psi_sum(family.psi, counts).ravel().tolist()
        for counts in (contingency.rows, contingency.columns, contingency.cells)
    )
    denominators = [
        family.parts(column)[1].of_sums(row, column, cell)
        for row, column, cell in zip(rows, columns, cells, strict=True)
    ]
    # Sums of squares are exact; entropies of one cluster differ from 0 by rounding.
    return np.abs(denominators) <= 1e-12
