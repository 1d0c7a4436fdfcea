"""How a question would be answered: what an engine allows, and what a method would do."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import inf, isfinite
from typing import TYPE_CHECKING, Literal, TypeAlias, final

from sfumato._typing import Guarantee, Quantity
from sfumato.display.text import duration
from sfumato.families import Objective
from sfumato.results.values import EXACT_LOST_MASS

if TYPE_CHECKING:  # plans are loaded with the package, what runs them is not
    from sfumato.algorithms.sampling.blocks import Run
    from sfumato.results.answers import Answer

__all__ = ["Plan", "Policy", "Work", "plan_within_budget"]

_FEW_OBJECTS, _FALL = 1000, 1 / 6  # beyond them the tolerance falls as n^(-1/6)
_BLOCK_SHARE = 0.1  # of the time that is given
_CORES = os.cpu_count() or 1  # asking takes longer than a small comparison can spare

Work: TypeAlias = "Callable[[Run], Answer]"


@final
@dataclass(frozen=True, slots=True)
class Policy:
    """What an engine allows: which guarantees, in order of preference, and which budget."""

    engine: str  # its name, for results and messages only
    guarantees: tuple[Guarantee, ...]  # that are acceptable, the preferred one first
    max_tables: float = 1_000_000  # that an exact method may visit
    can_raise_tables: bool = False  # whether that is an option of the engine, for messages
    formulas_only: bool = False  # whether the engine is for formulas, for messages
    max_nodes: int = 1_000_000  # that each search may visit
    max_lost_mass: float = 1e-12  # that a law may leave out; it is reported and widens brackets
    n_samples: int | None = None  # draws
    tolerance: float | None = None  # the error to reach
    confidence: float = 0.95
    # Whether draws go on until the tolerance is met, however long that takes. Otherwise it is met
    # only within a number of single objects to draw in all.
    tolerance_is_demand: bool = True
    max_draws_of_objects: float = inf
    tolerance_falls: bool = False  # whether it is smaller for many objects, as errors are
    bound: Literal["best", "hoeffding"] = "best"  # of the error of a mean of draws
    nested: bool | None = None  # evidential sampling; None: if nothing better is affordable
    n_inner: int = 100  # clusterings drawn from each rough partition when nested
    max_seconds: float | None = None
    threads: int | None = None

    @property
    def n_threads(self) -> int:
        """Threads to use: all cores unless told otherwise."""
        return self.threads or _CORES

    def for_objects(self, n_objects: int) -> "Policy":
        """The same policy with the tolerance for so many objects."""
        if self.tolerance is None or not self.tolerance_falls or n_objects <= _FEW_OBJECTS:
            return self
        tolerance = self.tolerance * (_FEW_OBJECTS / n_objects) ** _FALL
        return replace(self, tolerance=tolerance, tolerance_falls=False)

    def accepts(self, guarantee: Guarantee) -> bool:
        """Whether an answer with this guarantee is welcome."""
        return guarantee in self.guarantees

    def rank(self, guarantee: Guarantee) -> int:
        """Place among the guarantees: 0 is the preferred one, those not welcome come last."""
        welcome = self.guarantees
        return welcome.index(guarantee) if guarantee in welcome else len(welcome)

    def confidence_of_means(self, quantity: Quantity) -> float:
        """Where a distribution is stated too, that takes half of the risk."""
        risk = 1.0 - self.confidence
        return 1.0 - (risk / 2 if quantity == "distribution" else risk)

    def block(self, largest: int, seconds_each: float) -> int:
        """Draws to make at once: quick beside the time that is given, as a block is finished."""
        if self.max_seconds is None:
            return largest
        return max(1, min(largest, int(_BLOCK_SHARE * self.max_seconds / seconds_each)))


@final
@dataclass(frozen=True, eq=False, repr=False)
class Plan:
    """How a question would be answered, at what cost and with what guarantee.

    Attributes
    ----------
    guarantee : str
    tables : float
        Contingency tables to visit, at most.
    bytes : float
        Memory beyond the input, about.
    seconds : float
        Time, roughly: operation counts times a fixed rate, never a timing of this machine.
    why : str
    work : callable
        Does it; holds all that planning found.
    n_samples : int or None
    error : float
        Of an estimate, as far as it is known before any draw.
    lists_tables : bool
        Whether it holds the tables in memory, so that ``max_tables`` limits them; an exact plan is
        limited anyway.
    shortest : float
        Seconds after which the work can end when time is short, with a wider answer; infinite if
        it cannot: it is stopped and another plan takes over. It is refused where even that exceeds
        ``max_seconds``.
    may_fall_short : bool
        Whether the answer may turn out to have a weaker guarantee, as where a search stays open.
    method, question : str
        Written by the planner.
    alternatives : tuple of (str, str)
        The other methods and why they were not chosen.
    fallback, sharpen : callable or None
        Another plan with the same guarantee, for a search that does not close; and draws, for
        bounds that turn out wide. Made only when they are asked for.
    """

    guarantee: Guarantee
    tables: float
    bytes: float
    seconds: float
    why: str
    work: Work
    n_samples: int | None = None
    error: float = 0.0
    lists_tables: bool = False
    shortest: float = inf
    may_fall_short: bool = False
    method: str = ""
    question: str = ""
    alternatives: tuple[tuple[str, str], ...] = ()
    fallback: Callable[[], "Plan | None"] | None = field(default=None, repr=False)
    sharpen: Callable[[], "Plan | None"] | None = field(default=None, repr=False)

    @property
    def then(self) -> tuple["Plan", ...]:
        """The further plans that may follow."""
        made = [make() for make in (self.fallback, self.sharpen) if make is not None]
        return tuple(plan for plan in made if plan is not None)

    def __repr__(self) -> str:
        size = f"up to {self.tables:,.0f}" if self.tables < 1e7 else f"up to {self.tables:.1e}"
        lines = [
            self.question,
            f"  method     {self.method}: {self.why}",
            f"  guarantee  {self.guarantee}",
            f"  cost       {size} tables, about {self.bytes / 1e6:.3g} MB and "
            f"{duration(self.seconds)}",
        ]
        lines += [
            f"  then       {plan.method} ({plan.guarantee}), {duration(plan.seconds)} more, "
            f"if need be: {plan.why}"
            for plan in self.then
        ]
        lines += [f"  not        {name}: {reason}" for name, reason in self.alternatives]
        return "\n".join(lines)


def plan_within_budget(
    objective: Objective, policy: Policy, make: Callable[[float, Guarantee], Plan | None]
) -> Plan | None:
    """The plan of an exact law, or of one that leaves out more where only that is affordable.

    ``make(max_lost_mass, guarantee)`` makes the plan of a law that leaves out so much. What an
    exact one leaves out is worth at most 1e-12 in the units of the measure, so it leaves out
    nothing if a value there could be of any size.
    """
    negligible = EXACT_LOST_MASS / max(1.0, objective.spread)  # 0 if the spread is infinite
    exact = make(min(policy.max_lost_mass, negligible), "exact")
    if policy.max_lost_mass <= EXACT_LOST_MASS or exact is None:  # no more was asked for
        return exact
    if exact.tables <= policy.max_tables or not isfinite(objective.spread):
        return exact
    return make(policy.max_lost_mass, "certified")
