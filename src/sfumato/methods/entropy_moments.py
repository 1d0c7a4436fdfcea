"""Mean and standard deviation of information measures of fuzzy partitions."""

from functools import partial
from math import sqrt
from typing import final

import numpy as np

from sfumato._typing import Floats
from sfumato.algorithms.moments.entropies import (
    EntropySums,
    expected_sums,
    expected_sums_against_hard,
)
from sfumato.algorithms.moments.entropy_covariances import covariance_of_sums, covariance_seconds
from sfumato.algorithms.moments.logarithm_fits import FITS
from sfumato.algorithms.moments.sparse_entropies import expected_sums_of_rows
from sfumato.display.text import duration
from sfumato.families import Affine, Separable
from sfumato.methods.answers import mean_answer
from sfumato.methods.base import Method, Plan, Policy, Progress
from sfumato.methods.probability_rows import probability_rows
from sfumato.partitions.base import Partition
from sfumato.partitions.fuzzy import FuzzyPartition
from sfumato.partitions.hard import HardPartition
from sfumato.query import Query
from sfumato.results.comparison import Comparison

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

    def plan(self, query: Query, policy: Policy) -> Plan | None:
        """Applies to means of fuzzy comparisons by measures that are affine in entropies."""
        value = _affine(query)
        if value is None:
            return None
        n = query.n_objects
        is_exact = _scale(value, n) * max(fit.error for fit in FITS) <= _LARGEST_ERROR
        (in_a, in_b), n_counts = _entries_per_object(query)
        return Plan(
            query,
            policy,
            method=self.name,
            guarantee="exact" if is_exact else "certified",
            tables=1,
            bytes=8.0 * n * (in_a + in_b),
            seconds=_SECONDS_PER_OBJECT * n * n_counts,
            why="the mean of each count's N log N follows from its generating function",
        )

    def run(
        self,
        plan: Plan,
        *,
        rng: np.random.Generator,
        deadline: float | None,
        progress: Progress,
    ) -> Comparison:
        """Add up the means of the counts."""
        query = plan.query
        value = _affine(query)
        assert value is not None
        sums = _expected_sums(query.a, query.b)
        coefficients = (value.rows, value.columns, value.cells)
        error = sum(abs(c) * e for c, e in zip(coefficients, sums.errors, strict=True))
        lowest, highest = query.bounds
        # Rounding must not carry a mean past the bounds of its values.
        mean = min(max(value.of_sums(sums.rows, sums.columns, sums.cells), lowest), highest)
        seconds = _seconds_for_std(query)
        is_affordable = seconds <= _MOST_SECONDS_FOR_STD
        return mean_answer(
            plan,
            mean,
            error=0.0 if plan.guarantee == "exact" else error,
            find_std=partial(_stds, query.a, query.b, value) if is_affordable else None,
            notes=()
            if is_affordable
            else (f"The standard deviation is left out: it would take {duration(seconds)}.",),
        )


def _affine(query: Query) -> Affine | None:
    if query.theory != "fuzzy" or query.quantity != "expectation":
        return None
    family = query.measure.family(query.n_objects)
    if not isinstance(family, Separable) or family.psi != "xlogx":
        return None
    return family.value


def _scale(value: Affine, n_objects: int) -> float:
    """Error of the value when every logarithm is off by 1: rows, columns and cells sum to n."""
    return n_objects * (abs(value.rows) + abs(value.columns) + abs(value.cells))


def _entries_per_object(query: Query) -> tuple[tuple[float, float], float]:
    """Memberships of an object on either side, and the counts that it enters."""
    a, b = probability_rows(query.a), probability_rows(query.b)
    if a.is_sparse or b.is_sparse:  # each pair is sorted too
        sizes = a.mean_length, b.mean_length
        return sizes, 10 * (sizes[0] * sizes[1] + sum(sizes))
    n_rows, n_columns = query.shape
    is_hard = "hard" in (query.a.kind, query.b.kind)
    n_counts = 2 * n_rows if is_hard else n_rows * n_columns + n_rows + n_columns
    return (n_rows, n_columns), n_counts


def _expected_sums(a: Partition, b: Partition) -> EntropySums:
    rows, columns = probability_rows(a), probability_rows(b)
    if rows.is_sparse or columns.is_sparse:
        return expected_sums_of_rows(rows, columns)
    if isinstance(b, HardPartition):
        return expected_sums_against_hard(_by_cluster(a), b.codes)
    if isinstance(a, HardPartition):
        found = expected_sums_against_hard(_by_cluster(b), a.codes)
        of_rows, of_columns, of_cells = found.errors
        errors = (of_columns, of_rows, of_cells)
        return EntropySums(found.columns, found.rows, found.cells, errors)
    return expected_sums(_by_cluster(a), _by_cluster(b))


def _by_cluster(partition: Partition) -> Floats:
    """Memberships of shape (k, n), each cluster's side by side."""
    if isinstance(partition, HardPartition):
        return (partition.codes == np.arange(partition.n_clusters)[:, None]).astype(np.float64)
    assert isinstance(partition, FuzzyPartition)
    return np.ascontiguousarray(partition.memberships.T)


def _seconds_for_std(query: Query) -> float:
    n_rows, n_columns = query.shape
    if query.a.kind == "hard":
        n_rows, n_columns = n_columns, n_rows
    is_hard = "hard" in (query.a.kind, query.b.kind)
    return covariance_seconds(query.n_objects, n_rows, n_columns, is_hard=is_hard)


def _stds(a: Partition, b: Partition, value: Affine) -> tuple[float, float]:
    first, second = _by_cluster(a), _by_cluster(b)
    coefficients = np.array([value.rows, value.columns, value.cells])
    if isinstance(a, HardPartition):
        first, second, coefficients = second, first, coefficients[[1, 0, 2]]
    variance = float(coefficients @ covariance_of_sums(first, second) @ coefficients)
    std = sqrt(max(variance, 0.0))
    return std, std
