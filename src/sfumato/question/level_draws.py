"""Rough partitions drawn at random levels of a possibilistic side that is read with min.

Objects are independent given the level. One level holds for all of them, so levels are spread
evenly over strata.
"""

from dataclasses import dataclass
from math import inf
from typing import final

import numpy as np

from sfumato._typing import Guarantee
from sfumato.algorithms.ends.solve import has_brackets, is_solvable
from sfumato.algorithms.sampling.blocks import Run, draw_in_blocks
from sfumato.algorithms.sampling.prior import largest_step
from sfumato.algorithms.sampling.sources.bracketed import (
    BracketedEnds,
    bracket_seconds,
    draw_brackets,
    is_bracketable,
)
from sfumato.algorithms.sampling.sources.random_levels import at_random_levels, joined
from sfumato.algorithms.sampling.sources.solved import ends_by_search
from sfumato.algorithms.sampling.strata import Strata
from sfumato.algorithms.tables.distinct import ROUNDING
from sfumato.question.draw_notes import gap_notes, level_note
from sfumato.question.draws import answer_of_draws, check_affordable
from sfumato.question.levels import (
    cached_cuts,
    levels_of,
    n_open_beside,
    typical_levels,
    widest_level,
)
from sfumato.question.plan import Policy
from sfumato.question.query import Query
from sfumato.question.rough_draws import budget_each, search_seconds
from sfumato.results.answers import Answer, intervals

__all__ = ["LevelDraws"]

_MANY_DRAWS, _ENOUGH_DRAWS, _FEWEST_DRAWS = 10_000, 100, 10
_SECONDS, _MOST_SECONDS = 2.0, 10.0  # about, where no number of draws is asked for
_AT_ONCE = 256
_MOST_CLUSTERS = 12


@final
@dataclass(frozen=True, slots=True)
class LevelDraws:
    """Draws at random levels, of which each has both ends solved or bracketed.

    Ends that ``is_searched`` may be brackets too: of ratios between two soft sides.
    """

    query: Query
    policy: Policy
    strata: Strata
    n_draws: int
    n_levels: int  # that are met, at most
    is_searched: bool
    is_solved: bool
    seconds: float  # about
    shortest: float  # after which they can end: searches look at the deadline

    @classmethod
    def planned(cls, query: Query, policy: Policy) -> "LevelDraws | None":
        """None where ends can be neither searched for nor bracketed."""
        n_levels, widest = widest_level(query)
        objective, joint = widest.objective, widest.joint
        # At some levels one side may be certain and at others not: both must be within reach.
        fewest, most = min(query.objective.shape), max(query.objective.shape)
        is_within_reach = fewest > 1 and most <= _MOST_CLUSTERS and most < query.n_objects
        is_searched = is_within_reach and has_brackets(objective, joint.kinds_of_sets)
        if not is_searched and not is_bracketable(objective, joint.drawn_sides):
            return None
        each = search_seconds(widest, policy) if is_searched else _bracket_seconds(query)
        per_level = 1e-3 + 1e-7 * query.n_objects
        strata = Strata(
            policy.block(_AT_ONCE, each + per_level),
            query.objective.spread,
            largest_step(objective, *widest.size_limits(0.0)),
            n_open_beside(query),
            policy.confidence_of_means(query.quantity),
        )
        n_draws = _n_draws(query, policy, strata, each + per_level)
        n_levels = min(n_levels, n_draws)
        return cls(
            query,
            policy,
            strata,
            n_draws,
            n_levels,
            is_searched,
            is_searched and is_solvable(objective, joint.kinds_of_sets),
            n_draws * each + n_levels * per_level,
            0.0 if is_searched else strata.block * (each + per_level),
        )

    @property
    def error(self) -> float:
        """Of the means, before any draw."""
        return self.strata.half_width(self.n_draws, self.n_draws)

    @property
    def guarantee(self) -> Guarantee:
        """Nothing can be said of the error where the measure has no finite range."""
        return "confidence" if self.error < inf else "inner"

    def answer(self, run: Run) -> Answer:
        """Draw in blocks, and average both ends."""
        query, planned = self.query, self.n_draws
        cut = cached_cuts(query)
        budget = budget_each(self.policy, run.deadline)

        def draw(level: float, size: int, seed: np.random.SeedSequence) -> BracketedEnds:
            at = cut(level)
            if not self.is_searched:
                return draw_brackets(at.objective, at.joint.drawn_sides, size, seed)
            counts = at.joint.sampler(size).draw(size, seed)
            return ends_by_search(at.objective, at.joint.types_of, budget)(counts)

        ends_of_block = at_random_levels(levels_of(query)[0], draw, run.deadline)
        blocks = draw_in_blocks(ends_of_block, planned, run, block=self.strata.block)
        lows, highs, low_gaps, high_gaps = joined(blocks)
        gaps = float(low_gaps.mean()), float(high_gaps.mean())
        is_outer = max(gaps) > ROUNDING
        notes = gap_notes(*gaps, is_solved=self.is_solved)
        if query.quantity == "distribution":
            more = level_note(query, self.policy, len(lows), planned, is_outer=is_outer)
            notes = (*notes, more)
        return answer_of_draws(
            query,
            self.policy,
            self.guarantee,
            (lows, highs, np.ones(len(lows))),
            intervals(lows, highs, is_outer=is_outer),
            n_draws=len(lows),
            planned=planned,
            error=self.strata.half_width(len(lows), planned),
            gaps=gaps,
            notes=notes,
        )


def _bracket_seconds(query: Query) -> float:
    """About the time of one draw: where most is open many objects may have the same sets."""
    cuts = typical_levels(query)
    return sum(bracket_seconds(cut.objective, cut.joint.drawn_sides) for cut in cuts) / len(cuts)


def _n_draws(query: Query, policy: Policy, strata: Strata, seconds_each: float) -> int:
    """As many as asked for, else for the tolerance within the budget."""
    if policy.n_samples is not None:
        return int(policy.n_samples)
    draws = _MANY_DRAWS
    if policy.tolerance is not None and strata.spread < inf:
        draws = strata.draws_for(policy.tolerance)
        if policy.tolerance_is_demand:
            check_affordable(policy, draws)
            return draws
    affordable = min(policy.max_draws_of_objects / query.n_objects, _SECONDS / seconds_each)
    fewest = max(_FEWEST_DRAWS, min(_ENOUGH_DRAWS, _MOST_SECONDS / seconds_each))
    return int(max(fewest, min(draws, affordable)))
