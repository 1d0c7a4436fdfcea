"""Mean and standard deviation of information measures of fuzzy partitions."""

from collections.abc import Iterator
from functools import partial
from math import sqrt
from typing import final

import numpy as np

from sfumato._typing import Guarantee
from sfumato.algorithms.moments.entropies import (
    EntropySums,
    expected_sums,
    expected_sums_against_hard,
)
from sfumato.algorithms.moments.entropy_covariances import covariance_of_sums, covariance_seconds
from sfumato.algorithms.moments.logarithm_fits import FITS
from sfumato.algorithms.moments.sparse_entropies import expected_sums_of_rows
from sfumato.algorithms.sampling.blocks import Run
from sfumato.display.text import duration
from sfumato.families import Affine, Objective, Separable
from sfumato.methods.base import Method, Scope
from sfumato.question.joint import Joint, by_cluster
from sfumato.question.plan import Plan, Policy
from sfumato.question.query import Query
from sfumato.results.answers import Answer, mean_answer

__all__ = ["EntropyMoments"]

_LARGEST_ERROR = 1e-12  # of a mean that is called exact
_MOST_SECONDS_FOR_STD = 5.0  # a listing of results asks for it unasked
_SECONDS_PER_OBJECT = 4e-9  # and count: row, column or cell


@final
class EntropyMoments(Method):
    """The mean of a sum of x log x over rows, columns and cells, one count at a time; O(n k1 k2).

    Each count is a sum of independent events, and the mean of N log N follows from its generating
    function at a few points. The standard deviation, which needs pairs of counts, is computed when
    it is first asked for.
    """

    name = "entropy_moments"
    cost = "O(n k1 k2); the standard deviation needs pairs of counts"
    scopes = (
        Scope(
            theories=("fuzzy",),
            guarantees=("exact", "certified"),
            quantities=("expectation",),
            families=("information",),
        ),
    )

    def plan(self, query: Query, policy: Policy) -> Iterator[Plan]:
        """Add up the means of the counts."""
        n, objective = query.n_objects, query.objective
        assert isinstance(objective.family, Separable)
        value = objective.family.value
        is_exact = _scale(value, n) * max(fit.error for fit in FITS) <= _LARGEST_ERROR
        guarantee: Guarantee = "exact" if is_exact else "certified"
        (in_rows, in_columns), n_counts = _entries_per_object(query.joint)
        yield Plan(
            guarantee=guarantee,
            tables=1,
            bytes=8.0 * n * (in_rows + in_columns),
            seconds=_SECONDS_PER_OBJECT * n * n_counts,
            why="the mean of each count's N log N follows from its generating function",
            work=partial(_answer, objective, value, query.joint, guarantee),
        )


def _answer(
    objective: Objective, value: Affine, joint: Joint, guarantee: Guarantee, _: Run
) -> Answer:
    sums = _expected_sums(joint)
    coefficients = (value.rows, value.columns, value.cells)
    error = sum(abs(c) * e for c, e in zip(coefficients, sums.errors, strict=True))
    mean = objective.clip(value.of_sums(sums.rows, sums.columns, sums.cells))
    seconds = covariance_seconds(joint.n_objects, *joint.shape, is_hard=joint.has_hard_columns)
    is_affordable = seconds <= _MOST_SECONDS_FOR_STD
    return mean_answer(
        guarantee,
        mean,
        objective.bounds,
        error=0.0 if guarantee == "exact" else error,
        find_std=partial(_stds, joint, value) if is_affordable else None,
        notes=()
        if is_affordable
        else (f"The standard deviation is left out: it would take {duration(seconds)}.",),
    )


def _scale(value: Affine, n_objects: int) -> float:
    """Error of the value when every logarithm is off by 1: rows, columns and cells sum to n."""
    return n_objects * (abs(value.rows) + abs(value.columns) + abs(value.cells))


def _entries_per_object(joint: Joint) -> tuple[tuple[float, float], float]:
    """Memberships of an object on either side, and the counts that it enters."""
    rows, columns = joint.probabilities
    if rows.is_sparse or columns.is_sparse:  # each pair is sorted too
        sizes = rows.mean_length, columns.mean_length
        return sizes, 10 * (sizes[0] * sizes[1] + sum(sizes))
    n_rows, n_columns = joint.shape
    is_hard = joint.has_hard_columns
    n_counts = 2 * n_rows if is_hard else n_rows * n_columns + n_rows + n_columns
    return (n_rows, n_columns), n_counts


def _expected_sums(joint: Joint) -> EntropySums:
    rows, columns = joint.probabilities
    if rows.is_sparse or columns.is_sparse:
        return expected_sums_of_rows(rows, columns)
    if joint.has_hard_columns:
        return expected_sums_against_hard(by_cluster(joint.row_side), joint.classes)
    return expected_sums(by_cluster(joint.row_side), by_cluster(joint.column_side))


def _stds(joint: Joint, value: Affine) -> tuple[float, float]:
    coefficients = np.array([value.rows, value.columns, value.cells])
    covariance = covariance_of_sums(by_cluster(joint.row_side), by_cluster(joint.column_side))
    std = sqrt(max(float(coefficients @ covariance @ coefficients), 0.0))
    return std, std
