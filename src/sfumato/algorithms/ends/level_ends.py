"""Find both ends of a measure at every level of two possibilistic partitions.

Cut at a level, each possibilistic partition becomes a rough one.
"""

from functools import partial
from typing import NamedTuple

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.deadline import Deadline
from sfumato.algorithms.ends.found_ends import Budget
from sfumato.algorithms.ends.level_sweeps import (
    LevelEnds,
    SolveLevels,
    refine_levels,
    sweep_levels,
)
from sfumato.algorithms.ends.matching_program import MOST_FLOWS
from sfumato.algorithms.ends.solve import has_brackets, is_solvable, solve_seconds, solve_types
from sfumato.algorithms.tables.focal_model import SetTypes
from sfumato.algorithms.tables.level_types import LevelTypes
from sfumato.families import Matching, Objective

__all__ = [
    "FIRST_SHARE",
    "MOST_SEARCHES",
    "Searches",
    "has_level_ends",
    "level_ends",
    "level_seconds",
]

FIRST_SHARE = 100  # of the nodes of a single search, for each of many levels at first
MOST_SEARCHES = 20  # whose nodes are shared by all levels that stay open

_SECONDS_PER_PIECE = 0.05  # between two looks at the clock
_SECONDS_PER_CELL = 1e-7
_SECONDS_PER_PROGRAM, _SECONDS_PER_FLOW = 5e-3, 3e-4
_FEW_CLUSTERS = 3  # of which a matching needs no program
_MOST_COUNTS = 1 << 24  # of types at levels, held at one time
# Where a small share of the levels is left, each may take the nodes of some searches.
_FEW_SHARE, _MORE_FOR_FEW = 0.1, 4
_FEWEST_TOGETHER = 8  # levels in a piece, which may share their nodes


class Searches(NamedTuple):
    """How many levels are searched, and with how many nodes at first and later."""

    most_levels: int
    first_nodes: int  # of each search at first
    more_nodes: int  # of all that stay open, together; half of it in each further round


def has_level_ends(
    objective: Objective, rows: Floats, columns: Floats, *, exactly: bool = False
) -> bool:
    """Whether the ends of the rough comparisons at all levels can be solved, or else bracketed.

    ``rows`` and ``columns`` are the possibilities of the clusters on either side.
    """
    # A side with several sets stands for all: what matters is which sides are single clusters.
    row_set, column_set = (
        np.where((np.count_nonzero(side, axis=1) > 1).any(keepdims=True), 3, 1)
        for side in (rows, columns)
    )
    is_within_reach = is_solvable if exactly else has_brackets
    return is_within_reach(
        objective, SetTypes(row_set, column_set, np.empty((0, 1), dtype=np.int64))
    )


def level_seconds(
    objective: Objective, n_cells: float, *, has_hard_side: bool, max_nodes: float
) -> float:
    """About the time that both ends at one level take, with so many nodes.

    ``n_cells`` counts the cells that each type of objects may take at a level, over all types.
    """
    if isinstance(objective.family, Matching) and max(objective.shape) > _FEW_CLUSTERS:
        seconds = _SECONDS_PER_PROGRAM + _SECONDS_PER_FLOW * min(n_cells, MOST_FLOWS)
    else:
        seconds = solve_seconds(objective, has_hard_side=has_hard_side, max_nodes=max_nodes)
    return seconds + _SECONDS_PER_CELL * n_cells


def level_ends(
    objective: Objective,
    types: LevelTypes,
    masses: Floats,
    budget: Budget,
    searches: Searches,
) -> LevelEnds:
    """Find both ends at all levels; solve only at the levels where an end changes.

    ``masses`` are the masses of the levels, highest level first. A wide bracket matters most where
    the mass is large, so such levels are solved first, with the first nodes each. Levels that stay
    open are searched again with more nodes, as long as fewer levels leave at least twice as many
    for each; where few are left, with up to four times those of the budget. After the deadline of
    the budget, the other levels keep the brackets that the solved ones give them.
    """

    def solve(nodes: int, at: Ints) -> LevelEnds:
        counts = SetTypes(types.row_sets, types.column_sets, types.counts_at(at))
        solved = solve_types(objective, counts, budget._replace(max_nodes=nodes, is_shared=True))
        return LevelEnds(solved.low_bounds, solved.lows, solved.highs, solved.high_bounds)

    most = max(1, _MOST_COUNTS // max(1, types.n_types))
    deadline = Deadline() if budget.deadline is None else budget.deadline

    def in_pieces(nodes: int) -> SolveLevels:
        return partial(_in_pieces, partial(solve, nodes), most, deadline)

    found = sweep_levels(in_pieces(searches.first_nodes), masses, budget=searches.most_levels)
    lowest, highest = objective.bounds
    found = found._replace(
        low_bounds=np.maximum(found.low_bounds, lowest),
        high_bounds=np.minimum(found.high_bounds, highest),
    )
    n_searched = min(len(masses), searches.most_levels)
    shared, least = searches.more_nodes, searches.first_nodes + 1
    while not deadline.is_over:
        still_open = np.flatnonzero(found.is_open)[: searches.most_levels]
        if len(still_open) == 0:
            break
        is_few = len(still_open) <= _FEW_SHARE * n_searched
        most_nodes = budget.max_nodes * (_MORE_FOR_FEW if is_few else 1)
        nodes = min(most_nodes, shared // len(still_open))
        if nodes < least:
            break
        found = refine_levels(found, in_pieces(nodes), still_open)
        shared, least = shared // 2, 2 * nodes
    return found


def _in_pieces(solve: SolveLevels, most: int, deadline: Deadline, at: Ints) -> LevelEnds:
    """Solve levels piece by piece: all of them, or the first ones if time runs out.

    ``most`` is the size of a piece that fits in memory. Where time is limited the pieces begin
    small and follow the time that they take.
    """
    parts: list[LevelEnds] = []
    fewest = min(most, _FEWEST_TOGETHER)
    start, size = 0, fewest if deadline.is_set else most
    while start < len(at):
        before = deadline.left
        if start > 0 and before <= 0.0:
            break
        parts.append(solve(at[start : start + size]))
        start += size
        if deadline.is_set:
            is_short = before - deadline.left < _SECONDS_PER_PIECE
            size = min(most, 2 * size) if is_short else max(fewest, size // 2)
    return LevelEnds(*(np.concatenate(side) for side in zip(*parts, strict=True)))
