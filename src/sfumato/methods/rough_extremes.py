"""Rough partitions: both ends by vertex search, branch and bound, or assignment."""

from functools import partial
from typing import final

import numpy as np

from sfumato.methods.answers import bracketed_answer
from sfumato.methods.base import Method, Plan, Policy, Progress
from sfumato.methods.extremes import is_solvable, solve_ends, solve_seconds
from sfumato.methods.search_nodes import search_nodes
from sfumato.methods.witness import witness_of_end
from sfumato.query import Query
from sfumato.results.comparison import Comparison
from sfumato.results.values import ValueSet

__all__ = ["RoughExtremes"]


@final
class RoughExtremes(Method):
    """Solve for the smallest and the largest value instead of listing all tables.

    The number of objects enters only through counts. Where a search runs out of nodes the answer
    is a certified bracket.
    """

    name = "rough_extremes"

    def plan(self, query: Query, policy: Policy) -> Plan | None:
        """Applies to rough comparisons by a measure with a known structure."""
        if query.theory != "rough" or not is_solvable(query):
            return None
        only_ends = query.quantity == "distribution"
        return Plan(
            query,
            policy,
            method=self.name,
            guarantee="certified" if only_ends or policy.max_nodes == 0 else "exact",
            tables=2,
            bytes=1e6,
            seconds=1e-4 + solve_seconds(query),
            why="the measure's structure leads straight to its smallest and largest value",
        )

    def run(
        self,
        plan: Plan,
        *,
        rng: np.random.Generator,
        deadline: float | None,
        progress: Progress,
    ) -> Comparison:
        """Solve both ends of the one focal table."""
        query, policy = plan.query, plan.policy
        nodes = search_nodes(query, policy)
        found = solve_ends(query, max_nodes=nodes, threads=policy.n_threads)
        low = float(found.low_bounds[0]), float(found.lows[0])
        high = float(found.highs[0]), float(found.high_bounds[0])

        notes: tuple[str, ...] = ()
        if nodes < policy.max_nodes and (low[0] < low[1] or high[0] < high[1]):
            why = "with so many types of objects a node takes long; raise max_nodes for more"
            if policy.max_seconds is not None:
                why = "max_seconds allows for no more"
            notes = (f"Each search was limited to {nodes:,} nodes: {why}.",)
        if query.quantity == "distribution":
            notes = ("Only the ends of the set of values are known: listing it costs too much.",)
        return bracketed_answer(
            plan,
            low,
            high,
            distribution=ValueSet(np.array(sorted({low[0], high[1]})), is_complete=False),
            notes=notes,
            find_witness=partial(witness_of_end, query, found.low_tables[0], found.high_tables[0]),
        )
