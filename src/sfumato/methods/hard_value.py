"""Two hard partitions: the measure itself."""

from typing import final

import numpy as np

from sfumato.errors import CostError
from sfumato.measures.base import CellMeasure
from sfumato.measures.contingency import Contingency
from sfumato.methods.answers import exact_answer
from sfumato.methods.base import Method, Plan, Policy, Progress
from sfumato.partitions.hard import HardPartition
from sfumato.query import Query
from sfumato.results.comparison import Comparison
from sfumato.results.values import ValueDistribution

__all__ = ["HardValue"]

# Beyond this many cells per object a table is kept by its non-empty cells.
_DENSE_CELLS_PER_OBJECT = 1
_MOST_DENSE_CELLS = 100_000_000


@final
class HardValue(Method):
    """The value of the one table of two hard partitions; O(n)."""

    name = "hard_value"

    def plan(self, query: Query, policy: Policy) -> Plan | None:
        """Applies to two hard partitions."""
        if query.theory != "hard":
            return None
        return Plan(
            query,
            policy,
            method=self.name,
            guarantee="exact",
            tables=1,
            bytes=32 * query.n_objects,
            seconds=2e-8 * query.n_objects,
            why="both partitions are hard, so one table says it all",
        )

    def run(
        self,
        plan: Plan,
        *,
        rng: np.random.Generator,
        deadline: float | None,
        progress: Progress,
    ) -> Comparison:
        """Count the table and evaluate the measure."""
        value = np.array([_value(plan.query)])
        ends = (value, value, np.ones(1))
        return exact_answer(plan, ends, distribution=ValueDistribution(value, np.ones(1)))


def _value(query: Query) -> float:
    a, b = query.a, query.b
    assert isinstance(a, HardPartition)
    assert isinstance(b, HardPartition)
    n_rows, n_columns = query.shape
    n_cells = n_rows * n_columns
    if isinstance(query.measure, CellMeasure) and n_cells > _DENSE_CELLS_PER_OBJECT * len(a.codes):
        sparse = Contingency.from_codes(a.codes, b.codes, n_rows=n_rows, n_columns=n_columns)
        return float(query.measure.of_contingency(sparse))
    if n_cells > _MOST_DENSE_CELLS:
        raise CostError(
            f"{query.measure.name} needs the whole table of {n_rows:,} x {n_columns:,} clusters "
            f"({_MOST_DENSE_CELLS:,} cells at most): merge or drop small clusters first."
        )
    cells = a.codes * n_columns
    cells += b.codes
    table = np.bincount(cells, minlength=n_cells).reshape(1, n_rows, n_columns)
    return float(query.measure.of_tables(table.astype(np.int64, copy=False))[0])
