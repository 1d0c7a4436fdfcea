"""The t-norm min against masses: draw levels evenly, rough partitions at each, and solve them."""

from functools import lru_cache
from math import inf
from typing import final

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.sampling.strata import stratified_draws, stratified_half_width
from sfumato.algorithms.tables.distinct import ROUNDING
from sfumato.algorithms.tables.sampler import FocalSampler
from sfumato.errors import CostError
from sfumato.methods.answers import intervals, sampled_answer
from sfumato.methods.base import Method, Plan, Policy, Progress
from sfumato.methods.blocks import draw_in_blocks
from sfumato.methods.draw_brackets import (
    OuterEnds,
    bracket_block,
    bracket_seconds,
    draw_brackets,
    is_bracketable,
    outer_ends,
)
from sfumato.methods.extremes import has_brackets, is_solvable, solve_ends, solve_seconds
from sfumato.methods.sampling import (
    gap_notes,
    largest_step,
    outer_distribution_note,
    shortfall_notes,
)
from sfumato.partitions.possibilistic import PossibilisticPartition
from sfumato.query import Query
from sfumato.results.comparison import Comparison

__all__ = ["DrawAtLevels"]


_BLOCK = 256
_DEFAULT_DRAWS = 10_000
_FEWEST_DRAWS = 100
_MOST_DRAWS = 1e8
_MOST_CLUSTERS = 12
_SECONDS = 2.0  # about, where no number of draws is asked for
_NODES_SHARE = 100  # each of many searches gets this part of the nodes of a single one
_OBJECTS_KEPT = 10_000_000  # of the cuts at levels met before


@final
class DrawAtLevels(Method):
    """Stratify over the levels of the possibilistic side; given a level, draw and solve.

    One level holds for all objects of the possibilistic side, so its objects are dependent, and
    inequalities for independent objects hold given the level only; the levels of a block are drawn
    one from each of as many strata of equal mass as the block has draws.
    """

    name = "draw_at_levels"

    def plan(self, query: Query, policy: Policy) -> Plan | None:
        """Applies to min against fuzzy or evidential, by a measure with a known structure."""
        if query.theory != "levels" or policy.nested or not _is_known(query):
            return None
        n_levels, widest = query.widest_level()
        is_solved = _is_solved(query)
        seconds_each = solve_seconds(widest) if is_solved else bracket_seconds(widest)
        seconds_per_level = 1e-3 + 1e-7 * query.n_objects
        draws = _planned_draws(query, policy, seconds_each + seconds_per_level)
        is_bounded = _half_width(query, policy, draws) < inf
        return Plan(
            query,
            policy,
            method=self.name,
            guarantee="confidence" if is_bounded else "inner",
            tables=2 * draws,
            bytes=64.0 * query.n_objects * min(n_levels, draws),
            seconds=draws * seconds_each + min(n_levels, draws) * seconds_per_level,
            why=f"{draws:,} random rough partitions at evenly spread levels, each "
            + ("solved exactly" if _is_exact(query) else "bracketed"),
            n_samples=draws,
        )

    def run(
        self,
        plan: Plan,
        *,
        rng: np.random.Generator,
        deadline: float | None,
        progress: Progress,
    ) -> Comparison:
        """Draw in blocks, solve, and average the two ends."""
        query, policy = plan.query, plan.policy
        levels, _ = query.levels()
        solve = _solve if _is_solved(query) else _bracket

        @lru_cache(maxsize=1 + _OBJECTS_KEPT // query.n_objects)
        def at_level(level: float) -> Query:
            return query.at_level(level)

        def block(size: int, seed: np.random.SeedSequence) -> OuterEnds:
            level_seed, draw_seed = seed.spawn(2)
            drawn = _drawn_levels(levels, size, level_seed)
            numbers = np.flatnonzero(drawn).tolist()
            parts = [
                solve(at_level(float(levels[at])), int(drawn[at]), child, policy)
                for at, child in zip(numbers, draw_seed.spawn(len(numbers)), strict=True)
            ]
            lows, highs, low_gaps, high_gaps = (
                np.concatenate(side) for side in zip(*parts, strict=True)
            )
            return lows, highs, low_gaps, high_gaps

        assert plan.n_samples is not None
        blocks = draw_in_blocks(
            block,
            plan.n_samples,
            rng=rng,
            threads=policy.threads,
            deadline=deadline,
            progress=progress,
            block=_BLOCK,
        )
        lows, highs, low_gaps, high_gaps = (
            np.concatenate(side) for side in zip(*blocks, strict=True)
        )
        error = _half_width(query, policy, len(lows))
        gaps = float(low_gaps.mean()), float(high_gaps.mean())
        return sampled_answer(
            plan,
            (lows, highs, np.ones(len(lows))),
            guarantee=plan.guarantee,
            n_samples=len(lows),
            half_width=error,
            gaps=gaps,
            distribution=intervals(lows, highs),
            notes=(
                *gap_notes(*gaps, is_solved=_is_exact(query)),
                *shortfall_notes(plan, len(lows), error),
                *_distribution_notes(plan, len(lows), is_outer=max(gaps) > ROUNDING),
            ),
        )


def _is_known(query: Query) -> bool:
    return _is_solved(query) or is_bracketable(query.widest_level()[1])


def _is_solved(query: Query) -> bool:
    # At some levels one side may be certain and at others not: both must be within reach.
    if not 1 < min(query.shape) <= max(query.shape) <= _MOST_CLUSTERS:
        return False
    return max(query.shape) < query.n_objects and has_brackets(query.widest_level()[1])


def _is_exact(query: Query) -> bool:
    """Whether searches close, given enough nodes; others are brackets by a distance at best."""
    return _is_solved(query) and is_solvable(query.widest_level()[1])


def _drawn_levels(levels: Floats, size: int, seed: np.random.SeedSequence) -> Ints:
    """How often each level is drawn when one comes from each of ``size`` equal strata."""
    within = np.random.default_rng(seed).random(size)
    alphas = (np.arange(size) + 1.0 - within) / size  # in (0, 1]
    # The cut at alpha is that at the lowest level not below it; levels descend.
    at = np.searchsorted(-levels, -alphas, side="right") - 1
    return np.bincount(at, minlength=len(levels)).astype(np.int64)


def _solve(query: Query, n_draws: int, seed: np.random.SeedSequence, policy: Policy) -> OuterEnds:
    """Both ends of rough partitions drawn at one level, and by how much each may be too far out."""
    counts = FocalSampler(query.focal_model, n_draws).draw(n_draws, seed)
    found = solve_ends(query, counts, max_nodes=policy.max_nodes // _NODES_SHARE, threads=1)
    return outer_ends(found)


def _bracket(query: Query, n_draws: int, seed: np.random.SeedSequence, policy: Policy) -> OuterEnds:
    """The same where no solver reaches, in blocks that fit in memory."""
    block = bracket_block(query)
    sizes = [min(block, n_draws - at) for at in range(0, n_draws, block)]
    parts = [
        draw_brackets(query, size, child)
        for size, child in zip(sizes, seed.spawn(len(sizes)), strict=True)
    ]
    lows, highs, low_gaps, high_gaps = (np.concatenate(side) for side in zip(*parts, strict=True))
    return lows, highs, low_gaps, high_gaps


def _n_open(query: Query) -> int:
    """Objects of which the side without levels leaves several sets open."""
    side = query.b if isinstance(query.a, PossibilisticPartition) else query.a
    statements = side.statements()
    return int((np.diff(statements.starts)[statements.codes] > 1).sum())


def _half_width(query: Query, policy: Policy, n_draws: int) -> float:
    lowest, highest = query.bounds
    return stratified_half_width(
        n_draws,
        -(-n_draws // _BLOCK),
        spread=highest - lowest,
        step=largest_step(query),
        n_objects=_n_open(query),
        confidence=policy.confidence,
        n_means=2,
    )


def _planned_draws(query: Query, policy: Policy, seconds_each: float) -> int:
    if policy.n_samples is not None:
        return int(policy.n_samples)
    lowest, highest = query.bounds
    draws = _DEFAULT_DRAWS
    if policy.tolerance is not None and highest - lowest < inf:
        draws = stratified_draws(
            policy.tolerance,
            _BLOCK,
            spread=highest - lowest,
            step=largest_step(query),
            n_objects=_n_open(query),
            confidence=policy.confidence,
            n_means=2,
        )
        if policy.max_draws_of_objects == inf:  # the tolerance is a demand, not a wish
            if draws > _MOST_DRAWS:
                raise CostError(
                    f"A tolerance of {policy.tolerance:g} needs {draws:.2g} draws "
                    f"({_MOST_DRAWS:.0e} at most): use a larger tolerance, or engine=Exact()."
                )
            return draws
    affordable = min(policy.max_draws_of_objects / query.n_objects, _SECONDS / seconds_each)
    return int(max(_FEWEST_DRAWS, min(draws, affordable)))


def _distribution_notes(plan: Plan, n_draws: int, *, is_outer: bool) -> tuple[str, ...]:
    if plan.query.quantity != "distribution":
        return ()
    plain = stratified_half_width(
        n_draws,
        n_draws,
        spread=1.0,
        step=inf,
        n_objects=1,
        confidence=plan.policy.confidence,
        n_means=1,
    )
    if is_outer:
        return (outer_distribution_note(n_draws, plain, plan.policy.confidence),)
    return (
        f"The distribution is that of {n_draws:,} draws: each of its cumulative probabilities is "
        f"within {plain:.3g} of the truth at {plan.policy.confidence:.0%}.",
    )
