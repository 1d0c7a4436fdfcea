"""Bound how far the mean ends of the pairs that disagree lie beyond a policy, without draws.

Objects draw pairs of focal sets at random. A *policy* sends each pair of sets to one of its cells.
"""

from contextlib import suppress
from math import inf
from typing import Literal, NamedTuple

import numpy as np

from sfumato._typing import Bools, Floats, Ints
from sfumato.algorithms.deadline import OutOfTimeError, look
from sfumato.algorithms.expectations.pair_policies import (
    PairForm,
    disagreement_form,
    expected_pairs,
    pushed_policy,
    whole_policy,
)
from sfumato.algorithms.expectations.policy_moves import (
    ROUNDING,
    Moves,
    group_masses,
    mean_gain,
    moves_of,
)
from sfumato.algorithms.expectations.set_pairs import SetPairs

__all__ = ["bracket_contrast", "bracket_disagreements", "policy_gap"]

_N_RATES = 32
_LARGEST_RATE = 4.0  # steps of slopes are of the order of 1, sums at most of that of n
_N_WEIGHTS = 24
_LEAST_WEIGHT = 0.05
_NOTABLE = 0.05  # share of the whole bound from which a single move is worth looking at again
_LARGEST_ROOT = 1 - 1e-9  # rounding must not make a form look smaller than it is


class _Gains(NamedTuple):
    """What moves gain: a sum of slopes, and a quadratic form in the moves."""

    may: Bools  # (m, p): whether the objects that draw a pair of sets may move so
    slopes: Floats  # (m, p): what an object that draws a pair adds to the gain of a move
    form: Floats  # (m, m)


def bracket_disagreements(
    pairs: SetPairs, outer: tuple[float, float]
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Bracket the means of the least and of the most ordered pairs that disagree.

    Inner sides are the better of two policies, one that shares and the one that sends each pair of
    sets to its largest share. What `policy_gap` finds for the second replaces the sides ``outer``,
    where it is sharper. Where time is over, what is found so far is all that is known.
    """
    form = disagreement_form(pairs.shape)
    low, high = outer
    least_inner, most_inner = high, low
    with suppress(OutOfTimeError):
        to_least, least, least_inner = _policy(pairs, form, "least")
        to_most, most, most_inner = _policy(pairs, form, "most")
        gap = policy_gap(pairs, form, to_least, "least", worth=abs(least - low))
        low = max(low, least - gap)
        gap = policy_gap(pairs, form, to_most, "most", worth=abs(high - most))
        high = min(high, most + gap)
    return (low, least_inner), (most_inner, high)


def _policy(
    pairs: SetPairs, form: PairForm, end: Literal["least", "most"]
) -> tuple[Ints, float, float]:
    """The cell for each pair of sets, the mean if all go there, and that if shared is better."""
    shares = pushed_policy(pairs, end)
    sent = pairs.cells_of_largest(shares)
    fixed = pairs.whole_shares(sent)
    value = expected_pairs(pairs, form, fixed)
    inner = value if np.array_equal(shares, fixed) else expected_pairs(pairs, form, shares)
    best = min if end == "least" else max
    return sent, value, best(inner, value)


def bracket_contrast(
    pairs: SetPairs, form: PairForm, end: Literal["least", "most"], worth: float
) -> tuple[float, float]:
    """Bracket the mean of the least, or the most, that any form can be.

    The inner side is the mean of a policy. A gap of more than ``worth`` is taken to be infinite.
    """
    sent = whole_policy(pairs, form, end)
    value = expected_pairs(pairs, form, pairs.whole_shares(sent))
    gap = policy_gap(pairs, form, sent, end, worth=worth)
    return (value - gap, value) if end == "least" else (value, value + gap)


def policy_gap(
    pairs: SetPairs,
    form: PairForm,
    sent: Ints,
    end: Literal["least", "most"],
    *,
    worth: float = inf,
) -> float:
    r"""Upper bound of the mean of what the best table gains over the table of a policy.

    Let N be any table that the drawn sets allow, and M the one of the policy. N arises from M by
    moves of objects from cell to cell: :math:`f_m` objects move from :math:`p_m` to :math:`q_m`,
    at most the :math:`c_m` that the policy sent to :math:`p_m` and whose sets leave :math:`q_m`
    open. The pairs that count are a quadratic form in the table, so they change by exactly

    .. math:: \sum_m f_m s_m + f^T Q f \le \sum_m f_m s_m + \lambda_m f_m^2
              \le \sum_m c_m \max(0, s_m + \lambda_m c_m)

    for all weights with :math:`f^T Q f \le \sum \lambda_m f_m^2` for :math:`f \ge 0`. Slopes
    :math:`s_m` and counts are sums over independent objects, so the mean of each term follows from
    :math:`y \le e^{\theta y} / (e \theta)` and a product over the objects.

    ``form`` says which pairs of objects count, ``sent`` has the cell to which the policy sends each
    pair of sets. Bounds above ``worth`` are of no use: where groups of similar objects foretell
    one, all of it is left undone. Infinite if it is not found, if it would exceed ``worth``, or if
    there is no time for it.

    Notes
    -----
    Weights and rates :math:`\theta` are chosen on at most 192 groups of objects, which takes
    milliseconds for each move. Then O(e) for each move, with e the masses of all types. Theorem 6
    of the theory in the documentation.

    Examples
    --------
    >>> one, sets = np.array([[True]]), np.array([[True, False], [True, True]])
    >>> lists = [[30, 1], [0, 1, 2], [0, 1], [1.0, 1.0], [0, 1, 3], [0, 0, 1]]
    >>> rest = SetPairs(*map(np.array, lists), one, sets, np.array([0, 0]), np.array([0, 1]))
    >>> form = disagreement_form(rest.shape)
    >>> policy_gap(rest, form, np.array([0, 0]), "least") < 1e-9  # one cluster: nothing to gain
    True
    """
    moves = moves_of(pairs, sent)
    if moves is None:
        return inf
    if not len(moves.may):
        return 0.0
    gains = _gains(form, sent, moves, end)
    own, rates, total = _choose(gains, *group_masses(pairs), gains.slopes @ pairs.weights, worth)
    if total > worth or total == inf:
        return inf
    return ROUNDING * sum(
        mean_gain(pairs, slopes + weight * may, may, rate)
        for slopes, may, weight, rate in zip(gains.slopes, moves.may, own, rates, strict=True)
    )


def _gains(form: PairForm, sent: Ints, moves: Moves, end: Literal["least", "most"]) -> _Gains:
    sources, targets = moves.sources, moves.targets
    sign = 1.0 if end == "most" else -1.0
    both = form.product(targets, sources)
    return _Gains(
        moves.may,
        2 * sign * (form.product(targets, sent) - form.product(sources, sent)),
        sign * (form.product(targets, targets) - both - both.T + form.product(sources, sources)),
    )


def _choose(
    moves: _Gains, masses: Floats, sizes: Floats, expected: Floats, worth: float
) -> tuple[Floats, Floats, float]:
    """Weights and rates of all moves, and what the bound would be if groups were all alike.

    It is infinite where none is found, or none that is of use.

    A price for each move at each weight that it may have; then the lowest price at which all of
    them may be bought; then lower weights where that saves much.
    """
    rows = np.arange(len(expected))
    least = np.maximum(np.diagonal(moves.form), _LEAST_WEIGHT)
    most = np.maximum(4 * least, 1.2 * abs(expected))
    if not _is_below(moves.form, most):  # sums of rows always suffice, by Gershgorin's circles
        most = np.maximum(most, ROUNDING * np.maximum(moves.form, 0.0).sum(axis=1))
    weights = np.geomspace(least, most, _N_WEIGHTS, axis=1)
    tries: Floats = np.geomspace(0.1 / float(sizes.sum()), _LARGEST_RATE, _N_RATES)
    prices, rates = np.empty(weights.shape), np.empty(weights.shape)
    left = worth
    for at, move in enumerate(zip(moves.slopes, moves.may, weights, strict=True)):
        look()
        prices[at], rates[at] = _prices(masses, sizes, tries, *move)
        left -= prices[at, 0]
        if left < 0:  # even the lowest weights cost more
            return least, rates[:, 0], inf

    def is_enough(at: Ints) -> bool:
        return _is_below(moves.form, weights[rows, at])

    def bought(price: float) -> Ints:
        return np.maximum((prices <= price).sum(axis=1) - 1, 0)

    steps = np.unique(prices[np.isfinite(prices)])
    low, high = -1, len(steps) - 1
    if high < 0 or not is_enough(bought(steps[high])):
        return least, rates[:, 0], inf
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(bought(steps[middle])) else (middle, high)
    at = bought(steps[high])
    for move in np.argsort(-prices[rows, at]):
        while at[move] and prices[move, at[move]] > _NOTABLE * prices[rows, at].sum():
            lower = np.where(rows == move, at - 1, at)
            if not is_enough(lower):
                break
            at = lower
    return weights[rows, at], rates[rows, at], float(prices[rows, at].sum())


def _prices(
    masses: Floats, sizes: Floats, rates: Floats, slopes: Floats, may: Bools, weights: Floats
) -> tuple[Floats, Floats]:
    """The bound of one move by its weight, rising, and the rate that gives it."""
    factors = np.exp(rates[:, None] * slopes)
    stay = (masses @ (factors * ~may).T)[:, :, None]
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        go = (masses @ (factors * may).T)[:, :, None] * np.exp(rates[:, None] * weights)
        both = stay + go
        logs = np.tensordot(sizes, np.log(both), 1) + np.log(np.tensordot(sizes, go / both, 1))
        bounds = np.exp(logs) / (np.e * rates[:, None])
    bounds = np.where(np.isnan(bounds), inf, bounds)
    best = bounds.argmin(axis=0)
    return np.maximum.accumulate(bounds.min(axis=0)), rates[best]


def _is_below(form: Floats, weights: Floats) -> bool:
    """Whether the weights exceed the form for moves that are all positive or zero.

    They do if the largest root of the form, scaled, is at most 1; a negative entry may be left out
    before, which only raises the form there. Entries are left out where the root uses them.
    """
    scales = 1 / np.sqrt(weights)
    form = form * scales * scales[:, None]
    while True:
        roots, vectors = np.linalg.eigh(form)
        if roots[-1] <= _LARGEST_ROOT:
            return True
        signs = np.sign(vectors[:, -1])
        is_used = (form < 0) & (signs[:, None] * signs < 0)
        if not is_used.any():
            return False
        form = np.where(is_used, 0.0, form)
