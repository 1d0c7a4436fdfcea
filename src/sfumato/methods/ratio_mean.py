"""The mean of a ratio of fuzzy partitions, exactly or between certain limits."""

from collections.abc import Callable, Iterator
from functools import partial
from math import inf, nan
from typing import NamedTuple, TypeAlias, final

import numpy as np

from sfumato._typing import Floats, Guarantee, Ints
from sfumato.algorithms.laws.ratio_laws import ratio_of_sums
from sfumato.algorithms.laws.row_sums import RowSumCost, bound_row_sums, law_of_row_sums
from sfumato.algorithms.moments.bracketed_ratios import bracket_ratio_mean, can_bracket_ratio
from sfumato.algorithms.sampling.blocks import Run
from sfumato.algorithms.tables.margins import table_with_margins
from sfumato.algorithms.tables.open_objects import OpenObjects, open_objects
from sfumato.algorithms.tables.rows import slice_rows
from sfumato.families import Adjusted, Objective, Psi, Ratio, psi_sum
from sfumato.measures.base import AffineInCells
from sfumato.methods.base import Method, Scope
from sfumato.question.joint import Joint
from sfumato.question.plan import Plan, Policy, plan_within_budget
from sfumato.question.query import Query
from sfumato.results.answers import Answer, bracketed_mean, mean_answer
from sfumato.results.known_std import known_std
from sfumato.results.values import EXACT_LOST_MASS

__all__ = ["RatioMean"]

# Offset and slope of the value in the sum of psi over the cells, for (m, k1) row sums.
_Coefficients: TypeAlias = Callable[[Ints, Ints], tuple[Floats, Floats]]

_EPS = float(np.finfo(np.float64).eps)
_EXACT_SHARE = 0.1  # of what an exact answer may leave out; transforms and rounding add to it
_MOST_ROWS = 20  # each open row at least doubles the states
_MOST_CELLS, _MOST_BRACKETED_CELLS = 10_000_000, 4_000_000
_CELLS_AT_ONCE = 1 << 22
_SECONDS_PER_PRODUCT = 3e-10
_SECONDS_PER_STATE = 1e-7
_SECONDS_PER_MOMENT = 1e-8
_SECONDS_PER_CELL = 2e-5  # a few series
_SECONDS_FOR_CHANCE = 2.0  # at most, where mutual information is adjusted for chance
# In time and room, against a table that is listed.
_STATES_PER_TABLE = 2
_PRODUCTS_PER_TABLE = 3_000
_FEW_OBJECTS, _FAR_TOO_MANY = 2000, 1000
_Scope = partial(Scope, theories=("fuzzy",), quantities=("expectation",))
_ZERO = 1e-12  # entropies of one cluster differ from 0 by rounding


class _Problem(NamedTuple):
    """A fuzzy partition as rows, a hard one as columns."""

    objects: OpenObjects
    class_sizes: Ints  # (k2,)
    psi: Psi
    coefficients: _Coefficients


@final
class RatioMean(Method):
    """The mean of a ratio: from the law of the row sums, or from moments of its two parts.

    Against a hard truth the column sums are fixed. Many measures are then linear in the sum of psi
    over the cells, given the row sums. So the law of the row sums, in one dimension less than there
    are uncertain clusters, and the mean of the sum of psi given them are all that the mean of the
    measure needs. Sure objects cost nothing.

    In any size, the numerator and the denominator are concentrated, the more the larger the data
    are: the ratio of the means, corrected by a covariance, is off by a remainder that is bounded
    without a draw. This bracket is wide where clusters are small or the denominator can vanish.
    """

    name = "ratio_mean"
    cost = "O(n k1 k2); exactly: the row sums, in one dimension less than uncertain clusters"
    scopes = (
        _Scope(
            guarantees=("exact", "certified"),
            families=("pair ratio", "information ratio", "adjusted information", "other"),
            needs_hard_side=True,
        ),
        _Scope(guarantees=("certified",), families=("pair ratio",), needs="sums"),
        _Scope(guarantees=("certified",), families=("information ratio",), needs="powers"),
        _Scope(
            guarantees=("certified",),
            families=("adjusted information",),
            needs_hard_side=True,
            needs="powers",
        ),
    )

    def plan(self, query: Query, policy: Policy) -> Iterator[Plan]:
        """Bracket the mean, and sum over the row sums; leave the spread to be asked for."""
        objective, joint = query.objective, query.joint
        can_bracket = can_bracket_ratio(objective, is_hard=joint.has_hard_columns)
        if can_bracket and objective.n_cells <= _MOST_BRACKETED_CELLS:
            yield _plan_bracket(query)
        if joint.has_hard_columns and joint.kept is None:
            plan = _plan_row_sums(query, policy)
            if plan is not None:
                yield plan


def _plan_bracket(query: Query) -> Plan:
    objective, joint = query.objective, query.joint
    rows, columns = joint.mean_lengths
    products = query.n_objects * (rows + 1) * (columns + 1) if joint.kept is None else 0.0
    chance = _SECONDS_FOR_CHANCE if isinstance(objective.family, Adjusted) else 0.0
    return Plan(
        guarantee="certified",
        tables=1,
        bytes=64.0 * objective.n_cells + 5e7,
        seconds=1e-3
        + _SECONDS_PER_MOMENT * products
        + _SECONDS_PER_CELL * min(objective.n_cells, query.n_objects)
        + min(chance, 1e-6 * products),
        why="numerator and denominator are close to their means",
        work=partial(_bracket, objective, joint),
    )


def _bracket(objective: Objective, joint: Joint, _: Run) -> Answer:
    found = bracket_ratio_mean(objective, joint.fuzzy_table)
    bracket, kept = (found.low, found.high), joint.kept
    std, notes = known_std(
        found.std - found.std_error,
        found.std + found.std_error,
        bracket,
        objective.bounds,
        estimate=found.std,
        is_of_sums=kept is not None and kept.sums is not None and kept.sums.spread is None,
    )
    return bracketed_mean("certified", found.mean, bracket, std=std, notes=notes)


def _plan_row_sums(query: Query, policy: Policy) -> Plan | None:
    objective = query.objective
    problem = None if _is_hopeless(query, policy) else _problem(query)
    if problem is None:
        return None

    def make(max_lost_mass: float, guarantee: Guarantee) -> Plan | None:
        is_exact = guarantee == "exact"
        lost = _EXACT_SHARE * max_lost_mass if is_exact else max_lost_mass
        cost = _cost(problem.objects, lost)
        if _tables(cost) > policy.max_tables and not is_exact:
            return None
        return Plan(
            guarantee=guarantee,
            tables=_tables(cost),
            bytes=8.0 * cost.states * (objective.shape[0] + 16),
            seconds=1e-3 + _SECONDS_PER_STATE * cost.states + _SECONDS_PER_PRODUCT * cost.products,
            why="given the row sums the measure is linear in a sum over the cells",
            may_fall_short=is_exact,
            work=partial(_mean_by_row_sums, objective, problem, lost),
        )

    return plan_within_budget(objective, policy, make)


def _mean_by_row_sums(objective: Objective, problem: _Problem, lost_mass: float, _: Run) -> Answer:
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


def _is_hopeless(query: Query, policy: Policy) -> bool:
    """Whether the first few of many objects alone have far too many row sums."""
    joint = query.joint
    if query.n_objects < 10 * _FEW_OBJECTS:
        return False
    rows, classes = (slice_rows(side, 0, _FEW_OBJECTS) for side in joint.probabilities)
    objects = open_objects(rows, classes.columns, joint.shape[1], most_rows=_MOST_ROWS)
    if objects is None or len(objects.memberships) == 0:
        return objects is None
    lost = 0.0 if query.objective.spread == inf else _EXACT_SHARE * policy.max_lost_mass
    return _tables(_cost(objects, lost)) > _FAR_TOO_MANY * policy.max_tables


def _problem(query: Query) -> _Problem | None:
    joint, objective = query.joint, query.objective
    found = _structure(query) if objective.n_cells <= _MOST_CELLS else None
    if found is None:
        return None
    rows, _ = joint.probabilities
    objects = open_objects(rows, joint.classes, objective.shape[1], most_rows=_MOST_ROWS)
    if objects is None or len(objects.memberships) == 0:
        return None
    return _Problem(objects, joint.class_sizes, *found)


def _structure(query: Query) -> tuple[Psi, _Coefficients] | None:
    """Psi, and how the value depends on the sum of psi over the cells."""
    measure, family = query.measure, query.objective.family
    if isinstance(measure, AffineInCells) and (measure.symmetric or not query.is_turned):
        return measure.psi, measure.coefficients
    ratio = ratio_of_sums(family, query.joint.class_sizes)
    if not isinstance(family, Ratio) or ratio is None or ratio.denominator.cells != 0:
        return None
    return family.psi, partial(_ratio_coefficients, query)


def _ratio_coefficients(query: Query, rows: Ints, columns: Ints) -> tuple[Floats, Floats]:
    """Offset and slope of a ratio whose denominator depends on the margins alone.

    It takes the question, which can be pickled; its family cannot.
    """
    family = query.objective.family
    ratio = ratio_of_sums(family, columns)
    assert isinstance(family, Ratio)
    assert ratio is not None
    of_rows = psi_sum(family.psi, rows)
    nothing = np.zeros_like(of_rows)
    denominators = ratio.denominator.at(of_rows, nothing)
    is_zero = np.abs(denominators) <= _ZERO
    scales = np.where(is_zero, 0.0, np.where(is_zero, 1.0, denominators) ** -family.power)
    offsets = ratio.numerator.at(of_rows, nothing) * scales
    if is_zero.any():  # by convention, whatever the cells
        offsets[is_zero] = query.objective.of_tables(table_with_margins(rows[is_zero], columns))
    return offsets, ratio.numerator.cells * scales


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
    variance = nan
    if n_moments > 2:
        mixed = apart**2 @ law.moments[0] + 2 * (apart * slopes) @ law.moments[1]
        variance = max(float(mixed + slopes**2 @ law.moments[2]) / mass, 0.0)
    return _Moments(mean, variance, noise + rounding, law.lost_mass)


def _stds(problem: _Problem, max_lost_mass: float) -> tuple[float, float]:
    std = _moments(problem, max_lost_mass, n_moments=3).variance ** 0.5
    return std, std
