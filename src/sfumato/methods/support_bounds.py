"""Soft partitions of any kind: the range of what they do not rule out, as a bracket."""

from dataclasses import replace
from typing import final

import numpy as np

from sfumato.methods.answers import support_answer
from sfumato.methods.base import Method, Plan, Policy, Progress
from sfumato.methods.batches import batch_of_rough
from sfumato.methods.bracketed_ends import bracket_ends
from sfumato.methods.outer_bounds import outer_bounds
from sfumato.methods.set_pairs import is_bounded
from sfumato.query import Query
from sfumato.results.comparison import Comparison

__all__ = ["SupportBounds"]


@final
class SupportBounds(Method):
    """Every expectation lies between the smallest and the largest value that is possible.

    Wide, but certain, without sampling and for every kind and size.
    """

    name = "support_bounds"

    def plan(self, query: Query, policy: Policy) -> Plan | None:
        """Applies to fuzzy, possibilistic and evidential comparisons, if nothing else may."""
        if query.theory in ("hard", "rough") or "confidence" in policy.guarantees:
            return None
        if is_bounded(query):
            return None
        return Plan(
            query,
            policy,
            method=self.name,
            guarantee="certified",
            tables=1,
            bytes=32.0 * query.shape[0] * query.shape[1],
            seconds=1e-2,
            why="expectations lie within the range of what is not ruled out",
        )

    def run(
        self,
        plan: Plan,
        *,
        rng: np.random.Generator,
        deadline: float | None,
        progress: Progress,
    ) -> Comparison:
        """Bound the range of the two supports."""
        query = plan.query
        a, b = query.a.support(), query.b.support()
        support = replace(query, a=a, b=b, theory="rough", quantity="range")
        low, high = outer_bounds(support)
        has_family = query.measure.family(query.n_objects) is not None
        batch = batch_of_rough(support) if has_family else None
        if batch is not None:
            found = bracket_ends(query.measure, batch, query.bounds)
            low, high = max(low, float(found.low_bounds[0])), min(high, float(found.high_bounds[0]))
        return support_answer(plan, (low, high))
