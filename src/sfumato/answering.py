"""From a question to its answer: plan, run, and fall back where a plan falls short."""

import time
from dataclasses import replace
from functools import partial
from typing import cast

import numpy as np

from sfumato._typing import Floats
from sfumato.contributions import contributions
from sfumato.display.progress import progress_bar
from sfumato.engines import Engine
from sfumato.errors import CostError, UnsupportedError
from sfumato.methods.base import Plan, Policy
from sfumato.methods.sampling import half_width
from sfumato.partitions import Partition
from sfumato.planner import choose, method_named
from sfumato.query import Query
from sfumato.results.comparison import Comparison

__all__ = ["answer"]


def answer(query: Query, engine: Engine, rng: np.random.Generator) -> Comparison:
    """Plan, run, and take a second way where the first did not keep its promise.

    Raises
    ------
    CostError
        If no acceptable answer fits the budget.
    UnsupportedError
        If no method gives an acceptable guarantee.
    """
    began = time.monotonic()
    policy = engine.policy()
    plan = choose(query, policy)
    seed = cast(np.random.SeedSequence, rng.bit_generator.seed_seq).spawn(1)[0]
    found = _run(plan, rng, seed, began)
    if found.guarantee != plan.guarantee:  # a search did not close: take another way if it can
        second = _second_plan(plan)
        found = found if second is None else _run(second, rng, seed, began)
    elif _is_too_wide(found, policy) and (drawn := _plan_of_draws(plan, found.error)):
        found = _sharper(found, _run(drawn, rng, seed, began))
    if found.guarantee not in policy.guarantees:
        raise CostError(
            f"{policy.engine} did not close the search within max_nodes={policy.max_nodes:,} and "
            f"max_tables={policy.max_tables:g}: the "
            f"ends lie in [{found.lower_bracket[0]:.6g}, {found.lower_bracket[1]:.6g}] and "
            f"[{found.upper_bracket[0]:.6g}, {found.upper_bracket[1]:.6g}]. Raise the limit "
            "in question, or use engine='auto' for this certified bracket."
        )
    return replace(
        found,
        engine=policy.engine,
        seconds=time.monotonic() - began,
        find_pignistic=partial(_pignistic, query, engine, rng, seed),
        find_contributions=partial(_contributions, query, found, engine, rng, seed),
    )


def _run(
    plan: Plan, rng: np.random.Generator, seed: np.random.SeedSequence, began: float
) -> Comparison:
    limit = plan.policy.max_seconds
    label = f"{plan.query.measure.name}: {plan.method}"
    with progress_bar(label, plan.seconds) as progress:
        return method_named(plan.method).run(
            plan,
            rng=rng if plan.n_samples is None else _child(rng, seed, 0),  # not used without draws
            deadline=None if limit is None else began + limit,
            progress=progress,
        )


def _second_plan(plan: Plan) -> Plan | None:
    """Another plan with the guarantee that the first one did not keep."""
    try:
        second = choose(plan.query, plan.policy, without=plan.method)
    except (CostError, UnsupportedError):
        return None
    return second if second.guarantee == plan.guarantee else None


def _is_too_wide(found: Comparison, policy: Policy) -> bool:
    """Whether brackets that need no draws are wider than the error that estimates aim at."""
    return (
        found.guarantee == "certified"
        and "confidence" in policy.guarantees
        and policy.tolerance is not None
        and found.error > policy.tolerance
    )


def _plan_of_draws(plan: Plan, error: float) -> Plan | None:
    """A plan for an estimate that is expected to have a smaller error, if there is one."""
    policy = replace(plan.policy, guarantees=("confidence",))
    try:
        drawn = choose(plan.query, policy, without=plan.method)
    except (CostError, UnsupportedError):
        return None
    assert drawn.n_samples is not None
    return drawn if half_width(plan.query, policy, drawn.n_samples) < error else None


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
    note = f"The certain brackets of {certified.method} cut the error to {sharpened.error:.2g}."
    return replace(sharpened, notes=(*sharpened.notes, note))


def _child(rng: np.random.Generator, seed: np.random.SeedSequence, at: int) -> np.random.Generator:
    """A generator of the same make from a child of the seed, the same whenever it is asked for."""
    child = np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, at))
    return np.random.Generator(type(rng.bit_generator)(child))


def _pignistic(
    query: Query, engine: Engine, rng: np.random.Generator, seed: np.random.SeedSequence
) -> float:
    first, second = (side.pignistic() for side in query.original)
    fuzzy = Query.of(first, second, query.measure, "expectation")
    return answer(fuzzy, engine, _child(rng, seed, 1)).lower


def _contributions(
    query: Query,
    whole: Comparison,
    engine: Engine,
    rng: np.random.Generator,
    seed: np.random.SeedSequence,
) -> Floats:
    def compare_sides(a: Partition, b: Partition) -> Comparison:
        question = Query.of(a, b, query.measure, "expectation")
        return answer(question, engine, _child(rng, seed, 1))

    return contributions(query, whole, engine.policy(), compare_sides, rng=_child(rng, seed, 2))
