"""Bound what single changes of a matching gain in a random table: cycles of rows and columns.

A better matching differs from the fixed one by cycles, which share no row and no column.
"""

from collections.abc import Iterator
from itertools import combinations, islice, permutations
from math import e, exp, expm1, log, sqrt
from typing import NamedTuple

import numpy as np

from sfumato._typing import Floats
from sfumato.algorithms.deadline import look
from sfumato.algorithms.laws.step_sums import law_of_line_steps

__all__ = ["Cycle", "bounded_cycles", "disjoint_gain", "gain_of_steps"]

_MOST_CYCLES, _MOST_ROWS = 500, 6  # seven rows have 2,365 cycles at least
_MOST_OBJECTS = 500_000  # objects times cycles, to compute laws of cycles
_SLACK = 1 + 1e-6  # allows for rounding in exponents
_EPS = float(np.finfo(np.float64).eps)


class Cycle(NamedTuple):
    """A change of the fixed matching: row ``rows[i]`` takes column ``columns[i]``.

    Each row takes the column of the next row. The last row takes the column of the first row, or a
    column without a row. This changes the total.
    """

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    low: float  # bracket of the mean of the positive part of the change
    high: float
    square: float  # upper bound of the mean of its square
    probability: float  # upper bound of the probability that the change is positive


def _cycles(n_rows: int, n_columns: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """All cycles, as rows and the columns that they take.

    A free column has no row. So a cycle with a free column is a path that ends there. A cycle with
    several free columns consists of several such paths.
    """
    for size in range(2, n_rows + 1):
        for first, *others in combinations(range(n_rows), size):
            for order in permutations(others):
                yield (first, *order), (*order, first)
    for size in range(1, n_rows + 1):
        for rows in permutations(range(n_rows), size):
            for free in range(n_rows, n_columns):
                yield rows, (*rows[1:], free)


def bounded_cycles(
    p: Floats, q: Floats, expected: Floats, *, enough: float, widest: float, most: float
) -> list[Cycle] | None:
    """Bound every cycle; by its law if this matters and is affordable. None if there are many.

    It does not matter where all cycles together gain up to ``enough``; nor once the gains of all
    cycles, or the bound ``most`` if that is less, exceed those of disjoint cycles by more than
    ``widest``.
    """
    if min(expected.shape) > _MOST_ROWS:  # listing the first cycles would take longer than the rest
        return None
    every = list(islice(_cycles(*expected.shape), _MOST_CYCLES + 1))
    if len(every) > _MOST_CYCLES:
        return None
    screened = [_screen(expected, *cycle) for cycle in every]
    screened.sort(key=lambda cycle: -cycle.high)
    negligible = enough / max(1, len(screened))
    n_affordable = _MOST_OBJECTS // len(p)
    n_rows, n_columns = expected.shape
    n_disjoint = n_rows // 2 if n_rows == n_columns else n_rows
    total, largest = 0.0, 0.0  # of the least gains
    for at, cycle in enumerate(screened[:n_affordable]):
        is_hopeless = min(total, most) - n_disjoint * max(largest, cycle.high) > widest
        if cycle.high <= negligible or is_hopeless:
            break
        look()
        rows, columns = list(cycle.rows), list(cycle.columns)
        up, down = ((p[:, rows] * q[:, own]).sum(axis=1) for own in (columns, rows))
        screened[at] = Cycle(cycle.rows, cycle.columns, *gain_of_steps(up, down))
        total, largest = total + screened[at].low, max(largest, screened[at].low)
    return screened


def _screen(expected: Floats, rows: tuple[int, ...], columns: tuple[int, ...]) -> Cycle:
    """Bound a cycle from the expected table alone.

    The change Delta has mean A - B and second moment at most (A - B)^2 + A + B. Two bounds of
    E Delta^+ follow: one by Cauchy and Schwarz, the other is E Delta^+ <= E exp(t Delta) / (e t)
    <= exp(A (e^t - 1) + B (e^-t - 1)) / (e t). The square of Delta^+ is at most
    4 exp(t Delta) / (e t)^2.
    """
    gain = float(expected[rows, columns].sum())
    loss = float(expected[rows, rows].sum())
    if gain <= 0.0:
        return Cycle(rows, columns, 0.0, 0.0, 0.0, 0.0)
    drift = gain - loss
    square = drift**2 + gain + loss
    by_moments = (sqrt(square) + drift) / 2
    t = max(log(loss / gain) / 2 if loss > gain else 0.0, 1 / sqrt(gain + loss))
    t = min(t, 9.0)
    exponent = gain * expm1(t) + loss * expm1(-t)
    by_exponent = exp(min(exponent, 50.0) - 1) / t
    return Cycle(
        rows,
        columns,
        low=max(0.0, drift * (1 - 1e-9)),
        high=_SLACK * min(by_moments, by_exponent),
        square=_SLACK * min(square, 4 * by_exponent / (e * t)),
        probability=min(1.0, _SLACK * exp(min(exponent, 50.0) - t)),
    )


def gain_of_steps(up: Floats, down: Floats) -> tuple[float, float, float, float]:
    """Bound the positive part of a sum of independent steps 1, -1 or 0, by the law of the sum.

    ``up`` and ``down`` are the probabilities of the first two, of shape (n,). Gives lower and upper
    bounds of the mean, and upper bounds of the mean square and of the probability to be positive.
    """
    takes_part = up + down > 0
    up, down = up[takes_part], down[takes_part]
    n = len(up)
    if n == 0:
        return 0.0, 0.0, 0.0, 0.0
    stay = np.maximum(1.0 - up - down, 0.0)
    found = law_of_line_steps(np.stack([down, stay, up], axis=1), max_lost_mass=1e-17)
    change = found.origin[0] + np.arange(len(found.law)) - n
    gains, masses = change[change > 0], found.law[change > 0]
    mean, square = float(gains @ masses), float(gains**2 @ masses)
    rounding, lost = 8 * _EPS * n, found.lost_mass
    return (
        mean * (1 - rounding),
        mean * (1 + rounding) + lost * n,
        square * (1 + rounding) + lost * n**2,
        min(1.0, float(masses.sum()) * (1 + rounding) + lost),
    )


def disjoint_gain(cycles: list[Cycle]) -> float:
    """Lower bound of the gain: cycles that share no row and no column can all be taken."""
    total, used = 0.0, set[int]()
    for cycle in sorted(cycles, key=lambda cycle: -cycle.low):
        touched = {*cycle.rows, *cycle.columns}
        if used.isdisjoint(touched):
            total += cycle.low
            used |= touched
    return total
