"""Possibilistic partitions read with product or lukasiewicz: the cheapest tables, merged."""

from dataclasses import replace
from math import inf
from typing import NamedTuple, final

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.ends.level_sweeps import LevelEnds
from sfumato.algorithms.possibility.cheap_tables import CheapTables, cheapest_tables, expected_limit
from sfumato.algorithms.possibility.t_norms import costs_of, possibilities_of
from sfumato.algorithms.tables.choices import Choices
from sfumato.algorithms.tables.focal_model import SetTypes
from sfumato.joint import JointTypes
from sfumato.methods.answers import bracketed_answer, exact_answer, possibilities_of_values
from sfumato.methods.base import Method, Plan, Policy, Progress
from sfumato.methods.cut_off import (
    NEGLIGIBLE,
    brackets,
    cost_limit,
    cut_off_note,
    listed_cuts,
    outer_stds,
    with_cuts_below,
)
from sfumato.methods.extremes import is_solvable, solve_seconds, solve_types
from sfumato.methods.moves import cell_costs
from sfumato.methods.profile_sides import has_profile
from sfumato.query import Query
from sfumato.results.comparison import Comparison
from sfumato.results.values import ValuePossibility

__all__ = ["CheapestTables"]

# A step is one object's choice added to one table.
_STEPS_PER_TABLE = 40
_SECONDS_PER_STEP = 5e-8
# Solving a rough comparison takes as long as many tables; this is how it is counted.
_SECONDS_PER_TABLE = 5e-6
_HIGHEST_CUT_OFF = 0.5
_NODES_SHARE = 100  # of the nodes of a single search, for each of many


class _Problem(NamedTuple):
    """Costs of the pairs of sets that objects choose, as bit masks if some are not single."""

    choices: Choices  # its weights are costs
    sets: tuple[Ints, Ints] | None  # rows and columns of each pair


@final
class CheapestTables(Method):
    """Add up costs object by object, keeping the cheapest way to each table.

    What costs too much is left out, and of too many tables the dearest are: every value has a
    stated possibility down to a cut-off. Below it the cuts lie within those by min. A rough side is
    not enumerated but solved: the choices are then of one cluster and one set, and both ends of
    each are those of a rough partition against a hard one.
    """

    name = "cheapest_tables"

    def plan(self, query: Query, policy: Policy) -> Plan | None:
        """Applies to the t-norms product and lukasiewicz where there is no profile."""
        if query.theory != "possibilistic" or query.t_norm == "min" or has_profile(query):
            return None
        problem = _problem(query)
        limit, most = cost_limit(query, policy), _most(query, policy, problem)
        expected = expected_limit(problem.choices, limit=limit, most=most)
        is_whole = expected >= limit and policy.max_lost_mass <= NEGLIGIBLE
        if not is_whole and _is_idle(query, expected):
            return None
        solving = 0.0 if problem.sets is None else solve_seconds(query, is_hard_side=True)
        each = _SECONDS_PER_STEP * _steps_each(query, problem.choices) + solving
        return Plan(
            query,
            policy,
            method=self.name,
            guarantee="exact" if is_whole else "certified",
            tables=most,
            bytes=1e6 + most * (64.0 + 16.0 * len(problem.choices.labels)),
            seconds=2e-3 + each * most,
            why=f"costs add over objects, and the {most:,} cheapest tables are kept",
        )

    def run(
        self,
        plan: Plan,
        *,
        rng: np.random.Generator,
        deadline: float | None,
        progress: Progress,
    ) -> Comparison:
        """Merge the tables, find the ends of the cuts and bound what was left out."""
        query, policy = plan.query, plan.policy
        problem = _problem(query)
        found = cheapest_tables(
            problem.choices, limit=cost_limit(query, policy), most=_most(query, policy, problem)
        )
        lost = _lost(query, found)
        progress(0.5)
        possibilities = possibilities_of(query.t_norm, found.costs)
        ends, distribution = _ends(query, policy, problem, found.tables, possibilities)
        notes = (cut_off_note(lost),) if lost > 0.0 else ()
        if lost <= NEGLIGIBLE and not ends.is_open.any():
            masses = possibilities - np.append(possibilities[1:], 0.0)
            cuts = ends.lows, ends.highs, masses
            return exact_answer(
                plan, cuts, distribution=replace(distribution, lost_mass=lost), notes=notes
            )
        cuts = with_cuts_below(query, listed_cuts(possibilities, ends, lost), lost, policy)
        low, high = brackets(cuts, query.quantity)
        return bracketed_answer(
            plan,
            low,
            high,
            stds=outer_stds(cuts, query.quantity),
            distribution=replace(distribution, lost_mass=lost),
            notes=notes,
        )


def _is_idle(query: Query, expected: float) -> bool:
    """Whether too little would be listed to say much, and the cuts by min do not help."""
    needs_list = query.quantity == "distribution" or query.measure.family(query.n_objects) is None
    level = float(possibilities_of(query.t_norm, np.array(expected)))
    return needs_list and level > _HIGHEST_CUT_OFF


def _lost(query: Query, found: CheapTables) -> float:
    """The largest possibility that may have been left out."""
    if found.least_dropped == inf:
        return 0.0
    return float(possibilities_of(query.t_norm, np.array(found.least_dropped)))


def _problem(query: Query) -> _Problem:
    def add_costs(a: Floats, b: Floats) -> Floats:
        return costs_of(query.t_norm, a) + costs_of(query.t_norm, b)

    if "rough" in (query.a.kind, query.b.kind) and query.quantity != "distribution":
        joint = JointTypes.of(query.a.statements(), query.b.statements())
        choices = joint.set_choices(add_costs)
        n_b_sets = len(joint.b.set_starts) - 1
        rows = joint.a.set_masks()[choices.labels // n_b_sets]
        columns = joint.b.set_masks()[choices.labels % n_b_sets]
        if is_solvable(query, SetTypes(rows, columns, choices.counts[None, :])):
            return _Problem(choices, (rows, columns))
    return _Problem(cell_costs(query), None)


def _steps_each(query: Query, choices: Choices) -> float:
    """Steps for each table, about: options that are not much dearer than the cheapest."""
    is_cheap = choices.weights <= costs_of(query.t_norm, np.array(0.5))
    counts = np.repeat(choices.counts, np.diff(choices.starts))
    return max(1.0, float(counts[is_cheap].sum()))


def _most(query: Query, policy: Policy, problem: _Problem) -> int:
    """How many tables can be kept."""
    steps = _STEPS_PER_TABLE * policy.max_tables
    most = steps / _steps_each(query, problem.choices)
    each = _SECONDS_PER_STEP * _steps_each(query, problem.choices)
    if problem.sets is not None:
        solving = solve_seconds(query, is_hard_side=True)
        most = min(most, policy.max_tables * _SECONDS_PER_TABLE / solving)
        each += solving
    if policy.max_seconds is not None:
        most = min(most, policy.max_seconds / (2.0 * each))
    return int(max(1.0, min(most, policy.max_tables)))


def _ends(
    query: Query, policy: Policy, problem: _Problem, tables: Ints, possibilities: Floats
) -> tuple[LevelEnds, ValuePossibility]:
    """The ends of the cuts, and the possibilities of the values that are attained."""
    if problem.sets is None:
        base = np.zeros(query.shape[0] * query.shape[1], dtype=np.int64)
        lows = highs = low_bounds = high_bounds = query.values(base, problem.choices.labels, tables)
    else:
        solved = solve_types(
            query,
            SetTypes(*problem.sets, tables),
            max_nodes=-(-policy.max_nodes // _NODES_SHARE),
            threads=policy.n_threads,
        )
        lows, highs = solved.lows, solved.highs
        low_bounds, high_bounds = solved.low_bounds, solved.high_bounds
    values = lows if lows is highs else np.concatenate([lows, highs])
    distribution = possibilities_of_values(
        values, np.tile(possibilities, len(values) // len(possibilities))
    )
    return LevelEnds(
        np.minimum.accumulate(low_bounds),
        np.minimum.accumulate(lows),
        np.maximum.accumulate(highs),
        np.maximum.accumulate(high_bounds),
    ), distribution
