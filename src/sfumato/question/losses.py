"""How much of a law may be left out, and whether the plan is then still called exact."""

from collections.abc import Callable
from math import isfinite

from sfumato._typing import Guarantee
from sfumato.question.plan import Plan, Policy
from sfumato.question.query import Query
from sfumato.results.answers import EXACT_LOST_MASS

__all__ = ["plan_within_budget"]


def plan_within_budget(
    query: Query, policy: Policy, make: Callable[[float, Guarantee], Plan | None]
) -> Plan | None:
    """The plan of an exact law, or of one that leaves out more where only that is affordable.

    ``make(max_lost_mass, guarantee)`` makes the plan of a law that leaves out so much.
    """
    exact = make(min(policy.max_lost_mass, EXACT_LOST_MASS), "exact")
    if policy.max_lost_mass <= EXACT_LOST_MASS or exact is None:
        return exact
    if exact.tables <= policy.max_tables or not isfinite(query.objective.spread):
        return exact
    return make(policy.max_lost_mass, "certified")
