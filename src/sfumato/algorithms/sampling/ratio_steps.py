r"""Bound how much one object can change a ratio, when limits of all cluster sizes are known.

The value is f = X / Y. If one object moves, X and Y become X' and Y', and

.. math:: f' - f = \frac{(X' - X) - f (Y' - Y)}{Y'},

because X = f Y. Seen from the object, each sum of psi changes by what it adds in its new row,
column or cell, less what it added in the old one: 2 m (and a constant) among m others for squares,
and :math:`(m + 1) \log(m + 1) - m \log m` for x log x.
"""

from math import inf

import numpy as np

from sfumato.algorithms.ends.denominators import least_denominator, range_of_sums
from sfumato.algorithms.tables.likely_sizes import SizeLimits
from sfumato.families import Objective, Psi, Ratio, xlogx

__all__ = ["ratio_step"]

_SLACK = 1 + 1e-9  # for rounding


def ratio_step(objective: Objective, rows: SizeLimits, columns: SizeLimits) -> float:
    """Most that a ratio can change when one object moves; infinite if nothing is known.

    It is also the most that the two ends within reach of a rough partition can change when the set
    of one object does: in a clustering that attains an end, move that object alone.

    The limits of the cluster sizes hold before and after. Columns whose sizes are known are those
    of a hard partition, in which no object moves.

    Examples
    --------
    >>> from sfumato.measures import Dice
    >>> dice = Dice()
    >>> objective = Objective(dice.family(100), (2, 2), 100, (0.0, 1.0), dice.of_tables, True)
    >>> hard = SizeLimits(np.array([50.0, 50.0]), np.array([50.0, 50.0]))
    >>> free = SizeLimits(np.array([20.0, 20.0]), np.array([80.0, 80.0]))
    >>> round(ratio_step(objective, free, hard), 3)
    0.026
    """
    family = objective.family
    if not isinstance(family, Ratio) or objective.spread == inf:
        return inf
    least = least_denominator(family, rows, columns, objective.n_objects)
    if least <= 0.0:
        return inf
    step = _step_of_rows(objective, family, rows, columns, least)
    if (columns.least < columns.most).any():
        turned = objective.turned() if objective.is_turnable else None
        if turned is None or not isinstance(turned.family, Ratio):
            return inf
        step += _step_of_rows(turned, turned.family, columns, rows, least)
    return step * _SLACK


def _step_of_rows(
    objective: Objective, family: Ratio, rows: SizeLimits, columns: SizeLimits, least: float
) -> float:
    """Most that the value changes when an object changes its row and keeps its column.

    What it adds to X - f Y is linear in what it adds to the sums over rows and over cells, the
    second no more than the first: largest and smallest at a corner. For f the bounds suffice.
    """
    in_row = _largest_share(family.psi, rows)
    in_cell = min(in_row, _largest_share(family.psi, columns))
    b_range = range_of_sums(family.psi, columns, objective.n_objects)
    steps = list[float]()
    for above, below in map(family.parts, b_range):
        if family.power != 1.0:  # the root of Y moves by at most |Y' - Y| over twice its least
            moved = abs(below.rows) * in_row + abs(below.cells) * in_cell
            moved *= family.power * least ** (family.power - 1.0)
            added = abs(above.rows) * in_row + abs(above.cells) * in_cell
            steps.append(added + max(map(abs, objective.bounds)) * moved)
            continue
        for value in objective.bounds:
            by_row, by_cell = above.rows - value * below.rows, above.cells - value * below.cells
            adds = (
                0.0,
                by_row * in_row,
                by_row * in_row + by_cell * in_cell,
                (by_row + by_cell) * in_cell,
            )
            steps.append(max(adds) - min(adds))
    return max(steps) / least**family.power


def _largest_share(psi: Psi, limits: SizeLimits) -> float:
    """Most that an object adds to a sum of psi by its cluster, up to a constant."""
    others = max(float(limits.most.max()) - 1.0, 0.0)
    if psi == "square":
        return 2.0 * others
    return float(xlogx(np.array(others + 1.0)) - xlogx(np.array(others)))
