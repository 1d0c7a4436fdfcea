"""Find both ends of a measure that is a ratio of sums of psi over the tables within reach."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from sfumato._typing import Floats, Tables
from sfumato.algorithms.ends.dinkelbach import Sums, WeightedSolver, ratio_end, whole_scale
from sfumato.algorithms.ends.found_ends import Budget, FoundEnds
from sfumato.algorithms.ends.margin_limits import MarginLimits, limits_of_types
from sfumato.algorithms.ends.root_ratio import largest_root_ratio, least_root_ratio
from sfumato.algorithms.ends.sum_ranges import sum_range
from sfumato.algorithms.ends.weighted import both_rough_solver, hard_truth_solver, truth_sums
from sfumato.algorithms.tables.focal_model import SetTypes
from sfumato.algorithms.tables.one_row import OneRow, one_row_tables
from sfumato.families import Affine, Psi, Ratio, psi_sum

__all__ = ["ratio_ends"]

_ZERO = 1e-12  # entropies of one cluster differ from 0 by rounding
_CLOSED = 1e-12  # of max(1, psi(n)): what a search may leave when it closes


class _Problem(NamedTuple):
    """A ratio whose parts are affine in two sums of psi, over the margins and over the cells."""

    solve: WeightedSolver
    sums: Sums
    numerator: Affine
    denominator: Affine
    least_denominator: float
    left_open: float  # by a weighted search when it closes
    scale: float | None  # makes integers of numerator and denominator


def ratio_ends(
    family: Ratio,
    types: SetTypes,
    shape: tuple[int, int],
    n_objects: int,
    budget: Budget,
    *,
    is_hard_truth: bool,
) -> tuple[FoundEnds, FoundEnds]:
    """Find the smallest and the largest ratio, in the units of the measure.

    If the truth is hard, its sum of psi over the columns must be the same in all instances.
    """
    make = _against_hard_truth if is_hard_truth else _between_rough_sides
    problem = make(family, types, shape, n_objects, budget)
    everything = np.arange(len(types.counts))
    start = problem.solve(everything, np.ones(len(everything)), "near").tables
    if problem.least_denominator <= 0.0:
        if is_hard_truth:
            single = one_row_tables(types, types.classes, shape)
            above_zero = _least_positive_denominator(family, problem, n_objects, single.tables)
            if above_zero is not None:
                problem = problem._replace(least_denominator=above_zero)
                return _ends_beside_one_row(family, problem, single, start)
        # Zero over zero cannot be ruled out: leave both ends open.
        nothing, unknown = np.zeros(len(start)), np.full(len(start), np.inf)
        return FoundEnds(start, nothing, -unknown), FoundEnds(start, nothing, unknown)
    if family.power == 0.5:
        lines = problem.solve, problem.sums, start, problem.numerator, problem.denominator
        return (
            least_root_ratio(*lines, left_open=problem.left_open),
            largest_root_ratio(*lines, left_open=problem.left_open),
        )
    return _both_ends(problem, start)


def _both_ends(problem: _Problem, start: Tables) -> tuple[FoundEnds, FoundEnds]:
    find = partial(
        ratio_end,
        problem.solve,
        problem.sums,
        start,
        problem.numerator,
        problem.denominator,
        least_denominator=problem.least_denominator,
        left_open=problem.left_open,
        scale=problem.scale,
    )
    return find(sense="min"), find(sense="max")


def _least_positive_denominator(
    family: Ratio, problem: _Problem, n_objects: int, one_row: Tables
) -> float | None:
    """Smallest denominator above zero, if the ratio is zero over zero for one-row tables only.

    None where this cannot be shown.
    """
    line = problem.denominator
    if family.power != 1.0 or line.cells != 0.0 or float(line.rows) >= 0.0:
        return None
    above, below = (part.at(*problem.sums(one_row)) for part in (problem.numerator, line))
    # The denominator falls as the sum over the rows grows. This sum is largest for one row, and
    # second largest if one object is in another row.
    beside = psi_sum(family.psi, np.array([n_objects - 1, 1]))
    least = float(line.at(np.asarray(beside), np.zeros(1))[0])
    is_zero = bool((np.abs(above) <= _ZERO).all() and (np.abs(below) <= _ZERO).all())
    return least if is_zero and least > _ZERO else None


def _ends_beside_one_row(
    family: Ratio, problem: _Problem, single: OneRow, start: Tables
) -> tuple[FoundEnds, FoundEnds]:
    """Find both ends over the tables of several rows, then add the value of one-row tables.

    For a one-row table p - theta q is zero for any theta. So it never changes theta in Dinkelbach's
    iteration. If no table has a better p - theta q than zero, no table of several rows has.
    """
    start = np.where(single.is_within_reach[:, None, None], single.others, start)
    least, most = _both_ends(problem, start)
    return (
        _joined(least, single, family.at_zero, np.minimum),
        _joined(most, single, family.at_zero, np.maximum),
    )


def _joined(
    found: FoundEnds, single: OneRow, at_zero: float, outward: Callable[[Floats, Floats], Floats]
) -> FoundEnds:
    """Combine an end with the value of the one-row table, where this is within reach."""
    joined = np.where(single.is_within_reach, at_zero, found.values)
    only = single.is_within_reach & ~single.has_others
    values = np.where(only, joined, outward(found.values, joined))
    takes_single = single.is_within_reach & (values == joined)
    tables = np.where(takes_single[:, None, None], single.tables, found.tables)
    return FoundEnds(tables, values, np.where(only, joined, outward(found.bounds, values)))


def _against_hard_truth(
    family: Ratio, types: SetTypes, shape: tuple[int, int], n_objects: int, budget: Budget
) -> _Problem:
    psi = family.psi
    column_sum = float(truth_sums(psi, types, shape[1])[0])
    numerator, denominator = (part.with_columns(column_sum) for part in family.parts(column_sum))

    def sums(tables: Tables) -> tuple[Floats, Floats]:
        return psi_sum(psi, tables.sum(axis=2)), psi_sum(psi, tables.reshape(len(tables), -1))

    rows = _margin_range(psi, limits_of_types(types, shape)[0], n_objects)
    cells = _least_cells(psi, shape, n_objects), min(rows[1], column_sum)
    return _Problem(
        hard_truth_solver(psi, types, shape, budget),
        sums,
        numerator,
        denominator,
        _least(denominator, rows, cells),
        _left_open(psi, n_objects),
        whole_scale(numerator, denominator, n_objects) if psi == "square" else None,
    )


def _between_rough_sides(
    family: Ratio, types: SetTypes, shape: tuple[int, int], n_objects: int, budget: Budget
) -> _Problem:
    psi = family.psi
    numerator, denominator = (
        Affine(part.offset, rows=part.rows, cells=part.cells) for part in family.parts(0.0)
    )

    def sums(tables: Tables) -> tuple[Floats, Floats]:
        margins = psi_sum(psi, tables.sum(axis=2)) + psi_sum(psi, tables.sum(axis=1))
        return margins, psi_sum(psi, tables.reshape(len(tables), -1))

    rows, columns = (
        _margin_range(psi, limits, n_objects) for limits in limits_of_types(types, shape)
    )
    margins = rows[0] + columns[0], rows[1] + columns[1]
    # The sum over the cells is at most that over the rows and at most that over the columns, so
    # it is at most half of their total.
    least = min(
        _least(denominator, (margin, margin), (_least_cells(psi, shape, n_objects), margin / 2))
        for margin in margins
    )
    return _Problem(
        both_rough_solver(types, shape, budget),
        sums,
        numerator,
        denominator,
        least,
        _left_open(psi, n_objects),
        whole_scale(numerator, denominator, n_objects) if psi == "square" else None,
    )


def _left_open(psi: Psi, n_objects: int) -> float:
    return _CLOSED * max(1.0, float(psi_sum(psi, np.array([n_objects]))))


def _margin_range(psi: Psi, limits: MarginLimits, n_objects: int) -> tuple[float, float]:
    """Range of the sum of psi over cluster sizes in any instance."""
    return sum_range(psi, limits.least.min(axis=0), limits.most.max(axis=0), n_objects)


def _least_cells(psi: Psi, shape: tuple[int, int], n_objects: int) -> float:
    even = np.full(shape[0] * shape[1], n_objects)
    return sum_range(psi, 0 * even, even, n_objects)[0]


def _least(line: Affine, margins: tuple[float, float], cells: tuple[float, float]) -> float:
    return float(min(line.at(np.array(r), np.array(s)) for r in margins for s in cells))
