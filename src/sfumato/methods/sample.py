"""Draw from both partitions, and summarise what is found (paper, section 3.3)."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from math import inf
from typing import Literal, TypeAlias, final

import numpy as np

from sfumato._typing import Guarantee
from sfumato.algorithms.deadline import Deadline
from sfumato.algorithms.ends.found_ends import Budget
from sfumato.algorithms.ends.solve import has_brackets, is_solvable, solve_seconds
from sfumato.algorithms.sampling.blocks import Run, draw_in_blocks
from sfumato.algorithms.sampling.mean import Source
from sfumato.algorithms.sampling.prior import largest_step
from sfumato.algorithms.sampling.sources.bracketed import (
    BracketedEnds,
    bracket_seconds,
    bracket_source,
    draw_brackets,
    is_bracketable,
)
from sfumato.algorithms.sampling.sources.clusterings import (
    by_cells,
    by_sides,
    clustering_source,
    steps_per_value,
)
from sfumato.algorithms.sampling.sources.random_levels import at_random_levels, joined
from sfumato.algorithms.sampling.sources.solved import ends_by_list, ends_by_search, solved_source
from sfumato.algorithms.sampling.strata import Strata
from sfumato.algorithms.tables.distinct import ROUNDING
from sfumato.algorithms.tables.focal_model import bound_reach
from sfumato.algorithms.tables.sampler import FocalSampler
from sfumato.families import FAMILY_KINDS, Separable
from sfumato.methods.base import Method, Scope
from sfumato.question.draws import (
    MeanOfDraws,
    gap_notes,
    level_notes,
    mean_confidence,
    planned_draws_at_levels,
    shortfall_notes,
)
from sfumato.question.levels import (
    cached_cuts,
    levels_of,
    n_open_beside,
    typical_levels,
    widest_level,
)
from sfumato.question.plan import Plan, Policy
from sfumato.question.query import Query
from sfumato.results.answers import Answer, empirical, intervals, sampled_answer

__all__ = ["Sample"]

_Way: TypeAlias = Literal["solve", "list", "distance", "bracket"]

_MANY_DRAWS, _NESTED_DRAWS = 10_000, 1000  # where no number and no tolerance is asked for
_USED_SHARE = 0.25  # with a tolerance, bets end most of many draws early
_FEWEST_DRAWS, _ENOUGH_DRAWS = 10, 100  # where each is dear
_SECONDS, _MOST_SECONDS = 5.0, 10.0  # about, where no number of draws is asked for
_SECONDS_PER_TABLE = 1e-7  # that is listed
_SECONDS_PER_BLOCK = 0.1  # a limit of time is looked at between blocks
_BLOCK, _BLOCK_OF_MANY, _MANY_OBJECTS = 512, 128, 2000
_LEVELS_AT_ONCE = 256
_MOST_OPEN_CELLS = 1e5  # over all types and their pairs of sets; beyond, no tables are counted
_MOST_CLUSTERS_AT_LEVELS = 12
_CELLS_AT_ONCE = 1 << 24  # of the tables of a block, however many clusters there are
_CELLS_KEPT = 10_000_000  # that the cuts at levels met before leave open
_NODES_SHARE = 100  # each of many searches gets this part of the nodes of a single one


@final
class Sample(Method):
    """Draw until the means are known well enough, or as often as asked.

    From fuzzy partitions come clusterings, whose mean value is the expectation. From evidential
    ones come rough partitions, each with both ends: solved, or listed, or bracketed. A
    possibilistic side read with min is a rough one at a random level; one level holds for all
    objects, so levels are spread evenly over strata. The means come with brackets, unless the
    measure has no finite range.
    """

    name = "sample"
    cost = "the draws, each with a value, two searches or one relaxation"
    scopes = (
        Scope(theories=("fuzzy", "evidential"), guarantees=("confidence", "inner")),
        Scope(theories=("levels",), guarantees=("confidence", "inner"), families=FAMILY_KINDS),
    )

    def plan(self, query: Query, policy: Policy) -> Iterator[Plan]:
        """Draw in blocks, find what is sought of each draw, and average it."""
        if query.theory == "fuzzy":
            yield _plan_clusterings(query, policy)
        elif not policy.nested:
            make = _plan_levels if query.theory == "levels" else _plan_rough_partitions
            if (plan := make(query, policy)) is not None:
                yield plan


# Means of drawn clusterings.


def _plan_clusterings(query: Query, policy: Policy) -> Plan:
    objective = query.objective
    objects, steps = query.joint.objects_per_draw, steps_per_value(objective)
    mean = MeanOfDraws.planned(query, policy, objects=objects + steps, default=_MANY_DRAWS)
    draws = mean.n_draws
    share = _USED_SHARE if policy.tolerance is not None and draws > _MANY_DRAWS else 1.0
    seconds_each = 1e-6 + 1e-8 * objects + 3e-8 * steps
    return Plan(
        guarantee=mean.guarantee,
        tables=draws,
        bytes=8.0 * draws + 8.0 * 1024 * objective.n_cells,
        seconds=share * draws * seconds_each,
        why=f"{draws:,} random clusterings stand for all of them",
        n_samples=draws,
        shortest=seconds_each,
        error=mean.error,
        work=partial(_mean_of_clusterings, mean, seconds_each),
    )


def _mean_of_clusterings(mean: MeanOfDraws, seconds_each: float, run: Run) -> Answer:
    objective, joint = mean.query.objective, mean.query.joint
    drawn = (
        by_cells(joint.focal_model, mean.n_draws)
        if joint.product_rows is None
        else by_sides(*joint.product_rows, objective.n_cells)
    )
    source = clustering_source(objective, drawn, joint.probabilities)
    source = source._replace(block=mean.policy.block(source.block, seconds_each))
    found = mean.estimate(source, run)
    return mean.answer(found, empirical(found.values[:, 0]))


# Means of both ends of drawn rough partitions.


def _plan_rough_partitions(query: Query, policy: Policy) -> Plan | None:
    joint = query.joint
    way = _way(query, policy)
    is_listed = way == "list"
    if is_listed and joint.is_wide:
        return None
    reach = bound_reach(joint.focal_model) if is_listed else 2.0
    seconds_each = _SECONDS_PER_TABLE * reach if is_listed else _seconds_each(query, policy, way)
    objects = joint.objects_per_draw
    mean = MeanOfDraws.planned(query, policy, objects=objects, default=_MANY_DRAWS)
    if policy.n_samples is None:
        affordable = policy.max_tables / reach if is_listed else inf
        is_bracketed = way in ("distance", "bracket")
        if not policy.tolerance_is_demand or (is_bracketed and policy.tolerance is None):
            affordable = min(affordable, _SECONDS / seconds_each)
        fewest = max(_FEWEST_DRAWS, min(_ENOUGH_DRAWS, _MOST_SECONDS / seconds_each))
        mean = replace(mean, n_draws=int(max(fewest, min(mean.n_draws, affordable))))
    draws = mean.n_draws
    return Plan(
        guarantee=mean.guarantee,
        tables=draws * reach,
        lists_tables=is_listed,
        bytes=1024 * min(reach, policy.max_tables) * 64,
        seconds=draws * (1e-8 * objects + seconds_each),
        why=f"{draws:,} random rough partitions stand for all, each "
        + ("solved exactly" if way in ("solve", "list") else "bracketed"),
        n_samples=draws,
        shortest=0.0 if way in ("solve", "distance") else seconds_each,
        error=mean.error,
        work=partial(_means_of_ends, mean, way),
    )


def _means_of_ends(mean: MeanOfDraws, way: _Way, run: Run) -> Answer:
    source = _source_of_ends(mean.query, mean.policy, way, mean.n_draws, run.deadline)
    found = mean.estimate(source, run)
    distribution = None
    if mean.query.quantity == "distribution":
        is_outer = bool(found.gaps.max() > ROUNDING)
        distribution = intervals(*found.values.T, is_outer=is_outer)
    answer = mean.answer(found, distribution)
    gaps = gap_notes(found.gaps[0], found.gaps[-1], is_solved=way in ("solve", "list"))
    return replace(answer, notes=(*gaps, *answer.notes))


def _way(query: Query, policy: Policy) -> _Way:
    """A solver where there is one, a list of all tables where it is short, else brackets.

    These are better where a distance between the two sides can be solved.
    """
    objective, joint = query.objective, query.joint
    if is_solvable(objective, joint.kinds_of_sets):
        # A few draws say less, solved, than many do that are bracketed.
        is_wish = policy.n_samples is None and not policy.tolerance_is_demand
        # Brackets are nearly sharp for information, and for pairs where one side is certain.
        is_sharp = isinstance(objective.family, Separable) and (
            objective.family.psi == "xlogx" or query.has_hard_side
        )
        enough = (10 if is_sharp else 1) * _ENOUGH_DRAWS
        is_dear = is_wish and enough * _seconds_each(query, policy, "solve") > _MOST_SECONDS
        return "bracket" if is_dear and is_bracketable(objective, joint.drawn_sides) else "solve"
    if not is_bracketable(objective, joint.drawn_sides):
        return "list"
    if joint.n_open_cells > _MOST_OPEN_CELLS:
        return "bracket"
    draws = policy.n_samples or _ENOUGH_DRAWS
    if draws * bound_reach(joint.focal_model) <= policy.max_tables:
        return "list"
    return "distance" if has_brackets(objective, joint.kinds_of_sets) else "bracket"


def _source_of_ends(
    query: Query, policy: Policy, way: _Way, n_draws: int, deadline: Deadline
) -> Source:
    joint, objective = query.joint, query.objective
    if way == "bracket":
        source = bracket_source(objective, joint.drawn_sides)
        block = policy.block(source.block, _seconds_each(query, policy, way))
        return source._replace(block=block)
    block = _BLOCK if query.n_objects < _MANY_OBJECTS else _BLOCK_OF_MANY
    if way == "list":
        model = joint.focal_model
        block = policy.block(block, _SECONDS_PER_TABLE * bound_reach(model))
        return solved_source(FocalSampler(model, n_draws), ends_by_list(objective, model), block)
    block = max(1, min(block, int(_SECONDS_PER_BLOCK / _seconds_each(query, policy, way))))
    find_ends = ends_by_search(objective, joint.types_of, _budget_each(policy, deadline))
    return solved_source(joint.sampler(n_draws), find_ends, block)


def _budget_each(policy: Policy, deadline: Deadline) -> Budget:
    return Budget(policy.max_nodes // _NODES_SHARE, 1, deadline)


def _seconds_each(query: Query, policy: Policy, way: _Way) -> float:
    """About the time of one draw: that of its searches, which end with their nodes."""
    objective, joint = query.objective, query.joint
    if way == "bracket":
        return bracket_seconds(objective, joint.drawn_sides)
    nodes = max(1, policy.max_nodes // _NODES_SHARE)
    seconds = solve_seconds(objective, has_hard_side=query.has_hard_side, max_nodes=nodes)
    return seconds + (bracket_seconds(objective, joint.drawn_sides) if way == "distance" else 0.0)


# The same at random levels of a possibilistic side, where objects are independent given the level.


def _plan_levels(query: Query, policy: Policy) -> Plan | None:
    n_levels, widest = widest_level(query)
    is_solved = _is_solved_at_levels(query, widest)
    sides = widest.joint.drawn_sides
    if not is_solved and not is_bracketable(widest.objective, sides):
        return None
    is_exact = is_solved and is_solvable(widest.objective, widest.joint.kinds_of_sets)
    nodes = max(1, policy.max_nodes // _NODES_SHARE)
    seconds_each = (
        solve_seconds(widest.objective, has_hard_side=widest.has_hard_side, max_nodes=nodes)
        if is_solved
        else _bracket_seconds_at_levels(query)
    )
    seconds_per_level = 1e-3 + 1e-7 * query.n_objects
    seconds_per_draw = seconds_each + seconds_per_level
    block = policy.block(_LEVELS_AT_ONCE, seconds_per_draw)
    strata = Strata(
        block,
        query.objective.spread,
        largest_step(widest.objective, *widest.size_limits(0.0)),
        n_open_beside(query),
        mean_confidence(query, policy),
    )
    draws = planned_draws_at_levels(query, policy, strata, seconds_per_draw)
    error = strata.half_width(draws, draws)
    guarantee: Guarantee = "confidence" if error < inf else "inner"
    draw = partial(_solve_at_level, policy) if is_solved else _bracket_at_level
    return Plan(
        guarantee=guarantee,
        tables=2 * draws,
        bytes=64.0 * query.n_objects * min(n_levels, draws),
        seconds=draws * seconds_each + min(n_levels, draws) * seconds_per_level,
        why=f"{draws:,} random rough partitions at evenly spread levels, each "
        + ("solved exactly" if is_exact else "bracketed"),
        n_samples=draws,
        shortest=0.0 if is_solved else block * seconds_per_draw,
        error=error,
        work=lambda run: _means_at_levels(
            query, policy, guarantee, draw, strata, draws, is_exact, run
        ),
    )


def _bracket_seconds_at_levels(query: Query) -> float:
    """About the time of one draw: where most is open many objects may have the same sets."""
    cuts = typical_levels(query)
    return sum(bracket_seconds(cut.objective, cut.joint.drawn_sides) for cut in cuts) / len(cuts)


def _is_solved_at_levels(query: Query, widest: Query) -> bool:
    # At some levels one side may be certain and at others not: both must be within reach.
    shape = query.objective.shape
    if not 1 < min(shape) <= max(shape) <= _MOST_CLUSTERS_AT_LEVELS:
        return False
    kinds = widest.joint.kinds_of_sets
    return max(shape) < query.n_objects and has_brackets(widest.objective, kinds)


def _means_at_levels(
    query: Query,
    policy: Policy,
    guarantee: Guarantee,
    draw: Callable[[Query, Deadline, int, np.random.SeedSequence], BracketedEnds],
    strata: Strata,
    draws: int,
    is_exact: bool,
    run: Run,
) -> Answer:
    cut = cached_cuts(query)
    ends_of_block = at_random_levels(
        levels_of(query)[0],
        lambda level, size, seed: draw(cut(level), run.deadline, size, seed),
        run.deadline,
    )
    blocks = draw_in_blocks(ends_of_block, draws, run, block=strata.block)
    lows, highs, low_gaps, high_gaps = joined(blocks)
    error = strata.half_width(len(lows), draws)
    gaps = float(low_gaps.mean()), float(high_gaps.mean())
    return sampled_answer(
        query.quantity,
        guarantee,
        (lows, highs, np.ones(len(lows))),
        query.objective.bounds,
        n_samples=len(lows),
        half_width=error,
        confidence=policy.confidence,
        gaps=gaps,
        distribution=intervals(lows, highs, is_outer=max(gaps) > ROUNDING),
        notes=(
            *gap_notes(*gaps, is_solved=is_exact),
            *shortfall_notes(query, policy, draws, len(lows), error),
            *level_notes(query, policy, len(lows), draws, gaps),
        ),
    )


def _solve_at_level(
    policy: Policy, query: Query, deadline: Deadline, size: int, seed: np.random.SeedSequence
) -> BracketedEnds:
    counts = query.joint.sampler(size).draw(size, seed)
    budget = _budget_each(policy, deadline)
    return ends_by_search(query.objective, query.joint.types_of, budget)(counts)


def _bracket_at_level(
    query: Query, _: Deadline, size: int, seed: np.random.SeedSequence
) -> BracketedEnds:
    return draw_brackets(query.objective, query.joint.drawn_sides, size, seed)
