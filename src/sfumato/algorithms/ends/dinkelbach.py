"""Find an end of a ratio of sums of psi over compatible tables, by Dinkelbach's iteration.

Numerator and denominator are affine in two sums: r over the margins and s over the cells. Against a
hard truth r is sum psi(R), because the column sums are fixed; between two rough sides it is
sum psi(R) + sum psi(C).
"""

from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from sfumato._typing import Bools, Floats, Ints, Tables
from sfumato.algorithms.ends.found_ends import FoundEnds, up_to_rounding
from sfumato.families import Affine

__all__ = ["End", "RatioProblem", "ratio_end", "whole_scale"]

End: TypeAlias = Literal["near", "far"]

_MOST_ROUNDS = 60
_SETTLED = 1e-13  # relative: a round that gains less than this gains nothing
_BELOW_ONE = 0.5  # an integer below is not positive, with room for rounding
_LARGEST_WHOLE = 1e12  # of a coefficient whose decimals can be told from rounding


class RatioProblem(NamedTuple):
    """A ratio over the compatible tables of many instances.

    ``solve`` gives an end of weight * r - 2 * s, for instances and the weight of each; ``sums`` are
    r and s of tables. The denominator must be positive on all compatible tables; tables where both
    parts are zero are also allowed and are ignored.
    """

    solve: Callable[[Ints, Floats, End], FoundEnds]
    sums: Callable[[Tables], tuple[Floats, Floats]]
    numerator: Affine  # in r and s
    denominator: Affine
    least_denominator: float  # a positive lower bound where it is not zero
    left_open: float  # what a weighted search may leave when it closes
    scale: float | None = None  # both parts times this are integers; None: they are not

    def parts(self, tables: Tables) -> tuple[Floats, Floats]:
        """Numerators and denominators of tables."""
        r, s = self.sums(tables)
        return self.numerator.at(r, s), self.denominator.at(r, s)


def ratio_end(problem: RatioProblem, start: Tables, sense: Literal["max", "min"]) -> FoundEnds:
    r"""Find the smallest or the largest :math:`p / q` (numerator / denominator).

    With :math:`\theta` the ratio of the best table so far, the next one extremises
    :math:`p - \theta q`, a weighted problem. The ratio improves strictly until no table has
    :math:`p - \theta q` of the improving sign, which certifies :math:`\theta`. An excess that
    remains, because a search in floating point closes at a tolerance, is kept in the bound. If p
    and q are integers, so is :math:`p q_0 - p_0 q` for the best table's :math:`\theta =
    p_0 / q_0`: an excess below :math:`1 / q_0` then proves that there is none.

    ``start`` are any compatible tables, one for each instance. Values and bounds are ratios.

    Notes
    -----
    A few rounds of the weighted solver: convergence is superlinear
    :cite:`dinkelbach1967nonlinear`.
    """
    direction = 1.0 if sense == "max" else -1.0
    tables, numerator, denominator = start.copy(), problem.numerator, problem.denominator
    ratios = _ratio(problem, tables, np.zeros(len(tables)))
    bounds = np.full(len(tables), direction * np.inf)
    active: Ints = np.arange(len(tables))
    for _ in range(_MOST_ROUNDS):
        theta = ratios[active]
        offset = numerator.offset - theta * denominator.offset
        rows = numerator.rows - theta * denominator.rows
        cells = numerator.cells - theta * denominator.cells
        # It must be a multiple of weight * r - 2 * s with weight >= 0.
        if len(active) == 0 or not ((rows * cells <= 0.0) & (cells != 0.0)).all():
            break
        found = _solve_signed(problem, active, rows, cells, direction)
        new = _ratio(problem, found.tables, theta)
        gains = direction * (new - theta) > _SETTLED * np.maximum(1.0, np.abs(theta))
        # p - theta q <= excess everywhere, so p / q <= theta + excess / q (for a maximum).
        excess = direction * (offset - cells / 2 * found.bounds)
        excess = np.maximum(excess + np.abs(cells) / 2 * problem.left_open, 0.0)
        if problem.scale is not None:
            below = problem.parts(tables[active])[1]
            excess[~gains & (excess * below * problem.scale**2 < _BELOW_ONE)] = 0.0
        bounds[active] = theta + direction * excess / problem.least_denominator
        tables[active[gains]], ratios[active[gains]] = found.tables[gains], new[gains]
        active = active[gains]
    return up_to_rounding(FoundEnds(tables, ratios, bounds))


def whole_scale(numerator: Affine, denominator: Affine, n_objects: int) -> float | None:
    """What makes both lines have integer coefficients: 1, or the ordered pairs of objects.

    Examples
    --------
    >>> whole_scale(Affine(-3.0, cells=1.0), Affine(-3.0, rows=1.0, cells=-1.0), 3)
    1.0
    >>> whole_scale(Affine(0.5, cells=1 / 3), Affine(1.0), 3)
    6.0
    """
    coefficients = np.array(
        [(line.offset, line.rows, line.cells) for line in (numerator, denominator)]
    )
    for scale in (1.0, float(n_objects * (n_objects - 1))):
        scaled = coefficients * scale
        if np.abs(scaled).max() < _LARGEST_WHOLE and np.allclose(
            scaled, np.rint(scaled), rtol=1e-14, atol=1e-9
        ):
            return scale
    return None


def _ratio(problem: RatioProblem, tables: Tables, otherwise: Floats) -> Floats:
    """Ratios of the tables; ``otherwise`` where the denominator is zero."""
    above, below = problem.parts(tables)
    is_positive = below >= problem.least_denominator / 2  # a smaller one is zero up to rounding
    return np.divide(above, below, out=otherwise.copy(), where=is_positive)


def _solve_signed(
    problem: RatioProblem, active: Ints, rows: Floats, cells: Floats, direction: float
) -> FoundEnds:
    """Find the largest (direction 1) or smallest (-1) rows * r + cells * s.

    It is -cells / 2 * (weight * r - 2 * s), so the sign of cells says which end to solve for.
    """
    weights = np.asarray(-2.0 * rows / cells)
    wants_near = np.asarray(direction * cells > 0.0)
    ends: tuple[tuple[Bools, End], ...] = ((wants_near, "near"), (~wants_near, "far"))
    parts = [
        (mask, problem.solve(active[mask], weights[mask], end)) for mask, end in ends if mask.any()
    ]
    tables = np.empty((len(active), *parts[0][1].tables.shape[1:]), dtype=np.int64)
    values, bounds = np.empty(len(active)), np.empty(len(active))
    for mask, found in parts:
        tables[mask], values[mask], bounds[mask] = found
    return FoundEnds(tables, values, bounds)
