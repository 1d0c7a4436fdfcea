"""Which method answers a question under a policy."""

from dataclasses import replace

from sfumato.errors import CostError, UnsupportedError
from sfumato.methods.base import Method, Plan, Policy
from sfumato.methods.registry import METHODS
from sfumato.query import Query

__all__ = ["choose", "method_named"]

_QUICK = 1e-3  # seconds
# Bounds are computed with logarithms: a bound of 3 may come out a little above 3.
_ROUNDING = 1 + 1e-9


def choose(
    query: Query, policy: Policy, *, list_all: bool = False, without: str | None = None
) -> Plan:
    """The cheapest plan with the preferred guarantee that fits the budget.

    Planning stops at a plan that cannot be beaten by much, unless ``list_all`` asks for the
    alternatives too; the method ``without`` is left out.

    Raises
    ------
    CostError
        If some method could answer, but not within the budget.
    UnsupportedError
        If no method gives an acceptable guarantee.
    """
    plans = _plans(query, policy, list_all=list_all, without=without)
    accepted = [plan for plan in plans if _refusal(plan, policy) is None]
    if not accepted:
        raise _nothing_fits(plans, query, policy)
    best = min(accepted, key=lambda plan: (policy.guarantees.index(plan.guarantee), plan.seconds))
    others = tuple(
        (plan.method, _refusal(plan, policy) or _why_not(plan, best))
        for plan in plans
        if plan is not best
    )
    return replace(best, alternatives=others) if others else best


def _plans(query: Query, policy: Policy, *, list_all: bool, without: str | None) -> list[Plan]:
    plans: list[Plan] = []
    for method in METHODS:
        plan = None if method.name == without else method.plan(query, policy)
        if plan is None:
            continue
        plans.append(plan)
        # A formula, or next to nothing: planning the rest could cost more than running it.
        is_formula = plan.tables <= 1
        is_quick = plan.seconds < _QUICK and not list_all
        is_preferred = plan.guarantee == policy.guarantees[0] and _refusal(plan, policy) is None
        if is_preferred and (is_formula or is_quick):
            break
    return plans


def method_named(name: str) -> Method:
    """The method that a plan names."""
    return next(method for method in METHODS if method.name == name)


def _refusal(plan: Plan, policy: Policy) -> str | None:
    if plan.guarantee not in policy.guarantees:
        return f"gives {plan.guarantee}, which {policy.engine} does not accept"
    is_limited = plan.guarantee == "exact" or plan.lists_tables
    if is_limited and plan.tables > policy.max_tables * _ROUNDING:
        return f"would visit up to {plan.tables:.2g} tables (max_tables={policy.max_tables:g})"
    return None


def _why_not(plan: Plan, best: Plan) -> str:
    if plan.guarantee == best.guarantee:
        return "costs more"
    return f"its guarantee would be {plan.guarantee}"


def _nothing_fits(plans: list[Plan], query: Query, policy: Policy) -> CostError | UnsupportedError:
    dear = [plan for plan in plans if plan.guarantee in policy.guarantees]
    if not dear:
        return UnsupportedError(
            f"No method of engine {policy.engine} answers {query.measure.name} "
            f"({query.quantity}) for {query.kinds[0]} against {query.kinds[1]}: use engine='auto'."
        )
    if policy.engine == "ClosedForm":
        return UnsupportedError(
            f"There is no formula for {query.measure.name} ({query.quantity}) of {query.kinds[0]} "
            f"against {query.kinds[1]}: use engine='exact', 'sampled' or 'auto'."
        )
    cheapest = min(dear, key=lambda plan: (plan.tables, plan.n_samples is None))
    if cheapest.n_samples is not None:
        return CostError(
            f"{policy.engine} would visit up to {cheapest.tables:.2g} tables for "
            f"{cheapest.n_samples:,} draws (max_tables={policy.max_tables:g}). Use "
            "engine=Sampled(nested=True), whose interval is biased inward, or engine='auto'."
        )
    way_out = "Raise max_tables or use" if policy.engine in ("Auto", "Exact") else "Use"
    return CostError(
        f"{policy.engine} would visit up to {cheapest.tables:.2g} tables "
        f"(max_tables={policy.max_tables:g}). {way_out} engine=Sampled()."
    )
