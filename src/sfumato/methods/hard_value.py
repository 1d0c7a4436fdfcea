"""Two hard partitions: the measure itself."""

from collections.abc import Iterator
from functools import partial
from typing import final

import numpy as np

from sfumato._typing import Tables
from sfumato.algorithms.sampling.blocks import Run
from sfumato.errors import CostError
from sfumato.measures.base import CellMeasure
from sfumato.measures.contingency import Contingency, tally
from sfumato.measures.conventions import hold_by_convention
from sfumato.methods.base import Method, Scope
from sfumato.partitions.hard import HardPartition
from sfumato.question.plan import Plan, Policy
from sfumato.question.query import Query
from sfumato.results.answers import Answer, exact_answer
from sfumato.results.comparison import End, Witness
from sfumato.results.values import ValueDistribution

__all__ = ["HardValue"]

_MOST_DENSE_CELLS = 100_000_000


@final
class HardValue(Method):
    """The value of the one table of two hard partitions; O(n)."""

    name = "hard_value"
    cost = "O(n)"
    scopes = (Scope(theories=("hard",), guarantees=("exact",), needs="counts"),)

    def plan(self, query: Query, policy: Policy) -> Iterator[Plan]:
        """Count the table and evaluate the measure."""
        n_rows, n_columns = query.objective.shape
        if n_rows * n_columns > _MOST_DENSE_CELLS and not isinstance(query.measure, CellMeasure):
            raise CostError(
                f"{query.measure.name} needs the whole table of {n_rows:,} x {n_columns:,} "
                f"clusters ({_MOST_DENSE_CELLS:,} cells at most): merge or drop small clusters "
                "first."
            )
        yield Plan(
            guarantee="exact",
            tables=1,
            bytes=32 * query.n_objects,
            seconds=2e-8 * query.n_objects,
            why="both partitions are hard, so one table says it all",
            work=partial(_answer, query),
        )


def _answer(query: Query, _: Run) -> Answer:
    a, b = query.a, query.b
    assert isinstance(a, HardPartition)
    assert isinstance(b, HardPartition)
    measure, (n_rows, n_columns) = query.measure, query.objective.shape
    counts = None if query.kept is None else query.kept.counts  # of each entry of the codes

    def table() -> Tables:
        cells = a.codes * n_columns
        cells += b.codes
        return tally(cells, n_rows * n_columns, counts).reshape(n_rows, n_columns)

    contingency = (
        Contingency.from_tables(table())
        if n_rows * n_columns <= len(a.codes)  # else most cells are empty
        else Contingency.from_codes(
            a.codes, b.codes, n_rows=n_rows, n_columns=n_columns, counts=counts
        )
    )
    value = (
        measure.of_contingency(contingency)
        if isinstance(measure, CellMeasure)
        else measure.of_tables(table())
    )
    values = np.array([float(value)])
    notes: tuple[str, ...] = ()
    if bool(hold_by_convention(query.objective.family, contingency)[0]):
        notes = (
            f"{measure.name} is undefined here (zero over zero, or a single object) and "
            f"takes the value {values[0]:g} by convention.",
        )
    return exact_answer(
        query.quantity,
        (values, values, np.ones(1)),
        distribution=ValueDistribution(values, np.ones(1)),
        notes=notes,
        find_witness=partial(_witness, (a, b)),
    )


def _witness(sides: Witness, _: End) -> Witness:
    return sides
