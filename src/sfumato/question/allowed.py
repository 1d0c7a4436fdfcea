"""Which plans may be made and run, by budget and by time, and why others are not taken."""

from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import final

from sfumato._typing import Guarantee
from sfumato._wording import either, option
from sfumato.algorithms.deadline import Deadline, work_until
from sfumato.display.text import duration
from sfumato.errors import CostError, UnsupportedError
from sfumato.question.plan import Plan, Policy
from sfumato.question.query import Query
from sfumato.results.comparison import Comparison

__all__ = ["AT_LEISURE", "GRACE", "TimeGiven", "not_closed", "nothing_fits", "refusal", "why_not"]

GRACE = 0.1  # seconds, of the 0.2 that an answer may take beyond its time
_PLANNING_SHARE = 0.5  # of the time that is left, for one method's planning
# Numbers of tables are bounded with logarithms: a bound of 3 may come out a little above 3.
_ROUNDING = 1 + 1e-9


@final
@dataclass(frozen=True, slots=True)
class TimeGiven:
    """The time that an answer may take, and what it has stopped."""

    deadline: Deadline  # for all of it, planning included
    must_look: bool = False  # whether only plans will do that look at the deadline
    # Methods and guarantees whose planning or work was stopped. It grows.
    stopped: set[tuple[str, Guarantee]] = field(default_factory=set[tuple[str, Guarantee]])

    def allows(self, plan: Plan) -> bool:
        """Whether the plan may end in time, and looks at the deadline if it must.

        What was stopped once is not begun again.
        """
        if (plan.method, plan.guarantee) in self.stopped:
            return False
        is_short = plan.shortest <= max(0.0, self.deadline.left) + GRACE
        return is_short or (not self.must_look and plan.seconds <= self.deadline.left)

    def for_planning(self) -> AbstractContextManager[None]:
        """End what is done inside by `OutOfTimeError` after the share for one method's planning."""
        return work_until(self.deadline.part(_PLANNING_SHARE, least=GRACE / 2))


AT_LEISURE = TimeGiven(Deadline())


def refusal(plan: Plan, policy: Policy) -> str | None:
    """Why a policy does not allow a plan; None if it does."""
    if not policy.accepts(plan.guarantee):
        return f"gives {plan.guarantee}, which {policy.engine} does not accept"
    is_limited = plan.guarantee == "exact" or plan.lists_tables
    if is_limited and plan.tables > policy.max_tables * _ROUNDING:
        return f"would visit up to {plan.tables:.2g} tables (max_tables={policy.max_tables:g})"
    if policy.max_seconds is None or not policy.accepts("certified"):
        return None
    seconds = min(plan.seconds, plan.shortest)
    if seconds > policy.max_seconds and plan.shortest > policy.max_seconds + GRACE:
        return f"would take about {duration(seconds)} at least (max_seconds={policy.max_seconds:g})"
    return None


def why_not(plan: Plan, best: Plan, policy: Policy) -> str:
    """Why a plan is not chosen, or why another one is better."""
    if (reason := refusal(plan, policy)) is not None:
        return reason
    if policy.rank(plan.guarantee) < policy.rank(best.guarantee):
        return f"{plan.guarantee}, but wide: only where nothing else answers"
    if plan.guarantee == best.guarantee:
        return "costs more"
    return f"its guarantee would be {plan.guarantee}"


def nothing_fits(plans: list[Plan], query: Query, policy: Policy) -> CostError | UnsupportedError:
    """The error where no plan is allowed: the way out depends on the plans there are."""
    dear = [plan for plan in plans if policy.accepts(plan.guarantee)]
    if not dear:
        return UnsupportedError(
            f"No method of engine {policy.engine} answers {query}: use {option('engine', 'auto')}."
        )
    if policy.formulas_only:
        return UnsupportedError(
            f"There is no formula for {query}: use {option('engine', 'exact', 'sampled', 'auto')}."
        )
    cheapest = min(dear, key=lambda plan: (plan.tables, plan.n_samples is None))
    if cheapest.n_samples is not None:
        return CostError(
            f"{policy.engine} would visit up to {cheapest.tables:.2g} tables for "
            f"{cheapest.n_samples:,} draws (max_tables={policy.max_tables:g}). Use "
            f"{either('engine=Sampled(nested=True), whose interval is biased inward, or ', '')}"
            f"{option('engine', 'auto')}."
        )
    other = "sampled" if query.kept is None else "auto"  # counts of objects are not drawn from
    way_out = either("Raise max_tables or use", "Use") if policy.can_raise_tables else "Use"
    return CostError(
        f"{policy.engine} would visit up to {cheapest.tables:.2g} tables "
        f"(max_tables={policy.max_tables:g}). {way_out} {option('engine', other)}."
    )


def not_closed(found: Comparison, policy: Policy) -> CostError:
    """The error where a search stayed open, so that its guarantee is not welcome."""
    return CostError(
        f"{policy.engine} did not close the search within max_nodes={policy.max_nodes:,} and "
        f"max_tables={policy.max_tables:g}: the "
        f"ends lie in [{found.lower_bracket[0]:.6g}, {found.lower_bracket[1]:.6g}] and "
        f"[{found.upper_bracket[0]:.6g}, {found.upper_bracket[1]:.6g}]. "
        f"{either('Raise the limit in question, or use', 'Use')} {option('engine', 'auto')} "
        "for this certified bracket."
    )
