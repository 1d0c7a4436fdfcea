"""Certified brackets of lower and upper expectations, without sampling."""

from typing import TypeAlias, final

import numpy as np

from sfumato.algorithms.expectations.least_matching import bracket_least_matching
from sfumato.algorithms.expectations.most_matching import bracket_most_matching
from sfumato.algorithms.expectations.pair_policies import most_against_two, pushed_disagreement
from sfumato.algorithms.expectations.set_pairs import SetPairs
from sfumato.algorithms.expectations.sure_pairs import sure_pairs
from sfumato.families import Matching, Separable
from sfumato.methods.answers import bracketed_expectations
from sfumato.methods.base import Method, Plan, Policy, Progress
from sfumato.methods.set_pairs import (
    is_bounded,
    set_pairs_of,
    value_brackets,
)
from sfumato.query import Query
from sfumato.results.comparison import Comparison

__all__ = ["ExpectationBounds"]

Bracket: TypeAlias = tuple[float, float]

_NO_SPREAD = "The spread of the two ends is not known to this method."


@final
class ExpectationBounds(Method):
    """Bracket both expectations of an evidential comparison in one pass.

    Pair counting: outer sides from the pairs of objects that the drawn sets surely join or part,
    inner sides from a policy that sends each set to well chosen clusters. Matching: outer sides
    from a mixture of matchings and from the laws of their differences, inner sides likewise.
    """

    name = "expectation_bounds"

    def plan(self, query: Query, policy: Policy) -> Plan | None:
        """Applies to evidential expectations of Rand and its like and of matching measures."""
        if "certified" not in policy.guarantees or not is_bounded(query):
            return None
        is_matching = isinstance(query.measure.family(query.n_objects), Matching)
        cells = query.n_open_cells
        later = ""
        if "confidence" in policy.guarantees:
            later = "; where they are wider than the tolerance, draws follow"
        return Plan(
            query,
            policy,
            method=self.name,
            guarantee="certified",
            tables=1,
            bytes=64.0 * cells,
            seconds=(2e-2 if is_matching else 2e-3) + 1e-7 * cells,
            why=f"both expectations have brackets that need no draws{later}",
        )

    def run(
        self,
        plan: Plan,
        *,
        rng: np.random.Generator,
        deadline: float | None,
        progress: Progress,
    ) -> Comparison:
        """Bound both ends from outside and from inside."""
        query = plan.query
        family = query.measure.family(query.n_objects)
        pairs = set_pairs_of(query)
        if isinstance(family, Matching):
            least, most = bracket_least_matching(pairs), bracket_most_matching(pairs)
            ends = value_brackets(query, least, most, family.offset, family.slope)
        else:
            assert isinstance(family, Separable)
            scale = family.distance_scale
            assert scale is not None
            ends = value_brackets(query, *_disagreements(pairs), family.value.offset, scale)
        return bracketed_expectations(plan, *ends, notes=(_NO_SPREAD,))


def _disagreements(pairs: SetPairs) -> tuple[Bracket, Bracket]:
    """Brackets of the least and the most expected ordered pairs that disagree."""
    n = pairs.n_objects
    sure = sure_pairs(pairs)
    return (
        (sure.disagree, pushed_disagreement(pairs, "least")),
        (
            pushed_disagreement(pairs, "most"),
            min(n * (n - 1) - sure.agree, most_against_two(pairs)),
        ),
    )
