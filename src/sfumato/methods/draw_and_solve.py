"""Draw rough partitions from evidential ones and solve each (paper, section 3.3)."""

from collections.abc import Iterator
from functools import partial
from math import inf
from typing import Literal, TypeAlias, final

import numpy as np

from sfumato._typing import Guarantee, Ints
from sfumato.algorithms.ends.relax import relaxed_ends
from sfumato.algorithms.ends.rough_batch import batch_of_types
from sfumato.algorithms.ends.solve import (
    Solved,
    has_brackets,
    is_solvable,
    solve_seconds,
    solve_types,
)
from sfumato.algorithms.ends.weighted import Budget
from sfumato.algorithms.sampling.blocks import Run
from sfumato.algorithms.sampling.bracketed_draws import (
    BracketedEnds,
    bracket_block,
    bracket_seconds,
    draw_brackets,
    is_bracketable,
    outer_ends,
)
from sfumato.algorithms.sampling.control_variates import count_controls, together
from sfumato.algorithms.sampling.mean import Draws, Source, estimate_means
from sfumato.algorithms.sampling.prior import Prior
from sfumato.algorithms.tables.focal_model import bound_reach, reach_tables
from sfumato.algorithms.tables.sampler import FocalSampler
from sfumato.algorithms.tables.table_values import values_of
from sfumato.families import Objective, Ratio
from sfumato.methods.base import Method, Scope
from sfumato.question.draws import (
    estimate_notes,
    expected_error,
    gap_notes,
    goal_of,
    mean_confidence,
    planned_draws,
    prior_of,
)
from sfumato.question.joint import Joint
from sfumato.question.plan import Plan, Policy
from sfumato.question.query import Query
from sfumato.results.answers import Answer, Reached, ends_of, estimated_answer, intervals

__all__ = ["DrawAndSolve"]

_Way: TypeAlias = Literal["solve", "list", "distance", "bracket"]

_DEFAULT_DRAWS = 10_000
_FEWEST_DRAWS, _ENOUGH_DRAWS = 10, 100  # where each is dear
_SECONDS, _MOST_SECONDS = 5.0, 10.0  # about, where no number of draws is asked for
_BLOCK = 512
_SECONDS_PER_NODE = 1e-4
_SECONDS_PER_BLOCK = 0.1
_MANY_OBJECTS = 2000
_MOST_OPEN_CELLS = 1e5  # over all types and their pairs of sets; beyond, no tables are counted
_NEGLIGIBLE = 1e-6  # distance of a bound to what is attained
_NODES_SHARE = 100  # each of many searches gets this part of the nodes of a single one


@final
class DrawAndSolve(Method):
    """Draw pairs of rough partitions by their masses and find the interval of each.

    Exactly where a solver reaches or the tables are few: then the means of the two ends estimate
    the lower and upper expectation without bias. Else the ends of each draw are bracketed, and
    the means of the brackets bracket the expectations.
    """

    name = "draw_and_solve"
    cost = "the draws, each with two searches or one relaxation"
    scopes = (Scope(theories=("evidential",), guarantees=("confidence", "inner")),)

    def plan(self, query: Query, policy: Policy) -> Iterator[Plan]:
        """Draw in blocks, find both ends of each draw, and average them."""
        if policy.nested:
            return
        joint = query.joint
        way = _way(query, policy)
        is_listed = way == "list"
        if is_listed and joint.is_wide:
            return
        reach = bound_reach(joint.focal_model) if is_listed else 2.0
        seconds_each = 1e-7 * reach if is_listed else _seconds_each(query, policy, way)
        prior = prior_of(query)
        objects = joint.objects_per_draw
        draws = planned_draws(
            query,
            prior,
            policy,
            objects=objects,
            default=_DEFAULT_DRAWS,
            confidence=mean_confidence(query, policy),
        )
        if policy.n_samples is None:
            affordable = policy.max_tables / reach if is_listed else inf
            is_bracketed = way in ("distance", "bracket")
            if not policy.tolerance_is_demand or (is_bracketed and policy.tolerance is None):
                affordable = min(affordable, _SECONDS / seconds_each)
            fewest = max(_FEWEST_DRAWS, min(_ENOUGH_DRAWS, _MOST_SECONDS / seconds_each))
            draws = int(max(fewest, min(draws, affordable)))
        error = expected_error(prior, policy, draws)
        guarantee: Guarantee = "confidence" if error < inf else "inner"
        yield Plan(
            guarantee=guarantee,
            tables=draws * reach,
            lists_tables=is_listed,
            bytes=1024 * min(reach, policy.max_tables) * 64,
            seconds=draws * (1e-8 * objects + seconds_each),
            why=f"{draws:,} random rough partitions stand for all, each "
            + ("solved exactly" if way in ("solve", "list") else "bracketed"),
            n_samples=draws,
            error=error,
            work=partial(_answer, query, policy, way, prior, guarantee, draws),
        )


def _answer(
    query: Query,
    policy: Policy,
    way: _Way,
    prior: Prior,
    guarantee: Guarantee,
    draws: int,
    run: Run,
) -> Answer:
    source = _source(query, policy, way, draws)
    found = estimate_means(source, goal_of(query, policy, draws), prior, run)
    is_whole = query.quantity == "distribution"
    is_solved = way in ("solve", "list")
    return estimated_answer(
        guarantee,
        found,
        query.objective.bounds,
        confidence=policy.confidence,
        distribution=intervals(*found.values.T) if is_whole else None,
        notes=(
            *gap_notes(found.gaps[0], found.gaps[-1], is_solved=is_solved),
            *estimate_notes(query, policy, draws, found),
        ),
    )


def _way(query: Query, policy: Policy) -> _Way:
    """A solver where there is one, a list of all tables where it is short, else brackets.

    These are better where a distance between the two sides can be solved.
    """
    objective, joint = query.objective, query.joint
    if is_solvable(objective, joint.set_types):
        # A few draws say less, solved, than many do that are bracketed.
        is_wish = policy.n_samples is None and not policy.tolerance_is_demand
        is_dear = is_wish and _ENOUGH_DRAWS * _seconds_each(query, policy, "solve") > _MOST_SECONDS
        return "bracket" if is_dear and is_bracketable(objective, joint.drawn_sides) else "solve"
    if not is_bracketable(objective, joint.drawn_sides):
        return "list"
    if joint.n_open_cells > _MOST_OPEN_CELLS:
        return "bracket"
    draws = policy.n_samples or _ENOUGH_DRAWS
    if draws * bound_reach(joint.focal_model) <= policy.max_tables:
        return "list"
    return "distance" if has_brackets(objective, joint.set_types) else "bracket"


def _source(query: Query, policy: Policy, way: _Way, n_draws: int) -> Source:
    joint, objective = query.joint, query.objective
    if way == "bracket":
        return _bracket_source(objective, joint)
    sampler = FocalSampler(joint.focal_model, n_draws) if way == "list" else joint.sampler(n_draws)
    counted = None
    if isinstance(sampler, FocalSampler):
        counted = count_controls(joint.focal_model, sampler)
    controls = together([] if counted is None else [counted])
    budget = Budget(policy.max_nodes // _NODES_SHARE, threads=1)
    is_rarely_closed = way == "distance" or isinstance(objective.family, Ratio)

    def sample(size: int, seed: np.random.SeedSequence) -> Draws:
        counts = sampler.draw(size, seed)
        lows, highs, low_gaps, high_gaps = (
            _list(objective, joint, counts)
            if way == "list"
            else _solve(objective, joint, counts, budget, sharpen=is_rarely_closed)
        )
        return Draws(
            np.stack([lows, highs], axis=1),
            controls.of(counts, None),
            np.stack([low_gaps, high_gaps], axis=1),
        )

    block = _BLOCK if query.n_objects < _MANY_OBJECTS else _BLOCK // 4
    if way != "list":  # a limit of time is looked at between blocks
        seconds_each = _seconds_each(query, policy, way)
        block = max(1, min(block, int(_SECONDS_PER_BLOCK / seconds_each)))
    return Source(sample, controls.limits, block)


def _bracket_source(objective: Objective, joint: Joint) -> Source:
    """Draws whose ends are bracketed; without control variates."""
    sides = joint.drawn_sides

    def sample(size: int, seed: np.random.SeedSequence) -> Draws:
        lows, highs, low_gaps, high_gaps = draw_brackets(objective, sides, size, seed)
        return Draws(
            np.stack([lows, highs], axis=1),
            np.zeros((size, 0)),
            np.stack([low_gaps, high_gaps], axis=1),
        )

    return Source(sample, together([]).limits, bracket_block(objective, sides))


def _seconds_each(query: Query, policy: Policy, way: _Way) -> float:
    """About the time of one draw: that of its two searches, which end with their nodes."""
    objective, joint = query.objective, query.joint
    if way == "bracket":
        return bracket_seconds(objective, joint.drawn_sides)
    nodes = max(1, policy.max_nodes // _NODES_SHARE)
    searches = 2 if way == "distance" else _searches(objective)
    seconds = min(
        solve_seconds(objective, has_hard_side=query.has_hard_side),
        searches * nodes * _SECONDS_PER_NODE,
    )
    return seconds + (bracket_seconds(objective, joint.drawn_sides) if way == "distance" else 0.0)


def _searches(objective: Objective) -> int:
    """Searches for both ends of one draw: those of a ratio are repeated."""
    match objective.family:
        case Ratio(power=power):
            return 6 if power == 1.0 else 12
        case _:
            return 2


def _list(objective: Objective, joint: Joint, counts: Ints) -> BracketedEnds:
    """Both ends of each drawn rough partition from all its tables."""
    model = joint.focal_model
    tables, starts, ids = reach_tables(model, counts)
    values = values_of(objective, model.base, model.pairs.labels, tables)
    reached = Reached(values, starts, ids, np.ones(len(counts)))
    lows, highs, _ = ends_of(reached, is_precise=False)
    return lows, highs, np.zeros(len(lows)), np.zeros(len(highs))


def _solve(
    objective: Objective, joint: Joint, counts: Ints, budget: Budget, *, sharpen: bool
) -> BracketedEnds:
    """Both ends of each drawn rough partition, and by how much each may lie too far out."""
    found = solve_types(objective, joint.types_of(counts), budget)
    return outer_ends(_sharpened(objective, joint, counts, found) if sharpen else found)


def _sharpened(objective: Objective, joint: Joint, counts: Ints, found: Solved) -> Solved:
    """Draws that are not solved exactly, no wider than a relaxation has them."""
    gaps = np.maximum(found.lows - found.low_bounds, found.high_bounds - found.highs)
    is_open = gaps > _NEGLIGIBLE
    if not is_open.any():
        return found
    batch = batch_of_types(joint.types_of(counts[is_open]), objective.shape)
    other = relaxed_ends(objective, batch)
    lows, highs = found.lows.copy(), found.highs.copy()
    low_bounds, high_bounds = found.low_bounds.copy(), found.high_bounds.copy()
    lows[is_open] = np.minimum(lows[is_open], other.lows)
    highs[is_open] = np.maximum(highs[is_open], other.highs)
    low_bounds[is_open] = np.maximum(low_bounds[is_open], other.low_bounds)
    high_bounds[is_open] = np.minimum(high_bounds[is_open], other.high_bounds)
    return found._replace(
        lows=lows,
        highs=highs,
        low_bounds=np.minimum(low_bounds, lows),
        high_bounds=np.maximum(high_bounds, highs),
    )
