"""Rough partitions drawn from a question: how both ends of each are found, and in what time."""

from dataclasses import dataclass
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
from sfumato.algorithms.sampling.sources.solved import ends_by_list, ends_by_search, solved_source
from sfumato.algorithms.sampling.strata import Strata, at_random_levels, joined
from sfumato.algorithms.tables.distinct import ROUNDING
from sfumato.algorithms.tables.focal_model import bound_reach
from sfumato.algorithms.tables.sampler import FocalSampler
from sfumato.families import Separable
from sfumato.question.draws import answer_of_draws, check_affordable, gap_notes, level_note
from sfumato.question.levels import (
    cached_cuts,
    levels_of,
    n_open_beside,
    typical_levels,
    widest_level,
)
from sfumato.question.plan import Policy
from sfumato.question.query import Query
from sfumato.results.answers import Answer, intervals

__all__ = ["ENOUGH_DRAWS", "NODES_SHARE", "LevelDraws", "RoughDraws"]

_Way: TypeAlias = Literal["solve", "list", "distance", "bracket"]

ENOUGH_DRAWS = 100  # where each is dear
NODES_SHARE = 100  # each of many searches gets this part of the nodes of a single one
_LONG = 10.0  # seconds, about, for enough draws where no number is asked for
_SECONDS_PER_TABLE = 1e-7  # that is listed
_SECONDS_PER_BLOCK = 0.1  # a limit of time is looked at between blocks
_BLOCK, _BLOCK_OF_MANY, _MANY_OBJECTS = 512, 128, 2000
_MOST_OPEN_CELLS = 1e5  # over all types and their pairs of sets; beyond, no tables are counted


def _search_seconds(query: Query, policy: Policy) -> float:
    """About the time of the searches of one draw, which end with their nodes."""
    nodes = max(1, policy.max_nodes // NODES_SHARE)
    return solve_seconds(query.objective, has_hard_side=query.has_hard_side, max_nodes=nodes)


def _budget_each(policy: Policy, deadline: Deadline) -> Budget:
    """What the searches of one draw may spend."""
    return Budget(policy.max_nodes // NODES_SHARE, 1, deadline)


@final
@dataclass(frozen=True, slots=True)
class RoughDraws:
    """Draws of rough partitions whose ends are solved, listed, or bracketed."""

    query: Query
    policy: Policy
    way: _Way

    @classmethod
    def of(cls, query: Query, policy: Policy) -> "RoughDraws | None":
        """None where there is only a list, and it is too long."""
        found = cls(query, policy, _way(query, policy))
        return None if found.is_listed and query.joint.is_wide else found

    @property
    def is_listed(self) -> bool:
        """Whether all tables of a draw are listed."""
        return self.way == "list"

    @property
    def is_solved(self) -> bool:
        """Whether the ends are known, not bracketed."""
        return self.way in ("solve", "list")

    @property
    def is_searched(self) -> bool:
        """Whether ends are searched for: searches look at the deadline."""
        return self.way in ("solve", "distance")

    @property
    def reach(self) -> float:
        """Tables of a draw that are looked at, at most."""
        return bound_reach(self.query.joint.focal_model) if self.is_listed else 2.0

    @property
    def seconds_each(self) -> float:
        """About the time of one draw."""
        if self.is_listed:
            return _SECONDS_PER_TABLE * self.reach
        seconds = _search_seconds(self.query, self.policy) if self.is_searched else 0.0
        if self.way != "solve":
            seconds += bracket_seconds(self.query.objective, self.query.joint.drawn_sides)
        return seconds

    def source(self, n_draws: int, deadline: Deadline) -> Source:
        """What draws them, about so many."""
        query, policy = self.query, self.policy
        joint, objective = query.joint, query.objective
        if self.way == "bracket":
            source = bracket_source(objective, joint.drawn_sides)
            return source._replace(block=policy.block(source.block, self.seconds_each))
        block = _BLOCK if query.n_objects < _MANY_OBJECTS else _BLOCK_OF_MANY
        if self.is_listed:
            sampler = FocalSampler(joint.focal_model, n_draws)
            find_ends = ends_by_list(objective, joint.focal_model)
            return solved_source(sampler, find_ends, policy.block(block, self.seconds_each))
        block = max(1, min(block, int(_SECONDS_PER_BLOCK / self.seconds_each)))
        find_ends = ends_by_search(objective, joint.types_of, _budget_each(policy, deadline))
        return solved_source(joint.sampler(n_draws), find_ends, block)


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
        enough = (10 if is_sharp else 1) * ENOUGH_DRAWS
        is_dear = is_wish and enough * _search_seconds(query, policy) > _LONG
        return "bracket" if is_dear and is_bracketable(objective, joint.drawn_sides) else "solve"
    if not is_bracketable(objective, joint.drawn_sides):
        return "list"
    if joint.n_open_cells > _MOST_OPEN_CELLS:
        return "bracket"
    draws = policy.n_samples or ENOUGH_DRAWS
    if draws * bound_reach(joint.focal_model) <= policy.max_tables:
        return "list"
    return "distance" if has_brackets(objective, joint.kinds_of_sets) else "bracket"


# At random levels of a possibilistic side that is read with min. Objects are independent given the
# level. One level holds for all of them, so levels are spread evenly over strata.

_MANY_DRAWS, _FEWEST_DRAWS = 10_000, 10
_SECONDS = 2.0  # about, where no number of draws is asked for
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
        each = _search_seconds(widest, policy) if is_searched else _bracket_seconds(query)
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
        budget = _budget_each(self.policy, run.deadline)

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
    fewest = max(_FEWEST_DRAWS, min(ENOUGH_DRAWS, _LONG / seconds_each))
    return int(max(fewest, min(draws, affordable)))
