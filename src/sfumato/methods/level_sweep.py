"""Possibilistic partitions read with min: both ends at every level, most of them from others."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import NamedTuple, final

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.ends.found_ends import Budget
from sfumato.algorithms.ends.level_brackets import bracket_seconds, sweep_brackets
from sfumato.algorithms.ends.level_ends import (
    FIRST_SHARE,
    MOST_SEARCHES,
    Searches,
    has_level_ends,
    level_ends,
    level_seconds,
)
from sfumato.algorithms.ends.level_sweeps import (
    LevelEnds,
    narrow_levels,
    some_levels,
    spread_levels,
    sweep_levels,
)
from sfumato.algorithms.ends.relax import relax_seconds
from sfumato.algorithms.ends.rough_bracket import limit_seconds, rough_bracket
from sfumato.algorithms.ends.solve import node_seconds, solve_seconds
from sfumato.algorithms.sampling.blocks import Run
from sfumato.algorithms.tables.level_types import level_types
from sfumato.families import (
    FAMILY_KINDS,
    Adjusted,
    Majority,
    Matching,
    Objective,
    Ratio,
    Separable,
)
from sfumato.methods.base import Method, Scope
from sfumato.question.joint import Joint
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
_MOST_MOVES, _BYTES_PER_MOVE = 4e7, 40.0  # of objects from type to type, at all levels
_MOST_BRACKETS = 256
_MOST_LEVELS = 1 << 19  # from which those to solve are chosen
# With more of both, most searches stay open, and a relaxation says more than they do.
_FEW_CLUSTERS, _FEW_OBJECTS = 5, 100
_SECONDS_PER_OBJECT, _SECONDS_PER_BRACKET = 2e-6, 3e-3
_SECONDS_PER_ENTRY = 1e-8  # of the possibilities, to cut them at a level
_RELAXING_SHARE = 0.5  # of the time of a mean level: those that matter most have less open
_STEPS_OF_SQUARES = 5.0  # times as long: their bounds take more steps
_FEW_LEVELS = 16  # solved, say less than more levels that are bracketed
_USED_SHARE = 0.5  # of the time of programs
_BRACKETED_SHARE = 0.5  # of the time, where levels are searched, too
_NODES_SHARE = 0.6  # of the time of searches: at high levels they close soon
_NARROW_SHARE = 0.2  # of the mean width of brackets: levels with less are not searched
_SEARCHED_LEVELS = 100  # with more of them or with more nodes each, errors are about the same


@final
class LevelSweep(Method):
    r"""Solve the rough comparison of the cuts at every level where an end changes.

    By the t-norm min the possibilities of a value are those of a fuzzy interval
    :math:`[d^l(\alpha), d^u(\alpha)]`, the ends of the rough comparison of the cuts at
    :math:`\alpha`. The cuts are nested, so both ends are monotone in the level. Where no search
    closes, ends are bracketed, and hold for the levels between. No t-norm
    exceeds min, so these bounds hold for the others too, where objects have very many options.
    """

    name = "level_sweep"
    cost = "at most two rough comparisons per level"
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
        if query.t_norm != "min" and not query.joint.has_many_choices:
            return
        levels, masses = levels_of(query)
        plan = _plan_of_searches(query, policy, levels, masses)
        yield _plan_of_brackets(query, policy, levels, masses) if plan is None else plan


class _Effort(NamedTuple):
    """What the searches at a level take."""

    seconds: float  # of a level, at first
    max_nodes: int  # of each search
    searches: Searches  # as many as time allows for


def _plan_of_searches(query: Query, policy: Policy, levels: Floats, masses: Floats) -> Plan | None:
    """Search first, at all levels or at many; None where brackets alone say more."""
    if query.t_norm != "min" or not _is_within_reach(query):
        return None
    objective = query.objective
    effort = _effort(query, policy, len(levels))
    tables_each = max(2.0, effort.seconds / _SECONDS_PER_TABLE)
    affordable = max(_FEWEST_LEVELS, int(policy.max_tables / tables_each))
    affordable = min(affordable, max(2, effort.searches.most_levels))
    is_exact = (
        (query.quantity != "distribution" or _is_contiguous(query))
        and len(levels) <= affordable
        and policy.max_nodes > 0
        and has_level_ends(objective, *query.joint.stated_possibilities, exactly=True)
    )
    # Two soft sides have no brackets of pair counts as sharp as those against a hard side.
    is_searched = _counts_pairs(objective) and not query.has_hard_side
    if affordable < min(len(levels), _FEW_LEVELS) or not (is_exact or is_searched):
        return None
    n_solved = min(len(levels), affordable)
    effort = effort._replace(searches=effort.searches._replace(most_levels=affordable))
    bracketing = 0.0 if _counts_pairs(objective) else _BRACKETED_SHARE * _search_seconds(policy)
    steps = (effort, bracketing) if bracketing > 0.0 else (effort,)
    return Plan(
        guarantee="exact" if is_exact else "certified",
        tables=n_solved * tables_each,
        bytes=8.0 * n_solved * objective.n_cells + 64.0 * query.n_objects,
        seconds=1e-3 + _SECONDS_PER_OBJECT * query.n_objects + n_solved * effort.seconds,
        why=f"at most {n_solved:,} nested rough comparisons, one per level, are solved",
        shortest=0.0,
        may_fall_short=is_exact,
        work=partial(_answer, query, levels, masses, policy.n_threads, steps, is_exact),
    )


def _effort(query: Query, policy: Policy, n_levels: int) -> _Effort:
    """Where searches are likely to stay open, time is shared out among some hundred levels."""
    objective, is_hard, nodes = query.objective, query.has_hard_side, policy.max_nodes
    most = _most_seconds(policy)
    n_cells = _cells_at_a_level(query.joint)
    first_nodes = -(-nodes // FIRST_SHARE)
    seconds = level_seconds(objective, n_cells, has_hard_side=is_hard, max_nodes=first_nodes)
    none, one = (node_seconds(objective, few, has_hard_side=is_hard) for few in (0, 1))
    shared = min(MOST_SEARCHES * nodes, int(most / (one - none)))
    more_nodes = max(shared, int(_search_seconds(policy) / (one - none)))
    searches = Searches(int(most / seconds), first_nodes, more_nodes)
    effort = _Effort(seconds, nodes, searches)
    if isinstance(objective.family, Matching):  # at many levels cheap bounds meet what is attained
        return effort._replace(seconds=_USED_SHARE * seconds)
    if n_levels <= _SEARCHED_LEVELS or not _stays_open(objective, first_nodes, is_hard=is_hard):
        return effort
    n_searched = max(2, min(_SEARCHED_LEVELS, searches.most_levels))
    each = _search_seconds(policy) / (_NODES_SHARE * n_searched)
    nodes = min(nodes, max(first_nodes, int((each - none) / (one - none))))
    seconds = level_seconds(objective, n_cells, has_hard_side=is_hard, max_nodes=nodes)
    return _Effort(_NODES_SHARE * seconds, nodes, Searches(n_searched, nodes, 0))


def _stays_open(objective: Objective, first_nodes: int, *, is_hard: bool) -> bool:
    """Whether searches are not likely to close with the first nodes."""
    if isinstance(objective.family, Adjusted):
        objective = objective.unadjusted()
    if not isinstance(objective.family, Separable | Ratio):
        return False
    first = node_seconds(objective, first_nodes, has_hard_side=is_hard)
    return solve_seconds(objective, has_hard_side=is_hard) > first


def _cells_at_a_level(joint: Joint) -> float:
    """Cells that the types of objects may take at a level between 0 and 1, on average.

    A possibility is the share of levels at which a cluster is open. Objects whose sets are the
    same are one type. Of the sets a quarter is met, about, mostly small ones.
    """
    types = joint.types
    rows, columns = (side.sum(axis=1) for side in joint.stated_possibilities)
    pairs = 1.0
    for n_clusters, is_hard in ((joint.shape[0], False), (joint.shape[1], joint.has_hard_columns)):
        pairs *= n_clusters if is_hard else 2.0**n_clusters * n_clusters / 8
    of_objects = float(rows[types.row_statements] @ columns[types.column_statements])
    return of_objects / (1.0 + of_objects / pairs)


def _answer(
    query: Query,
    levels: Floats,
    masses: Floats,
    n_threads: int,
    steps: tuple[_Effort | float, ...],
    is_exact: bool,
    run: Run,
) -> Answer:
    """Search and bracket levels, by the same types of objects at all of them.

    A step is an effort of searches, or about the seconds of brackets. What comes second is for the
    levels whose brackets are still wide.
    """
    at, some, own = some_levels(levels, _MOST_LEVELS)
    objective, joint = query.objective, query.joint
    rows_of = joint.types.row_statements, joint.types.column_statements
    types = level_types(*joint.stated_possibilities, joint.types.counts, some, rows_of)

    def solve(step: _Effort | float, masses: Floats) -> LevelEnds:
        if isinstance(step, _Effort):
            budget = Budget(step.max_nodes, n_threads, run.deadline)
            return level_ends(objective, types, masses, budget, step.searches)
        # Of other t-norms only the bounds are asked for; see `_conclude`.
        is_min = query.t_norm == "min"
        return sweep_brackets(objective, types, masses, step, run.deadline, with_tables=is_min)

    found = solve(steps[0], own)
    for step in steps[1:]:
        if found.is_open.any() and not run.deadline.is_over:
            widths = np.minimum(found.widths, objective.bounds[1] - objective.bounds[0])
            share = _NARROW_SHARE if isinstance(step, _Effort) else 0.0
            is_wide = widths > share * (widths @ own)
            again = solve(step, np.where(is_wide, own, 0.0))
            found = narrow_levels(found, again, np.arange(len(some)))
    return _conclude(query, levels, masses, spread_levels(found, at, len(levels)), is_exact)


def _conclude(
    query: Query, levels: Floats, masses: Floats, found: LevelEnds, is_exact: bool
) -> Answer:
    # Bounds of the measure are all that is known of a level that time left out.
    lowest, highest = query.objective.bounds
    found = found._replace(
        low_bounds=np.maximum(found.low_bounds, lowest),
        high_bounds=np.minimum(found.high_bounds, highest),
    )
    if query.t_norm != "min":  # no t-norm exceeds min, and all agree at level 1
        found = found._replace(
            lows=np.full(len(levels), found.lows[0]), highs=np.full(len(levels), found.highs[0])
        )
    distribution = _possibility(query, levels, found)
    if is_exact and not found.is_open.any():
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
    return _has_masks(query.joint) and has_level_ends(
        query.objective, *query.joint.stated_possibilities
    )


def _has_masks(joint: Joint) -> bool:
    """Whether objects can be followed from level to level, as types whose sets are bit masks."""
    return max(joint.shape) <= _MOST_CLUSTERS and joint.n_open_cells <= _MOST_MOVES


def _counts_pairs(objective: Objective) -> bool:
    return isinstance(objective.family, Separable) and objective.family.counts_pairs


def _most_seconds(policy: Policy) -> float:
    return _SECONDS if policy.max_seconds is None else policy.max_seconds


def _search_seconds(policy: Policy) -> float:
    """About the time of all searches, which count against ``max_tables``."""
    return min(_most_seconds(policy), policy.max_tables * _SECONDS_PER_TABLE)


def _plan_of_brackets(query: Query, policy: Policy, levels: Floats, masses: Floats) -> Plan:
    """Bracket as many levels as time allows for, those first that matter most for their price."""
    if not _has_masks(query.joint):
        return _plan_of_cuts(query, policy, levels, masses)
    n_objects, most = query.n_objects, _most_seconds(policy)
    opening = _SECONDS_PER_OBJECT * query.joint.types.n_types
    each = bracket_seconds(query.objective, _cells_at_a_level(query.joint))
    seconds, searching, efforts = most, 0.0, ()
    is_small = max(query.objective.shape) <= _FEW_CLUSTERS or n_objects <= _FEW_OBJECTS
    if (
        query.t_norm == "min"
        and (is_small or (_counts_pairs(query.objective) and query.has_hard_side))
        and _is_within_reach(query)
    ):
        seconds *= _BRACKETED_SHARE
        half = replace(policy, max_tables=policy.max_tables / 2, max_seconds=most / 2)
        effort = _effort(query, half, len(levels))
        searching = effort.seconds * min(len(levels), effort.searches.most_levels)
        efforts = (effort,)
    n_bracketed = max(2, min(len(levels), int(seconds / each)))
    return Plan(
        guarantee="certified",
        tables=2.0 * n_bracketed,
        bytes=_BYTES_PER_MOVE * query.joint.n_open_cells + 64.0 * n_objects,
        seconds=1e-3 + opening + min(n_bracketed * each, seconds) + searching,
        why=f"some {n_bracketed:,} nested rough comparisons are bracketed, which bounds the others",
        shortest=0.0,
        work=partial(_answer, query, levels, masses, policy.n_threads, (seconds, *efforts), False),
    )


def _plan_of_cuts(query: Query, policy: Policy, levels: Floats, masses: Floats) -> Plan:
    """Bracket a few levels, each as one rough comparison of any size."""
    objective = query.objective
    types = query.joint.types
    open_cells = float(query.joint.n_open_cells) + objective.n_cells
    cells_each = _cells_at_a_level(query.joint) + objective.n_cells
    seconds = _RELAXING_SHARE * relax_seconds(objective, cells_each)
    if _counts_pairs(objective):
        seconds *= _STEPS_OF_SQUARES
    seconds += _SECONDS_PER_ENTRY * types.n_types * sum(objective.shape)
    most = _most_seconds(policy)
    n_bracketed = min(
        len(levels), _MOST_BRACKETS, max(2, int(most / (_SECONDS_PER_BRACKET + seconds)))
    )
    limiting = limit_seconds(objective, types.rows.n_statements, types.columns.n_statements)
    seconds += limiting if limiting <= most / n_bracketed else 0.0
    # At the highest level most objects are certain, and where all is open they are all alike.
    is_all_open = query.joint.n_open_cells >= types.n_types * float(objective.n_cells)
    n_open = max(0, n_bracketed - 1 - is_all_open)
    return Plan(
        guarantee="certified",
        tables=2.0 * n_bracketed,
        bytes=200.0 * min(open_cells, 2e7) + 64.0 * query.n_objects,
        seconds=1e-3 + n_bracketed * _SECONDS_PER_BRACKET + n_open * seconds,
        why=f"{n_bracketed:,} nested rough comparisons are bracketed, which bounds the others",
        shortest=0.0,
        work=partial(_bracket_cuts, query, levels, masses, n_bracketed, most / n_bracketed),
    )


def _bracket_cuts(
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

    found = sweep_levels(bracket, masses, budget=max_solves)
    return _conclude(query, levels, masses, found, is_exact=False)


def _is_contiguous(query: Query) -> bool:
    """Whether all values between the ends of a cut are in it: an object that moves is one step."""
    return isinstance(query.objective.family, Matching | Majority)


def _possibility(query: Query, levels: Floats, found: LevelEnds) -> ValuePossibility:
    """Every end with the highest level at which it is one, and what lies between if known."""
    # An end that lasts for some levels has the possibility of the highest one.
    first_low, first_high = (
        np.flatnonzero(np.diff(side, prepend=np.nan) != 0.0)
        for side in (found.low_bounds, found.high_bounds)
    )
    values = np.concatenate([found.low_bounds[first_low], found.high_bounds[first_high]])
    possibilities = np.concatenate([levels[first_low], levels[first_high]])
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
