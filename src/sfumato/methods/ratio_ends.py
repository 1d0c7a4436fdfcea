"""Both ends of a ratio of sums, by Dinkelbach's iteration or its like."""

from functools import partial
from typing import NamedTuple

import numpy as np

from sfumato._typing import Floats, Ints, Tables
from sfumato.algorithms.bounds.sum_ranges import sum_range
from sfumato.algorithms.extremes.ratio import Line, Sums, WeightedSolver, extreme_ratio
from sfumato.algorithms.extremes.root_ratio import largest_root_ratio, least_root_ratio
from sfumato.algorithms.extremes.types import Extremes
from sfumato.algorithms.tables.focal import SetTypes
from sfumato.measures.families import Psi, Ratio
from sfumato.methods.weighted import (
    Budget,
    both_rough_solver,
    hard_truth_solver,
    psi_sum,
    truth_sums,
)

__all__ = ["is_even", "ratio_ends"]


class _Problem(NamedTuple):
    """Numerator and denominator as lines in the margins' sum and the cells' sum of psi."""

    solve: WeightedSolver
    sums: Sums
    numerator: Line
    denominator: Line
    least_denominator: float


def is_even(family: Ratio) -> bool:
    """Whether rows and columns weigh the same, so that two rough sides can be solved."""
    return (
        family.psi == "square"
        and family.power == 1.0
        and not family.needs_fixed_columns
        and all(part.rows == part.columns for part in family.parts(0.0))
    )


def ratio_ends(
    family: Ratio,
    types: SetTypes,
    shape: tuple[int, int],
    n_objects: int,
    budget: Budget,
    *,
    is_hard_truth: bool,
) -> tuple[Extremes, Extremes]:
    """Smallest and largest ratio, in the units of the measure.

    A hard truth has the same sum of psi over its classes in all instances.
    """
    make = _against_hard_truth if is_hard_truth else _between_rough_sides
    problem = make(family, types, shape, n_objects, budget)
    everything = np.arange(len(types.counts))
    start = problem.solve(everything, np.ones(len(everything)), "near").tables
    if problem.least_denominator <= 0.0:  # 0/0 cannot be ruled out: leave both ends open
        nothing, unknown = np.zeros(len(start)), np.full(len(start), np.inf)
        return Extremes(start, nothing, -unknown), Extremes(start, nothing, unknown)
    lines = problem.solve, problem.sums, start, problem.numerator, problem.denominator
    if family.power == 0.5:
        return least_root_ratio(*lines), largest_root_ratio(*lines)
    find = partial(extreme_ratio, *lines, least_denominator=problem.least_denominator)
    return find(sense="min"), find(sense="max")


def _against_hard_truth(
    family: Ratio, types: SetTypes, shape: tuple[int, int], n_objects: int, budget: Budget
) -> _Problem:
    psi = family.psi
    column_sum = float(truth_sums(psi, types, shape[1])[0])
    numerator, denominator = (
        Line(part.offset + part.columns * column_sum, part.rows, part.cells)
        for part in family.parts(column_sum)
    )

    def sums(tables: Tables) -> tuple[Floats, Floats]:
        return psi_sum(psi, tables.sum(axis=2)), psi_sum(psi, tables.reshape(len(tables), -1))

    rows = _margin_range(psi, types.row_sets, types.counts, shape[0], n_objects)
    cells = _least_cells(psi, shape, n_objects), min(rows[1], column_sum)
    return _Problem(
        hard_truth_solver(psi, types, shape, budget),
        sums,
        numerator,
        denominator,
        _least(denominator, rows, cells),
    )


def _between_rough_sides(
    family: Ratio, types: SetTypes, shape: tuple[int, int], n_objects: int, budget: Budget
) -> _Problem:
    psi = family.psi
    numerator, denominator = (
        Line(part.offset, part.rows, part.cells) for part in family.parts(0.0)
    )

    def sums(tables: Tables) -> tuple[Floats, Floats]:
        margins = psi_sum(psi, tables.sum(axis=2)) + psi_sum(psi, tables.sum(axis=1))
        return margins, psi_sum(psi, tables.reshape(len(tables), -1))

    rows = _margin_range(psi, types.row_sets, types.counts, shape[0], n_objects)
    columns = _margin_range(psi, types.column_sets, types.counts, shape[1], n_objects)
    margins = rows[0] + columns[0], rows[1] + columns[1]
    # Cells are within rows and within columns, and whichever is smaller bounds them: where the
    # margins are least the cells are at most half of them.
    least = min(
        _least(denominator, (margin, margin), (_least_cells(psi, shape, n_objects), margin / 2))
        for margin in margins
    )
    return _Problem(both_rough_solver(types, shape, budget), sums, numerator, denominator, least)


def _margin_range(
    psi: Psi, sets: Ints, counts: Ints, n_clusters: int, n_objects: int
) -> tuple[float, float]:
    """Range of the sum of psi over cluster sizes in any instance."""
    members = (sets[:, None] >> np.arange(n_clusters)) & 1
    most = (counts @ members).max(axis=0)
    certain = members * (members.sum(axis=1) == 1)[:, None]
    least = (counts @ certain).min(axis=0)
    return sum_range(psi, least, most, n_objects)


def _least_cells(psi: Psi, shape: tuple[int, int], n_objects: int) -> float:
    even = np.full(shape[0] * shape[1], n_objects)
    return sum_range(psi, 0 * even, even, n_objects)[0]


def _least(line: Line, margins: tuple[float, float], cells: tuple[float, float]) -> float:
    return float(min(line.at(np.array(r), np.array(s)) for r in margins for s in cells))
