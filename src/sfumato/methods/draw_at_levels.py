"""The t-norm min against masses: draw levels evenly, rough partitions at each, and solve them."""

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from math import inf
from typing import NamedTuple, TypeAlias, final

import numpy as np

from sfumato._typing import Guarantee
from sfumato.algorithms.ends.solve import has_brackets, is_solvable, solve_seconds, solve_types
from sfumato.algorithms.ends.weighted import Budget
from sfumato.algorithms.sampling.blocks import Run, draw_in_blocks
from sfumato.algorithms.sampling.bracketed_draws import (
    BracketedEnds,
    bracket_block,
    bracket_seconds,
    draw_brackets,
    is_bracketable,
    outer_ends,
)
from sfumato.algorithms.sampling.concentration import hoeffding_half_width, line_half_width
from sfumato.algorithms.sampling.prior import largest_step
from sfumato.algorithms.sampling.strata import drawn_levels, stratified_draws, stratified_half_width
from sfumato.algorithms.tables.distinct import ROUNDING
from sfumato.errors import CostError
from sfumato.families import FAMILY_KINDS
from sfumato.methods.base import Method, Scope
from sfumato.partitions.possibilistic import PossibilisticPartition
from sfumato.question.draws import (
    gap_notes,
    mean_confidence,
    outer_distribution_note,
    shortfall_notes,
)
from sfumato.question.levels import at_level, levels_of, widest_level
from sfumato.question.plan import Plan, Policy
from sfumato.question.query import Query
from sfumato.results.answers import Answer, intervals, sampled_answer

__all__ = ["DrawAtLevels"]

_BLOCK = 256
_DEFAULT_DRAWS = 10_000
_FEWEST_DRAWS = 100
_MOST_DRAWS = 1e8
_MOST_CLUSTERS = 12
_SECONDS = 2.0  # about, where no number of draws is asked for
_NODES_SHARE = 100  # each of many searches gets this part of the nodes of a single one
_OBJECTS_KEPT = 10_000_000  # of the cuts at levels met before

_DrawEnds: TypeAlias = Callable[[Query, int, np.random.SeedSequence], BracketedEnds]


class _Errors(NamedTuple):
    """What the error of stratified draws depends on."""

    spread: float
    step: float
    n_objects: int  # of which the side without levels leaves several sets open
    confidence: float

    def half_width(self, n_draws: int, planned: int) -> float:
        """Error of the means of both ends of so many draws, where some number was planned."""
        return stratified_half_width(n_draws, planned, _BLOCK, **self._asdict(), n_means=2)

    def draws_for(self, tolerance: float) -> int:
        """Draws whose error is at most the tolerance."""
        return stratified_draws(tolerance, _BLOCK, **self._asdict(), n_means=2)


@final
class DrawAtLevels(Method):
    """Stratify over the levels of the possibilistic side; given a level, draw and solve.

    One level holds for all objects of the possibilistic side, so its objects are dependent, and
    inequalities for independent objects hold given the level only; the levels of a block are drawn
    one from each of as many strata of equal mass as the block has draws.
    """

    name = "draw_at_levels"
    cost = "the draws, each with two searches or one relaxation"
    scopes = (
        Scope(
            theories=("levels",),
            guarantees=("confidence", "inner"),
            families=FAMILY_KINDS,
        ),
    )

    def plan(self, query: Query, policy: Policy) -> Iterator[Plan]:
        """Draw in blocks, find both ends of each draw, and average them."""
        if policy.nested:
            return
        n_levels, widest = widest_level(query)
        is_solved = _is_solved(query, widest)
        sides = widest.joint.drawn_sides
        if not is_solved and not is_bracketable(widest.objective, sides):
            return
        is_exact = is_solved and is_solvable(widest.objective, widest.joint.set_types)
        seconds_each = (
            solve_seconds(widest.objective, has_hard_side=widest.has_hard_side)
            if is_solved
            else bracket_seconds(widest.objective, sides)
        )
        seconds_per_level = 1e-3 + 1e-7 * query.n_objects
        objective = query.objective
        errors = _Errors(
            objective.spread,
            largest_step(objective),
            _n_open(query),
            mean_confidence(query, policy),
        )
        draws = _planned_draws(query, policy, errors, seconds_each + seconds_per_level)
        error = errors.half_width(draws, draws)
        guarantee: Guarantee = "confidence" if error < inf else "inner"
        budget = Budget(policy.max_nodes // _NODES_SHARE, threads=1)
        draw = partial(_solve, budget) if is_solved else _bracket
        yield Plan(
            guarantee=guarantee,
            tables=2 * draws,
            bytes=64.0 * query.n_objects * min(n_levels, draws),
            seconds=draws * seconds_each + min(n_levels, draws) * seconds_per_level,
            why=f"{draws:,} random rough partitions at evenly spread levels, each "
            + ("solved exactly" if is_exact else "bracketed"),
            n_samples=draws,
            error=error,
            work=lambda run: _answer(query, policy, guarantee, draw, errors, draws, is_exact, run),
        )


def _answer(
    query: Query,
    policy: Policy,
    guarantee: Guarantee,
    draw: _DrawEnds,
    errors: _Errors,
    draws: int,
    is_exact: bool,
    run: Run,
) -> Answer:
    levels, _ = levels_of(query)

    @lru_cache(maxsize=1 + _OBJECTS_KEPT // query.n_objects)
    def cut(level: float) -> Query:
        return at_level(query, level)

    def block(size: int, seed: np.random.SeedSequence) -> BracketedEnds:
        level_seed, draw_seed = seed.spawn(2)
        drawn = drawn_levels(levels, size, level_seed)
        numbers = np.flatnonzero(drawn).tolist()
        return _joined(
            [
                draw(cut(float(levels[at])), int(drawn[at]), child)
                for at, child in zip(numbers, draw_seed.spawn(len(numbers)), strict=True)
            ]
        )

    lows, highs, low_gaps, high_gaps = _joined(draw_in_blocks(block, draws, run, block=_BLOCK))
    error = errors.half_width(len(lows), draws)
    gaps = float(low_gaps.mean()), float(high_gaps.mean())
    is_outer = max(gaps) > ROUNDING
    return sampled_answer(
        query.quantity,
        guarantee,
        (lows, highs, np.ones(len(lows))),
        query.objective.bounds,
        n_samples=len(lows),
        half_width=error,
        confidence=policy.confidence,
        gaps=gaps,
        distribution=intervals(lows, highs),
        notes=(
            *gap_notes(*gaps, is_solved=is_exact),
            *shortfall_notes(query, policy, draws, len(lows), error),
            *_distribution_notes(query, policy, len(lows), draws, is_outer=is_outer),
        ),
    )


def _joined(parts: list[BracketedEnds]) -> BracketedEnds:
    lows, highs, low_gaps, high_gaps = (np.concatenate(side) for side in zip(*parts, strict=True))
    return lows, highs, low_gaps, high_gaps


def _is_solved(query: Query, widest: Query) -> bool:
    # At some levels one side may be certain and at others not: both must be within reach.
    shape = query.objective.shape
    if not 1 < min(shape) <= max(shape) <= _MOST_CLUSTERS:
        return False
    return max(shape) < query.n_objects and has_brackets(widest.objective, widest.joint.set_types)


def _solve(
    budget: Budget, query: Query, n_draws: int, seed: np.random.SeedSequence
) -> BracketedEnds:
    """Both ends of rough partitions drawn at one level, and by how much each may be too far out."""
    counts = query.joint.sampler(n_draws).draw(n_draws, seed)
    return outer_ends(solve_types(query.objective, query.joint.types_of(counts), budget))


def _bracket(query: Query, n_draws: int, seed: np.random.SeedSequence) -> BracketedEnds:
    """The same where no solver reaches, in blocks that fit in memory."""
    objective, sides = query.objective, query.joint.drawn_sides
    block = bracket_block(objective, sides)
    sizes = [min(block, n_draws - at) for at in range(0, n_draws, block)]
    return _joined(
        [
            draw_brackets(objective, sides, size, child)
            for size, child in zip(sizes, seed.spawn(len(sizes)), strict=True)
        ]
    )


def _n_open(query: Query) -> int:
    """Objects of which the side without levels leaves several sets open."""
    side = query.b if isinstance(query.a, PossibilisticPartition) else query.a
    statements = side.statements()
    return int((np.diff(statements.starts)[statements.codes] > 1).sum())


def _planned_draws(query: Query, policy: Policy, errors: _Errors, seconds_each: float) -> int:
    if policy.n_samples is not None:
        return int(policy.n_samples)
    draws = _DEFAULT_DRAWS
    if policy.tolerance is not None and errors.spread < inf:
        draws = errors.draws_for(policy.tolerance)
        if policy.tolerance_is_demand:
            if draws > _MOST_DRAWS:
                raise CostError(
                    f"A tolerance of {policy.tolerance:g} needs {draws:.2g} draws "
                    f"({_MOST_DRAWS:.0e} at most): use a larger tolerance, or engine=Exact()."
                )
            return draws
    affordable = min(policy.max_draws_of_objects / query.n_objects, _SECONDS / seconds_each)
    return int(max(_FEWEST_DRAWS, min(draws, affordable)))


def _distribution_notes(
    query: Query, policy: Policy, n_draws: int, planned: int, *, is_outer: bool
) -> tuple[str, ...]:
    """Hoeffding's inequality for the probability of one event, with the other half of the risk."""
    if query.quantity != "distribution":
        return ()
    confidence = mean_confidence(query, policy)
    band = line_half_width(hoeffding_half_width(planned, 1.0, confidence, 1), planned, n_draws)
    if is_outer:
        return (outer_distribution_note(n_draws, band, policy.confidence),)
    return (
        f"The distribution is that of {n_draws:,} draws: each of its cumulative probabilities is "
        f"within {band:.3g} of the truth, and the means within their brackets, at "
        f"{policy.confidence:.0%}.",
    )
