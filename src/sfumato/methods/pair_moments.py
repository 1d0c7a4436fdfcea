"""Pair counting of fuzzy partitions in closed form."""

from functools import partial
from math import inf
from typing import final

import numpy as np

from sfumato.algorithms.moments.pair_moments import covariance_cost, pair_covariance, pair_means
from sfumato.families import Affine, Separable
from sfumato.methods.answers import mean_answer
from sfumato.methods.base import Method, Plan, Policy, Progress
from sfumato.methods.probability_rows import probability_rows
from sfumato.query import Query
from sfumato.results.comparison import Comparison

__all__ = ["PairMoments"]

_SECONDS_PER_PRODUCT = 1e-9
# The standard deviation is found when asked for, unless that takes more multiplications than this.
_MOST_PRODUCTS = 3e10


@final
class PairMoments(Method):
    """The mean of a measure that is affine in sums of squares, from sums over single objects.

    No table is visited and objects are not collapsed: O(n k1 k2) for the mean. The standard
    deviation, O(n k1^2 k2^2 / 4) or O(n^2 (k1 + k2) / 2), is found when first asked for.
    """

    name = "pair_moments"

    def plan(self, query: Query, policy: Policy) -> Plan | None:
        """Applies to expectations of fuzzy partitions under pair-counting measures."""
        if query.theory != "fuzzy" or query.quantity != "expectation" or _value(query) is None:
            return None
        a, b = probability_rows(query.a), probability_rows(query.b)
        products = query.n_objects * (a.mean_length + 1) * (b.mean_length + 1)
        return Plan(
            query,
            policy,
            method=self.name,
            guarantee="exact",
            tables=1,
            bytes=16.0 * (query.shape[0] + 1) * (query.shape[1] + 1),
            seconds=_SECONDS_PER_PRODUCT * products,
            why="the measure counts pairs, whose expected number is a formula",
        )

    def run(
        self,
        plan: Plan,
        *,
        rng: np.random.Generator,
        deadline: float | None,
        progress: Progress,
    ) -> Comparison:
        """Evaluate the formula for the mean; leave that for the spread to be asked for."""
        query = plan.query
        value = _value(query)
        assert value is not None
        a, b = probability_rows(query.a), probability_rows(query.b)
        lowest, highest = query.bounds
        mean = value.of_sums(*pair_means(a, b).tolist())
        cost = covariance_cost(a, b)
        notes: tuple[str, ...] = ()
        if cost > _MOST_PRODUCTS:
            size = "more memory than is allowed" if cost == inf else f"{cost:.1e} multiplications"
            notes = (
                f"The standard deviation is not given, as it takes {size}: engine='sampled' "
                "estimates it.",
            )
        return mean_answer(
            plan,
            min(max(mean, lowest), highest),  # rounding may leave the bounds
            find_std=None if notes else partial(_std, query),
            notes=notes,
        )


def _value(query: Query) -> Affine | None:
    family = query.measure.family(query.n_objects)
    if not isinstance(family, Separable) or family.psi != "square":
        return None
    return family.value


def _std(query: Query) -> tuple[float, float]:
    value = _value(query)
    assert value is not None
    slopes = np.array([value.rows, value.columns, value.cells])
    variance = float(
        slopes @ pair_covariance(probability_rows(query.a), probability_rows(query.b)) @ slopes
    )
    std = max(variance, 0.0) ** 0.5
    return std, std
