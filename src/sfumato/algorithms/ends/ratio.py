"""Find both ends of a measure that is a ratio of sums of psi over the tables within reach."""

from collections.abc import Callable

import numpy as np

from sfumato._typing import Floats, Ints, Tables
from sfumato.algorithms.ends import both_rough, hard_truth
from sfumato.algorithms.ends.dinkelbach import End, RatioProblem, ratio_end, whole_scale
from sfumato.algorithms.ends.found_ends import Budget, FoundEnds
from sfumato.algorithms.ends.hard_truth import truth_sums
from sfumato.algorithms.ends.root_ratio import largest_root_ratio, least_root_ratio
from sfumato.algorithms.ends.sum_ranges import limits_of_types, sum_range
from sfumato.algorithms.tables.focal_model import SetTypes
from sfumato.algorithms.tables.one_row import OneRow, one_row_tables
from sfumato.families import Ratio, psi_sum

__all__ = ["ratio_ends"]

_ZERO = 1e-12  # entropies of one cluster differ from 0 by rounding
_CLOSED = 1e-12  # of max(1, psi(n)): what a search may leave when it closes


def ratio_ends(
    family: Ratio, types: SetTypes, shape: tuple[int, int], n_objects: int, budget: Budget
) -> tuple[FoundEnds, FoundEnds]:
    """Find the smallest and the largest ratio, in the units of the measure.

    Instances whose truths, if they are hard, have the same sum of psi are solved together.
    """
    sums = np.zeros(len(types.counts))
    if types.has_hard_columns:
        sums = np.round(truth_sums(family.psi, types, shape[1]), 9)
    groups = [np.flatnonzero(sums == each) for each in np.unique(sums)]
    solved = [
        _alike_ends(family, types._replace(counts=types.counts[group]), shape, n_objects, budget)
        for group in groups
    ]
    back = np.argsort(np.concatenate(groups))
    least, most = (
        FoundEnds(*(np.concatenate(part)[back] for part in zip(*ends, strict=True)))
        for ends in zip(*solved, strict=True)
    )
    return least, most


def _alike_ends(
    family: Ratio, types: SetTypes, shape: tuple[int, int], n_objects: int, budget: Budget
) -> tuple[FoundEnds, FoundEnds]:
    problem = _problem(family, types, shape, n_objects, budget)
    everything = np.arange(len(types.counts))
    start = problem.solve(everything, np.ones(len(everything)), "near").tables
    if problem.least_denominator <= 0.0:
        if types.has_hard_columns:
            single = one_row_tables(types, shape)
            above_zero = _least_positive_denominator(family, problem, n_objects, single.tables)
            if above_zero is not None:
                problem = problem._replace(least_denominator=above_zero)
                return _ends_beside_one_row(family, problem, single, start)
        # Zero over zero cannot be ruled out: leave both ends open.
        nothing, unknown = np.zeros(len(start)), np.full(len(start), np.inf)
        return FoundEnds(start, nothing, -unknown), FoundEnds(start, nothing, unknown)
    if family.power == 0.5:
        return least_root_ratio(problem, start), largest_root_ratio(problem, start)
    return ratio_end(problem, start, "min"), ratio_end(problem, start, "max")


def _problem(
    family: Ratio, types: SetTypes, shape: tuple[int, int], n_objects: int, budget: Budget
) -> RatioProblem:
    psi, is_hard = family.psi, types.has_hard_columns
    sides = hard_truth if is_hard else both_rough
    column_sum = float(truth_sums(psi, types, shape[1])[0]) if is_hard else 0.0
    numerator, denominator = (part.with_columns(column_sum) for part in family.parts(column_sum))

    def solve(instances: Ints, weights: Floats, end: End) -> FoundEnds:
        find = sides.near_end if end == "near" else sides.far_end
        own = types._replace(counts=types.counts[instances])
        return find(own, shape, psi, weights, budget)

    def sums(tables: Tables) -> tuple[Floats, Floats]:
        rows = psi_sum(psi, tables.sum(axis=2))
        margins = rows if is_hard else rows + psi_sum(psi, tables.sum(axis=1))
        return margins, psi_sum(psi, tables.reshape(len(tables), -1))

    rows, columns = (
        sum_range(psi, side.least.min(axis=0), side.most.max(axis=0), n_objects)
        for side in limits_of_types(types, shape)
    )
    margins = rows if is_hard else (rows[0] + columns[0], rows[1] + columns[1])
    even = np.full(shape[0] * shape[1], n_objects)
    fewest = sum_range(psi, 0 * even, even, n_objects)[0]
    least_denominator = min(
        float(denominator.at(np.array(margin), np.array(cells)))
        for margin in margins
        # The sum over the cells is at most that over the rows and at most that over the columns, so
        # it is at most half of their total.
        for cells in (fewest, min(rows[1], column_sum) if is_hard else margin / 2)
    )
    return RatioProblem(
        solve,
        sums,
        numerator,
        denominator,
        least_denominator,
        left_open=_CLOSED * max(1.0, float(psi_sum(psi, np.array([n_objects])))),
        scale=whole_scale(numerator, denominator, n_objects) if psi == "square" else None,
    )


def _least_positive_denominator(
    family: Ratio, problem: RatioProblem, n_objects: int, one_row: Tables
) -> float | None:
    """Smallest denominator above zero, if the ratio is zero over zero for one-row tables only.

    None where this cannot be shown.
    """
    line = problem.denominator
    if family.power != 1.0 or line.cells != 0.0 or float(line.rows) >= 0.0:
        return None
    above, below = problem.parts(one_row)
    # The denominator falls as the sum over the rows grows. This sum is largest for one row, and
    # second largest if one object is in another row.
    beside = psi_sum(family.psi, np.array([n_objects - 1, 1]))
    least = float(line.at(np.asarray(beside), np.zeros(1))[0])
    is_zero = bool((np.abs(above) <= _ZERO).all() and (np.abs(below) <= _ZERO).all())
    return least if is_zero and least > _ZERO else None


def _ends_beside_one_row(
    family: Ratio, problem: RatioProblem, single: OneRow, start: Tables
) -> tuple[FoundEnds, FoundEnds]:
    """Find both ends over the tables of several rows, then add the value of one-row tables.

    For a one-row table p - theta q is zero for any theta. So it never changes theta in Dinkelbach's
    iteration. If no table has a better p - theta q than zero, no table of several rows has.
    """
    start = np.where(single.is_within_reach[:, None, None], single.others, start)
    return (
        _joined(ratio_end(problem, start, "min"), single, family.at_zero, np.minimum),
        _joined(ratio_end(problem, start, "max"), single, family.at_zero, np.maximum),
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
