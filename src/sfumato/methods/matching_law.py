"""The exact law of a matching measure of fuzzy partitions."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple, final

import numpy as np

from sfumato._typing import Guarantee
from sfumato.algorithms.laws.hard_matching import bound_hard_matching, hard_matching_law
from sfumato.algorithms.laws.matching_totals import (
    LawOfTotals,
    agreement_law,
    bound_permutation_law,
    permutation_law,
)
from sfumato.algorithms.sampling.blocks import Run
from sfumato.families import Matching
from sfumato.methods.base import Method, Scope
from sfumato.question.joint import Joint
from sfumato.question.plan import Plan, Policy, plan_within_budget
from sfumato.question.query import Query
from sfumato.results.answers import Answer, law_answer
from sfumato.results.values import ValueDistribution

__all__ = ["MatchingLaw"]

_SECONDS_PER_MERGE = 2e-8
_MERGES_PER_TABLE = 100  # a merge is a few additions, a table some storage


class _Way(NamedTuple):
    """One way to the law, and what it takes."""

    tables: float
    merges: float
    why: str
    find: Callable[[], LawOfTotals]


@final
class MatchingLaw(Method):
    """Law of the largest matching: mean, standard deviation and the whole distribution.

    Two clusters: the number of agreements is Poisson binomial. A hard truth: its columns are
    independent and are added one by one to the best matchings so far. Three clusters on either
    side: the totals of the six permutations span four dimensions.
    """

    name = "matching_law"
    cost = "grows as a power of n"
    scopes = (
        Scope(
            theories=("fuzzy",),
            guarantees=("exact", "certified"),
            families=("matching",),
            most_clusters=12,
            needs_hard_side=True,
        ),
        Scope(
            theories=("fuzzy",),
            guarantees=("exact", "certified"),
            families=("matching",),
            most_clusters=3,
        ),
    )

    def plan(self, query: Query, policy: Policy) -> Iterator[Plan]:
        """Find the law of the totals and turn it into values."""

        def make(max_lost_mass: float, guarantee: Guarantee) -> Plan | None:
            way = _way(query.joint, max_lost_mass)
            if way is None:
                return None
            return Plan(
                guarantee=guarantee,
                tables=max(way.tables, way.merges / _MERGES_PER_TABLE),
                bytes=8.0 * way.tables * (1 + max(query.objective.shape)),
                seconds=5e-4 + _SECONDS_PER_MERGE * way.merges,
                lists_tables=True,
                why=way.why,
                work=partial(_answer, query, guarantee, way.find),
            )

        plan = plan_within_budget(query.objective, policy, make)
        if plan is not None:
            yield plan


def _answer(query: Query, guarantee: Guarantee, find: Callable[[], LawOfTotals], _: Run) -> Answer:
    objective = query.objective
    assert isinstance(objective.family, Matching)
    law = find()
    values = objective.family.offset + objective.family.slope * law.totals
    values = np.clip(values, *objective.bounds)
    order = np.argsort(values, kind="stable")
    values, masses = values[order].astype(np.float64), law.probabilities[order]
    return law_answer(
        query.quantity,
        guarantee,
        (values, masses),
        law.lost_mass,
        objective.bounds,
        distribution=ValueDistribution(values, masses, law.lost_mass),
    )


def _way(joint: Joint, max_lost_mass: float) -> _Way | None:
    """The cheapest way to the law; None if there is none."""
    n, k = joint.n_objects, max(joint.shape)
    if k <= 2:
        find = partial(agreement_law, *joint.both_memberships, max_lost_mass=max_lost_mass)
        return _Way(1.0, 50.0 * n, "with two clusters agreements are independent events", find)
    if joint.has_hard_columns:
        against = joint.row_memberships, joint.classes, joint.shape[1]
        cost = bound_hard_matching(*against, max_lost_mass=max_lost_mass)
        if not cost.is_feasible:
            return None
        why = "the columns of a hard partition are independent and can be added one by one"
        find = partial(hard_matching_law, *against, max_lost_mass=max_lost_mass)
        return _Way(cost.states, cost.merges, why, find)
    cells = bound_permutation_law(*joint.both_memberships, max_lost_mass=max_lost_mass)
    why = "the totals of the six matchings of three clusters span four dimensions"
    find = partial(permutation_law, *joint.both_memberships, max_lost_mass=max_lost_mass)
    return _Way(cells, cells * n, why, find)
