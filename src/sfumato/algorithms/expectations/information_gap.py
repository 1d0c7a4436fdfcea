"""Bound how far the mean least variation of information lies below a policy, without draws.

Objects draw pairs of focal sets at random; the second side is certain. A *policy* sends each pair
of sets to one of its cells.
"""

from math import inf, log
from typing import TypeAlias, final

import numpy as np

from sfumato._typing import Bools, Floats, Ints
from sfumato.algorithms.deadline import look, seconds_left
from sfumato.algorithms.expectations.policy_moves import (
    ROUNDING,
    Moves,
    group_masses,
    log_mean,
    mean_gain,
    moves_of,
)
from sfumato.algorithms.expectations.set_pairs import SetPairs
from sfumato.families import xlogx

__all__ = ["information_gap"]

_RISK = 1e-15  # that a count leaves its limits on one side
_RATES_OF_LIMITS = np.geomspace(1e-3, 20.0, 32)
_RATES_OF_GAINS = np.geomspace(1e-2, 200.0, 48)
_SECONDS_EACH = 1e-7  # about, for each move and mass
_NEGLIGIBLE = 1e-6  # of a gain
_APART = 1e-6  # counts, beyond rounding
_PANELS = 4  # of the mean of a logarithm along a move

_Term: TypeAlias = tuple[float, Floats]  # a weight, and steps from 0 to 1 for the pairs of sets


def information_gap(pairs: SetPairs, sent: Ints, *, worth: float = inf) -> float:
    r"""Upper bound of the mean of what the best table gains over the table of a policy.

    The gain is that :math:`F = \sum \psi(R) + \sum \psi(C) - 2 \sum \psi(N)`, with
    :math:`\psi(x) = x \log x`, is smaller. Of the objects that the policy sends to the cell p,
    :math:`f_m` move to the cell q, at most the :math:`c_m` whose sets leave q open. As
    :math:`\psi` is convex, it lies above its tangents at the row sums and below its chords
    between the counts that the cells may have, so the gain is at most

    .. math:: \sum_m c_m \max(0, y_m), \qquad
              y_m = \log \frac{R_p}{R_q} + 2 \log \frac{I(N_q, U_q)}{I(L_p, N_p)}

    with R and N of the policy, U_q the objects that may be in q, L_p those that must be in p, and
    I(a, b) the exponential of the mean of log between a and b. Logarithms lie below their tangents
    and, between limits that a count leaves with a probability of at most 1e-15, above their
    chords: so y is at most a sum over independent objects, as in `mean_gain`.

    The second side of the pairs is certain, ``sent`` has the cell to which the policy sends each
    pair of sets. Bounds above ``worth`` are of no use: all is left undone where the moves exceed it
    at the expected counts, and the rest once the moves so far do. Infinite if it is not found, if
    it would exceed ``worth``, or if there is no time for it. O(e) for each move, with e the masses
    of all types. Theorem 6 of the theory in the documentation.

    Examples
    --------
    >>> one, sets = np.array([[True]]), np.array([[True, False], [True, True]])
    >>> lists = [[300, 1], [0, 1, 2], [0, 1], [1.0, 1.0], [0, 1, 3], [0, 0, 1]]
    >>> rest = SetPairs(*map(np.array, lists), sets, one, np.array([0, 1]), np.array([0, 0]))
    >>> information_gap(rest, np.array([0, 0])) < 1e-9  # all in one cluster: nothing to gain
    True
    """
    weights = pairs.weights
    moves = moves_of(pairs, sent)
    if moves is None or seconds_left() < _SECONDS_EACH * len(moves.may) * len(pairs.masses):
        return inf
    counts = _Counts(pairs)
    cells, rows = np.arange(pairs.n_cells)[:, None], sent // pairs.shape[1]
    is_in = (cells == sent).astype(np.float64)
    must = is_in * (pairs.sizes == 1)
    can = np.zeros(is_in.shape)
    can[pairs.cells, pairs.cell_owners] = 1.0
    if _foretold(pairs, moves, is_in @ weights, can @ weights, must @ weights) > worth:
        return inf
    total = 0.0
    for may, source, target in zip(*moves, strict=True):
        look()
        from_row, to_row = ((rows == at // pairs.shape[1]) * 1.0 for at in (source, target))
        arrived, left, stay = (is_in[target] + can[target]) / 2, is_in[source], must[source]
        terms = [(1.0, from_row), (-1.0, to_row), (2.0, arrived)]
        # The mean of log from stay to left is no less than that of its panels, nor log(left) - 1.
        if counts.limits(stay)[0] >= 1.0:
            parts = [stay + (left - stay) * at / _PANELS for at in range(_PANELS + 1)]
            ends = [0.5, *[1.0] * (_PANELS - 1), 0.5]
            terms += [(-2.0 * end / _PANELS, part) for end, part in zip(ends, parts, strict=True)]
            start = 0.0
        else:
            terms, start = [*terms, (-2.0, left)], 2.0
        gain = counts.mean_gain(may, terms, start)
        if gain > _NEGLIGIBLE:
            gain = min(gain, float(weights @ may) * max(0.0, counts.largest(terms, start)))
        total += gain
        if total > worth:
            return inf
    # Beyond some limit: the gain is no more than F, which is n times a variation of information.
    beyond = counts.risk * pairs.n_objects * log(len(cells))
    return ROUNDING * total + beyond


def _foretold(pairs: SetPairs, moves: Moves, counts: Floats, most: Floats, least: Floats) -> float:
    """The gain of all moves if each cell has its expected count; O(cells) beside the moves."""
    rows = np.maximum(1.0, counts.reshape(pairs.shape).sum(axis=1))
    of_row = np.repeat(np.log(rows), pairs.shape[1])
    arrived, left = _mean_logs(counts, most), _mean_logs(least, counts)
    source, target = moves.sources, moves.targets
    gains = of_row[source] - of_row[target] + 2.0 * (arrived[target] - left[source])
    return float((moves.may @ pairs.weights) @ np.maximum(0.0, gains))


def _mean_logs(low: Floats, high: Floats) -> Floats:
    """Mean of log between two counts, from 1 on."""
    low, high = np.maximum(1.0, low), np.maximum(1.0, high)
    rise = xlogx(high) - xlogx(low)
    apart = np.maximum(high - low, _APART)
    return np.where(high - low > _APART, rise / apart - 1.0, np.log(low))


@final
class _Counts:
    """Sums over objects of steps from 0 to 1 for the pairs that they draw, and their logarithms.

    A count of 0 stands for 1 in what follows: such a row has no tangent, but joining it does not
    gain, and nobody leaves an empty cell.
    """

    def __init__(self, pairs: SetPairs) -> None:
        self._pairs = pairs
        self._masses, self._sizes = group_masses(pairs)
        self._limits: dict[bytes, tuple[float, float]] = {}

    @property
    def risk(self) -> float:
        """That some count is beyond its limits."""
        return 2 * len(self._limits) * _RISK

    def limits(self, steps: Floats) -> tuple[float, float]:
        """Between which a count lies, each with the risk."""
        key = steps.tobytes()
        if key not in self._limits:
            low, high = (sign * self._limit(sign * steps) for sign in (-1.0, 1.0))
            self._limits[key] = max(0.0, low), high
        return self._limits[key]

    def _limit(self, steps: Floats) -> float:
        """Above which the sum lies with the risk only, by Chernoff's inequality."""
        logs = self._sizes @ np.log(self._masses @ np.exp(_RATES_OF_LIMITS[:, None] * steps).T)
        rate = float(_RATES_OF_LIMITS[np.argmin((logs - log(_RISK)) / _RATES_OF_LIMITS)])
        return (log_mean(self._pairs, rate * steps) - log(_RISK)) / rate

    def largest(self, terms: list[_Term], start: float) -> float:
        """The most that weighted logarithms of counts add up to within their limits."""
        return start + sum(
            weight * log(max(1.0, self.limits(steps)[1 if weight > 0 else 0]))
            for weight, steps in terms
        )

    def mean_gain(self, may: Bools, terms: list[_Term], start: float) -> float:
        """Bound E c max(0, y), y the start and weighted logarithms, as a sum over the objects."""
        line = np.zeros(len(may))
        for weight, steps in terms:
            if weight > 0:  # the tangent at the mean lies above the logarithm
                at = float(self._pairs.weights @ steps)
                slope = 1 / at
            else:  # the chord between the limits, from 1 on, lies below it
                at, high = (max(1.0, limit) for limit in self.limits(steps))
                slope = (log(high) - log(at)) / (high - at) if high > at else 1 / at
            line += weight * slope * steps
            start += weight * (log(at) - slope * at)
        factors = np.exp(_RATES_OF_GAINS[:, None] * (line - line.max()))
        means, moving = self._masses @ factors.T, self._masses @ (factors * may).T
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = self._sizes @ np.log(means) + np.log(self._sizes @ (moving / means))
            logs += _RATES_OF_GAINS * (self._sizes.sum() * line.max() + start)
            logs -= np.log(_RATES_OF_GAINS)
        rate = _RATES_OF_GAINS[np.argmin(np.where(np.isnan(logs), inf, logs))]
        return mean_gain(self._pairs, line, may, float(rate), start)
