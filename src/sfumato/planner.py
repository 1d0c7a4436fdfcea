"""The corridor: find the methods that may answer, price them, run the best, take a second stage."""

import time
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from math import inf
from typing import TypeAlias

import numpy as np

from sfumato._typing import Guarantee, Quantity
from sfumato._wording import either, option
from sfumato.algorithms.blas_threads import with_one_blas_thread
from sfumato.algorithms.deadline import Clock, Deadline, OutOfTimeError, look, work_until
from sfumato.algorithms.sampling.blocks import Run
from sfumato.display.progress import progress_bar
from sfumato.display.text import duration
from sfumato.errors import CostError, UnsupportedError
from sfumato.measures.base import Measure
from sfumato.methods.base import Method, Scope
from sfumato.methods.registry import all_methods
from sfumato.partitions.theories import Theory
from sfumato.question.kept import KEEPABLE, Need
from sfumato.question.plan import Plan, Policy
from sfumato.question.query import Query
from sfumato.results.answers import answer_by_range
from sfumato.results.comparison import Comparison

__all__ = ["answer", "choose", "explain", "need_of", "run"]

MakeRng: TypeAlias = Callable[[], np.random.Generator]

_QUICK = 1e-3  # seconds
# Bounds are computed with logarithms: a bound of 3 may come out a little above 3.
_ROUNDING = 1 + 1e-9
# Of the time that is left: for one method's planning, and for work that cannot be cut short. The
# rest is for an answer that takes next to no time.
_PLANNING_SHARE, _WORKING_SHARE = 0.5, 0.8
_GRACE = 0.1  # seconds, of the 0.2 that an answer may take beyond its time
_ANY_NUMBER = 1000  # of objects: the structure of a measure is the same for all
_NO_DRAWS = np.random.Generator(np.random.PCG64(0))  # given to work that draws nothing


def answer(
    query: Query, policy: Policy, make_rng: MakeRng, *, clock: Clock = time.monotonic
) -> Comparison:
    """Plan, run, and take a further plan where the first does not keep its promise.

    All of it looks at one deadline, which begins with the planning; ``clock`` tells the time.

    Raises
    ------
    CostError
        If no acceptable answer fits the budget.
    UnsupportedError
        If no method gives an acceptable guarantee.
    """
    deadline = Deadline(inf if policy.max_seconds is None else policy.max_seconds, clock=clock)
    stopped: list[str] = []
    try:
        plan = _choose(query, policy, deadline, stopped=stopped)
        while (found := _run_in_time(plan, query, policy, make_rng, deadline)) is None:
            stopped.append(plan.method)
            plan = _plan_that_looks(query, policy, deadline, stopped)
    except (CostError, UnsupportedError):
        if not deadline.is_set:
            raise
        plan = _plan_in_no_time(query, policy)
        found = run(plan, query, policy, make_rng, Deadline())  # short, if not in that time
    with suppress(OutOfTimeError):
        found = _with_second(found, plan, query, policy, make_rng, deadline)
    if not policy.accepts(found.guarantee):
        raise CostError(
            f"{policy.engine} did not close the search within max_nodes={policy.max_nodes:,} and "
            f"max_tables={policy.max_tables:g}: the "
            f"ends lie in [{found.lower_bracket[0]:.6g}, {found.lower_bracket[1]:.6g}] and "
            f"[{found.upper_bracket[0]:.6g}, {found.upper_bracket[1]:.6g}]. "
            f"{either('Raise the limit in question, or use', 'Use')} {option('engine', 'auto')} "
            "for this certified bracket."
        )
    is_stopped = bool(stopped) or deadline.is_over
    more = (*_tolerance_notes(found, policy), *_time_notes(found, plan, policy, is_stopped))
    return replace(found, notes=(*found.notes, *more)) if more else found


def _run_in_time(
    plan: Plan, query: Query, policy: Policy, make_rng: MakeRng, deadline: Deadline
) -> Comparison | None:
    """The answer of a plan, or None if it was stopped before it had any."""
    try:
        return run(plan, query, policy, make_rng, deadline)
    except OutOfTimeError:
        look()  # the question may be part of another one, whose time is over
        return None


def _with_second(
    found: Comparison,
    plan: Plan,
    query: Query,
    policy: Policy,
    make_rng: MakeRng,
    deadline: Deadline,
) -> Comparison:
    """Take a further plan where the first did not keep its promise, if there is time for it."""
    if deadline.is_over:
        return found
    if plan.fallback is not None and found.guarantee != plan.guarantee:
        second = _plan_in_time(plan.fallback, deadline)
        return found if second is None else run(second, query, policy, make_rng, deadline)
    if plan.sharpen is not None and _is_too_wide(found, policy):
        second = _plan_in_time(plan.sharpen, deadline)
        if second is not None and second.error < found.error:
            drawn = run(second, query, policy, make_rng, deadline)
            return replace(_sharper(found, drawn), seconds=drawn.seconds)
    return found


def choose(query: Query, policy: Policy) -> Plan:
    """The cheapest plan with the preferred guarantee that fits the budget.

    Raises
    ------
    CostError
        If some method could answer, but not within the budget.
    UnsupportedError
        If no method gives an acceptable guarantee.
    """
    return _choose(query, policy)


def explain(query: Query, policy: Policy) -> Plan:
    """The plan that `answer` would run, with the alternatives and why they were not chosen.

    Raises as `choose` does.
    """
    asked: dict[str, list[Plan]] = {}
    best = _choose(query, policy, asked=asked)
    if best.tables <= 1:  # a formula: nothing else comes close
        return best
    reasons = [
        (method.name, _refusal(plan, policy) or _why_not(plan, best, policy))
        for method, _ in _methods_for(query)
        if method.name != best.method
        for plan in (asked[method.name] if method.name in asked else method.plan(query, policy))
    ]
    return replace(best, alternatives=tuple(reasons))


def need_of(
    measure: Measure,
    quantity: Quantity,
    theory: Theory,
    policy: Policy,
    *,
    has_hard_side: bool,
    among: Collection[Need] = KEEPABLE,
) -> Need | None:
    """What the best method for such questions needs, of those that can do without the objects.

    None if all of them need the objects, or something that is not ``among`` what is kept.
    """
    family = measure.family(_ANY_NUMBER)
    structure = "other" if family is None else family.kind
    ranked: list[tuple[int, Need]] = [
        (policy.guarantees.index(guarantee), scope.needs)
        for method in METHODS
        for scope in method.scopes
        if scope.needs in among
        and scope.covers(theory, quantity, structure, has_hard_side=has_hard_side)
        for guarantee in scope.guarantees
        if policy.accepts(guarantee)
    ]
    return min(ranked, key=lambda each: each[0])[1] if ranked else None


def _choose(
    query: Query,
    policy: Policy,
    deadline: Deadline | None = None,
    *,
    without: str | None = None,
    asked: dict[str, list[Plan]] | None = None,
    stopped: list[str] | None = None,
    must_look: bool = False,
) -> Plan:
    """As `choose`; the method ``without`` is left out, and plans are written down in ``asked``.

    Methods that were stopped by the deadline are left out, and so is one that takes too long to
    plan. Where a plan must look at the deadline, others are left out too.

    Methods are asked in the order of the register. One whose guarantees are not welcome, or that
    cannot beat the guarantee of a plan that fits, is not asked; asking ends where little could be
    gained.
    """
    plans: list[Plan] = []
    best: Plan | None = None
    its_method = ""
    for method, scopes in _methods_for(query):
        if method.name == without or not _may_help(scopes, best, policy):
            continue
        if stopped and method.name in stopped:
            continue
        try:
            made = _plans(method, query, policy, deadline)
        except OutOfTimeError:
            if stopped is None:
                raise
            look()
            stopped.append(method.name)
            continue
        plans += made
        if asked is not None:
            asked[method.name] = made
        fitting = [plan for plan in made if _refusal(plan, policy) is None]
        if deadline is not None:
            fitting = [plan for plan in fitting if _is_in_time(plan, deadline, must_look)]
        for plan in fitting:
            if best is None or _order(plan, policy) < _order(best, policy):
                best, its_method = plan, method.name
        if any(_settles(plan, policy) for plan in fitting):
            break
    if best is None:
        raise _nothing_fits(plans, query, policy)
    return _complete(best, its_method, query, policy)


def _plans(method: Method, query: Query, policy: Policy, deadline: Deadline | None) -> list[Plan]:
    # What reduces a question to others has no other method to give way to.
    if deadline is None or not deadline.is_set or method.asks_others:
        return list(method.plan(query, policy))
    with work_until(deadline.part(_PLANNING_SHARE, least=_GRACE / 2)):
        return list(method.plan(query, policy))


def _plan_that_looks(query: Query, policy: Policy, deadline: Deadline, stopped: list[str]) -> Plan:
    """A plan that looks at the deadline; even a wide bracket is better than inner values."""
    sure = replace(policy, guarantees=tuple(g for g in policy.guarantees if g != "inner"))
    try:
        return _choose(query, sure, deadline, stopped=stopped, must_look=True)
    except (CostError, UnsupportedError):
        return _choose(query, policy, deadline, stopped=stopped, must_look=True)


def _plan_in_no_time(query: Query, policy: Policy) -> Plan:
    """Where time is over: a plan that takes next to none, or else the bounds of the measure."""
    plan = _choose(query, replace(policy, max_seconds=None))
    if plan.seconds <= _GRACE:
        return plan
    bounds = query.objective.bounds
    if not policy.accepts("certified") or not np.isfinite(bounds).all():
        raise CostError(
            f"{plan.method} would take about {duration(plan.seconds)} for {query} "
            f"(max_seconds={policy.max_seconds:g}): raise max_seconds."
        )
    return Plan(
        guarantee="certified",
        tables=1,
        bytes=0.0,
        seconds=0.0,
        why="there is time for nothing else",
        method="bounds_of_the_measure",
        work=lambda _: answer_by_range(bounds),
    )


def _methods_for(query: Query) -> Iterator[tuple[Method, list[Scope]]]:
    """The methods that answer such questions, each with those of its scopes that hold this one.

    What is only a last resort comes last.
    """
    for is_last in (False, True):
        for method in METHODS:
            some = (scope for scope in method.scopes if scope.is_last_resort == is_last)
            if scopes := [scope for scope in some if scope.holds(query)]:
                yield method, scopes


def _may_help(scopes: list[Scope], best: Plan | None, policy: Policy) -> bool:
    """Whether a method may give a welcome guarantee, at least as good as that of the best plan.

    A last resort helps only where there is no plan yet.
    """
    if best is None:
        return any(policy.accepts(each) for scope in scopes for each in scope.guarantees)
    ranks = [
        policy.guarantees.index(guarantee)
        for scope in scopes
        if not scope.is_last_resort
        for guarantee in scope.guarantees
        if policy.accepts(guarantee)
    ]
    return min(ranks, default=len(policy.guarantees)) <= policy.guarantees.index(best.guarantee)


def _order(plan: Plan, policy: Policy) -> tuple[int, float]:
    return policy.guarantees.index(plan.guarantee), plan.seconds


def _settles(plan: Plan, policy: Policy) -> bool:
    """A formula, or next to nothing: planning the rest could cost more than running it."""
    return plan.guarantee == policy.guarantees[0] and (plan.tables <= 1 or plan.seconds < _QUICK)


def _refusal(plan: Plan, policy: Policy) -> str | None:
    if not policy.accepts(plan.guarantee):
        return f"gives {plan.guarantee}, which {policy.engine} does not accept"
    is_limited = plan.guarantee == "exact" or plan.lists_tables
    if is_limited and plan.tables > policy.max_tables * _ROUNDING:
        return f"would visit up to {plan.tables:.2g} tables (max_tables={policy.max_tables:g})"
    if policy.max_seconds is None or not policy.accepts("certified"):
        return None
    seconds = min(plan.seconds, plan.shortest)
    if seconds > policy.max_seconds and plan.shortest > policy.max_seconds + _GRACE:
        return f"would take about {duration(seconds)} at least (max_seconds={policy.max_seconds:g})"
    return None


def _plan_in_time(make: Callable[[], Plan | None], deadline: Deadline) -> Plan | None:
    """A further plan, unless making it or running it takes too long."""
    with work_until(deadline.part(_PLANNING_SHARE, least=_GRACE / 2)):
        plan = make()
    return plan if plan is not None and _is_in_time(plan, deadline) else None


def _is_in_time(plan: Plan, deadline: Deadline, must_look: bool = False) -> bool:
    """Whether it may end in time, and looks at the deadline if it must."""
    is_short = plan.shortest <= max(0.0, deadline.left) + _GRACE
    return is_short or (not must_look and plan.seconds <= deadline.left)


def _why_not(plan: Plan, best: Plan, policy: Policy) -> str:
    if policy.guarantees.index(plan.guarantee) < policy.guarantees.index(best.guarantee):
        return f"{plan.guarantee}, but wide: only where nothing else answers"
    if plan.guarantee == best.guarantee:
        return "costs more"
    return f"its guarantee would be {plan.guarantee}"


def _complete(plan: Plan, method: str, query: Query, policy: Policy) -> Plan:
    """The plan with its names, and with what may follow it, planned only where it is needed."""
    may_sharpen = (
        plan.guarantee == "certified"
        and policy.accepts("confidence")
        and policy.tolerance is not None
    )
    other = partial(_other_plan, query, policy, plan.guarantee, without=method)
    draws = partial(_plan_of_draws, query, policy, without=method)
    return replace(
        plan,
        method=method,
        question=str(query),
        fallback=other if plan.may_fall_short else None,
        sharpen=draws if may_sharpen else None,
    )


def _other_plan(query: Query, policy: Policy, guarantee: Guarantee, *, without: str) -> Plan | None:
    """Another plan with the guarantee that the first one did not keep."""
    try:
        second = _choose(query, policy, without=without)
    except (CostError, UnsupportedError):
        return None
    return second if second.guarantee == guarantee else None


def _plan_of_draws(query: Query, policy: Policy, *, without: str) -> Plan | None:
    """A plan for an estimate, if there is one."""
    try:
        return _choose(query, replace(policy, guarantees=("confidence",)), without=without)
    except (CostError, UnsupportedError):
        return None


def run(
    plan: Plan, query: Query, policy: Policy, make_rng: MakeRng, deadline: Deadline
) -> Comparison:
    """Do the work of a plan and write down what was asked, how it was found and who allowed it.

    Work that cannot be cut short is stopped by `OutOfTimeError`, in time for another plan. Where
    limits were raised beyond the memory there is, it is a `CostError`.
    """
    rng = _NO_DRAWS if plan.n_samples is None else make_rng()
    with progress_bar(f"{query.measure.name}: {plan.method}", plan.seconds) as progress:
        # BLAS splits large sums only, which no quick plan has.
        work = plan.work if plan.seconds < _QUICK else with_one_blas_thread(plan.work)
        task = Run(rng, deadline, progress, policy.threads)
        try:
            if plan.shortest < inf or not deadline.is_set:
                found = work(task)
            else:
                with work_until(deadline.part(_WORKING_SHARE)):
                    found = work(task)
        except MemoryError as error:
            raise CostError(
                f"{plan.method} ran out of memory on {query}: use {option('engine', 'sampled')}, "
                "or merge small clusters."
            ) from error
    wants_all = query.quantity == "distribution"
    return Comparison(
        measure=query.measure.name,
        better=query.measure.better,
        quantity=query.quantity,
        kinds=query.kinds,
        lower=found.lower,
        upper=found.upper,
        is_precise=query.is_precise,
        lower_bracket=found.lower_bracket,
        upper_bracket=found.upper_bracket,
        stds=found.stds,
        guarantee=found.guarantee,
        method=plan.method,
        engine=policy.engine,
        confidence=found.confidence,
        n_samples=found.n_samples,
        distribution=found.distribution if wants_all else None,
        notes=(*query.notes, *found.notes),
        bounds=query.measure.bounds,
        find_witness=found.find_witness,
        seconds=deadline.spent,
        find_std=None if found.find_std is None else with_one_blas_thread(found.find_std),
    )


METHODS = all_methods(choose, answer)


def _is_too_wide(found: Comparison, policy: Policy) -> bool:
    """Whether brackets that need no draws are wider than the error that estimates aim at."""
    return policy.tolerance is not None and found.error > policy.tolerance


def _tolerance_notes(found: Comparison, policy: Policy) -> tuple[str, ...]:
    """Say that draws did not reach the tolerance; the error is that of the whole answer."""
    tolerance = policy.tolerance
    if tolerance is None or found.guarantee != "confidence" or found.error <= tolerance * _ROUNDING:
        return ()
    way_out = (
        "more draws would exceed the budget, or the ends of each draw are not known that well"
        if policy.tolerance_is_demand
        else either("engine=Sampled(tolerance=...)", "--engine sampled with --tolerance")
        + " draws until chance adds no more than that"
    )
    return (f"The error {found.error:.2g} is above the tolerance {tolerance:g}: {way_out}.",)


def _time_notes(found: Comparison, plan: Plan, policy: Policy, is_stopped: bool) -> tuple[str, ...]:
    """Say that the answer depends on the clock, unless it says so already."""
    if policy.max_seconds is None or found.is_exact:
        return ()
    stated = f"max_seconds={policy.max_seconds:g}"
    is_cut_short = is_stopped or plan.seconds > policy.max_seconds
    if not is_cut_short or any(stated in note for note in found.notes):
        return ()
    return (f"Cut short by {stated}: more time may narrow the brackets.",)


def _sharper(certified: Comparison, drawn: Comparison) -> Comparison:
    """The answer with the smaller error; certain brackets sharpen those of draws."""
    lower, upper = (
        (max(sure[0], likely[0]), min(sure[1], likely[1]))
        for sure, likely in (
            (certified.lower_bracket, drawn.lower_bracket),
            (certified.upper_bracket, drawn.upper_bracket),
        )
    )
    if lower[0] > lower[1] or upper[0] > upper[1]:  # the draws are among the unlucky ones
        return certified
    sharpened = replace(
        drawn,
        lower=min(max(drawn.lower, lower[0]), lower[1]),
        upper=min(max(drawn.upper, upper[0]), upper[1]),
        lower_bracket=lower,
        upper_bracket=upper,
    )
    if sharpened.error >= certified.error:
        return certified
    if sharpened.error == drawn.error:
        return sharpened
    note = f"The certain brackets of {certified.method} cut the error of the draws."
    return replace(sharpened, notes=(*sharpened.notes, note))


def _nothing_fits(plans: list[Plan], query: Query, policy: Policy) -> CostError | UnsupportedError:
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
