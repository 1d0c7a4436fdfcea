"""Both expectations of a matching measure where neither side has a third cluster."""

from collections.abc import Iterator
from functools import partial
from typing import final

import numpy as np

from sfumato._typing import Bools, Floats
from sfumato.algorithms.expectations.set_pairs import SetPairs, sums_by
from sfumato.algorithms.laws.set_matching import two_cluster_ends, two_cluster_stds
from sfumato.algorithms.sampling.blocks import Run
from sfumato.families import Matching
from sfumato.methods.base import Method, Scope
from sfumato.question.plan import Plan, Policy
from sfumato.question.query import Query
from sfumato.results.answers import Answer, bracketed_answer

__all__ = ["MatchingExpectation"]

_MAX_LOST_MASS = 1e-13  # no more than rounding does to the means
_MOST_OBJECTS_WITH_SPREAD = 1500  # the joint law behind it takes about n^2 additions per object


@final
class MatchingExpectation(Method):
    """Exact lower and upper expectation from three laws on a line.

    With two clusters on either side an object surely agrees, surely differs or may do either, and
    both ends of the largest matching depend on how many do the first and the second.
    """

    name = "matching_expectation"
    cost = "O(n log n): three laws on a line"
    scopes = (
        Scope(
            theories=("evidential",),
            guarantees=("exact",),
            quantities=("expectation",),
            families=("matching",),
            most_clusters=2,
        ),
    )

    def plan(self, query: Query, policy: Policy) -> Iterator[Plan]:
        """Sum up who agrees and who differs."""
        yield Plan(
            guarantee="exact",
            tables=1,
            bytes=200.0 * query.n_objects,
            seconds=5e-4 + 1e-6 * query.n_objects,
            why="with two clusters both ends follow from how many objects surely agree or differ",
            work=partial(_answer, query),
        )


def _answer(query: Query, _: Run) -> Answer:
    objective = query.objective
    assert isinstance(objective.family, Matching)
    offset, slope = objective.family.offset, objective.family.slope
    events = _events(query.joint.set_pairs)
    ends = two_cluster_ends(*events, max_lost_mass=_MAX_LOST_MASS)
    low, high = np.clip(sorted(offset + slope * end for end in ends), *objective.bounds).tolist()
    is_small = query.n_objects <= _MOST_OBJECTS_WITH_SPREAD
    return bracketed_answer(
        "exact",
        (low, low),
        (high, high),
        find_std=partial(_stds, events, slope) if is_small else None,
        notes=()
        if is_small
        else ("The spread is not given: it takes the joint law of two counts.",),
    )


def _events(pairs: SetPairs) -> tuple[Floats, Floats, Floats]:
    """Probabilities that each object surely agrees, surely differs, or may do either."""
    n_columns = pairs.shape[1]
    on_diagonal = pairs.cells // n_columns == pairs.cells % n_columns
    starts = pairs.cell_starts[:-1]
    may_agree = np.logical_or.reduceat(on_diagonal, starts)
    may_differ = np.logical_or.reduceat(~on_diagonal, starts)

    def probability(which: Bools) -> Floats:
        masses = pairs.masses * which[pairs.pairs]
        return np.repeat(sums_by(pairs.owners, masses, len(pairs.counts)), pairs.counts)

    return probability(~may_differ), probability(~may_agree), probability(may_agree & may_differ)


def _stds(events: tuple[Floats, Floats, Floats], slope: float) -> tuple[float, float]:
    least, most = (
        abs(slope) * std for std in two_cluster_stds(*events, max_lost_mass=_MAX_LOST_MASS)
    )
    return (least, most) if slope > 0 else (most, least)
