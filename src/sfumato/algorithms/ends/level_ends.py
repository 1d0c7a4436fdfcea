"""Find both ends of a measure at every level of two possibilistic partitions.

Cut at a level, each possibilistic partition becomes a rough one.
"""

from functools import partial

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.ends.level_sweeps import LevelEnds, refine_levels, sweep_levels
from sfumato.algorithms.ends.solve import has_brackets, is_solvable, solve_types
from sfumato.algorithms.ends.weighted import Budget
from sfumato.algorithms.tables.focal_model import SetTypes
from sfumato.algorithms.tables.level_types import LevelTypes, counts_at
from sfumato.families import Objective

__all__ = ["has_level_ends", "level_ends"]

# All levels together may take as many nodes as this many searches. One level takes one at most.
_SEARCHES = 20
_FIRST_SHARE = 100  # at first each level gets this part (one in 100) of the nodes of a search


def has_level_ends(objective: Objective, types: LevelTypes, *, exactly: bool = False) -> bool:
    """Whether both ends can be solved at all levels; or, if not ``exactly``, at least bracketed."""
    nothing = np.empty((0, len(types.row_sets)), int)
    has_ends = is_solvable if exactly else has_brackets
    return has_ends(objective, SetTypes(types.row_sets, types.column_sets, nothing))


def level_ends(
    objective: Objective, types: LevelTypes, masses: Floats, budget: Budget, max_solves: int
) -> LevelEnds:
    """Find both ends at all levels; solve only at the levels where an end changes.

    ``masses`` are the masses of the levels, highest level first. A wide bracket matters most where
    the mass is large, so such levels are solved first.
    """

    def solve(nodes: int, at: Ints) -> LevelEnds:
        counts = SetTypes(types.row_sets, types.column_sets, counts_at(types, at))
        solved = solve_types(objective, counts, Budget(nodes, budget.threads))
        return LevelEnds(solved.low_bounds, solved.lows, solved.highs, solved.high_bounds)

    first_nodes = -(-budget.max_nodes // _FIRST_SHARE)
    found = sweep_levels(partial(solve, first_nodes), masses, max_solves=max_solves)
    still_open = np.flatnonzero(found.is_open)[:max_solves]
    if len(still_open) == 0 or budget.max_nodes == 0:
        return found
    nodes = min(budget.max_nodes, _SEARCHES * budget.max_nodes // len(still_open))
    return refine_levels(found, partial(solve, nodes), still_open)
