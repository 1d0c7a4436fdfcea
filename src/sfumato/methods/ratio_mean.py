"""The mean of a ratio of a fuzzy partition against a hard truth."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import isfinite
from typing import NamedTuple, TypeAlias, final

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.laws.row_sums import RowSumCost, bound_row_sums, law_of_row_sums
from sfumato.algorithms.tables.margins import table_with_margins
from sfumato.algorithms.tables.open_objects import OpenObjects, open_objects
from sfumato.families import Affine, Psi, Ratio, psi_sum
from sfumato.measures.base import AffineInCells, Measure
from sfumato.methods.answers import mean_answer
from sfumato.methods.base import Method, Plan, Policy, Progress
from sfumato.methods.law_answers import EXACT_LOST_MASS
from sfumato.partitions.fuzzy import FuzzyPartition
from sfumato.partitions.hard import HardPartition
from sfumato.query import Query
from sfumato.results.comparison import Comparison

__all__ = ["RatioMean"]

# Offset and slope of the value in the sum of psi over the cells, for (m, k1) row sums.
_Coefficients: TypeAlias = Callable[[Ints, Ints], tuple[Floats, Floats]]

_EPS = float(np.finfo(np.float64).eps)
_MAX_LOST_MASS = 1e-13
_MOST_ROWS = 20  # each open row at least doubles the states
_MOST_CELLS = 10_000_000
_CELLS_AT_ONCE = 1 << 22
_SECONDS_PER_PRODUCT = 3e-10
_SECONDS_PER_STATE = 1e-7
# In time and room, against a table that is listed.
_STATES_PER_TABLE = 2
_PRODUCTS_PER_TABLE = 3_000
_ZERO = 1e-12  # entropies of one cluster differ from 0 by rounding


class _Problem(NamedTuple):
    """A fuzzy partition as rows, a hard one as columns; turned where they came the other way."""

    fuzzy: FuzzyPartition
    hard: HardPartition
    psi: Psi
    coefficients: _Coefficients


@final
class RatioMean(Method):
    """The mean of a measure that is linear in the sum of psi over the cells, given the row sums.

    Against a hard truth the column sums are fixed, so the law of the row sums, in one dimension
    less than there are uncertain clusters, and the mean of the sum of psi given them are all
    that the mean of the measure needs. Sure objects cost nothing.
    """

    name = "ratio_mean"

    def plan(self, query: Query, policy: Policy) -> Plan | None:
        """Applies to means of a fuzzy and a hard partition by such a measure."""
        problem = _problem(query)
        if problem is None or query.shape[0] * query.shape[1] > _MOST_CELLS:
            return None
        objects = _open(problem)
        if objects is None:
            return None
        lost = _lost_mass(query, policy, is_exact=True)
        cost = _cost(objects, lost)
        is_exact = True
        may_lose = "certified" in policy.guarantees and policy.max_lost_mass > EXACT_LOST_MASS
        if _tables(cost) > policy.max_tables and may_lose and _is_bounded(query):
            cheaper = _cost(objects, policy.max_lost_mass)
            if _tables(cheaper) <= policy.max_tables:
                cost, is_exact = cheaper, False
        return Plan(
            query,
            policy,
            method=self.name,
            guarantee="exact" if is_exact else "certified",
            tables=_tables(cost),
            bytes=8.0 * cost.states * (query.shape[0] + 16),
            seconds=1e-3 + _SECONDS_PER_STATE * cost.states + _SECONDS_PER_PRODUCT * cost.products,
            why="given the row sums the measure is linear in a sum over the cells",
        )

    def run(
        self,
        plan: Plan,
        *,
        rng: np.random.Generator,
        deadline: float | None,
        progress: Progress,
    ) -> Comparison:
        """Sum over the row sums; leave the spread to be asked for."""
        query = plan.query
        lost_mass = _lost_mass(query, plan.policy, is_exact=plan.guarantee == "exact")
        found = _moments(query, lost_mass, n_moments=2)
        lowest, highest = query.bounds
        error = found.error + (found.lost_mass and found.lost_mass * (highest - lowest))
        is_exact = error <= EXACT_LOST_MASS
        return mean_answer(
            replace(plan, guarantee="exact" if is_exact else "certified"),
            min(max(found.mean, lowest), highest),  # rounding may leave the bounds
            error=0.0 if is_exact else error,
            find_std=partial(_stds, query, lost_mass),
        )


def _problem(query: Query) -> _Problem | None:
    if query.theory != "fuzzy" or query.quantity != "expectation":
        return None
    is_turned = isinstance(query.a, HardPartition)
    fuzzy, hard = (query.b, query.a) if is_turned else (query.a, query.b)
    if not (isinstance(fuzzy, FuzzyPartition) and isinstance(hard, HardPartition)):
        return None
    measure = query.measure
    if isinstance(measure, AffineInCells) and (measure.symmetric or not is_turned):
        return _Problem(fuzzy, hard, measure.psi, measure.coefficients)
    family = measure.family(query.n_objects)
    if not isinstance(family, Ratio):
        return None
    # A measure that is not symmetric takes the truth's sum for that of the rows.
    is_turned = is_turned and not measure.symmetric
    if is_turned and family.needs_fixed_columns:
        return None
    if family.parts(_truth_sum(family, hard))[1].cells != 0:
        return None
    ratio = partial(_ratio_coefficients, measure, family, is_turned)
    return _Problem(fuzzy, hard, family.psi, ratio)


def _truth_sum(family: Ratio, hard: HardPartition) -> float:
    return float(psi_sum(family.psi, _sizes(hard)))


def _sizes(hard: HardPartition) -> Ints:
    return np.bincount(hard.codes, minlength=hard.n_clusters)


def _ratio_coefficients(
    measure: Measure, family: Ratio, is_turned: bool, rows: Ints, columns: Ints
) -> tuple[Floats, Floats]:
    """Offset and slope of a ratio whose denominator depends on the margins alone."""
    of_rows, of_truth = psi_sum(family.psi, rows), float(psi_sum(family.psi, columns))
    above, below = family.parts(of_truth)
    if is_turned:
        above, below = above.turned(), below.turned()
    denominators = _of_margins(below, of_rows, of_truth)
    is_zero = np.abs(denominators) <= _ZERO
    scales = np.where(is_zero, 0.0, np.where(is_zero, 1.0, denominators) ** -family.power)
    offsets = _of_margins(above, of_rows, of_truth) * scales
    if is_zero.any():  # by convention, whatever the cells
        tables = table_with_margins(rows[is_zero], columns)
        offsets[is_zero] = measure.of_tables(tables.swapaxes(1, 2) if is_turned else tables)
    return offsets, above.cells * scales


def _of_margins(part: Affine, rows: Floats, truth: float) -> Floats:
    return part.offset + part.rows * rows + part.columns * truth


def _open(problem: _Problem) -> OpenObjects | None:
    hard = problem.hard
    return open_objects(problem.fuzzy.rows, hard.codes, hard.n_clusters, most_rows=_MOST_ROWS)


def _is_bounded(query: Query) -> bool:
    return all(map(isfinite, query.bounds))


def _lost_mass(query: Query, policy: Policy, *, is_exact: bool) -> float:
    """Probability to leave out: none if a value there could be of any size."""
    if not _is_bounded(query):
        return 0.0
    return min(policy.max_lost_mass, _MAX_LOST_MASS) if is_exact else policy.max_lost_mass


def _cost(objects: OpenObjects, max_lost_mass: float) -> RowSumCost:
    return bound_row_sums(
        objects.memberships, objects.codes, n_moments=2, max_lost_mass=max_lost_mass
    )


def _tables(cost: RowSumCost) -> float:
    return max(cost.states / _STATES_PER_TABLE, cost.products / _PRODUCTS_PER_TABLE)


class _Moments(NamedTuple):
    mean: float
    variance: float  # nan where it was not asked for
    error: float  # of the mean, by transforms and rounding
    lost_mass: float


def _moments(query: Query, max_lost_mass: float, *, n_moments: int) -> _Moments:
    problem = _problem(query)
    assert problem is not None
    objects = _open(problem)
    assert objects is not None
    law = law_of_row_sums(
        objects.memberships,
        objects.codes,
        objects.base[objects.rows],
        psi=problem.psi,
        n_moments=n_moments,
        max_lost_mass=max_lost_mass,
    )
    sure = np.delete(objects.base, objects.rows, axis=0)
    centre = law.centre + float(psi_sum(problem.psi, sure.ravel()))
    rows, columns = objects.base.sum(axis=1), _sizes(problem.hard)
    offsets, slopes = np.empty((2, len(law.rows)))
    step = max(1, _CELLS_AT_ONCE // objects.base.size)
    for start in range(0, len(law.rows), step):
        block = slice(start, start + step)
        every = np.repeat(rows[None, :], len(law.rows[block]), axis=0)
        every[:, objects.rows] = law.rows[block]
        offsets[block], slopes[block] = problem.coefficients(every, columns)
    values = offsets + slopes * centre  # where the sum over the cells is at its mean
    mass = float(law.moments[0].sum())
    mean = float(values @ law.moments[0] + slopes @ law.moments[1]) / mass
    apart = values - mean
    noise = float(np.linalg.norm(apart) * law.noise[0] + np.linalg.norm(slopes) * law.noise[1])
    # Where the truth is nearly one cluster the two parts of a value all but cancel.
    rounding = 2 * _EPS * float((np.abs(offsets) + np.abs(slopes * centre)) @ law.moments[0])
    variance = float("nan")
    if n_moments > 2:
        mixed = apart**2 @ law.moments[0] + 2 * (apart * slopes) @ law.moments[1]
        variance = max(float(mixed + slopes**2 @ law.moments[2]) / mass, 0.0)
    return _Moments(mean, variance, noise + rounding, law.lost_mass)


def _stds(query: Query, max_lost_mass: float) -> tuple[float, float]:
    std = _moments(query, max_lost_mass, n_moments=3).variance ** 0.5
    return std, std
