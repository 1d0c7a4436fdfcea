"""Rough partitions: both ends by search, or a bracket for each; a last resort for other kinds."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import final

import numpy as np

from sfumato._typing import Floats, Guarantee, Tables
from sfumato.algorithms.deadline import Deadline
from sfumato.algorithms.ends.climb import climb, climb_seconds, fill_greedily
from sfumato.algorithms.ends.found_ends import Budget
from sfumato.algorithms.ends.rough_bracket import (
    limit_seconds,
    relaxed_in_time,
    rough_bounds,
    rough_bracket,
)
from sfumato.algorithms.ends.solve import (
    has_brackets,
    is_solvable,
    solve_seconds,
    solve_types,
)
from sfumato.algorithms.sampling.blocks import Run
from sfumato.algorithms.tables.focal_model import SetTypes
from sfumato.families import FAMILY_KINDS, Adjusted, Objective, Ratio, Separable
from sfumato.methods.base import Method, Scope
from sfumato.question.joint import Joint
from sfumato.question.plan import Plan, Policy
from sfumato.question.query import Query
from sfumato.question.search_nodes import search_nodes, search_seconds
from sfumato.question.witness import witness_of_end
from sfumato.results.answers import Answer, Bracket, answer_by_range, bracketed_answer
from sfumato.results.values import ValueSet

__all__ = ["RoughEnds"]

# Hill climbing evaluates a table per move; beyond these sizes tables are filled greedily only.
_MOST_CLIMBED_ENTRIES = 2000
_MOST_CLIMBED_CELLS = 400
_MOST_LISTED = 2e7  # cells that are open, over all types
_SECONDS_PER_CELL = 5e-6  # that is open to a type of objects
_SECONDS_PER_TYPE = 1e-5  # that is filled greedily
_MOST_SETS = 500  # powers of 2 beyond are no floats
_SECONDS_PER_SEARCHED_TYPE = 1e-6  # and set of clusters, against a hard truth


@final
class RoughEnds(Method):
    """Find the smallest and the largest value instead of listing all tables.

    Two efforts. A search by vertices, branch and bound, or assignment finds both ends exactly; it
    depends on the number of objects only through counts, and where it runs out of nodes it leaves
    a certified bracket. For any size, each end is bounded from outside (limits of margins and
    cells, pairs that are forced to agree or to disagree, a relaxation that each object solves by
    itself, the ends of a distance) and from inside (greedy filling and hill climbing).

    Of soft partitions of any other kind, the outer bounds of what they do not rule out hold every
    expectation: wide, but certain, and where nothing else answers.
    """

    name = "rough_ends"
    cost = "a search, independent of n beyond counting; brackets grow with the distinct sets"
    scopes = (
        Scope(
            theories=("rough",),
            guarantees=("exact", "certified"),
            families=FAMILY_KINDS,
            needs="counts",
        ),
        Scope(
            theories=("fuzzy", "possibilistic", "evidential", "levels"),
            guarantees=("certified",),
            is_last_resort=True,
        ),
    )

    def plan(self, query: Query, policy: Policy) -> Iterator[Plan]:
        """Search where a solver exists, and bracket."""
        if query.theory != "rough":
            yield Plan(
                guarantee="certified",
                tables=1,
                bytes=32.0 * query.objective.n_cells,
                seconds=1e-2,
                shortest=0.0,
                why="expectations lie within the range of what is not ruled out",
                work=partial(_range_of_support, query),
            )
            return
        objective, joint = query.objective, query.joint
        only_ends = query.quantity == "distribution"
        types = joint.set_types
        if types is not None and _is_searched_apart(query, policy):
            guarantee: Guarantee = "certified" if only_ends or policy.max_nodes == 0 else "exact"
            seconds = solve_seconds(objective, has_hard_side=query.has_hard_side)
            if query.has_hard_side and isinstance(objective.family, Separable | Ratio):
                rounds = 2.0 if isinstance(objective.family, Ratio) else 1.0
                n_sets = 2.0 ** min(objective.shape[0], _MOST_SETS)
                seconds += rounds * _SECONDS_PER_SEARCHED_TYPE * n_sets * joint.types.n_types
            yield Plan(
                guarantee=guarantee,
                tables=2,
                bytes=1e6,
                seconds=1e-4 + seconds + search_seconds(query, policy),
                why="the measure's structure leads straight to its smallest and largest value",
                shortest=0.0,
                may_fall_short=guarantee == "exact",
                work=partial(_search, query, policy, types),
            )
        n_types = joint.types.n_types
        yield Plan(
            guarantee="certified",
            tables=2,
            bytes=32.0 * objective.n_cells + 8.0 * n_types**2,
            seconds=_bracket_seconds(query, policy, types),
            shortest=0.0,
            why="limits of the table's margins and cells bound both ends",
            work=partial(_bracket, query, policy),
        )


def _is_searched_apart(query: Query, policy: Policy) -> bool:
    """Whether a search is a plan of its own, rather than one more bound of the brackets.

    Without nodes it is only a bound, next to nothing where it is no integer program.
    """
    objective = query.objective
    is_bound = policy.max_nodes == 0 and isinstance(objective.family, Separable | Ratio)
    return not is_bound and is_solvable(objective, query.joint.set_types)


def _search(query: Query, policy: Policy, types: SetTypes, run: Run) -> Answer:
    """Solve both ends of the one focal table."""
    nodes = search_nodes(query, policy)
    found = solve_types(query.objective, types, Budget(nodes, policy.n_threads, run.deadline))
    low = float(found.low_bounds[0]), float(found.lows[0])
    high = float(found.highs[0]), float(found.high_bounds[0])
    notes: tuple[str, ...] = ()
    if nodes < policy.max_nodes and (low[0] < low[1] or high[0] < high[1]):
        why = "with so many types of objects a node takes long; raise max_nodes for more"
        if policy.max_seconds is not None:
            why = "max_seconds allows for no more"
        notes = (f"Each search was limited to {nodes:,} nodes: {why}.",)
    if query.quantity == "distribution":
        notes = ("Only the ends of the set of values are known: listing it costs too much.",)
    return _answer(query, low, high, (found.low_tables[0], found.high_tables[0]), notes)


def _bracket_seconds(query: Query, policy: Policy, types: SetTypes | None) -> float:
    objective, joint = query.objective, query.joint
    seconds = 1e-2 + 1e-8 * objective.n_cells + _SECONDS_PER_CELL * joint.n_open_cells
    if _can_climb(objective, joint):
        slowly = 2.0 if isinstance(objective.family, Adjusted) else 1.0
        seconds += 4 * slowly * climb_seconds(joint.n_open_cells)
    types_of_sides = joint.types.rows, joint.types.columns
    seconds += limit_seconds(objective, *(side.n_statements for side in types_of_sides))
    if has_brackets(objective, types) and not _is_searched_apart(query, policy):
        seconds += search_seconds(query, policy)
    return seconds


def _bracket(query: Query, policy: Policy, run: Run) -> Answer:
    """Bound both ends from outside and from inside, in all ways that apply."""
    objective, joint = query.objective, query.joint
    outers = [rough_bounds(objective, joint.set_matrices, run.deadline)]
    attained = _climbed(objective, joint, run.deadline)
    batch = joint.rough_batch
    relaxed = None if batch is None else relaxed_in_time(objective, batch, run.deadline)
    if batch is not None and relaxed is not None:
        outers.append((float(relaxed.low_bounds[0]), float(relaxed.high_bounds[0])))
        attained.append((float(relaxed.lows[0]), batch.fill(relaxed.low_sent)))
        attained.append((float(relaxed.highs[0]), batch.fill(relaxed.high_sent)))
    types = joint.set_types
    may_search = has_brackets(objective, types) and not _is_searched_apart(query, policy)
    if types is not None and may_search and not run.deadline.is_over:
        nodes = search_nodes(query, policy)
        near = solve_types(objective, types, Budget(nodes, policy.n_threads, run.deadline))
        outers.append((float(near.low_bounds[0]), float(near.high_bounds[0])))
        attained.append((float(near.lows[0]), near.low_tables[0]))
        attained.append((float(near.highs[0]), near.high_tables[0]))
    least, most = (end(attained, key=lambda pair: pair[0]) for end in (min, max))
    low = min(max(low for low, _ in outers), least[0]), least[0]
    high = most[0], max(min(high for _, high in outers), most[0])
    notes: tuple[str, ...] = ()
    if query.quantity == "distribution":
        notes = ("Only a range that holds the set of values is known.",)
    return _answer(query, low, high, (least[1], most[1]), notes)


def _range_of_support(query: Query, run: Run) -> Answer:
    a, b = (side.support() for side in query.sides)
    rough = replace(query, a=a, b=b, theory="rough", quantity="range")
    objective, joint = rough.objective, rough.joint
    batch = None if objective.family is None else joint.rough_batch
    lower, upper = rough_bracket(objective, joint.set_matrices, batch, run.deadline)
    return answer_by_range((lower[0], upper[1]))


def _can_climb(objective: Objective, joint: Joint) -> bool:
    is_small = joint.n_open_cells <= _MOST_CLIMBED_ENTRIES
    return is_small and objective.n_cells <= _MOST_CLIMBED_CELLS


def _climbed(objective: Objective, joint: Joint, deadline: Deadline) -> list[tuple[float, Tables]]:
    """Values that greedy filling and hill climbing attain, with their tables.

    Where time is short or lists would be long, all objects go to the first cell that is open.
    """
    n_cells = objective.n_cells

    def evaluate(tables: Tables) -> Floats:
        return objective.of_tables(tables.reshape(len(tables), *objective.shape))

    seconds = _SECONDS_PER_TYPE * joint.types.n_types
    if joint.n_open_cells > _MOST_LISTED or seconds > deadline.left:
        first = np.bincount(joint.first_cells, joint.types.counts, n_cells).astype(np.int64)
        return [(float(evaluate(first[None, :])[0]), first)]
    counts, starts, cells = joint.open_lists
    can_climb = _can_climb(objective, joint)
    found: list[tuple[float, Tables]] = []
    for mass_together in (True, False):
        sent = fill_greedily(counts, starts, cells, n_cells, gather=mass_together)
        for sense in ("min", "max") if can_climb else ():
            table, value = climb(
                evaluate, starts, cells, sent, n_cells, sense=sense, deadline=deadline
            )
            found.append((value, table))
        if not can_climb:
            table = np.bincount(cells, weights=sent, minlength=n_cells).astype(np.int64)
            found.append((float(evaluate(table[None, :])[0]), table))
    return found


def _answer(
    query: Query,
    low: Bracket,
    high: Bracket,
    tables: tuple[Tables, Tables],
    notes: tuple[str, ...],
) -> Answer:
    is_exact = low[0] == low[1] and high[0] == high[1] and query.quantity != "distribution"
    return bracketed_answer(
        "exact" if is_exact else "certified",
        low,
        high,
        stds=(0.0, 0.0),
        distribution=ValueSet(np.unique([low[0], high[1]]), is_complete=False),
        notes=notes,
        find_witness=partial(witness_of_end, query, *tables),
    )
