"""A query as objects that draw pairs of sets, for the bounds of expectations."""

from typing import TypeAlias

import numpy as np

from sfumato._typing import Bools
from sfumato.algorithms.expectations.set_pairs import SetPairs
from sfumato.families import Matching, Separable
from sfumato.partitions.statements import Statements
from sfumato.query import Query

__all__ = [
    "is_bounded",
    "set_pairs_of",
    "value_brackets",
]

Bracket: TypeAlias = tuple[float, float]

_MOST_CELLS = 2e7  # over all objects and the sets that they may draw
_SLACK = 1e-12  # relative: rounding must not cut into a bracket


def is_bounded(query: Query) -> bool:
    """Whether the expectations of a query have brackets that are narrower than the support's."""
    if query.theory != "evidential" or query.quantity != "expectation":
        return False
    family = query.measure.family(query.n_objects)
    counts_pairs = isinstance(family, Separable) and family.counts_pairs
    if not isinstance(family, Matching) and not counts_pairs:
        return False
    return query.n_open_cells <= _MOST_CELLS


def set_pairs_of(query: Query) -> SetPairs:
    """List what each type of objects may draw."""
    joint = query.joint
    choices = joint.set_choices(np.multiply)
    cell_starts, cells = joint.pair_cells(choices.labels)
    n_b_sets = len(joint.b.set_starts) - 1
    a_used, a_set = np.unique(choices.labels // n_b_sets, return_inverse=True)
    b_used, b_set = np.unique(choices.labels % n_b_sets, return_inverse=True)
    return SetPairs(
        counts=choices.counts,
        starts=choices.starts,
        pairs=choices.cells,
        masses=choices.weights,
        cell_starts=cell_starts,
        cells=cells,
        a_sets=_mask(joint.a)[a_used],
        b_sets=_mask(joint.b)[b_used],
        a_set=a_set.astype(np.int64),
        b_set=b_set.astype(np.int64),
    )


def _mask(statements: Statements) -> Bools:
    return statements.family.to_mask(statements.n_clusters)


def value_brackets(
    query: Query, least: Bracket, most: Bracket, offset: float, slope: float
) -> tuple[Bracket, Bracket]:
    """Brackets of the lower and the upper end of the measure, widened by rounding.

    ``least`` and ``most`` are those of a count in which the measure is affine.
    """
    values = [
        np.clip(np.sort(offset + slope * np.array(bracket)), *query.bounds).tolist()
        for bracket in (least, most)
    ]
    lower, upper = values if slope > 0 else values[::-1]
    # The lower end is no higher than the upper one, so each bracket limits the other.
    lower[1], upper[0] = min(lower[1], upper[1]), max(upper[0], lower[0])
    lowest, highest = query.bounds
    slack = _SLACK * max(1.0, abs(lower[0]), abs(upper[1]))
    low, high = (
        (max(lowest, bracket[0] - slack), min(highest, bracket[1] + slack))
        for bracket in (lower, upper)
    )
    return low, high
