"""Possibilistic partitions read with min: both ends at every level, by bisection."""

from dataclasses import replace
from functools import partial
from math import nan
from typing import NamedTuple, final

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.extremes.levels import LevelEnds, refine_levels, sweep_levels
from sfumato.algorithms.tables.focal import SetTypes
from sfumato.algorithms.tables.level_types import LevelTypes, counts_at, level_types
from sfumato.measures.families import Majority, Matching, Ratio, Separable
from sfumato.methods.answers import bracketed_answer, exact_answer, possibilities_of_values
from sfumato.methods.base import Method, Plan, Policy, Progress
from sfumato.methods.extremes import has_brackets, is_solvable, solve_seconds, solve_types
from sfumato.partitions.statements import Statements
from sfumato.query import Query
from sfumato.results.comparison import Comparison
from sfumato.results.values import ValuePossibility

__all__ = ["LevelSweep"]

# One level may take as long as many tables; this is how it is counted against max_tables.
_SECONDS_PER_TABLE = 1e-5
_FEWEST_LEVELS = 100
_MOST_CLUSTERS = 32  # sets of clusters are bit masks
# A sweep may take as many nodes as this many single searches, but no level more than one of them.
_SEARCHES = 20
_FIRST_SHARE = 100  # of the nodes of a single search, for each level at first


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

    No t-norm exceeds min, and all agree where everything is fully possible. So for product and
    lukasiewicz the expectations lie between those of min and the ends at the highest level: a
    certified bracket where no profile is known.
    """

    name = "level_sweep"

    def plan(self, query: Query, policy: Policy) -> Plan | None:
        """Applies to min, and as a bracket to other t-norms, by a measure of known structure."""
        if query.theory != "possibilistic" or (query.t_norm != "min" and not _is_wanted(query)):
            return None
        types = None if max(query.shape) > _MOST_CLUSTERS else _sets(_level_types(query))
        if types is None or not has_brackets(query, types):
            return None
        cost = _cost(query, policy)
        is_whole = query.t_norm == "min" and (
            query.quantity != "distribution" or _is_contiguous(query)
        )
        is_affordable = cost.n_levels <= cost.affordable and policy.max_nodes > 0
        is_affordable &= is_solvable(query, types)
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
        found = _sweep(query, masses, plan.policy, max_solves)
        distribution = _possibility(query, levels, found)
        outer = found.low_bounds, found.high_bounds, masses
        if not found.is_open.any() and plan.guarantee == "exact":
            return exact_answer(plan, outer, distribution=distribution)
        low, low_attained, high_attained, high = (float(side @ masses) for side in found)
        if query.t_norm != "min":
            return bracketed_answer(
                plan,
                (low, float(found.lows[0])),
                (float(found.highs[0]), high),
                stds=(nan, nan),
                notes=(
                    f"The expectations by {query.t_norm} lie between those by min and the ends of "
                    "what is fully possible; the spread is not known.",
                ),
            )
        return bracketed_answer(
            plan,
            (low, low_attained),
            (high_attained, high),
            stds=(distribution.lower_std, distribution.upper_std),
            distribution=distribution,
            notes=_notes(query, found),
        )


def _is_wanted(query: Query) -> bool:
    """Whether another t-norm has no profile of the values (see possibility_profile)."""
    if query.quantity != "expectation":
        return False
    if "hard" not in (query.a.kind, query.b.kind):
        return True
    match query.measure.family(query.n_objects):
        case Separable(psi="square") | Ratio(psi="square"):
            return False
        case Matching():
            return max(query.shape) > 3
        case _:
            return True


def _level_types(query: Query) -> LevelTypes:
    joint = query.joint
    a = _memberships(joint.a)[joint.a_statements]
    b = _memberships(joint.b)[joint.b_statements]
    return level_types(a, b, joint.counts, query.levels()[0])


def _memberships(statements: Statements) -> Floats:
    """The possibility of each cluster in each statement, whose sets are single clusters."""
    dense = np.zeros((statements.n_statements, statements.n_clusters))
    clusters = statements.set_members[statements.set_starts[statements.sets]]
    dense[statements.owners, clusters] = statements.weights
    return dense


def _sets(types: LevelTypes) -> SetTypes:
    return SetTypes(types.row_sets, types.column_sets, np.empty((0, len(types.row_sets)), int))


def _cost(query: Query, policy: Policy) -> _Cost:
    tables_each = max(2.0, solve_seconds(query) / _SECONDS_PER_TABLE)
    affordable = max(_FEWEST_LEVELS, int(policy.max_tables / tables_each))
    if policy.max_seconds is not None:
        affordable = min(affordable, max(2, int(policy.max_seconds / solve_seconds(query))))
    return _Cost(len(query.levels()[0]), tables_each, affordable)


def _sweep(query: Query, masses: Floats, policy: Policy, max_solves: int) -> LevelEnds:
    types = _level_types(query)
    threads = policy.n_threads

    def solve(nodes: int, at: Ints) -> LevelEnds:
        counts = SetTypes(types.row_sets, types.column_sets, counts_at(types, at))
        solved = solve_types(query, counts, max_nodes=nodes, threads=threads)
        return LevelEnds(solved.low_bounds, solved.lows, solved.highs, solved.high_bounds)

    first_nodes = -(-policy.max_nodes // _FIRST_SHARE)
    found = sweep_levels(partial(solve, first_nodes), masses, max_solves=max_solves)
    still_open = np.flatnonzero(found.is_open)[:max_solves]
    if len(still_open) == 0 or policy.max_nodes == 0:
        return found
    nodes = min(policy.max_nodes, _SEARCHES * policy.max_nodes // len(still_open))
    return refine_levels(found, partial(solve, nodes), still_open)


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
