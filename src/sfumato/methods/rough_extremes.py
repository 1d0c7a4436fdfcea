"""Rough partitions: both ends by vertex search, branch and bound, or assignment."""

from functools import partial
from typing import final

import numpy as np

from sfumato.methods.answers import bracketed_answer
from sfumato.methods.base import Method, Plan, Policy, Progress
from sfumato.methods.extremes import is_solvable, solve_ends, solve_seconds
from sfumato.methods.witness import witness_of_end
from sfumato.query import Query
from sfumato.results.comparison import Comparison
from sfumato.results.values import ValueSet

__all__ = ["RoughExtremes"]

# A search is not interrupted: a limit of time becomes one of nodes, at the pace of large problems.
_NODES_PER_SECOND = 2000


def _nodes(policy: Policy) -> int:
    if policy.max_seconds is None:
        return policy.max_nodes
    return min(policy.max_nodes, int(_NODES_PER_SECOND * policy.max_seconds / 2))


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
        found = solve_ends(
            query,
            max_nodes=_nodes(policy),
            threads=policy.n_threads,
        )
        low = float(found.low_bounds[0]), float(found.lows[0])
        high = float(found.highs[0]), float(found.high_bounds[0])

        notes: tuple[str, ...] = ()
        if _nodes(policy) < policy.max_nodes and (low[0] < low[1] or high[0] < high[1]):
            notes = (f"max_seconds limited each search to {_nodes(policy):,} nodes.",)
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
