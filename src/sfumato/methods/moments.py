"""Mean and standard deviation of fuzzy partitions in closed form."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from math import inf, sqrt
from typing import final

import numpy as np

from sfumato._typing import Floats, Guarantee
from sfumato._wording import option
from sfumato.algorithms.moments.counts import FITS
from sfumato.algorithms.moments.entropies import expected_sums
from sfumato.algorithms.moments.entropy_covariances import covariance_of_sums, covariance_seconds
from sfumato.algorithms.moments.known_moments import SumMoments
from sfumato.algorithms.moments.pair_means import covariance_cost, pair_covariance, pair_means
from sfumato.algorithms.moments.sum_moments import sum_moments
from sfumato.algorithms.sampling.blocks import Run
from sfumato.display.text import duration
from sfumato.families import Affine, Objective, Separable
from sfumato.methods.base import Method, Scope
from sfumato.question.joint import Joint, by_cluster
from sfumato.question.plan import Plan, Policy
from sfumato.question.query import Query
from sfumato.results.answers import Answer, mean_answer
from sfumato.results.known_std import known_std

__all__ = ["Moments"]

_SECONDS_PER_PRODUCT = 1e-9
_SECONDS_PER_OBJECT = 4e-9  # and count: row, column or cell
_LARGEST_ERROR = 1e-12  # of a mean that is called exact
# The standard deviation is found when asked for, unless that takes more than this.
_MOST_PRODUCTS = 3e10
_MOST_SECONDS_FOR_STD = 5.0

_Scope = partial(Scope, theories=("fuzzy",), quantities=("expectation",))


@final
class Moments(Method):
    """The mean of a measure that is affine in sums of psi, without visiting a table.

    Pair counting: sums over single objects. Information: each count is a sum of independent events,
    and the mean of N log N follows from its generating function at a few points. The standard
    deviation, which needs pairs of objects or of counts, is found when first asked for.
    """

    name = "moments"
    cost = "O(n k1 k2); the standard deviation O(n k1² k2²) at most"
    scopes = (
        _Scope(guarantees=("exact",), families=("pairs",), needs="sums"),
        _Scope(guarantees=("exact", "certified"), families=("information",), needs="powers"),
    )

    def plan(self, query: Query, policy: Policy) -> Iterator[Plan]:
        """Evaluate the formula for the mean."""
        assert isinstance(query.objective.family, Separable)
        is_pairs = query.objective.family.psi == "square"
        yield (_plan_for_pairs if is_pairs else _plan_for_information)(query)


def _plan_for_pairs(query: Query) -> Plan:
    objective, joint = query.objective, query.joint
    rows, columns = joint.mean_lengths
    products = query.n_objects * (rows + 1) * (columns + 1) if joint.kept is None else 1e3
    return Plan(
        guarantee="exact",
        tables=1,
        bytes=16.0 * (objective.shape[0] + 1) * (objective.shape[1] + 1),
        seconds=_SECONDS_PER_PRODUCT * products,
        why="the measure counts pairs, whose expected number is a formula",
        work=partial(_mean_of_pairs, objective, joint),
    )


def _mean_of_pairs(objective: Objective, joint: Joint, _: Run) -> Answer:
    value = _value(objective)
    if joint.kept is not None:
        means = joint.fuzzy_table.sums.pair_means(joint.n_objects)
        mean = objective.clip(value.of_sums(*means.tolist()))
        moments = sum_moments("square", joint.fuzzy_table)
        return _with_std_of_sums(mean_answer("exact", mean, objective.bounds), objective, moments)
    mean = value.of_sums(*pair_means(*joint.probabilities).tolist())
    cost = covariance_cost(*joint.probabilities)
    notes: tuple[str, ...] = ()
    if cost > _MOST_PRODUCTS:
        size = "more memory than is allowed" if cost == inf else f"{cost:.1e} multiplications"
        notes = (
            f"The standard deviation is not given, as it takes {size}: "
            f"{option('engine', 'sampled')} estimates it.",
        )
    return mean_answer(
        "exact",
        objective.clip(mean),
        objective.bounds,
        find_std=None if notes else partial(_stds_of_pairs, value, joint),
        notes=notes,
    )


def _stds_of_pairs(value: Affine, joint: Joint) -> tuple[float, float]:
    return _stds(value, pair_covariance(*joint.probabilities))


def _plan_for_information(query: Query) -> Plan:
    n, objective, joint = query.n_objects, query.objective, query.joint
    if joint.kept is not None and joint.kept.sums is not None:
        had_two_rounds = joint.kept.sums.spread is not None
        return Plan(
            guarantee="certified",
            tables=1,
            bytes=64.0 * objective.n_cells,
            seconds=1e-4 + 1e-6 * objective.n_cells,
            why="the mean of each count's N log N follows from its central moments"
            + (" or its generating function" if had_two_rounds else ""),
            work=partial(_mean_from_powers, objective, joint),
        )
    value = _value(objective)
    # Rows, columns and cells each sum to n: the error when every logarithm is off by 1.
    scale = n * (abs(value.rows) + abs(value.columns) + abs(value.cells))
    is_exact = scale * max(fit.error for fit in FITS) <= _LARGEST_ERROR
    guarantee: Guarantee = "exact" if is_exact else "certified"
    (in_rows, in_columns), n_counts = _entries_per_object(joint)
    return Plan(
        guarantee=guarantee,
        tables=1,
        bytes=8.0 * n * (in_rows + in_columns),
        seconds=_SECONDS_PER_OBJECT * n * n_counts,
        why="the mean of each count's N log N follows from its generating function",
        work=partial(_mean_of_information, objective, joint, guarantee),
    )


def _mean_of_information(
    objective: Objective, joint: Joint, guarantee: Guarantee, _: Run
) -> Answer:
    value = _value(objective)
    means, errors = expected_sums(*joint.probabilities)
    error = float(np.abs(_slopes(value)) @ errors)
    seconds = covariance_seconds(joint.n_objects, *joint.shape, is_hard=joint.has_hard_columns)
    is_affordable = seconds <= _MOST_SECONDS_FOR_STD
    return mean_answer(
        guarantee,
        objective.clip(value.of_sums(*means.tolist())),
        objective.bounds,
        error=0.0 if guarantee == "exact" else error,
        find_std=partial(_stds_of_information, value, joint) if is_affordable else None,
        notes=()
        if is_affordable
        else (f"The standard deviation is left out: it would take {duration(seconds)}.",),
    )


def _mean_from_powers(objective: Objective, joint: Joint, _: Run) -> Answer:
    value, moments = _value(objective), sum_moments("xlogx", joint.fuzzy_table)
    found = mean_answer(
        "certified",
        objective.clip(value.of_sums(*moments.means.tolist())),
        objective.bounds,
        error=float(np.abs(_slopes(value)) @ moments.errors),
    )
    return _with_std_of_sums(found, objective, moments)


def _with_std_of_sums(found: Answer, objective: Objective, moments: SumMoments) -> Answer:
    """The same with what sums tell of the standard deviation."""
    slopes = _slopes(_value(objective))
    std, notes = known_std(
        sqrt(moments.least_variance(slopes)),
        moments.std(slopes),
        found.lower_bracket,
        objective.bounds,
        is_of_sums=moments.only_above,
    )
    return replace(found, stds=(std, std), notes=notes)


def _stds_of_information(value: Affine, joint: Joint) -> tuple[float, float]:
    sides = by_cluster(joint.row_side), by_cluster(joint.column_side)
    return _stds(value, covariance_of_sums(*sides))


def _value(objective: Objective) -> Affine:
    assert isinstance(objective.family, Separable)
    return objective.family.value


def _stds(value: Affine, covariance: Floats) -> tuple[float, float]:
    """From the covariances of the sums over rows, columns and cells."""
    slopes = _slopes(value)
    std = sqrt(max(float(slopes @ covariance @ slopes), 0.0))
    return std, std


def _slopes(value: Affine) -> Floats:
    return np.array([value.rows, value.columns, value.cells])


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
