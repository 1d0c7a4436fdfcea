"""The corridor: find the methods that may answer, price them, run the best, take a second stage.

`answer` is the way through: `choose` a plan, `run` it, take a further plan where that pays.
"""

import time
from collections.abc import Callable, Collection, Iterator
from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import partial
from math import inf
from typing import TypeAlias, get_args

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
from sfumato.question.allowed import (
    AT_LEISURE,
    GRACE,
    TimeGiven,
    not_closed,
    nothing_fits,
    refusal,
    why_not,
)
from sfumato.question.kept import KEEPABLE, Need
from sfumato.question.plan import Plan, Policy
from sfumato.question.query import Query
from sfumato.results.answers import answer_by_range
from sfumato.results.comparison import Comparison

__all__ = ["METHODS", "answer", "choose", "explain", "need_of", "run"]

MakeRng: TypeAlias = Callable[[], np.random.Generator]
Runner: TypeAlias = Callable[[Plan], Comparison]

_QUICK = 1e-3  # seconds
# Of the time that is left, for work that cannot be cut short. The rest is for an answer that takes
# next to no time.
_WORKING_SHARE = 0.8
_ROUNDING = 1 + 1e-9  # an error that equals the tolerance may come out a little above it
_ANY_NUMBER = 1000  # of objects: the structure of a measure is the same for all
_NO_DRAWS = np.random.Generator(np.random.PCG64(0))  # given to work that draws nothing


def answer(
    query: Query, policy: Policy, make_rng: MakeRng, *, clock: Clock = time.monotonic
) -> Comparison:
    """Plan, run, and take a further plan where the first does not keep its promise.

    All of it looks at one deadline, which begins with the planning; ``clock`` tells the time.
    """
    stated, policy = policy, policy.for_objects(query.n_objects)
    deadline = Deadline(inf if policy.max_seconds is None else policy.max_seconds, clock=clock)
    given = TimeGiven(deadline)
    do = partial(run, query=query, policy=policy, make_rng=make_rng, deadline=deadline)
    try:
        plan = choose(query, policy, given)
        while (found := _run_in_time(do, plan)) is None:
            given.stopped.add((plan.method, plan.guarantee))
            plan = _plan_that_looks(query, policy, given)
    except (CostError, UnsupportedError):
        if not deadline.is_set:
            raise
        plan, found = _in_no_time(query, policy, make_rng, clock)
    with suppress(OutOfTimeError):
        found = _with_second(found, plan, policy, given, do)
    if not policy.accepts(found.guarantee):
        raise not_closed(found, policy)
    is_stopped = bool(given.stopped) or deadline.is_over
    more = (*_tolerance_notes(found, stated), *_time_notes(found, plan, policy, is_stopped))
    return replace(found, notes=(*found.notes, *more)) if more else found


def choose(
    query: Query, policy: Policy, given: TimeGiven = AT_LEISURE, *, without: str = ""
) -> Plan:
    """The cheapest plan with the preferred guarantee that fits the budget and the time given.

    The method ``without`` is left out. It is a `CostError` if some method could answer, but not
    within the budget, and an `UnsupportedError` if none gives an acceptable guarantee.
    """
    policy = policy.for_objects(query.n_objects)
    return _complete(_ask(query, policy, given, without)[0], query, policy)


def explain(query: Query, policy: Policy) -> Plan:
    """The plan that `answer` would run, with the alternatives and why they were not chosen.

    Raises as `choose` does.
    """
    policy = policy.for_objects(query.n_objects)
    best, asked = _ask(query, policy)
    complete = _complete(best, query, policy)
    if best.tables <= 1:  # a formula: nothing else comes close
        return complete
    reasons = [
        (method.name, why_not(plan, best, policy))
        for method, _ in _methods_for(query)
        for plan in (asked[method.name] if method.name in asked else _plans(method, query, policy))
        if plan is not best
    ]
    return replace(complete, alternatives=tuple(reasons))


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
    ranked: list[tuple[int, Need | None]] = [
        (policy.rank(guarantee), scope.needs)
        for method in METHODS
        for scope in method.scopes
        if scope.needs in among
        and scope.covers(theory, quantity, structure, has_hard_side=has_hard_side)
        for guarantee in scope.guarantees
        if policy.accepts(guarantee)
    ]
    return min(ranked, key=lambda each: each[0], default=(0, None))[1]


METHODS = all_methods(choose, answer)


def _ask(
    query: Query, policy: Policy, given: TimeGiven = AT_LEISURE, without: str = ""
) -> tuple[Plan, dict[str, list[Plan]]]:
    """The plan to `choose`, and the plans of all methods that were asked.

    Methods are asked in the order of the register. One whose guarantees are not welcome, or that
    cannot beat the guarantee of a plan that fits, is not asked; asking ends where little could be
    gained.
    """
    asked: dict[str, list[Plan]] = {}
    best: Plan | None = None
    for method, scopes in _methods_for(query):
        if method.name == without or not _may_help(method, scopes, best, policy, given):
            continue
        asked[method.name] = made = _plans(method, query, policy, given)
        fitting = [plan for plan in made if refusal(plan, policy) is None and given.allows(plan)]
        known = fitting if best is None else [best, *fitting]
        best = min(known, key=lambda p: (policy.rank(p.guarantee), p.seconds), default=None)
        # A formula, or next to nothing: planning the rest could cost more than running it.
        if any(
            plan.guarantee == policy.guarantees[0] and (plan.tables <= 1 or plan.seconds < _QUICK)
            for plan in fitting
        ):
            break
    if best is None:
        raise nothing_fits([plan for made in asked.values() for plan in made], query, policy)
    return best, asked


def _methods_for(query: Query) -> Iterator[tuple[Method, list[Scope]]]:
    """The methods that answer such questions, each with those of its scopes that hold this one.

    What is only a last resort comes last.
    """
    for is_last in (False, True):
        for method in METHODS:
            some = (scope for scope in method.scopes if scope.is_last_resort == is_last)
            if scopes := [scope for scope in some if scope.holds(query)]:
                yield method, scopes


def _may_help(
    method: Method, scopes: list[Scope], best: Plan | None, policy: Policy, given: TimeGiven
) -> bool:
    """Whether a method may give a welcome guarantee, at least as good as that of the best plan.

    A last resort helps only where there is no plan yet.
    """
    worst = len(policy.guarantees) - 1 if best is None else policy.rank(best.guarantee)
    return any(
        policy.rank(guarantee) <= worst and (method.name, guarantee) not in given.stopped
        for scope in scopes
        if best is None or not scope.is_last_resort
        for guarantee in scope.guarantees
    )


def _plans(
    method: Method, query: Query, policy: Policy, given: TimeGiven = AT_LEISURE
) -> list[Plan]:
    """The plans of a method, as far as there is time to make them."""
    made: list[Plan] = []
    # What reduces a question to others has no other method to give way to.
    is_timed = given.deadline.is_set and not method.asks_others
    try:
        with given.for_planning() if is_timed else nullcontext():
            for plan in method.plan(query, policy):
                made.append(replace(plan, method=method.name))
    except OutOfTimeError:
        if not is_timed:
            raise
        look()  # the question may be part of another one, whose time is over
        missing = {*get_args(Guarantee)} - {plan.guarantee for plan in made}
        given.stopped.update((method.name, guarantee) for guarantee in missing)
    return made


def _complete(plan: Plan, query: Query, policy: Policy) -> Plan:
    """The plan with its question, and with what may follow it, planned only where it is needed."""
    fallback = sharpen = None
    if plan.may_fall_short:
        fallback = partial(_second_plan, query, policy, plan.guarantee, plan.method)
    may_draw = policy.tolerance is not None and policy.accepts("confidence")
    if plan.guarantee == "certified" and may_draw:
        estimates = replace(policy, guarantees=("confidence",))
        sharpen = partial(_second_plan, query, estimates, "confidence", plan.method)
    return replace(plan, question=str(query), fallback=fallback, sharpen=sharpen)


def _second_plan(query: Query, policy: Policy, guarantee: Guarantee, without: str) -> Plan | None:
    """The plan of another method, if the best one has this guarantee."""
    try:
        second = choose(query, policy, without=without)
    except (CostError, UnsupportedError):
        return None
    return second if second.guarantee == guarantee else None


def _run_in_time(do: Runner, plan: Plan) -> Comparison | None:
    """The answer of a plan, or None if it was stopped before it had any."""
    try:
        return do(plan)
    except OutOfTimeError:
        look()  # the question may be part of another one, whose time is over
        return None


def _plan_that_looks(query: Query, policy: Policy, given: TimeGiven) -> Plan:
    """A plan that looks at the deadline; even a wide bracket is better than inner values."""
    sure = replace(policy, guarantees=tuple(g for g in policy.guarantees if g != "inner"))
    given = replace(given, must_look=True)
    try:
        return choose(query, sure, given)
    except (CostError, UnsupportedError):
        return choose(query, policy, given)


def _in_no_time(
    query: Query, policy: Policy, make_rng: MakeRng, clock: Clock
) -> tuple[Plan, Comparison]:
    """Where time is over: a plan that takes next to none, or else the bounds of the measure."""
    plan = choose(query, replace(policy, max_seconds=None))
    bounds = query.objective.bounds
    has_bounds = policy.accepts("certified") and bool(np.isfinite(bounds).all())
    if plan.seconds <= GRACE:
        deadline = Deadline(GRACE if has_bounds else inf, clock=clock)  # it may take longer
        with suppress(OutOfTimeError):
            return plan, run(plan, query, policy, make_rng, deadline)
    if not has_bounds:
        raise CostError(
            f"{plan.method} would take about {duration(plan.seconds)} for {query} "
            f"(max_seconds={policy.max_seconds:g}): raise max_seconds."
        )
    known = Plan(
        guarantee="certified",
        tables=1,
        bytes=0.0,
        seconds=0.0,
        why="there is time for nothing else",
        method="bounds_of_the_measure",
        work=lambda _: answer_by_range(bounds),
    )
    return known, run(known, query, policy, make_rng, Deadline())


def _with_second(
    found: Comparison, plan: Plan, policy: Policy, given: TimeGiven, do: Runner
) -> Comparison:
    """Take a further plan where the first did not keep its promise, if there is time for it."""
    falls_short = found.guarantee != plan.guarantee and plan.fallback is not None
    make = plan.fallback if falls_short else plan.sharpen
    if make is None or given.deadline.is_over:
        return found
    if not falls_short and found.error <= (policy.tolerance or inf):
        return found
    with given.for_planning():
        second = make()
    if second is None or not given.allows(second):
        return found
    if falls_short:
        return do(second)
    if second.error >= found.error:
        return found
    drawn = do(second)
    return replace(_sharper(found, drawn), seconds=drawn.seconds)


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
    return (f"The error {found.error:.2g} is above the tolerance {tolerance:.3g}: {way_out}.",)


def _time_notes(found: Comparison, plan: Plan, policy: Policy, is_stopped: bool) -> tuple[str, ...]:
    """Say that the answer depends on the clock, unless it says so already."""
    if policy.max_seconds is None or found.is_exact:
        return ()
    stated = f"max_seconds={policy.max_seconds:g}"
    is_cut_short = is_stopped or plan.seconds > policy.max_seconds
    if not is_cut_short or any(stated in note for note in found.notes):
        return ()
    return (f"Cut short by {stated}: more time may narrow the brackets.",)
