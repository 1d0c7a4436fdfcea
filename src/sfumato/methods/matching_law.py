"""The exact law of a matching measure of fuzzy partitions."""

from typing import NamedTuple, final

import numpy as np

from sfumato._typing import Floats, Guarantee
from sfumato.algorithms.laws.hard_matching import bound_hard_matching, hard_matching_law
from sfumato.algorithms.laws.matching_totals import (
    LawOfTotals,
    agreement_law,
    bound_permutation_law,
    permutation_law,
)
from sfumato.families import Matching
from sfumato.methods.base import Method, Plan, Policy, Progress
from sfumato.methods.law_answers import allowed_loss, answer_with_law, plan_within_budget
from sfumato.partitions.hard import HardPartition
from sfumato.query import Query
from sfumato.results.comparison import Comparison
from sfumato.results.values import ValueDistribution

__all__ = ["MatchingLaw"]

_MOST_CLUSTERS = 12
_SECONDS_PER_MERGE = 2e-8
_MERGES_PER_TABLE = 100  # a merge is a few additions, a table some storage


class _Cost(NamedTuple):
    tables: float
    merges: float
    why: str


@final
class MatchingLaw(Method):
    """Law of the largest matching: mean, standard deviation and the whole distribution.

    Two clusters: the number of agreements is Poisson binomial. A hard truth: its columns are
    independent and are added one by one to the best matchings so far. Three clusters on either
    side: the totals of the six permutations span four dimensions.
    """

    name = "matching_law"

    def plan(self, query: Query, policy: Policy) -> Plan | None:
        """Applies to fuzzy partitions and measures of the matching family, if a law is known."""
        family = query.measure.family(query.n_objects)
        if query.theory != "fuzzy" or not isinstance(family, Matching):
            return None

        def make(max_lost_mass: float, guarantee: Guarantee) -> Plan | None:
            cost = _cost(query, max_lost_mass)
            if cost is None:
                return None
            return Plan(
                query,
                policy,
                method=self.name,
                guarantee=guarantee,
                tables=max(cost.tables, cost.merges / _MERGES_PER_TABLE),
                bytes=8.0 * cost.tables * (1 + max(query.shape)),
                seconds=5e-4 + _SECONDS_PER_MERGE * cost.merges,
                lists_tables=True,
                why=cost.why,
            )

        return plan_within_budget(policy, make)

    def run(
        self,
        plan: Plan,
        *,
        rng: np.random.Generator,
        deadline: float | None,
        progress: Progress,
    ) -> Comparison:
        """Find the law of the totals and turn it into values."""
        query = plan.query
        family = query.measure.family(query.n_objects)
        assert isinstance(family, Matching)
        law = _law(query, allowed_loss(plan))
        values = np.clip(family.offset + family.slope * law.totals, *query.bounds)
        order = np.argsort(values, kind="stable")
        values, masses = values[order].astype(np.float64), law.probabilities[order]
        found = ValueDistribution(values, masses, law.lost_mass)
        return answer_with_law(plan, values, masses, law.lost_mass, distribution=found)


def _sides(query: Query) -> tuple[Floats, Floats]:
    return query.a.pignistic().memberships, query.b.pignistic().memberships


def _hard_side(query: Query) -> tuple[Floats, HardPartition] | None:
    """Memberships of the fuzzy side and the hard one; a matching does not mind the order."""
    for fuzzy, hard in ((query.a, query.b), (query.b, query.a)):
        if isinstance(hard, HardPartition):
            return fuzzy.pignistic().memberships, hard
    return None


def _cost(query: Query, max_lost_mass: float) -> _Cost | None:
    """What the cheapest law would take; None if there is none."""
    n, k = query.n_objects, max(query.shape)
    if k <= 2:
        return _Cost(1.0, 50.0 * n, "with two clusters agreements are independent events")
    if k > _MOST_CLUSTERS:
        return None
    if against_hard := _hard_side(query):
        memberships, hard = against_hard
        cost = bound_hard_matching(
            memberships, hard.codes, hard.n_clusters, max_lost_mass=max_lost_mass
        )
        why = "the columns of a hard partition are independent and can be added one by one"
        return _Cost(cost.states, cost.merges, why) if cost.is_feasible else None
    if k == 3:
        cells = bound_permutation_law(*_sides(query), max_lost_mass=max_lost_mass)
        why = "the totals of the six matchings of three clusters span four dimensions"
        return _Cost(cells, cells * n, why)
    return None


def _law(query: Query, max_lost_mass: float) -> LawOfTotals:
    if max(query.shape) <= 2:
        return agreement_law(*_sides(query), max_lost_mass=max_lost_mass)
    if against_hard := _hard_side(query):
        memberships, hard = against_hard
        return hard_matching_law(
            memberships, hard.codes, hard.n_clusters, max_lost_mass=max_lost_mass
        )
    return permutation_law(*_sides(query), max_lost_mass=max_lost_mass)
