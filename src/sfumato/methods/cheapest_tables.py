"""Possibilistic partitions read with product or lukasiewicz: the cheapest tables, merged."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from math import inf
from typing import NamedTuple, final

import numpy as np

from sfumato._typing import Floats, Guarantee, Ints, TNorm
from sfumato.algorithms.deadline import work_until
from sfumato.algorithms.ends.found_ends import Budget
from sfumato.algorithms.ends.level_sweeps import LevelEnds
from sfumato.algorithms.ends.solve import is_solvable, solve_seconds, solve_types
from sfumato.algorithms.possibility.cheap_tables import (
    CheapTables,
    cheapest_tables,
    expected_limit,
)
from sfumato.algorithms.possibility.cut_off import (
    NEGLIGIBLE,
    Cuts,
    brackets,
    cut_off_note,
    outer_stds,
    with_cuts_below,
)
from sfumato.algorithms.possibility.moves import Graded
from sfumato.algorithms.possibility.profile import Profile, bound_profile, has_profile, profile
from sfumato.algorithms.possibility.t_norms import cost_limit, costs_of, possibilities_of
from sfumato.algorithms.sampling.blocks import Run
from sfumato.algorithms.tables.choices import Choices
from sfumato.algorithms.tables.distinct import ROUNDING
from sfumato.algorithms.tables.focal_model import SetTypes
from sfumato.algorithms.tables.table_values import values_of
from sfumato.families import Matching
from sfumato.methods.base import Method, Scope
from sfumato.partitions.possibilistic import PossibilisticPartition
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

__all__ = ["CheapestTables"]

# A step is one object's choice added to one table.
_STEPS_PER_TABLE = 40
_SECONDS_PER_STEP = 5e-8
# A step of a profile is one addition and one comparison in a vector; a table takes storage besides.
_PROFILE_STEPS_PER_TABLE = 1000
_SECONDS_PER_PROFILE_STEP = 2e-9
_TAKEN_SHARE = 1e-3  # of the bound of the steps: most row sums and pairs in cells are not reached
# Cut off that early, a profile takes 10 to 200 times as long as a list whose ends are 7 % wider.
_FAR_TOO_LONG = 1e12
_SECONDS_PER_MATCHING = 1.2e-10  # times n^4
_SECONDS_PER_COLUMN_STEP = 1e-7
# Solving a rough comparison takes as long as many tables; this is how it is counted.
_SECONDS_PER_TABLE = 5e-6
_SHARE_OF_TABLES: dict[TNorm, float] = {"product": 0.25, "lukasiewicz": 0.02}  # listed, about
_HIGHEST_CUT_OFF = 0.5
_LISTING_SHARE = 0.7  # of the time that is left
_NODES_SHARE = 100  # of the nodes of a single search, for each of many


class _Problem(NamedTuple):
    """Costs of the pairs of sets that objects choose, as bit masks if some are not single."""

    choices: Choices  # its weights are costs
    steps: float  # for each table, about
    sets: tuple[Ints, Ints] | None  # rows and columns of each pair
    solving: float  # seconds for each table

    @property
    def seconds(self) -> float:
        return _SECONDS_PER_STEP * self.steps + self.solving


@final
class CheapestTables(Method):
    """Add up costs instead of combining possibilities, and keep the cheapest way to each table.

    What costs too much is left out, and of too many tables the dearest are: every value has a
    stated possibility down to a cut-off. Below it the cuts lie within those by min.

    Against a hard truth the columns of the table are independent, and pair-counting and matching
    measures need only a few sums of each: the profile of their costs is exact and quick. A rough
    side is not enumerated but solved: the choices are then of one cluster and one set, and both
    ends of each are those of a rough partition against a hard one.
    """

    name = "cheapest_tables"
    cost = "the tables kept times the choices of the objects"
    scopes = (
        Scope(
            theories=("possibilistic",),
            guarantees=("exact", "certified"),
            t_norms=("product", "lukasiewicz"),
        ),
    )

    def plan(self, query: Query, policy: Policy) -> Iterator[Plan]:
        """Take the profile where it gets far enough, else list the cheapest tables."""
        plan = _plan_of_profile(query, policy)
        if plan is not None:
            yield plan
            return
        if query.joint.has_many_choices:
            return
        problem = _problem(query)
        limit = cost_limit(query.t_norm, policy.max_lost_mass)
        most = _most(policy, problem)
        expected = expected_limit(problem.choices, limit=limit, most=most)
        is_whole = expected >= limit and policy.max_lost_mass <= NEGLIGIBLE
        if not is_whole and _is_idle(query, expected):
            return
        yield Plan(
            guarantee="exact" if is_whole else "certified",
            tables=most,
            bytes=1e6 + most * (64.0 + 16.0 * len(problem.choices.labels)),
            seconds=2e-3 + _SHARE_OF_TABLES[query.t_norm] * problem.seconds * most,
            why=f"costs add over objects, and the {most:,} cheapest tables are kept",
            shortest=0.0,
            may_fall_short=is_whole,
            work=partial(
                _answer, query, policy, partial(_list, query, problem, limit, most), problem.sets
            ),
        )


def _plan_of_profile(query: Query, policy: Policy) -> Plan | None:
    joint, side = query.joint, query.joint.row_side
    if not (isinstance(side, PossibilisticPartition) and joint.has_hard_columns):
        return None
    if not has_profile(query.objective, joint.class_sizes):
        return None
    memberships = side.memberships
    max_steps = _PROFILE_STEPS_PER_TABLE * policy.max_tables
    max_column_steps = max_steps / 10
    if policy.max_seconds is not None:  # half of the time is for columns, half is for merges
        each = policy.max_seconds / (2.0 * joint.shape[1])
        max_steps = min(max_steps, each / _SECONDS_PER_PROFILE_STEP)
        max_column_steps = min(max_column_steps, each / _SECONDS_PER_COLUMN_STEP)
    bound = bound_profile(memberships, joint.classes, joint.shape[1])
    if bound > _FAR_TOO_LONG * max_steps and query.quantity != "distribution":
        return None
    steps = min(bound, max_steps)
    seconds = _SECONDS_PER_PROFILE_STEP * min(_TAKEN_SHARE * bound, max_steps)
    if isinstance(query.objective.family, Matching):
        seconds = _SECONDS_PER_MATCHING * float(query.n_objects) ** 4
    is_exact = policy.max_lost_mass <= NEGLIGIBLE
    find = partial(
        profile,
        query.objective,
        costs_of(query.t_norm, memberships),
        joint.classes,
        limit=cost_limit(query.t_norm, policy.max_lost_mass),
        max_steps=max_steps,
        max_column_steps=max_column_steps,
    )
    return Plan(
        guarantee="exact" if is_exact else "certified",
        tables=steps / _PROFILE_STEPS_PER_TABLE,
        bytes=1e6 + 8.0 * min(steps, 2e7),
        seconds=1e-3 + seconds,
        why="costs add over the classes of a hard truth, and tables with equal sums merge",
        shortest=0.0,
        may_fall_short=is_exact,
        work=partial(_answer, query, policy, find, None),
    )


def _answer(
    query: Query,
    policy: Policy,
    find: Callable[[], Profile | CheapTables],
    sets: tuple[Ints, Ints] | None,
    run: Run,
) -> Answer:
    """Turn least costs into possibilities, find the ends of the cuts and bound what was left out.

    Exact where nothing of note was left out, else with bounds for the cuts below.
    """
    with work_until(run.deadline.part(_LISTING_SHARE)):
        found = find()
    run.progress(0.5)
    levels = possibilities_of(query.t_norm, found.costs)
    lost = _possibility_of(query.t_norm, found.least_dropped)
    budget = Budget(policy.max_nodes, policy.n_threads, run.deadline)
    if isinstance(found, CheapTables):
        assert sets is not None
        ends, distribution = _solved_ends(query, SetTypes(*sets, found.tables), levels, budget)
    else:
        values = found.values
        for bound in query.objective.bounds:  # values that miss a bound by rounding are on it
            values = np.where(np.abs(values - bound) <= ROUNDING, bound, values)
        distribution = possibilities_of_values(values, levels)
        levels = np.sort(distribution.possibilities)[::-1]
        lows, highs, _ = distribution.ends
        ends = LevelEnds(lows, lows, highs, highs)
    distribution = replace(distribution, lost_mass=lost)
    notes = (cut_off_note(lost),) if lost > 0.0 else ()
    if lost <= NEGLIGIBLE and not ends.is_open.any():
        cuts = ends.lows, ends.highs, levels - np.append(levels[1:], 0.0)
        return exact_answer(query.quantity, cuts, distribution=distribution, notes=notes)
    cuts = Cuts(levels - np.append(levels[1:], lost), ends)
    if lost > 0.0:  # else nothing was left out, but searches stay open
        cuts = with_cuts_below(_graded(query), cuts, lost, budget)
    low, high = brackets(cuts, query.quantity)
    is_closed = low[0] == low[1] and high[0] == high[1] and query.quantity != "distribution"
    guarantee: Guarantee = "exact" if is_closed else "certified"
    return bracketed_answer(
        guarantee,
        low,
        high,
        stds=outer_stds(cuts, query.quantity),
        distribution=distribution,
        notes=notes,
    )


def _graded(query: Query) -> Graded:
    joint = query.joint
    rows, columns = joint.possibilities
    return Graded(
        objective=query.objective,
        t_norm=query.t_norm,
        rows=rows,
        columns=columns,
        counts=joint.types.counts,
        levels=levels_of(query)[0],
        costs=_cell_costs(query),
        has_hard_side=query.has_hard_side,
    )


def _is_idle(query: Query, expected: float) -> bool:
    """Whether too little would be listed to say much, and the cuts by min do not help."""
    needs_list = query.quantity == "distribution" or query.objective.family is None
    return needs_list and _possibility_of(query.t_norm, expected) > _HIGHEST_CUT_OFF


def _possibility_of(t_norm: TNorm, cost: float) -> float:
    """The largest possibility that may have been left out, if all from that cost on was."""
    return 0.0 if cost == inf else float(possibilities_of(t_norm, np.array(cost)))


def _problem(query: Query) -> _Problem:
    choices, sets, solving = None, None, 0.0
    if "rough" in (query.a.kind, query.b.kind) and query.quantity != "distribution":
        types = query.joint.types_of_sets
        of_sets = types.set_choices(partial(_summed_costs, query.t_norm))
        masks = types.pair_masks(of_sets.labels)
        if is_solvable(query.objective, SetTypes(*masks, of_sets.counts[None, :])):
            choices, sets = of_sets, masks
            solving = solve_seconds(query.objective, has_hard_side=True)
    choices = choices or _cell_costs(query)
    # Options that are not much dearer than the cheapest.
    is_cheap = choices.weights <= costs_of(query.t_norm, np.array(0.5))
    steps = float(np.repeat(choices.counts, np.diff(choices.starts))[is_cheap].sum())
    return _Problem(choices, max(1.0, steps), sets, solving)


def _cell_costs(query: Query) -> Choices:
    """The cells that each type of objects may choose, with costs as weights."""
    return query.joint.cell_choices(partial(_summed_costs, query.t_norm))


def _summed_costs(t_norm: TNorm, a: Floats, b: Floats) -> Floats:
    return costs_of(t_norm, a) + costs_of(t_norm, b)


def _list(query: Query, problem: _Problem, limit: float, most: int) -> Profile | CheapTables:
    """The cheapest tables, or their values if they have no ends to solve."""
    found = cheapest_tables(problem.choices, limit=limit, most=most)
    if problem.sets is not None:
        return found
    base = np.zeros(query.objective.n_cells, dtype=np.int64)
    values = values_of(query.objective, base, problem.choices.labels, found.tables)
    return Profile(values, found.costs, found.least_dropped)


def _most(policy: Policy, problem: _Problem) -> int:
    """How many tables can be kept."""
    most = min(policy.max_tables, _STEPS_PER_TABLE * policy.max_tables / problem.steps)
    if problem.sets is not None:
        most = min(most, policy.max_tables * _SECONDS_PER_TABLE / problem.solving)
    if policy.max_seconds is not None:
        most = min(most, policy.max_seconds / (2.0 * problem.seconds))
    return int(max(1.0, most))


def _solved_ends(
    query: Query, types: SetTypes, possibilities: Floats, budget: Budget
) -> tuple[LevelEnds, ValuePossibility]:
    """The ends of the cuts, and the possibilities of the values that are attained."""
    nodes = -(-budget.max_nodes // _NODES_SHARE)
    found = solve_types(query.objective, types, budget._replace(max_nodes=nodes))
    ends = LevelEnds(
        np.minimum.accumulate(found.low_bounds),
        np.minimum.accumulate(found.lows),
        np.maximum.accumulate(found.highs),
        np.maximum.accumulate(found.high_bounds),
    )
    values = np.concatenate([found.lows, found.highs])
    return ends, possibilities_of_values(values, np.tile(possibilities, 2))
