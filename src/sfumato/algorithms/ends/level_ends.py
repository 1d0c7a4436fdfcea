"""Both ends of the rough comparison of the cuts, level by level."""

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

# A sweep may take as many nodes as this many single searches, but no level more than one of them.
_SEARCHES = 20
_FIRST_SHARE = 100  # of the nodes of a single search, for each level at first


def has_level_ends(objective: Objective, types: LevelTypes, *, exactly: bool = False) -> bool:
    """Whether the ends of the rough comparisons at all levels can be solved, or else bracketed."""
    nothing = np.empty((0, len(types.row_sets)), int)
    is_within_reach = is_solvable if exactly else has_brackets
    return is_within_reach(objective, SetTypes(types.row_sets, types.column_sets, nothing))


def level_ends(
    objective: Objective, types: LevelTypes, masses: Floats, budget: Budget, max_solves: int
) -> LevelEnds:
    """Solve the rough comparisons of the cuts at the levels where an end changes.

    ``masses`` are those of the levels, highest first: they say where a gap that is left open
    matters most.
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
