"""The time that an answer may take: which plans may still be made, and which may still run."""

from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import final

from sfumato._typing import Guarantee
from sfumato.algorithms.deadline import Deadline, work_until
from sfumato.question.plan import Plan

__all__ = ["AT_LEISURE", "GRACE", "TimeGiven"]

GRACE = 0.1  # seconds, of the 0.2 that an answer may take beyond its time
# Of the time that is left: for one method's planning, and for work that cannot be cut short. The
# rest is for an answer that takes next to no time.
_PLANNING_SHARE, _WORKING_SHARE = 0.5, 0.8


@final
@dataclass(frozen=True, slots=True)
class TimeGiven:
    """The time that an answer may take, and what it has stopped.

    Attributes
    ----------
    deadline : Deadline
        For all of it, planning included.
    must_look : bool
        Whether only plans will do that look at the deadline and end soon after it.
    stopped : set of (str, str)
        Methods and guarantees whose planning or work was stopped. It grows.
    """

    deadline: Deadline
    must_look: bool = False
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

    def for_work(self) -> AbstractContextManager[None]:
        """The same after the share for work that cannot be cut short."""
        return work_until(self.deadline.part(_WORKING_SHARE))


AT_LEISURE = TimeGiven(Deadline())
