"""Find how much narrower a rough comparison gets when the clusters of one object become known."""

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.ends.found_ends import Budget
from sfumato.algorithms.ends.solve import is_solvable, solve_seconds, solve_types
from sfumato.algorithms.tables.focal_model import SetTypes
from sfumato.contributions.revealed import Compare, Sides, by_comparisons, open_objects
from sfumato.display.progress import progress_bar
from sfumato.partitions.rough import RoughPartition
from sfumato.question.plan import Policy
from sfumato.question.query import Query
from sfumato.question.search_nodes import search_nodes
from sfumato.results.comparison import Comparison

__all__ = ["shares_of_width"]

_COUNTS_AT_ONCE = 1 << 18
_ROWS_AT_ONCE = 256
_SECONDS_PER_COMPARISON = 1e-3
_SEARCHES = 20  # so many searches get all nodes each; more searches share the same total
_FEWEST_NODES = 10


def shares_of_width(query: Query, whole: Comparison, policy: Policy, compare: Compare) -> Floats:
    """Share of the width that goes away, at least, when an object becomes known."""
    joint = query.joint
    sides = Sides(
        *(side.support().mask.astype(np.float64) for side in (joint.row_side, joint.column_side))
    )
    objects, places = open_objects(query, sides)
    if whole.width == 0.0 or len(objects) == 0:
        return np.zeros(query.n_objects)
    types = joint.set_types
    if whole.n_samples is None and types is not None and is_solvable(query.objective, types):
        left = _solved_together(query, policy, types, sides, objects)
    else:
        left = by_comparisons(
            sides,
            objects,
            _SECONDS_PER_COMPARISON,
            lambda known: compare(RoughPartition(known.a), RoughPartition(known.b)).width,
            lambda widths, _: float(widths.max()),
        )
    shares = np.maximum(0.0, 1.0 - left / whole.width)
    return np.append(shares, 0.0)[places]


def _solved_together(
    query: Query, policy: Policy, types: SetTypes, sides: Sides, objects: Ints
) -> Floats:
    """Largest width that may be left when an object of each type becomes known.

    All cases are solved together, in blocks.
    """
    which = query.joint.types.type_of_objects()[objects]
    possible = (sides.a[objects, :, None] > 0) & (sides.b[objects, None, :] > 0)
    owners, rows, columns = np.nonzero(possible)  # all pairs of clusters that each object may have
    left = np.zeros(len(objects))
    step = max(1, min(_ROWS_AT_ONCE, _COUNTS_AT_ONCE // types.counts.size))
    nodes = search_nodes(query, policy)
    nodes = min(nodes, max(_FEWEST_NODES, _SEARCHES * nodes // len(owners)))
    budget = Budget(nodes, policy.n_threads)
    seconds = solve_seconds(query.objective, has_hard_side=query.has_hard_side)
    with progress_bar("contributions", seconds * len(owners)) as progress:
        for start in range(0, len(owners), step):
            block = slice(start, start + step)
            known = _known(types, which[owners[block]], rows[block], columns[block])
            found = solve_types(query.objective, known, budget)
            np.maximum.at(left, owners[block], found.high_bounds - found.low_bounds)
            progress(min(1.0, (start + step) / len(owners)))
    return left


def _known(types: SetTypes, which: Ints, rows: Ints, columns: Ints) -> SetTypes:
    """Build the types again, once for each choice: one object moves to a type without a choice."""
    n_types, one = types.counts.shape[1], np.int64(1)
    cells, place = np.unique(np.stack([rows, columns]), axis=1, return_inverse=True)
    counts = np.zeros((len(which), n_types + cells.shape[1]), dtype=np.int64)
    counts[:, :n_types] = types.counts
    every = np.arange(len(which))
    counts[every, which] -= 1
    counts[every, n_types + place.ravel()] += 1
    return SetTypes(
        np.concatenate([types.row_sets, one << cells[0]]),
        np.concatenate([types.column_sets, one << cells[1]]),
        counts,
    )
