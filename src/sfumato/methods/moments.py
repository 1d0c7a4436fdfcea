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
from sfumato.algorithms.moments.pair_means import covariance_cost, pair_covariance, pair_means
from sfumato.algorithms.moments.sum_moments import sum_moments
from sfumato.algorithms.sampling.blocks import Run
from sfumato.display.text import duration
from sfumato.families import Objective, Separable
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
        family = query.objective.family
        assert isinstance(family, Separable)
        is_pairs = family.psi == "square"
        yield (_plan_for_pairs if is_pairs else _plan_for_information)(query, family)


def _plan_for_pairs(query: Query, family: Separable) -> Plan:
    objective, joint = query.objective, query.joint
    rows, columns = joint.mean_lengths
    work, products = partial(_mean_from_sums, objective, joint, family, "exact"), 1e3
    if joint.kept is None:
        work = partial(_mean_of_pairs, objective, joint, family)
        products = query.n_objects * (rows + 1) * (columns + 1)
    return Plan(
        guarantee="exact",
        tables=1,
        bytes=16.0 * (objective.shape[0] + 1) * (objective.shape[1] + 1),
        seconds=_SECONDS_PER_PRODUCT * products,
        why="the measure counts pairs, whose expected number is a formula",
        work=work,
    )


def _mean_of_pairs(objective: Objective, joint: Joint, family: Separable, _: Run) -> Answer:
    mean = family.of_sums(*pair_means(*joint.probabilities).tolist())
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
        find_std=None if notes else partial(_stds, family, joint),
        notes=notes,
    )


def _plan_for_information(query: Query, family: Separable) -> Plan:
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
            work=partial(_mean_from_sums, objective, joint, family, "certified"),
        )
    # Rows, columns and cells each sum to n: the error when every logarithm is off by 1.
    scale = n * float(np.abs(_slopes(family)).sum())
    is_exact = scale * max(fit.error for fit in FITS) <= _LARGEST_ERROR
    guarantee: Guarantee = "exact" if is_exact else "certified"
    (in_rows, in_columns), n_counts = _entries_per_object(joint)
    return Plan(
        guarantee=guarantee,
        tables=1,
        bytes=8.0 * n * (in_rows + in_columns),
        seconds=_SECONDS_PER_OBJECT * n * n_counts,
        why="the mean of each count's N log N follows from its generating function",
        work=partial(_mean_of_information, objective, joint, family, guarantee),
    )


def _mean_of_information(
    objective: Objective, joint: Joint, family: Separable, guarantee: Guarantee, _: Run
) -> Answer:
    means, errors = expected_sums(*joint.probabilities)
    seconds = covariance_seconds(joint.n_objects, *joint.shape, is_hard=joint.has_hard_columns)
    is_affordable = seconds <= _MOST_SECONDS_FOR_STD
    return mean_answer(
        guarantee,
        objective.clip(family.of_sums(*means.tolist())),
        objective.bounds,
        error=0.0 if guarantee == "exact" else float(np.abs(_slopes(family)) @ errors),
        find_std=partial(_stds, family, joint) if is_affordable else None,
        notes=()
        if is_affordable
        else (f"The standard deviation is left out: it would take {duration(seconds)}.",),
    )


def _mean_from_sums(
    objective: Objective, joint: Joint, family: Separable, guarantee: Guarantee, _: Run
) -> Answer:
    """The mean, and what sums over objects that are gone tell of the standard deviation."""
    moments, slopes = sum_moments(family.psi, joint.fuzzy_table), _slopes(family)
    found = mean_answer(
        guarantee,
        objective.clip(family.of_sums(*moments.means.tolist())),
        objective.bounds,
        error=0.0 if guarantee == "exact" else float(np.abs(slopes) @ moments.errors),
    )
    std, notes = known_std(
        sqrt(moments.least_variance(slopes)),
        moments.std(slopes),
        found.lower_bracket,
        objective.bounds,
        is_of_sums=moments.only_above,
    )
    return replace(found, stds=(std, std), notes=notes)


def _stds(family: Separable, joint: Joint) -> tuple[float, float]:
    if family.psi == "square":
        covariance = pair_covariance(*joint.probabilities)
    else:
        covariance = covariance_of_sums(by_cluster(joint.row_side), by_cluster(joint.column_side))
    slopes = _slopes(family)
    std = sqrt(max(float(slopes @ covariance @ slopes), 0.0))
    return std, std


def _slopes(family: Separable) -> Floats:
    return np.array([family.value.rows, family.value.columns, family.value.cells])


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
