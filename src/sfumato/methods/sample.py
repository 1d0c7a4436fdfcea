"""Draw from both partitions, and summarise what is found (paper, section 3.3)."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from math import inf
from typing import final

import numpy as np

from sfumato.algorithms.ends.found_ends import Budget
from sfumato.algorithms.ends.solve import has_brackets, is_solvable, solve_seconds
from sfumato.algorithms.possibility.t_norms import combine
from sfumato.algorithms.sampling.blocks import Run, draw_in_blocks
from sfumato.algorithms.sampling.concentration import line_half_width
from sfumato.algorithms.sampling.sources.clusterings import (
    DrawnEnds,
    clustering_source,
    nested_ends,
    random_values,
    steps_per_value,
)
from sfumato.algorithms.sampling.sources.possibilities import MOST_ENTRIES, possible_draws
from sfumato.algorithms.sampling.sources.solved import given_ends, given_values
from sfumato.algorithms.sampling.strata import at_random_levels, joined
from sfumato.errors import CostError
from sfumato.families import FAMILY_KINDS
from sfumato.methods.base import Method, Scope
from sfumato.question.draws import MeanOfDraws, answer_of_draws, answer_of_seen, prior_of
from sfumato.question.levels import cached_cuts, levels_of, typical_levels
from sfumato.question.plan import Plan, Policy
from sfumato.question.query import Query
from sfumato.question.rough_draws import ENOUGH_DRAWS, NODES_SHARE, LevelDraws, RoughDraws
from sfumato.results.answers import Answer, intervals, possibilities_of_values

__all__ = ["Sample"]

_MANY_DRAWS, _NESTED_DRAWS = 10_000, 1000  # where no number and no tolerance is asked for
_USED_SHARE = 0.25  # with a tolerance, bets end most of many draws early
_FEWEST_DRAWS = 10  # where each is dear
_SECONDS, _MOST_SECONDS = 5.0, 10.0  # about, where no number of draws is asked for
_VALUES_AT_ONCE, _NESTED_AT_ONCE = 1024, 64
_CELLS_AT_ONCE = 1 << 24  # of the tables of a block, however many clusters there are


@final
class Sample(Method):
    """Draw until the means are known well enough, or as often as asked.

    From fuzzy partitions come clusterings, whose mean value is the expectation. From evidential
    ones come rough partitions, each with both ends: solved, or listed, or bracketed. A
    possibilistic side read with min is a rough one at a random level; one level holds for all
    objects, so levels are spread evenly over strata. The means come with brackets, unless the
    measure has no finite range. A summary holds such draws, made while the objects were there.

    Else clusterings are drawn and the ends of what is seen are kept, so that the true ends lie
    further out. A rough partition gives the smallest and largest value. A few clusterings of each
    drawn rough partition give the means of such ends (the paper's nested sampling), whose bias
    vanishes only as the number of inner draws grows. A joint possibility by product or Lukasiewicz
    gives the largest possibility seen of each value.
    """

    name = "sample"
    cost = "the draws, each with a value, two searches, one relaxation, or draws of its own"
    scopes = (
        Scope(theories=("fuzzy", "evidential"), guarantees=("confidence", "inner")),
        Scope(theories=("levels",), guarantees=("confidence", "inner"), families=FAMILY_KINDS),
        Scope(theories=("rough", "levels", "possibilistic"), guarantees=("inner",)),
        Scope(
            theories=("fuzzy", "evidential"),
            guarantees=("confidence", "inner"),
            quantities=("expectation", "distribution"),
            needs="draws",
        ),
    )

    def plan(self, query: Query, policy: Policy) -> Iterator[Plan]:
        """Draw in blocks, find what is sought of each draw, and average it or keep the ends."""
        if query.kept is not None:
            yield _plan_given(query, policy)
        elif query.theory in ("fuzzy", "rough"):
            yield _plan_clusterings(query, policy)
        elif query.theory == "possibilistic" and query.t_norm != "min":
            yield _plan_possibilities(query, policy)
        else:
            means = None
            if not policy.nested and query.theory != "possibilistic":
                plan = _plan_levels if query.theory == "levels" else _plan_rough_partitions
                means = plan(query, policy)
            if means is not None:
                yield means
            if _may_nest(query, policy, means):
                yield _plan_nested(query, policy)


# Clusterings: the mean of their values, or the smallest and the largest.


def _plan_clusterings(query: Query, policy: Policy) -> Plan:
    objects, steps = query.joint.objects_per_draw, steps_per_value(query.objective)
    mean = MeanOfDraws.planned(query, policy, objects=objects + steps, default=_MANY_DRAWS)
    draws, is_rough = mean.n_draws, query.theory == "rough"
    share = _USED_SHARE if policy.tolerance is not None and draws > _MANY_DRAWS else 1.0
    seconds_each = 1e-6 + 1e-8 * objects + 3e-8 * steps
    return Plan(
        guarantee="inner" if is_rough else mean.guarantee,
        tables=draws,
        bytes=8.0 * draws + 8.0 * _VALUES_AT_ONCE * query.objective.n_cells,
        seconds=share * draws * seconds_each,
        why=f"{draws:,} random clusterings stand for all of them",
        n_samples=draws,
        shortest=seconds_each,
        error=inf if is_rough else mean.error,
        work=partial(_clusterings, mean, seconds_each),
    )


def _clusterings(mean: MeanOfDraws, seconds_each: float, run: Run) -> Answer:
    objective, joint = mean.query.objective, mean.query.joint
    if mean.query.theory == "rough":
        block = mean.policy.block(_VALUES_AT_ONCE, seconds_each)
        draw = random_values(objective, joint.focal_model)
        blocks = draw_in_blocks(draw, mean.n_draws, run, block=block)
        return answer_of_seen(mean, np.concatenate(blocks))
    drawn = joint.product_rows or joint.focal_model
    source = clustering_source(objective, drawn, joint.probabilities, mean.n_draws)
    return mean.of(source._replace(block=mean.policy.block(source.block, seconds_each)), run)


# Tables that a summary holds. Each counts all objects, so it says as much as a draw in memory.


def _plan_given(query: Query, policy: Policy) -> Plan:
    kept, objective, is_precise = query.joint.kept, query.objective, query.theory == "fuzzy"
    assert kept is not None
    assert kept.draws is not None
    types, draws = kept.draws.set_types(), kept.draws.n_draws
    is_solved = is_precise or has_brackets(objective, types)
    if not is_solved and objective.family is None:
        raise CostError(
            f"{query.measure.name} has no known structure, so the ends of a drawn rough "
            "partition cannot be found: use compare on the partitions themselves."
        )
    seconds = solve_seconds(objective, has_hard_side=query.has_hard_side) if is_solved else 0.1
    mean = MeanOfDraws(query, replace(policy, n_samples=draws), prior_of(query), draws)
    nodes = policy.max_nodes // min(draws, NODES_SHARE)

    def work(run: Run) -> Answer:
        if is_precise:
            return mean.of(given_values(objective, types), run)
        source = given_ends(objective, types, Budget(nodes, policy.n_threads, run.deadline))
        return mean.of(source, run, is_solved=is_solvable(objective, types))

    return Plan(
        guarantee=mean.guarantee,
        tables=2 * draws,
        bytes=64.0 * types.counts.size,
        seconds=draws * (1e-5 if is_precise else seconds),
        why=f"{draws:,} tables were drawn while the objects were there",
        n_samples=draws,
        error=mean.error,
        work=work,
    )


# Means of both ends of drawn rough partitions.


def _plan_rough_partitions(query: Query, policy: Policy) -> Plan | None:
    drawn = RoughDraws.of(query, policy)
    if drawn is None:
        return None
    objects, reach, seconds_each = query.joint.objects_per_draw, drawn.reach, drawn.seconds_each
    mean = MeanOfDraws.planned(query, policy, objects=objects, default=_MANY_DRAWS)
    if policy.n_samples is None:
        affordable = policy.max_tables / reach if drawn.is_listed else inf
        is_quick = policy.tolerance is None and not drawn.is_solved
        if is_quick or not policy.tolerance_is_demand:
            affordable = min(affordable, _SECONDS / seconds_each)
        fewest = max(_FEWEST_DRAWS, min(ENOUGH_DRAWS, _MOST_SECONDS / seconds_each))
        mean = replace(mean, n_draws=int(max(fewest, min(mean.n_draws, affordable))))
    draws = mean.n_draws

    def work(run: Run) -> Answer:
        return mean.of(drawn.source(draws, run.deadline), run, is_solved=drawn.is_solved)

    return Plan(
        guarantee=mean.guarantee,
        tables=draws * reach,
        lists_tables=drawn.is_listed,
        bytes=1024 * min(reach, policy.max_tables) * 64,
        seconds=draws * (1e-8 * objects + seconds_each),
        why=f"{draws:,} random rough partitions stand for all, each "
        + ("solved exactly" if drawn.is_solved else "bracketed"),
        n_samples=draws,
        shortest=0.0 if drawn.is_searched else seconds_each,
        error=mean.error,
        work=work,
    )


def _plan_levels(query: Query, policy: Policy) -> Plan | None:
    """The same at random levels of a possibilistic side."""
    drawn = LevelDraws.planned(query, policy)
    if drawn is None:
        return None
    return Plan(
        guarantee=drawn.guarantee,
        tables=2 * drawn.n_draws,
        bytes=64.0 * query.n_objects * drawn.n_levels,
        seconds=drawn.seconds,
        why=f"{drawn.n_draws:,} random rough partitions at evenly spread levels, each "
        + ("solved exactly" if drawn.is_solved else "bracketed"),
        n_samples=drawn.n_draws,
        shortest=drawn.shortest,
        error=drawn.error,
        work=drawn.answer,
    )


# Nested: the smallest and the largest of a few clusterings of each drawn rough partition.


def _may_nest(query: Query, policy: Policy, means: Plan | None) -> bool:
    """Whether nested draws are asked for, or may be all there is, and can be made."""
    is_last = query.theory != "evidential" and (means is None or means.guarantee == "inner")
    if policy.nested is False and not is_last:
        return False
    cuts = [query] if query.theory == "evidential" else typical_levels(query)
    return not any(cut.joint.is_wide for cut in cuts)


def _plan_nested(query: Query, policy: Policy) -> Plan:
    n_inner, n_cells = policy.n_inner, query.objective.n_cells
    is_evidential = query.theory == "evidential"
    objects = query.joint.objects_per_draw if is_evidential else query.n_objects
    work = max(objects, n_cells) * n_inner  # tables are filled, and then read
    mean = MeanOfDraws.planned(
        query, policy, objects=work, default=_NESTED_DRAWS, confidence=policy.confidence
    )
    if policy.n_samples is None and not policy.tolerance_is_demand:
        affordable = max(_NESTED_AT_ONCE, int(policy.max_draws_of_objects / work))
        mean = replace(mean, n_draws=min(mean.n_draws, affordable))
    draws = mean.n_draws
    block = max(1, min(_NESTED_AT_ONCE, _CELLS_AT_ONCE // (n_inner * n_cells)))
    seconds_each = n_inner * (1e-6 + 1e-8 * max(objects, n_cells))
    block = policy.block(block, seconds_each)
    return Plan(
        guarantee="inner",
        tables=draws * n_inner,
        bytes=8.0 * block * n_inner * n_cells,
        seconds=draws * seconds_each,
        why=f"{draws:,} random rough partitions, {n_inner} random clusterings of each",
        n_samples=draws,
        shortest=seconds_each,
        error=inf,
        work=partial(_nested_means, mean, block),
    )


def _nested_means(mean: MeanOfDraws, block: int, run: Run) -> Answer:
    query, n_inner = mean.query, mean.policy.n_inner
    if query.theory == "evidential":
        draw = nested_ends(query.objective, query.joint.focal_model, n_inner)
    else:
        cut = cached_cuts(query)

        def at_one_level(level: float, size: int, seed: np.random.SeedSequence) -> DrawnEnds:
            at = cut(level)
            return nested_ends(at.objective, at.joint.focal_model, n_inner)(size, seed)

        draw = at_random_levels(levels_of(query)[0], at_one_level, run.deadline)
    lows, highs = joined(draw_in_blocks(draw, mean.n_draws, run, block=block))
    return answer_of_draws(
        query,
        mean.policy,
        "inner",
        (lows, highs, np.ones(len(lows))),
        intervals(lows, highs),
        n_draws=len(lows),
        planned=mean.n_draws,
        error=line_half_width(mean.error, mean.n_draws, len(lows)),
        notes=(
            f"Nested sampling ({len(lows):,} rough partitions, {n_inner} clusterings of each) is "
            "biased inward: the true interval is wider, but for the chance error of the draws.",
        ),
    )


# The largest possibility seen of each value, which never exceeds the true one.


def _plan_possibilities(query: Query, policy: Policy) -> Plan:
    draws = policy.n_samples or _MANY_DRAWS
    seconds_each = 1e-6 + 2e-8 * query.n_objects
    return Plan(
        guarantee="inner",
        tables=draws,
        bytes=8.0 * MOST_ENTRIES,
        seconds=draws * seconds_each,
        why=f"{draws:,} random clusterings, each with its possibility",
        n_samples=draws,
        shortest=seconds_each,
        error=inf,
        work=partial(_seen_possibilities, query, policy, draws, seconds_each),
    )


def _seen_possibilities(
    query: Query, policy: Policy, draws: int, seconds_each: float, run: Run
) -> Answer:
    choices = query.joint.cell_choices(partial(combine, query.t_norm))
    draw, most_possible, block = possible_draws(query.objective, choices, query.t_norm)
    blocks = draw_in_blocks(draw, draws, run, block=policy.block(block, seconds_each))
    n_drawn = sum(len(values) for values, _ in blocks)
    values, possibilities = joined([*blocks, most_possible])
    possible = possibilities > 0.0
    seen = possibilities_of_values(values[possible], possibilities[possible])
    found = replace(seen, is_complete=False)
    return answer_of_draws(
        query,
        policy,
        "inner",
        found.ends,
        found,
        n_draws=n_drawn,
        planned=draws,
        notes=(
            f"Sampled: possibilities are the largest seen in {n_drawn:,} draws; the true "
            "interval may be wider.",
        ),
    )
