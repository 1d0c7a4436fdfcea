"""Both expectations of a matching measure where neither side has a third cluster."""

from functools import partial
from typing import final

import numpy as np

from sfumato._typing import Bools, Floats
from sfumato.algorithms.expectations.set_pairs import sums_by
from sfumato.algorithms.laws.set_matching import two_cluster_ends, two_cluster_stds
from sfumato.families import Matching
from sfumato.methods.answers import bracketed_expectations
from sfumato.methods.base import Method, Plan, Policy, Progress
from sfumato.methods.set_pairs import set_pairs_of
from sfumato.query import Query
from sfumato.results.comparison import Comparison

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

    def plan(self, query: Query, policy: Policy) -> Plan | None:
        """Applies to evidential expectations of matching measures with two clusters a side."""
        family = query.measure.family(query.n_objects)
        if query.theory != "evidential" or query.quantity != "expectation":
            return None
        if not isinstance(family, Matching) or max(query.shape) > 2:
            return None
        return Plan(
            query,
            policy,
            method=self.name,
            guarantee="exact",
            tables=1,
            bytes=200.0 * query.n_objects,
            seconds=5e-4 + 1e-6 * query.n_objects,
            why="with two clusters both ends follow from how many objects surely agree or differ",
        )

    def run(
        self,
        plan: Plan,
        *,
        rng: np.random.Generator,
        deadline: float | None,
        progress: Progress,
    ) -> Comparison:
        """Sum up who agrees and who differs."""
        query = plan.query
        family = query.measure.family(query.n_objects)
        assert isinstance(family, Matching)
        events = _events(query)
        ends = two_cluster_ends(*events, max_lost_mass=_MAX_LOST_MASS)
        low, high = np.clip(
            sorted(family.offset + family.slope * end for end in ends), *query.bounds
        ).tolist()
        is_small = query.n_objects <= _MOST_OBJECTS_WITH_SPREAD
        return bracketed_expectations(
            plan,
            (low, low),
            (high, high),
            find_std=partial(_stds, events, family.slope) if is_small else None,
            notes=()
            if is_small
            else ("The spread is not given: it takes the joint law of two counts.",),
        )


def _events(query: Query) -> tuple[Floats, Floats, Floats]:
    """Probabilities that each object surely agrees, surely differs, or may do either."""
    pairs = set_pairs_of(query)
    n_columns = query.shape[1]
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
