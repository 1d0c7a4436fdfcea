"""Both ends of the rough comparison of the cuts, level by level."""

from functools import partial

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.ends.level_sweeps import LevelEnds, refine_levels, sweep_levels
from sfumato.algorithms.tables.focal_model import SetTypes
from sfumato.algorithms.tables.level_types import LevelTypes, counts_at, level_types
from sfumato.methods.base import Policy
from sfumato.methods.extremes import has_brackets, is_solvable, solve_types
from sfumato.partitions.statements import Statements
from sfumato.query import Query

__all__ = ["has_level_ends", "level_ends"]

_MOST_CLUSTERS = 32  # sets of clusters are bit masks
# A sweep may take as many nodes as this many single searches, but no level more than one of them.
_SEARCHES = 20
_FIRST_SHARE = 100  # of the nodes of a single search, for each level at first


def has_level_ends(query: Query, *, exactly: bool = False) -> bool:
    """Whether the ends of the cuts of a possibilistic query can be solved, or else bracketed."""
    if max(query.shape) > _MOST_CLUSTERS:
        return False
    types = _level_types(query, query.levels()[0])
    nothing = np.empty((0, len(types.row_sets)), int)
    is_within_reach = is_solvable if exactly else has_brackets
    return is_within_reach(query, SetTypes(types.row_sets, types.column_sets, nothing))


def level_ends(
    query: Query, levels: Floats, masses: Floats, policy: Policy, max_solves: int
) -> LevelEnds:
    """Solve the rough comparisons of the cuts at the levels where an end changes.

    ``levels`` are the lowest of the query's, or all, highest first; ``masses`` say where a gap
    that is left open matters most.
    """
    types = _level_types(query, levels)
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


def _level_types(query: Query, levels: Floats) -> LevelTypes:
    joint = query.joint
    a = _memberships(joint.a)[joint.a_statements]
    b = _memberships(joint.b)[joint.b_statements]
    return level_types(a, b, joint.counts, levels)


def _memberships(statements: Statements) -> Floats:
    """The possibility of each cluster in each statement, whose sets are single clusters."""
    dense = np.zeros((statements.n_statements, statements.n_clusters))
    clusters = statements.set_members[statements.set_starts[statements.sets]]
    dense[statements.owners, clusters] = statements.weights
    return dense
