"""Soft partitions of any kind: the range of what they do not rule out, as a bracket."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import final

from sfumato.algorithms.ends.limits import bracket_of_values
from sfumato.algorithms.ends.relax import relaxed_ends
from sfumato.algorithms.sampling.blocks import Run
from sfumato.methods.base import Method, Scope
from sfumato.question.plan import Plan, Policy
from sfumato.question.query import Query
from sfumato.results.answers import Answer, answer_by_range

__all__ = ["SupportBounds"]


@final
class SupportBounds(Method):
    """Every expectation lies between the smallest and the largest value that is possible.

    Wide, but certain, without sampling and for every kind and size.
    """

    name = "support_bounds"
    cost = "as the brackets of `rough_ends`"
    scopes = (
        Scope(
            theories=("fuzzy", "possibilistic", "evidential", "levels"),
            guarantees=("certified",),
            is_last_resort=True,
        ),
    )

    def plan(self, query: Query, policy: Policy) -> Iterator[Plan]:
        """Bound the range of the two supports."""
        yield Plan(
            guarantee="certified",
            tables=1,
            bytes=32.0 * query.objective.n_cells,
            seconds=1e-2,
            why="expectations lie within the range of what is not ruled out",
            work=partial(_answer, query),
        )


def _answer(query: Query, _: Run) -> Answer:
    a, b = query.a.support(), query.b.support()
    support = replace(query, a=a, b=b, theory="rough", quantity="range")
    objective, joint = support.objective, support.joint
    low, high = bracket_of_values(objective, *joint.set_matrices)
    batch = None if objective.family is None else joint.rough_batch
    if batch is not None:
        found = relaxed_ends(objective, batch)
        low, high = max(low, float(found.low_bounds[0])), min(high, float(found.high_bounds[0]))
    return answer_by_range((low, high))
