"""Draw clusterings and report the ends of what was seen: inner values (paper, section 3.3)."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from math import inf
from typing import final

import numpy as np

from sfumato.algorithms.possibility.t_norms import combine
from sfumato.algorithms.sampling.blocks import Run, draw_in_blocks
from sfumato.algorithms.sampling.concentration import line_half_width
from sfumato.algorithms.sampling.prior import Prior
from sfumato.algorithms.sampling.sources.clusterings import (
    DrawnEnds,
    nested_ends,
    random_values,
    steps_per_value,
)
from sfumato.algorithms.sampling.sources.possibilities import MOST_ENTRIES, possible_draws
from sfumato.algorithms.sampling.sources.random_levels import at_random_levels, joined
from sfumato.algorithms.tables.distinct import distinct_values
from sfumato.methods.base import Method, Scope
from sfumato.question.draws import expected_error, planned_draws, prior_of, shortfall_notes
from sfumato.question.levels import cached_cuts, levels_of, typical_levels
from sfumato.question.plan import Plan, Policy
from sfumato.question.query import Query
from sfumato.results.answers import Answer, intervals, possibilities_of_values, sampled_answer
from sfumato.results.values import ValueSet

__all__ = ["SampleInner"]

_MANY_DRAWS, _NESTED_DRAWS = 10_000, 1000  # where no number and no tolerance is asked for
_BLOCK, _NESTED_AT_ONCE = 1024, 64
_CELLS_AT_ONCE = 1 << 24  # of the tables of a block, however many clusters there are


@final
class SampleInner(Method):
    """Draw clusterings and keep the ends of their values: the true ends lie further out.

    A rough partition gives the smallest and largest value seen. Rough partitions drawn from an
    evidential one, or cut at random levels, give the means of such ends (the paper's nested
    sampling), whose bias vanishes only as the number of inner draws grows. A joint possibility by
    product or Lukasiewicz gives the largest possibility seen of each value.
    """

    name = "sample_inner"
    cost = "the draws; nested: outer times inner draws"
    scopes = (
        Scope(
            theories=("rough", "evidential", "levels", "possibilistic"),
            guarantees=("inner",),
        ),
    )

    def plan(self, query: Query, policy: Policy) -> Iterator[Plan]:
        """Draw in blocks and keep the ends."""
        if query.theory == "rough":
            yield _plan_seen_ends(query, policy)
        elif query.theory == "possibilistic" and query.t_norm != "min":
            yield _plan_possibilities(query, policy)
        elif not _is_wide(query) and (policy.nested is not False or query.theory != "evidential"):
            yield _plan_nested(query, policy)


def _is_wide(query: Query) -> bool:
    """Whether there is too much to list, at some level if there are any."""
    if query.theory == "evidential":
        return query.joint.is_wide
    return any(cut.joint.is_wide for cut in typical_levels(query))


def _plan_seen_ends(query: Query, policy: Policy) -> Plan:
    objects, steps = query.joint.objects_per_draw, steps_per_value(query.objective)
    draws = planned_draws(
        query,
        prior_of(query),
        policy,
        objects=objects + steps,
        default=_MANY_DRAWS,
        confidence=policy.confidence,
    )
    seconds_each = 1e-6 + 1e-8 * objects + 3e-8 * steps
    return Plan(
        guarantee="inner",
        tables=draws,
        bytes=8.0 * draws + 8.0 * _BLOCK * query.objective.n_cells,
        seconds=draws * seconds_each,
        why=f"{draws:,} random clusterings stand for all of them",
        n_samples=draws,
        shortest=seconds_each,
        error=inf,
        work=partial(_seen_ends, query, policy, draws, policy.block(_BLOCK, seconds_each)),
    )


def _seen_ends(query: Query, policy: Policy, draws: int, block: int, run: Run) -> Answer:
    """The smallest and largest value of clusterings drawn from rough partitions."""
    draw = random_values(query.objective, query.joint.focal_model)
    values = np.concatenate(draw_in_blocks(draw, draws, run, block=block))
    seen = distinct_values(values)[0]
    return sampled_answer(
        query.quantity,
        "inner",
        (seen[:1], seen[-1:], np.ones(1)),
        query.objective.bounds,
        n_samples=len(values),
        confidence=policy.confidence,
        distribution=ValueSet(seen, is_complete=False),
        notes=(
            f"Sampled: the ends are the smallest and largest of {len(values):,} draws; the true "
            "ends may lie further out.",
            *shortfall_notes(query, policy, draws, len(values), 0.0),
        ),
    )


def _plan_nested(query: Query, policy: Policy) -> Plan:
    n_inner, n_cells = policy.n_inner, query.objective.n_cells
    is_evidential = query.theory == "evidential"
    objects = query.joint.objects_per_draw if is_evidential else query.n_objects
    work = max(objects, n_cells) * n_inner  # tables are filled, and then read
    prior = prior_of(query)
    draws = planned_draws(
        query, prior, policy, objects=work, default=_NESTED_DRAWS, confidence=policy.confidence
    )
    if policy.n_samples is None and not policy.tolerance_is_demand:
        draws = min(draws, max(_NESTED_AT_ONCE, int(policy.max_draws_of_objects / work)))
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
        work=partial(_nested_means, query, policy, prior, draws, block),
    )


def _nested_means(
    query: Query, policy: Policy, prior: Prior, draws: int, block: int, run: Run
) -> Answer:
    """Average the smallest and the largest of a few clusterings of each drawn rough partition."""
    if query.theory == "evidential":
        draw = nested_ends(query.objective, query.joint.focal_model, policy.n_inner)
    else:
        cut = cached_cuts(query)

        def at_one_level(level: float, size: int, seed: np.random.SeedSequence) -> DrawnEnds:
            at = cut(level)
            return nested_ends(at.objective, at.joint.focal_model, policy.n_inner)(size, seed)

        draw = at_random_levels(levels_of(query)[0], at_one_level, run.deadline)
    lows, highs = joined(draw_in_blocks(draw, draws, run, block=block))
    error = line_half_width(expected_error(prior, policy, draws), draws, len(lows))
    return sampled_answer(
        query.quantity,
        "inner",
        (lows, highs, np.ones(len(lows))),
        query.objective.bounds,
        n_samples=len(lows),
        half_width=error,
        confidence=policy.confidence,
        distribution=intervals(lows, highs),
        notes=(
            f"Nested sampling ({len(lows):,} rough partitions, {policy.n_inner} clusterings "
            "of each) is biased inward: the true interval is wider, but for the chance error "
            "of the draws.",
            *shortfall_notes(query, policy, draws, len(lows), inf if error == inf else 0.0),
        ),
    )


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
    """The largest possibility seen of each value, which never exceeds the true one."""
    choices = query.joint.cell_choices(partial(combine, query.t_norm))
    draw, most_possible, block = possible_draws(query.objective, choices, query.t_norm)
    blocks = draw_in_blocks(draw, draws, run, block=policy.block(block, seconds_each))
    n_drawn = sum(len(values) for values, _ in blocks)
    values, possibilities = joined([*blocks, most_possible])
    possible = possibilities > 0.0
    seen = possibilities_of_values(values[possible], possibilities[possible])
    found = replace(seen, is_complete=False)
    return sampled_answer(
        query.quantity,
        "inner",
        found.ends,
        query.objective.bounds,
        n_samples=n_drawn,
        confidence=policy.confidence,
        distribution=found,
        notes=(
            f"Sampled: possibilities are the largest seen in {n_drawn:,} draws; the true "
            "interval may be wider.",
            *shortfall_notes(query, policy, draws, n_drawn, 0.0),
        ),
    )
