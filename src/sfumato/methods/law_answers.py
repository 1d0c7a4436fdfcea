"""Answers from the law of a value: how much of it may be left out, and what that costs."""

from collections.abc import Callable
from math import inf

from sfumato._typing import Floats, Guarantee
from sfumato.algorithms.expectations.mean_ends import expectations
from sfumato.methods.answers import Ends, bracketed_expectations, bracketed_mean, exact_answer
from sfumato.methods.base import Plan, Policy
from sfumato.results.comparison import Comparison
from sfumato.results.values import ValueDistribution, ValueKnowledge

__all__ = [
    "EXACT_LOST_MASS",
    "allowed_loss",
    "answer_with_law",
    "answer_with_loss",
    "plan_within_budget",
]

EXACT_LOST_MASS = 1e-12  # leaving out no more than this counts as exact


def plan_within_budget(
    policy: Policy, make: Callable[[float, Guarantee], Plan | None]
) -> Plan | None:
    """The plan of an exact law, or of one that leaves out more where only that is affordable."""
    exact = make(min(policy.max_lost_mass, EXACT_LOST_MASS), "exact")
    if policy.max_lost_mass <= EXACT_LOST_MASS or exact is None:
        return exact
    if exact.tables <= policy.max_tables or abs(sum(exact.query.bounds)) == inf:
        return exact
    return make(policy.max_lost_mass, "certified")


def allowed_loss(plan: Plan) -> float:
    """Probability that the law of a plan may leave out."""
    most = plan.policy.max_lost_mass
    return min(most, EXACT_LOST_MASS) if plan.guarantee == "exact" else most


def answer_with_law(
    plan: Plan,
    values: Floats,
    masses: Floats,
    lost_mass: float,
    *,
    mean_error: float = 0.0,
    distribution: ValueDistribution | None = None,
    notes: tuple[str, ...] = (),
) -> Comparison:
    """The mean, its spread and the law; brackets hold whatever the value of what was left out.

    ``mean_error`` is how far rounded values may have moved the mean.
    """
    if plan.guarantee == "exact":
        return exact_answer(plan, (values, values, masses), distribution=distribution, notes=notes)
    kept = expectations(values, values, masses)
    return bracketed_mean(
        plan,
        _bracket(plan, kept.lower, masses, lost_mass, error=mean_error),
        std=kept.lower_std,
        distribution=distribution,
        notes=(*notes, *_loss_notes(lost_mass)),
    )


def answer_with_loss(
    plan: Plan, ends: Ends, lost_mass: float, *, distribution: ValueKnowledge | None
) -> Comparison:
    """Both ends when focal sets of some mass were left out: brackets hold whatever they are."""
    kept = expectations(*ends)
    low, high = (
        _bracket(plan, end, ends[2], lost_mass, error=0.0) for end in (kept.lower, kept.upper)
    )
    notes = _loss_notes(lost_mass)
    if plan.query.is_precise:
        return bracketed_mean(plan, low, std=kept.lower_std, distribution=distribution, notes=notes)
    return bracketed_expectations(
        plan,
        low,
        high,
        find_std=lambda: (kept.lower_std, kept.upper_std),
        distribution=distribution,
        notes=notes,
    )


def _bracket(
    plan: Plan, mean: float, masses: Floats, lost_mass: float, *, error: float
) -> tuple[float, float]:
    lowest, highest = plan.query.bounds
    share = float(masses.sum()) / (float(masses.sum()) + lost_mass)
    low = share * (mean - error) + (1 - share) * lowest
    high = share * (mean + error) + (1 - share) * highest
    return max(low, lowest), min(high, highest)


def _loss_notes(lost_mass: float) -> tuple[str, ...]:
    if lost_mass <= EXACT_LOST_MASS:
        return ()
    return (
        f"A probability of {lost_mass:.2g} was left out of the distribution, and out of the "
        "standard deviation.",
    )
