"""A certified bracket of the mean of a matching measure, for any two fuzzy partitions."""

from typing import NamedTuple, final
from weakref import WeakKeyDictionary

import numpy as np

from sfumato.algorithms.expectations.matching_mean import MatchingMean, bracket_matching_mean
from sfumato.algorithms.expectations.sparse_matching_mean import bracket_sparse_matching_mean
from sfumato.algorithms.laws.step_sums import law_of_line_steps
from sfumato.families import Matching
from sfumato.methods.answers import bracketed_mean
from sfumato.methods.base import Method, Plan, Policy, Progress
from sfumato.methods.law_answers import EXACT_LOST_MASS, allowed_loss
from sfumato.methods.probability_rows import probability_rows
from sfumato.query import Query
from sfumato.results.comparison import Comparison
from sfumato.results.values import ValueDistribution

__all__ = ["MatchingBracket"]

_ROUNDING = EXACT_LOST_MASS  # a bracket narrower than this is exact but for rounding
_STD_ROUNDING = 1e-9
_DEFAULT_TOLERANCE = 1e-3
_MOST_MEMBERSHIPS = 40_000_000
# Sparse memberships up to this size may be laid out in full, for the sharper bounds.
_FEW_MEMBERSHIPS = 2_000_000


class _Found(NamedTuple):
    """The bracket in units of the measure."""

    bracket: tuple[float, float]
    error: float  # of the mean
    std: float
    std_error: float
    matching: MatchingMean


# A plan needs the bracket to know its width, and then it is there: kept as long as the query.
_FOUND: WeakKeyDictionary[Query, _Found] = WeakKeyDictionary()


@final
class MatchingBracket(Method):
    """Compare all matchings of clusters with the one that is best for the expected table.

    As a rule that one is almost surely the best for the random table too, and then the bracket
    is as narrow as rounding and its Poisson binomial law is the whole distribution. A bracket
    wider than the tolerance is left to sampling, if the policy accepts that.
    """

    name = "matching_bracket"

    def plan(self, query: Query, policy: Policy) -> Plan | None:
        """Applies to fuzzy partitions and measures of the matching family."""
        family = query.measure.family(query.n_objects)
        if query.theory != "fuzzy" or not isinstance(family, Matching):
            return None
        if _n_memberships(query) > _MOST_MEMBERSHIPS:
            return None
        found = _find(query, family)
        error = found.error
        if query.quantity == "distribution":
            error = max(error, found.matching.another_wins)
        is_exact = error <= _ROUNDING and found.std_error <= _STD_ROUNDING
        tolerance = policy.tolerance or _DEFAULT_TOLERANCE
        if not is_exact and error > tolerance and "confidence" in policy.guarantees:
            return None
        n_cells = query.shape[0] * query.shape[1]
        return Plan(
            query,
            policy,
            method=self.name,
            guarantee="exact" if is_exact else "certified",
            tables=1,
            bytes=16.0 * _n_memberships(query),
            seconds=1e-3 + 1e-8 * query.n_objects * n_cells,
            why="one matching of the clusters is nearly always the best"
            if is_exact
            else f"other matchings of the clusters change the answer by {error:.2g} at most",
        )

    def run(
        self,
        plan: Plan,
        *,
        rng: np.random.Generator,
        deadline: float | None,
        progress: Progress,
    ) -> Comparison:
        """Take the middle of the bracket; for the distribution sum up the matched objects."""
        query = plan.query
        family = query.measure.family(query.n_objects)
        assert isinstance(family, Matching)
        found = _find(query, family)
        notes: tuple[str, ...] = ()
        if found.std_error > _STD_ROUNDING:
            notes = (
                "The standard deviation is that of the matching which is best on average; the "
                f"true one is within {found.std_error:.2g}.",
            )
        distribution = None
        if query.quantity == "distribution":
            distribution = _distribution(plan, family, found.matching)
            if plan.guarantee != "exact":
                notes = (
                    *notes,
                    "The distribution is that of the matching which is best on average: its "
                    f"cumulative probabilities are within {distribution.lost_mass:.2g} of the "
                    "truth.",
                )
        return bracketed_mean(
            plan, found.bracket, std=found.std, distribution=distribution, notes=notes
        )


def _find(query: Query, family: Matching) -> _Found:
    found = _FOUND.get(query)
    if found is not None:
        return found
    matching = _matching(query)
    ends = [family.offset + family.slope * total for total in (matching.low, matching.high)]
    low, high = np.clip(sorted(ends), *query.bounds).tolist()
    scale = abs(family.slope)
    found = _Found(
        bracket=(low, high),
        error=(high - low) / 2,
        std=scale * matching.std,
        std_error=scale * matching.std_error,
        matching=matching,
    )
    _FOUND[query] = found
    return found


def _matching(query: Query) -> MatchingMean:
    if _stays_sparse(query):
        return bracket_sparse_matching_mean(probability_rows(query.a), probability_rows(query.b))
    a, b = (side.pignistic().memberships for side in (query.a, query.b))
    return bracket_matching_mean(a, b)


def _stays_sparse(query: Query) -> bool:
    is_large = query.n_objects * sum(query.shape) > _FEW_MEMBERSHIPS
    return is_large and (probability_rows(query.a).is_sparse or probability_rows(query.b).is_sparse)


def _n_memberships(query: Query) -> float:
    if _stays_sparse(query):
        in_a, in_b = probability_rows(query.a).mean_length, probability_rows(query.b).mean_length
        return query.n_objects * (in_a + in_b + in_a * in_b) + query.shape[0] * query.shape[1]
    return query.n_objects * sum(query.shape)


def _distribution(plan: Plan, family: Matching, matching: MatchingMean) -> ValueDistribution:
    """Law of the total of one matching: objects are matched or not, independently."""
    weights = np.stack([matching.unmatched, matching.matched], axis=1)
    law = law_of_line_steps(weights, max_lost_mass=allowed_loss(plan))
    totals = law.origin[0] + np.arange(len(law.law))
    values = np.clip(family.offset + family.slope * totals, *plan.query.bounds)
    order = np.argsort(values, kind="stable")
    lost = min(1.0, law.lost_mass + matching.another_wins)
    return ValueDistribution(values[order], law.law[order], lost)
