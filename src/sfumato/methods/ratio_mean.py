"""The mean of a ratio of a fuzzy partition against a hard truth."""

from collections.abc import Callable, Iterator
from functools import partial
from math import isfinite
from typing import NamedTuple, TypeAlias, final

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.laws.row_sums import RowSumCost, bound_row_sums, law_of_row_sums
from sfumato.algorithms.sampling.blocks import Run
from sfumato.algorithms.tables.margins import table_with_margins
from sfumato.algorithms.tables.open_objects import OpenObjects, open_objects
from sfumato.algorithms.tables.rows import slice_rows
from sfumato.families import Objective, Psi, Ratio, psi_sum
from sfumato.measures.base import AffineInCells
from sfumato.methods.base import Method, Scope
from sfumato.question.plan import Plan, Policy
from sfumato.question.query import Query
from sfumato.results.answers import Answer, mean_answer
from sfumato.results.values import EXACT_LOST_MASS

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
_FEW_OBJECTS, _FAR_TOO_MANY = 2000, 1000
_ZERO = 1e-12  # entropies of one cluster differ from 0 by rounding


class _Problem(NamedTuple):
    """A fuzzy partition as rows, a hard one as columns."""

    objects: OpenObjects
    class_sizes: Ints  # (k2,)
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
    cost = "the law of the row sums: one dimension less than there are uncertain clusters"
    scopes = (
        Scope(
            theories=("fuzzy",),
            guarantees=("exact", "certified"),
            quantities=("expectation",),
            families=("pair ratio", "information ratio", "adjusted information", "other"),
            needs_hard_side=True,
        ),
    )

    def plan(self, query: Query, policy: Policy) -> Iterator[Plan]:
        """Sum over the row sums; leave the spread to be asked for."""
        lost = _lost_mass(query.objective, policy, is_exact=True)
        if _is_hopeless(query, policy, lost):
            return
        problem = _problem(query)
        if problem is None:
            return
        cost = _cost(problem.objects, lost)
        is_exact = True
        may_lose = policy.accepts("certified") and policy.max_lost_mass > EXACT_LOST_MASS
        if _tables(cost) > policy.max_tables and may_lose and _is_bounded(query.objective):
            cheaper = _cost(problem.objects, policy.max_lost_mass)
            if _tables(cheaper) <= policy.max_tables:
                cost, is_exact = cheaper, False
        lost = _lost_mass(query.objective, policy, is_exact=is_exact)
        yield Plan(
            guarantee="exact" if is_exact else "certified",
            tables=_tables(cost),
            bytes=8.0 * cost.states * (query.objective.shape[0] + 16),
            seconds=1e-3 + _SECONDS_PER_STATE * cost.states + _SECONDS_PER_PRODUCT * cost.products,
            why="given the row sums the measure is linear in a sum over the cells",
            may_fall_short=is_exact,
            work=partial(_answer, query.objective, problem, lost),
        )


def _answer(objective: Objective, problem: _Problem, lost_mass: float, _: Run) -> Answer:
    found = _moments(problem, lost_mass, n_moments=2)
    error = found.error + (found.lost_mass and found.lost_mass * objective.spread)
    is_exact = error <= EXACT_LOST_MASS
    return mean_answer(
        "exact" if is_exact else "certified",
        objective.clip(found.mean),
        objective.bounds,
        error=0.0 if is_exact else error,
        find_std=partial(_stds, problem, lost_mass),
    )


def _is_hopeless(query: Query, policy: Policy, max_lost_mass: float) -> bool:
    """Whether the first few of many objects alone have far too many row sums."""
    joint = query.joint
    if query.n_objects < 10 * _FEW_OBJECTS:
        return False
    rows, classes = (slice_rows(side, 0, _FEW_OBJECTS) for side in joint.probabilities)
    objects = open_objects(rows, classes.columns, joint.shape[1], most_rows=_MOST_ROWS)
    if objects is None or len(objects.memberships) == 0:
        return objects is None
    return _tables(_cost(objects, max_lost_mass)) > _FAR_TOO_MANY * policy.max_tables


def _problem(query: Query) -> _Problem | None:
    joint, objective = query.joint, query.objective
    if objective.n_cells > _MOST_CELLS:
        return None
    found = _structure(query)
    if found is None:
        return None
    rows, _ = joint.probabilities
    objects = open_objects(rows, joint.classes, objective.shape[1], most_rows=_MOST_ROWS)
    if objects is None or len(objects.memberships) == 0:
        return None
    return _Problem(objects, joint.class_sizes, *found)


def _structure(query: Query) -> tuple[Psi, _Coefficients] | None:
    """Psi, and how the value depends on the sum of psi over the cells."""
    measure, objective = query.measure, query.objective
    if isinstance(measure, AffineInCells) and (measure.symmetric or not query.is_turned):
        return measure.psi, measure.coefficients
    family = objective.family
    if not isinstance(family, Ratio):
        return None
    if family.parts(float(psi_sum(family.psi, query.joint.class_sizes)))[1].cells != 0:
        return None
    return family.psi, partial(_ratio_coefficients, objective, family)


def _ratio_coefficients(
    objective: Objective, family: Ratio, rows: Ints, columns: Ints
) -> tuple[Floats, Floats]:
    """Offset and slope of a ratio whose denominator depends on the margins alone."""
    of_rows, of_truth = psi_sum(family.psi, rows), float(psi_sum(family.psi, columns))
    above, below = (part.with_columns(of_truth) for part in family.parts(of_truth))
    nothing = np.zeros_like(of_rows)
    denominators = below.at(of_rows, nothing)
    is_zero = np.abs(denominators) <= _ZERO
    scales = np.where(is_zero, 0.0, np.where(is_zero, 1.0, denominators) ** -family.power)
    offsets = above.at(of_rows, nothing) * scales
    if is_zero.any():  # by convention, whatever the cells
        offsets[is_zero] = objective.of_tables(table_with_margins(rows[is_zero], columns))
    return offsets, above.cells * scales


def _is_bounded(objective: Objective) -> bool:
    return isfinite(objective.spread)


def _lost_mass(objective: Objective, policy: Policy, *, is_exact: bool) -> float:
    """Probability to leave out: none if a value there could be of any size."""
    if not _is_bounded(objective):
        return 0.0
    exactly = _MAX_LOST_MASS / max(1.0, objective.spread)  # what it moves the mean by
    return min(policy.max_lost_mass, exactly) if is_exact else policy.max_lost_mass


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


def _moments(problem: _Problem, max_lost_mass: float, *, n_moments: int) -> _Moments:
    objects = problem.objects
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
    rows, columns = objects.base.sum(axis=1), problem.class_sizes
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


def _stds(problem: _Problem, max_lost_mass: float) -> tuple[float, float]:
    std = _moments(problem, max_lost_mass, n_moments=3).variance ** 0.5
    return std, std
