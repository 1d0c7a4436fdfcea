"""Bracket the mean matching of two fuzzy partitions.

The matching of a table is the number of objects that its best one-to-one matching of rows to
columns covers.
"""

from collections.abc import Iterator
from functools import partial
from itertools import combinations, permutations
from math import comb, e, exp, expm1, factorial, inf, log, perm, sqrt
from typing import Any, NamedTuple

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.deadline import look
from sfumato.algorithms.expectations.matching_arcs import bound_improvement
from sfumato.algorithms.laws.step_sums import law_of_line_steps

__all__ = ["Improvement", "MatchingMean", "best_order", "bracket_fixed", "bracket_matching_mean"]

_FEW_COLUMNS = 6
_MOST_CYCLES = 500
_MOST_OBJECTS = 500_000  # objects times cycles, to compute laws of cycles
_NEGLIGIBLE = 1e-15  # of the number of objects
_SLACK = 1 + 1e-6  # allows for rounding in exponents
_EPS = float(np.finfo(np.float64).eps)


class MatchingMean(NamedTuple):
    """What is known of the total of the largest matching.

    The *fixed* matching is the best one for the expected table.

    Attributes
    ----------
    low, high : float
        Bracket of the mean of the largest matching.
    std : float
        Standard deviation of the total of the fixed matching.
    std_error : float
        The standard deviation of the largest matching differs from ``std`` by at most this.
    another_wins : float
        Upper bound of the probability that another matching has a larger total.
    matched : ndarray of shape (n,)
        Probability that the fixed matching covers each object.
    unmatched : ndarray of shape (n,)
        Probability that it does not.
    """

    low: float
    high: float
    std: float
    std_error: float
    another_wins: float
    matched: Floats
    unmatched: Floats


class _Cycle(NamedTuple):
    """A change of the fixed matching: row ``rows[i]`` takes column ``columns[i]``.

    Each row takes the column of the next row. The last row takes the column of the first row, or a
    column without a row. This changes the total. ``low`` and ``high`` bracket the mean of the
    positive part of the change. ``square`` is an upper bound of the mean of its square,
    ``probability`` an upper bound of the probability that the change is positive.
    """

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    low: float
    high: float
    square: float
    probability: float


class Improvement(NamedTuple):
    """What other matchings gain over the fixed one.

    ``low`` and ``high`` bracket the mean gain. ``norm`` and ``probability`` are upper bounds of the
    root mean square gain and of the probability of a gain.
    """

    low: float
    high: float
    norm: float
    probability: float


def bracket_matching_mean(a: Floats, b: Floats, *, widest: float = inf) -> MatchingMean:
    r"""Bracket the mean of the largest matching.

    Let w be the best matching for the expected table W = a'b, and S its random total. Every better
    matching contains a cycle c that improves w. So

    .. math:: E S + \max_{disjoint} \sum_c E \Delta_c^+ \;\le\; E \max_\pi S_\pi
              \;\le\; E S + \sum_c E \Delta_c^+

    where :math:`\Delta_c` is a sum of independent steps -1, 0, 1.

    Parameters
    ----------
    a : ndarray of shape (n, k1)
    b : ndarray of shape (n, k2)
        Memberships; rows sum to 1. k1 and k2 may differ: then some clusters have no partner.
    widest : float
        A bracket that is certain to become wider than this is of no use: it is not sharpened.

    Returns
    -------
    MatchingMean

    Notes
    -----
    O(n k1 k2), and little more if one matching is far better than the others. Else also O(n log n)
    for each cycle that matters, up to a fixed budget. With more than 500 cycles, or where they are
    sharper, the bounds are those of `bound_improvement`.

    Examples
    --------
    >>> a = np.array([[0.9, 0.1], [0.8, 0.2], [0.1, 0.9]])
    >>> found = bracket_matching_mean(a, np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
    >>> round(found.low, 12), round(found.high, 12)
    (2.65, 2.65)
    """
    p, q = (a, b) if a.shape[1] <= b.shape[1] else (b, a)
    n_rows = p.shape[1]
    expected: Floats = p.T @ q
    order = best_order(expected)
    expected, p, q = expected[:, order], np.ascontiguousarray(p), np.take(q, order, axis=1)
    matched = np.minimum(np.einsum("xi,xi->x", p, q[:, :n_rows]), 1.0)
    return bracket_fixed(matched, _improvement(p, q, expected, widest))


def bracket_fixed(matched: Floats, gain: Improvement) -> MatchingMean:
    """Build the bracket from the fixed matching and the gain of other matchings."""
    n_objects, total = len(matched), float(matched.sum())
    rounding = 32 * _EPS * n_objects
    unmatched = 1.0 - matched
    std = sqrt(float((matched * unmatched).sum()))
    return MatchingMean(
        low=max(0.0, total + gain.low - rounding),
        high=min(float(n_objects), total + gain.high + rounding),
        std=std,
        std_error=_std_error(n_objects, std, gain),
        another_wins=gain.probability,
        matched=matched,
        unmatched=unmatched,
    )


def best_order(expected: Floats) -> Ints:
    """Order the columns: first the partner of each row in the best matching, then the others."""
    n_rows, n_columns = len(expected), int(expected.shape[1])
    partners: Ints
    if n_columns <= _FEW_COLUMNS:  # does not import SciPy, so a first call is fast
        matchings = np.array(list(permutations(range(n_columns), n_rows)), dtype=np.int64)
        totals = expected[np.arange(n_rows), matchings].sum(axis=1)
        partners = matchings[np.argmax(totals)]
    else:
        from scipy import optimize

        solver: Any = optimize  # without types
        partners = solver.linear_sum_assignment(expected, maximize=True)[1]
    return np.concatenate([partners, np.setdiff1d(np.arange(n_columns), partners)])


def _std_error(n_objects: int, std: float, gain: Improvement) -> float:
    """Upper bound of the difference of the standard deviations of S and S + G, 0 <= G <= n.

    It is at most the norm of G. And |Var(S + G) - Var S| <= E G^2 + 2 |Cov(S, G)| <= 3 n E G.
    """
    return min(gain.norm, 3 * n_objects * gain.high / std) if std > 0 else gain.norm


def _improvement(p: Floats, q: Floats, expected: Floats, widest: float) -> Improvement:
    n_objects = len(p)
    low, high, norm, probability = 0.0, np.inf, np.inf, 1.0
    enough = _NEGLIGIBLE * n_objects
    by_arcs = partial(bound_improvement, p, q, expected, enough=enough)
    bound = by_arcs() if widest < inf else None
    if _n_cycles(*expected.shape) <= _MOST_CYCLES:
        cycles = _bounded_cycles(p, q, expected, widest, inf if bound is None else bound.mean)
        low = _disjoint_gain(cycles)
        high = sum(cycle.high for cycle in cycles)
        norm = sum(sqrt(cycle.square) for cycle in cycles)
        probability = min(1.0, sum(cycle.probability for cycle in cycles))
    if high - low > 1e3 * enough:
        bound = by_arcs() if bound is None else bound
        high, probability = min(high, bound.mean), min(probability, bound.probability)
    high = max(low, high)
    return Improvement(low, high, min(norm, sqrt(n_objects * high)), probability)


def _n_cycles(n_rows: int, n_columns: int) -> float:
    closed = sum(comb(n_rows, size) * factorial(size - 1) for size in range(2, n_rows + 1))
    to_free = sum(perm(n_rows, size) for size in range(1, n_rows + 1))
    return closed + (n_columns - n_rows) * to_free


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


def _bounded_cycles(
    p: Floats, q: Floats, expected: Floats, widest: float, most: float
) -> list[_Cycle]:
    """Bound every cycle; by its law if this matters and is affordable.

    It no longer matters once the gains of all cycles, or the bound ``most`` if that is less, exceed
    those of disjoint cycles by more than ``widest``.
    """
    screened = [_screen(expected, *cycle) for cycle in _cycles(*expected.shape)]
    screened.sort(key=lambda cycle: -cycle.high)
    negligible = _NEGLIGIBLE * len(p) / len(screened) if screened else 0.0
    n_affordable = _MOST_OBJECTS // len(p)
    n_rows, n_columns = expected.shape
    n_disjoint = n_rows // 2 if n_rows == n_columns else n_rows
    total, largest = 0.0, 0.0  # of the least gains
    for at, cycle in enumerate(screened[:n_affordable]):
        is_hopeless = min(total, most) - n_disjoint * max(largest, cycle.high) > widest
        if cycle.high <= negligible or is_hopeless:
            break
        look()
        screened[at] = _sum_up(p, q, cycle)
        total, largest = total + screened[at].low, max(largest, screened[at].low)
    return screened


def _screen(expected: Floats, rows: tuple[int, ...], columns: tuple[int, ...]) -> _Cycle:
    """Bound a cycle from the expected table alone.

    The change Delta has mean A - B and second moment at most (A - B)^2 + A + B. Two bounds of
    E Delta^+ follow: one by Cauchy and Schwarz, the other is E Delta^+ <= E exp(t Delta) / (e t)
    <= exp(A (e^t - 1) + B (e^-t - 1)) / (e t). The square of Delta^+ is at most
    4 exp(t Delta) / (e t)^2.
    """
    gain = float(expected[rows, columns].sum())
    loss = float(expected[rows, rows].sum())
    if gain <= 0.0:
        return _Cycle(rows, columns, 0.0, 0.0, 0.0, 0.0)
    drift = gain - loss
    square = drift**2 + gain + loss
    by_moments = (sqrt(square) + drift) / 2
    t = max(log(loss / gain) / 2 if loss > gain else 0.0, 1 / sqrt(gain + loss))
    t = min(t, 9.0)
    exponent = gain * expm1(t) + loss * expm1(-t)
    by_exponent = exp(min(exponent, 50.0) - 1) / t
    return _Cycle(
        rows,
        columns,
        low=max(0.0, drift * (1 - 1e-9)),
        high=_SLACK * min(by_moments, by_exponent),
        square=_SLACK * min(square, 4 * by_exponent / (e * t)),
        probability=min(1.0, _SLACK * exp(min(exponent, 50.0) - t)),
    )


def _sum_up(p: Floats, q: Floats, cycle: _Cycle) -> _Cycle:
    """Bound a cycle by the law of its change. Only rounding and the lost mass leave a gap."""
    rows, columns = list(cycle.rows), list(cycle.columns)
    up = (p[:, rows] * q[:, columns]).sum(axis=1)
    down = (p[:, rows] * q[:, rows]).sum(axis=1)
    takes_part = up + down > 0
    up, down = up[takes_part], down[takes_part]
    stay = np.maximum(1.0 - up - down, 0.0)
    found = law_of_line_steps(np.stack([down, stay, up], axis=1), max_lost_mass=1e-17)
    change = found.origin[0] + np.arange(len(found.law)) - len(up)
    rounding = 8 * _EPS * len(up)
    is_gain = change > 0
    gains, masses = change[is_gain], found.law[is_gain]
    mean, square = float(gains @ masses), float(gains**2 @ masses)
    return cycle._replace(
        low=mean * (1 - rounding),
        high=mean * (1 + rounding) + found.lost_mass * len(up),
        square=square * (1 + rounding) + found.lost_mass * len(up) ** 2,
        probability=min(1.0, float(masses.sum()) * (1 + rounding) + found.lost_mass),
    )


def _disjoint_gain(cycles: list[_Cycle]) -> float:
    """Lower bound of the gain: cycles that share no row and no column can all be taken."""
    total, used = 0.0, set[int]()
    for cycle in sorted(cycles, key=lambda cycle: -cycle.low):
        touched = {*cycle.rows, *cycle.columns}
        if used.isdisjoint(touched):
            total += cycle.low
            used |= touched
    return total
