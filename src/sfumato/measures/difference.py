"""The difference of a measure between two candidates against one truth."""

from dataclasses import dataclass, field
from math import inf
from typing import Literal, final

import numpy as np

from sfumato._typing import Ints, Tables, Values
from sfumato.algorithms.tables.likely_sizes import SizeLimits
from sfumato.families import Difference as DifferenceFamily
from sfumato.families import Family, Objective
from sfumato.measures.base import Measure, ShapeBounded, SizeBounded, value_range

__all__ = ["Difference", "alone"]


@final
@dataclass(frozen=True, eq=False)
class Difference(ShapeBounded):
    r"""By how much one candidate has a larger value than another, against the same truth.

    .. math:: D = v(A, T) - v(B, T)

    A row of the table is a pair of clusters, one of A and one of B. So the table of A and T is a
    sum of rows, and so is that of B and T.

    Two objects with truths 0 and 1. A parts them, B does not.

    >>> from sfumato.measures import Rand
    >>> pairs = np.array([0, 1]), np.array([0, 0])
    >>> Difference(Rand(), *pairs, 2).of_tables(np.array([[1, 0], [0, 1]]))
    array(1.)
    """

    measure: Measure  # v; D keeps its direction
    # The cluster of A, in increasing order, and that of B for which each row stands, (k,). Every
    # cluster up to the largest has a row.
    first_rows: Ints
    second_rows: Ints
    n_columns: int  # clusters of the truth
    name: str = field(init=False)
    better: Literal["higher", "lower"] = field(init=False)
    bounds: tuple[float, float] = field(init=False)

    symmetric = False
    is_metric = False
    formula = "v(A, T) - v(B, T)"
    cost = "that of v, twice"
    reference = ""

    def __post_init__(self) -> None:
        low, high = self.measure.bounds
        spread = high - low
        object.__setattr__(self, "name", f"{self.measure.name} difference")
        object.__setattr__(self, "better", self.measure.better)
        object.__setattr__(self, "bounds", (-spread, spread))

    def of_tables(self, tables: Tables) -> Values:
        """Values of tables of shape (..., k, n_columns), as an array of shape (...)."""
        by_second = np.argsort(self.second_rows, kind="stable")
        first = _merged(tables, self.first_rows)
        second = _merged(tables[..., by_second, :], self.second_rows[by_second])
        return np.asarray(self.measure.of_tables(first) - self.measure.of_tables(second))

    def bounds_for(self, n_objects: int, n_rows: int, n_columns: int) -> tuple[float, float]:
        """Bounds over all tables of that many objects and columns."""
        del n_rows
        first, second = (
            _bounds_of(self.measure, n_objects, int(rows.max()) + 1, n_columns)
            for rows in (self.first_rows, self.second_rows)
        )
        return first[0] - second[1], first[1] - second[0]

    def family(self, n_objects: int) -> Family | None:
        """The difference of two objectives, where the structure of the measure is known."""
        first, second = (
            alone(self.measure, n_objects, int(rows.max()) + 1, self.n_columns)
            for rows in (self.first_rows, self.second_rows)
        )
        if first.family is None:
            return None
        return DifferenceFamily(first, second, self.first_rows, self.second_rows)


def alone(measure: Measure, n_objects: int, n_rows: int, n_columns: int) -> Objective:
    """The measure of one candidate as solvers see it: its clusters are the rows."""
    return Objective(
        measure.family(n_objects),
        (n_rows, n_columns),
        n_objects,
        _bounds_of(measure, n_objects, n_rows, n_columns),
        measure.of_tables,
        measure.symmetric,
    )


def _bounds_of(
    measure: Measure, n_objects: int, n_rows: int, n_columns: int
) -> tuple[float, float]:
    """Bounds whatever the cluster sizes."""
    if isinstance(measure, SizeBounded):
        sides = (SizeLimits(np.zeros(k), np.full(k, float(n_objects))) for k in (n_rows, n_columns))
        low, high = measure.bounds_for_sizes(n_objects, *sides)
        return (low, high) if high - low < inf else measure.bounds
    return value_range(measure, n_objects, n_rows, n_columns)


def _merged(tables: Tables, rows: Ints) -> Tables:
    """Add up the rows with the same number; these follow each other."""
    starts = np.flatnonzero(np.diff(rows, prepend=-1))
    return np.add.reduceat(tables, starts, axis=-2)
