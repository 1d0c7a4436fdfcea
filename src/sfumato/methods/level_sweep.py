"""Possibilistic partitions read with min: both ends at every level, by bisection."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import final

import numpy as np

from sfumato._typing import Floats, Guarantee, Ints
from sfumato.algorithms.ends.level_ends import has_level_ends, level_ends
from sfumato.algorithms.ends.level_sweeps import LevelEnds
from sfumato.algorithms.ends.solve import solve_seconds
from sfumato.algorithms.ends.weighted import Budget
from sfumato.algorithms.sampling.blocks import Run
from sfumato.algorithms.tables.level_types import LevelTypes, level_types
from sfumato.families import FAMILY_KINDS, Majority, Matching
from sfumato.methods.base import Method, Scope
from sfumato.question.levels import levels_of
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


@final
class LevelSweep(Method):
    r"""Solve the rough comparison of the cuts at every level where an end changes.

    By the t-norm min the possibilities of a value are those of a fuzzy interval
    :math:`[d^l(\alpha), d^u(\alpha)]`, the ends of the rough comparison of the cuts at
    :math:`\alpha`. The cuts are nested, so both ends are monotone in the level.
    """

    name = "level_sweep"
    cost = "at most one rough comparison per level"
    scopes = (
        Scope(
            theories=("possibilistic",),
            guarantees=("exact", "certified"),
            families=FAMILY_KINDS,
            t_norms=("min",),
            most_clusters=32,  # sets of clusters are bit masks
        ),
    )

    def plan(self, query: Query, policy: Policy) -> Iterator[Plan]:
        """Solve the levels and sum their ends by their masses."""
        objective, joint = query.objective, query.joint
        levels, _ = levels_of(query)
        types = level_types(*joint.possibilities, joint.types.counts, levels)
        if not has_level_ends(objective, types):
            return
        seconds = solve_seconds(objective, has_hard_side=query.has_hard_side)
        tables_each = max(2.0, seconds / _SECONDS_PER_TABLE)
        affordable = max(_FEWEST_LEVELS, int(policy.max_tables / tables_each))
        if policy.max_seconds is not None:
            affordable = min(affordable, max(2, int(policy.max_seconds / seconds)))
        is_exact = (
            (query.quantity != "distribution" or _is_contiguous(query))
            and len(levels) <= affordable
            and policy.max_nodes > 0
            and has_level_ends(objective, types, exactly=True)
        )
        guarantee: Guarantee = "exact" if is_exact else "certified"
        n_solved = min(len(levels), affordable)
        budget = Budget(policy.max_nodes, policy.n_threads)
        yield Plan(
            guarantee=guarantee,
            tables=n_solved * tables_each,
            bytes=8.0 * n_solved * objective.n_cells + 64.0 * query.n_objects,
            seconds=1e-3 + n_solved * seconds,
            why=f"at most {n_solved:,} nested rough comparisons, one per level, are solved",
            may_fall_short=is_exact,
            work=partial(_answer, query, guarantee, types, budget, affordable),
        )


def _answer(
    query: Query, guarantee: Guarantee, types: LevelTypes, budget: Budget, max_solves: int, _: Run
) -> Answer:
    levels, masses = levels_of(query)
    found = level_ends(query.objective, types, masses, budget, max_solves)
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
    return replace(listed, is_complete=_is_contiguous(query))


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
