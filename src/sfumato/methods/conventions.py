"""Values that hold by convention: zero over zero, or a single object."""

import numpy as np

from sfumato._typing import Bools, Floats, Ints
from sfumato.algorithms.tables.choices import Compact
from sfumato.algorithms.tables.distinct import ROUNDING
from sfumato.families import Ratio, psi_sum
from sfumato.measures.base import Measure
from sfumato.measures.contingency import Contingency
from sfumato.query import Query

__all__ = ["convention_notes", "hold_by_convention"]

_MOST_TABLES = 100
_BY_CONVENTION = (
    "is attained only where the measure is undefined (zero over zero, or a single object) and "
    "takes it by convention."
)


def convention_notes(
    query: Query, values: Floats, base: Ints, cells: Ints, tables: Compact
) -> tuple[str, ...]:
    """Say when the smallest or the largest value is attained only by convention.

    Parameters
    ----------
    values : ndarray of shape (m,)
        Of the tables given by their counts on a few cells, added to a base table.
    """
    notes: list[str] = []
    for word, end in (("smallest", values.min()), ("largest", values.max())):
        at = np.flatnonzero(np.abs(values - end) <= ROUNDING * max(1.0, abs(end)))
        if len(at) > _MOST_TABLES:
            continue
        dense = np.repeat(base[None, :], len(at), axis=0)
        dense[:, cells] += tables[at]
        contingency = Contingency.from_tables(dense.reshape(-1, *query.shape))
        if bool(hold_by_convention(query.measure, contingency).all()):
            notes.append(f"The {word} value, {end:g}, {_BY_CONVENTION}")
    return tuple(notes)


def hold_by_convention(measure: Measure, contingency: Contingency) -> Bools:
    """Which tables of a batch have a value by convention only, as an array of shape (m,)."""
    n_tables, n_objects = contingency.n_objects.size, int(contingency.n_objects.flat[0])
    if n_objects == 1:
        return np.ones(n_tables, dtype=bool)
    family = measure.family(n_objects)
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
