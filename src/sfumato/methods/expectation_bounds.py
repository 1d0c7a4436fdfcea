"""Certified brackets of lower and upper expectations, without sampling."""

from collections.abc import Iterator
from functools import partial
from typing import final

import numpy as np

from sfumato.algorithms.expectations.least_matching import bracket_least_matching
from sfumato.algorithms.expectations.most_matching import bracket_most_matching
from sfumato.algorithms.expectations.pair_policies import most_against_two, pushed_disagreement
from sfumato.algorithms.expectations.set_pairs import SetPairs
from sfumato.algorithms.expectations.sure_pairs import sure_pairs
from sfumato.algorithms.sampling.blocks import Run
from sfumato.families import Matching, Objective, Separable
from sfumato.methods.base import Method, Scope
from sfumato.question.plan import Plan, Policy
from sfumato.question.query import Query
from sfumato.results.answers import Answer, Bracket, bracketed_answer

__all__ = ["ExpectationBounds"]

_MOST_CELLS = 2e7  # over all objects and the sets that they may draw
_SLACK = 1e-12  # relative: rounding must not cut into a bracket
_NO_SPREAD = "The spread of the two ends is not known to this method."


@final
class ExpectationBounds(Method):
    """Bracket both expectations of an evidential comparison in one pass.

    Pair counting: outer sides from the pairs of objects that the drawn sets surely join or part,
    inner sides from a policy that sends each set to well chosen clusters. Matching: outer sides
    from a mixture of matchings and from the laws of their differences, inner sides likewise.
    """

    name = "expectation_bounds"
    cost = "about the cells that the sets of all objects leave open; a linear program for matchings"
    scopes = (
        Scope(
            theories=("evidential",),
            guarantees=("certified",),
            quantities=("expectation",),
            families=("pairs", "matching"),
        ),
    )

    def plan(self, query: Query, policy: Policy) -> Iterator[Plan]:
        """Bound both ends from outside and from inside."""
        objective, cells = query.objective, query.joint.n_open_cells
        is_matching = isinstance(objective.family, Matching)
        counts_pairs = isinstance(objective.family, Separable) and objective.family.counts_pairs
        if cells > _MOST_CELLS or not (is_matching or counts_pairs):
            return
        yield Plan(
            guarantee="certified",
            tables=1,
            bytes=64.0 * cells,
            seconds=(2e-2 if is_matching else 2e-3) + 1e-7 * cells,
            why="both expectations have brackets that need no draws",
            work=partial(_answer, query),
        )


def _answer(query: Query, _: Run) -> Answer:
    objective, pairs = query.objective, query.joint.set_pairs
    match objective.family:
        case Matching(offset=offset, slope=slope):
            least, most = bracket_least_matching(pairs), bracket_most_matching(pairs)
            ends = _values(objective, least, most, offset, slope)
        case Separable(value=value, distance_scale=float(scale)):
            ends = _values(objective, *_disagreements(pairs), value.offset, scale)
        case _:
            raise AssertionError("out of scope")
    return bracketed_answer("certified", *ends, notes=(_NO_SPREAD,))


def _disagreements(pairs: SetPairs) -> tuple[Bracket, Bracket]:
    """Brackets of the least and the most expected ordered pairs that disagree."""
    n = pairs.n_objects
    sure = sure_pairs(pairs)
    return (
        (sure.disagree, pushed_disagreement(pairs, "least")),
        (
            pushed_disagreement(pairs, "most"),
            min(n * (n - 1) - sure.agree, most_against_two(pairs)),
        ),
    )


def _values(
    objective: Objective, least: Bracket, most: Bracket, offset: float, slope: float
) -> tuple[Bracket, Bracket]:
    """Brackets of the lower and the upper end of the measure, widened by rounding.

    ``least`` and ``most`` are those of a count in which the measure is affine.
    """
    lowest, highest = objective.bounds
    values = [
        np.clip(np.sort(offset + slope * np.array(bracket)), lowest, highest).tolist()
        for bracket in (least, most)
    ]
    lower, upper = values if slope > 0 else values[::-1]
    # The lower end is no higher than the upper one, so each bracket limits the other.
    lower[1], upper[0] = min(lower[1], upper[1]), max(upper[0], lower[0])
    slack = _SLACK * max(1.0, abs(lower[0]), abs(upper[1]))
    low, high = (
        (max(lowest, bracket[0] - slack), min(highest, bracket[1] + slack))
        for bracket in (lower, upper)
    )
    return low, high
