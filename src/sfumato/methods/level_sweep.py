"""Possibilistic partitions read with min: both ends at every level, by bisection."""

from dataclasses import replace
from typing import NamedTuple, final

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.ends.level_sweeps import LevelEnds
from sfumato.families import Majority, Matching
from sfumato.methods.answers import bracketed_answer, exact_answer, possibilities_of_values
from sfumato.methods.base import Method, Plan, Policy, Progress
from sfumato.methods.extremes import solve_seconds
from sfumato.methods.level_ends import has_level_ends, level_ends
from sfumato.query import Query
from sfumato.results.comparison import Comparison
from sfumato.results.values import ValuePossibility

__all__ = ["LevelSweep"]

# One level may take as long as many tables; this is how it is counted against max_tables.
_SECONDS_PER_TABLE = 1e-5
_FEWEST_LEVELS = 100


class _Cost(NamedTuple):
    n_levels: int
    tables_each: float
    affordable: int


@final
class LevelSweep(Method):
    r"""Solve the rough comparison of the cuts at every level where an end changes.

    By the t-norm min the possibilities of a value are those of a fuzzy interval
    :math:`[d^l(\alpha), d^u(\alpha)]`, the ends of the rough comparison of the cuts at
    :math:`\alpha`. The cuts are nested, so both ends are monotone in the level.
    """

    name = "level_sweep"

    def plan(self, query: Query, policy: Policy) -> Plan | None:
        """Applies to min, by a measure of known structure."""
        if query.theory != "possibilistic" or query.t_norm != "min" or not has_level_ends(query):
            return None
        cost = _cost(query, policy)
        is_whole = query.quantity != "distribution" or _is_contiguous(query)
        is_affordable = cost.n_levels <= cost.affordable and policy.max_nodes > 0
        is_affordable &= has_level_ends(query, exactly=True)
        n_solved = min(cost.n_levels, cost.affordable)
        return Plan(
            query,
            policy,
            method=self.name,
            guarantee="exact" if is_whole and is_affordable else "certified",
            tables=n_solved * cost.tables_each,
            bytes=8.0 * n_solved * query.shape[0] * query.shape[1] + 64.0 * query.n_objects,
            seconds=1e-3 + n_solved * solve_seconds(query),
            why=f"at most {n_solved:,} nested rough comparisons, one per level, are solved",
        )

    def run(
        self,
        plan: Plan,
        *,
        rng: np.random.Generator,
        deadline: float | None,
        progress: Progress,
    ) -> Comparison:
        """Solve the levels and sum their ends by their masses."""
        query = plan.query
        levels, masses = query.levels()
        max_solves = _cost(query, plan.policy).affordable
        found = level_ends(query, levels, masses, plan.policy, max_solves)
        distribution = _possibility(query, levels, found)
        outer = found.low_bounds, found.high_bounds, masses
        if not found.is_open.any() and plan.guarantee == "exact":
            return exact_answer(plan, outer, distribution=distribution)
        low, low_attained, high_attained, high = (float(side @ masses) for side in found)
        return bracketed_answer(
            plan,
            (low, low_attained),
            (high_attained, high),
            stds=(distribution.lower_std, distribution.upper_std),
            distribution=distribution,
            notes=_notes(query, found),
        )


def _cost(query: Query, policy: Policy) -> _Cost:
    tables_each = max(2.0, solve_seconds(query) / _SECONDS_PER_TABLE)
    affordable = max(_FEWEST_LEVELS, int(policy.max_tables / tables_each))
    if policy.max_seconds is not None:
        affordable = min(affordable, max(2, int(policy.max_seconds / solve_seconds(query))))
    return _Cost(len(query.levels()[0]), tables_each, affordable)


def _is_contiguous(query: Query) -> bool:
    """Whether all values between the ends of a cut are in it: an object that moves is one step."""
    return isinstance(query.measure.family(query.n_objects), Matching | Majority)


def _possibility(query: Query, levels: Floats, found: LevelEnds) -> ValuePossibility:
    """Every end with the highest level at which it is one, and what lies between if known."""
    values = np.concatenate([found.low_bounds, found.high_bounds])
    possibilities = np.concatenate([levels, levels])
    family = query.measure.family(query.n_objects)
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
