"""Measures as solvers see them."""

from sfumato.families import Objective
from sfumato.measures import as_measure
from sfumato.measures.base import value_range


def objective_of(measure, n_objects, shape):
    """The measure on tables of some shape, rows first."""
    measure = as_measure(measure)
    return Objective(
        measure.family(n_objects),
        shape,
        n_objects,
        value_range(measure, n_objects, *shape),
        measure.of_tables,
        measure.symmetric,
    )
