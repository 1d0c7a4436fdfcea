"""Pair counting of fuzzy partitions in closed form."""

from collections.abc import Iterator
from functools import partial
from math import inf
from typing import final

import numpy as np

from sfumato.algorithms.moments.pair_means import (
    covariance_cost,
    pair_covariance,
    pair_means,
)
from sfumato.algorithms.sampling.blocks import Run
from sfumato.algorithms.tables.rows import Rows
from sfumato.families import Affine, Objective, Separable
from sfumato.methods.base import Method, Scope
from sfumato.question.plan import Plan, Policy
from sfumato.question.query import Query
from sfumato.results.answers import Answer, mean_answer

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
    cost = "O(n k1 k2); the standard deviation O(n k1² k2²)"
    scopes = (
        Scope(
            theories=("fuzzy",),
            guarantees=("exact",),
            quantities=("expectation",),
            families=("pairs",),
        ),
    )

    def plan(self, query: Query, policy: Policy) -> Iterator[Plan]:
        """Evaluate the formula for the mean."""
        rows, columns = query.joint.probabilities
        objective = query.objective
        products = query.n_objects * (rows.mean_length + 1) * (columns.mean_length + 1)
        yield Plan(
            guarantee="exact",
            tables=1,
            bytes=16.0 * (objective.shape[0] + 1) * (objective.shape[1] + 1),
            seconds=_SECONDS_PER_PRODUCT * products,
            why="the measure counts pairs, whose expected number is a formula",
            work=partial(_answer, objective, rows, columns),
        )


def _answer(objective: Objective, rows: Rows, columns: Rows, _: Run) -> Answer:
    """The mean; the spread is left to be asked for."""
    assert isinstance(objective.family, Separable)
    value = objective.family.value
    mean = value.of_sums(*pair_means(rows, columns).tolist())
    cost = covariance_cost(rows, columns)
    notes: tuple[str, ...] = ()
    if cost > _MOST_PRODUCTS:
        size = "more memory than is allowed" if cost == inf else f"{cost:.1e} multiplications"
        notes = (
            f"The standard deviation is not given, as it takes {size}: engine='sampled' "
            "estimates it.",
        )
    return mean_answer(
        "exact",
        objective.clip(mean),
        objective.bounds,
        find_std=None if notes else partial(_stds, value, rows, columns),
        notes=notes,
    )


def _stds(value: Affine, rows: Rows, columns: Rows) -> tuple[float, float]:
    slopes = np.array([value.rows, value.columns, value.cells])
    variance = float(slopes @ pair_covariance(rows, columns) @ slopes)
    std = max(variance, 0.0) ** 0.5
    return std, std
