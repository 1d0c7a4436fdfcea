"""Possibilistic partitions read with min: both ends at every level, by bisection."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import final

import numpy as np

from sfumato._typing import Floats, Guarantee, Ints
from sfumato.algorithms.ends.found_ends import Budget
from sfumato.algorithms.ends.level_ends import has_level_ends, level_ends, level_seconds
from sfumato.algorithms.ends.level_sweeps import LevelEnds, sweep_levels
from sfumato.algorithms.ends.rough_bracket import limit_seconds, rough_bracket
from sfumato.algorithms.sampling.blocks import Run
from sfumato.algorithms.tables.level_types import level_types
from sfumato.families import FAMILY_KINDS, Majority, Matching, Objective, Separable
from sfumato.methods.base import Method, Scope
from sfumato.question.levels import at_level, levels_of
from sfumato.question.plan import Plan, Policy
from sfumato.question.query import Query
from sfumato.results.answers import (
    Answer,
    bracketed_answer,
    exact_answer,
    possibilities_of_values,
)
from sfumato.results.values import ValuePossibility

__all__ = ["LevelSweep"]

# One level may take as long as many tables; this is how it is counted against max_tables.
_SECONDS_PER_TABLE = 1e-5
_FEWEST_LEVELS = 100
_SECONDS = 10.0  # about, for all levels, where no time is given
_MOST_CLUSTERS = 32
_MOST_TYPES = 1e6  # of objects at all levels
_MOST_BRACKETS = 256
# With more of both, most searches stay open, and a relaxation says more than they do.
_FEW_CLUSTERS, _FEW_OBJECTS = 5, 100
_SECONDS_PER_CELL = 5e-7


@final
class LevelSweep(Method):
    r"""Solve the rough comparison of the cuts at every level where an end changes.

    By the t-norm min the possibilities of a value are those of a fuzzy interval
    :math:`[d^l(\alpha), d^u(\alpha)]`, the ends of the rough comparison of the cuts at
    :math:`\alpha`. The cuts are nested, so both ends are monotone in the level. Where no solver
    reaches, the ends of a few levels are bracketed, and hold for the levels between. No t-norm
    exceeds min, so these bounds hold for the others too, where objects have very many options.
    """

    name = "level_sweep"
    cost = "at most one rough comparison per level"
    scopes = (
        Scope(
            theories=("possibilistic",),
            guarantees=("exact", "certified"),
            families=FAMILY_KINDS,
            t_norms=("min",),
        ),
        Scope(
            theories=("possibilistic",),
            guarantees=("certified",),
            quantities=("expectation",),
            families=FAMILY_KINDS,
            t_norms=("product", "lukasiewicz"),
        ),
    )

    def plan(self, query: Query, policy: Policy) -> Iterator[Plan]:
        """Solve the levels and sum their ends by their masses."""
        objective, joint = query.objective, query.joint
        if query.t_norm != "min" and not joint.has_many_choices:
            return
        levels, masses = levels_of(query)
        if query.t_norm != "min" or not _is_within_reach(query):
            yield _plan_of_brackets(query, policy, levels, masses)
            return
        budget = Budget(policy.max_nodes, policy.n_threads)
        seconds = level_seconds(objective, joint.n_open_cells, has_hard_side=query.has_hard_side)
        tables_each = max(2.0, seconds / _SECONDS_PER_TABLE)
        affordable = max(_FEWEST_LEVELS, int(policy.max_tables / tables_each))
        affordable = min(affordable, max(2, int(_most_seconds(policy) / seconds)))
        is_exact = (
            (query.quantity != "distribution" or _is_contiguous(query))
            and len(levels) <= affordable
            and policy.max_nodes > 0
            and has_level_ends(objective, *joint.possibilities, exactly=True)
        )
        is_small = max(objective.shape) <= _FEW_CLUSTERS or query.n_objects <= _FEW_OBJECTS
        if not (is_exact or is_small or _counts_pairs(objective)):
            yield _plan_of_brackets(query, policy, levels, masses)
            return
        guarantee: Guarantee = "exact" if is_exact else "certified"
        n_solved = min(len(levels), affordable)
        yield Plan(
            guarantee=guarantee,
            tables=n_solved * tables_each,
            bytes=8.0 * n_solved * objective.n_cells + 64.0 * query.n_objects,
            seconds=1e-3 + n_solved * seconds,
            why=f"at most {n_solved:,} nested rough comparisons, one per level, are solved",
            shortest=0.0,
            may_fall_short=is_exact,
            work=partial(_answer, query, guarantee, levels, masses, budget, affordable),
        )


def _answer(
    query: Query,
    guarantee: Guarantee,
    levels: Floats,
    masses: Floats,
    budget: Budget,
    max_solves: int,
    run: Run,
) -> Answer:
    """Solve the levels, by the same types of objects at all of them."""
    joint = query.joint
    types = level_types(*joint.possibilities, joint.types.counts, levels)
    budget = budget._replace(deadline=run.deadline)
    found = level_ends(query.objective, types, masses, budget, max_solves)
    return _conclude(query, guarantee, levels, masses, found)


def _conclude(
    query: Query, guarantee: Guarantee, levels: Floats, masses: Floats, found: LevelEnds
) -> Answer:
    distribution = _possibility(query, levels, found)
    if not found.is_open.any() and guarantee == "exact":
        outer = found.low_bounds, found.high_bounds, masses
        return exact_answer(query.quantity, outer, distribution=distribution)
    low, low_attained, high_attained, high = (float(side @ masses) for side in found)
    is_closed = low == low_attained and high_attained == high and query.quantity != "distribution"
    return bracketed_answer(
        "exact" if is_closed else "certified",
        (low, low_attained),
        (high_attained, high),
        stds=(distribution.lower_std, distribution.upper_std),
        distribution=distribution,
        notes=_notes(query, found),
    )


def _is_within_reach(query: Query) -> bool:
    """Whether the comparisons at the levels can be solved, by types that fit in memory."""
    joint = query.joint
    if max(joint.shape) > _MOST_CLUSTERS:  # sets of clusters are bit masks
        return False
    if joint.types.n_types * float(sum(joint.shape)) > _MOST_TYPES:
        return False
    return has_level_ends(query.objective, *joint.possibilities)


def _counts_pairs(objective: Objective) -> bool:
    return isinstance(objective.family, Separable) and objective.family.counts_pairs


def _most_seconds(policy: Policy) -> float:
    return _SECONDS if policy.max_seconds is None else policy.max_seconds


def _plan_of_brackets(query: Query, policy: Policy, levels: Floats, masses: Floats) -> Plan:
    """Bracket a few levels, each as one rough comparison."""
    objective = query.objective
    open_cells = float(query.joint.n_open_cells) + objective.n_cells
    seconds = 1e-2 + _SECONDS_PER_CELL * (open_cells + query.n_objects)
    n_bracketed = min(len(levels), _MOST_BRACKETS, max(2, int(_most_seconds(policy) / seconds)))
    return Plan(
        guarantee="certified",
        tables=2.0 * n_bracketed,
        bytes=200.0 * min(open_cells, 2e7) + 64.0 * query.n_objects,
        seconds=1e-3 + n_bracketed * seconds,
        why=f"{n_bracketed:,} nested rough comparisons are bracketed, which bounds the others",
        shortest=0.0,
        work=partial(
            _bracket, query, levels, masses, n_bracketed, _most_seconds(policy) / n_bracketed
        ),
    )


def _bracket(
    query: Query, levels: Floats, masses: Floats, max_solves: int, seconds_each: float, run: Run
) -> Answer:
    """Bracket a few levels; one that is not is known from those above and below."""

    def bracket(at: Ints) -> LevelEnds:
        ends: list[tuple[float, float, float, float]] = []
        for level in levels[at].tolist():
            if len(ends) > 0 and run.deadline.is_over:
                break
            rough = at_level(query, level)
            sets, batch = rough.joint.set_matrices, rough.joint.rough_batch
            # Limits of margins and pairs sharpen the relaxation, where they are cheap.
            if sets is not None and limit_seconds(rough.objective, *sets[2].shape) > seconds_each:
                sets = None
            lower, upper = rough_bracket(rough.objective, sets, batch, run.deadline)
            ends.append((*lower, *upper))
        return LevelEnds(*np.clip(ends, *query.objective.bounds).T)

    found = sweep_levels(bracket, masses, max_solves=max_solves)
    lowest, highest = query.objective.bounds  # all that is known of a level that time left out
    found = found._replace(
        low_bounds=np.maximum(found.low_bounds, lowest),
        high_bounds=np.minimum(found.high_bounds, highest),
    )
    if query.t_norm != "min":  # no t-norm exceeds min, and all agree at level 1
        found = found._replace(
            lows=np.full(len(levels), found.lows[0]), highs=np.full(len(levels), found.highs[0])
        )
    return _conclude(query, "certified", levels, masses, found)


def _is_contiguous(query: Query) -> bool:
    """Whether all values between the ends of a cut are in it: an object that moves is one step."""
    return isinstance(query.objective.family, Matching | Majority)


def _possibility(query: Query, levels: Floats, found: LevelEnds) -> ValuePossibility:
    """Every end with the highest level at which it is one, and what lies between if known."""
    values = np.concatenate([found.low_bounds, found.high_bounds])
    possibilities = np.concatenate([levels, levels])
    family = query.objective.family
    if isinstance(family, Matching | Majority):
        step = abs(family.slope)
        lowest, highest = float(values.min()), float(values.max())
        between = lowest + step * np.arange(1, round((highest - lowest) / step), dtype=np.float64)
        # Ends move outward as the level falls: the first level that holds a value is its own.
        low: Ints = np.searchsorted(-found.low_bounds, -(between + step / 2))
        high: Ints = np.searchsorted(found.high_bounds, between - step / 2)
        at = np.maximum(low, high)
        values = np.concatenate([values, between])
        possibilities = np.concatenate([possibilities, levels[at]])
    listed = possibilities_of_values(values, possibilities)
    is_complete = _is_contiguous(query) and not found.is_open.any()
    return replace(listed, is_complete=is_complete)


def _notes(query: Query, found: LevelEnds) -> tuple[str, ...]:
    notes: list[str] = []
    if found.is_open.any():
        notes.append(
            f"At {int(found.is_open.sum()):,} of {len(found.lows):,} levels an end is known within "
            "a bracket only; the spread is that of the outer ends."
        )
    if query.quantity == "distribution" and not _is_contiguous(query):
        notes.append("Only the ends of each cut are known: listing its values costs too much.")
    return tuple(notes)
