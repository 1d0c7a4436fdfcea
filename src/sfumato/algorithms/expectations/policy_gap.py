"""Bound how far the mean ends of the pairs that disagree lie beyond a policy, without draws.

Objects draw pairs of focal sets at random. A *policy* sends each pair of sets to one of its cells.
"""

from math import inf
from typing import Literal, NamedTuple

import numpy as np

from sfumato._typing import Bools, Floats, Ints
from sfumato.algorithms.deadline import look, seconds_left
from sfumato.algorithms.expectations.pair_policies import disagreeing_pairs, pushed_policy
from sfumato.algorithms.expectations.set_pairs import SetPairs, expected_counts, sums_by
from sfumato.algorithms.tables.ragged import owners_of

__all__ = ["bracket_disagreement", "policy_gap"]

_MOST_MOVES = 256  # roots of matrices of this size are found some hundred times
_MOST_NUMBERS = 1 << 23  # in the masses of the groups, and in the slopes of all moves
_MOST_GROUPS = 192
_SECONDS_EACH = 1e-5  # about, for each move and group
_N_RATES = 32
_LARGEST_RATE = 4.0  # steps of slopes are of the order of 1, sums at most of that of n
_N_WEIGHTS = 24
_LEAST_WEIGHT = 0.05
_NOTABLE = 0.05  # share of the whole bound from which a single move is worth looking at again
_LARGEST_ROOT = 1 - 1e-9  # rounding must not make a form look smaller than it is
_ROUNDING = 1 + 1e-9


class _Moves(NamedTuple):
    """From the cell of the policy to another cell that a pair of sets leaves open."""

    may: Bools  # (m, p): whether the objects that draw a pair of sets may move so
    slopes: Floats  # (m, p): what an object that draws a pair adds to the gain of a move
    form: Floats  # (m, m): the gain beyond the slopes is a quadratic form in the moves


def bracket_disagreement(
    pairs: SetPairs, end: Literal["least", "most"], outer: float
) -> tuple[float, float]:
    """Bracket the mean of the least, or the most, ordered pairs that disagree.

    The inner side is the better of two policies, one that shares and the one that sends each pair
    of sets to its largest share. What `policy_gap` finds for the second replaces the outer side
    ``outer``, where it is sharper.
    """
    shares = pushed_policy(pairs, end)
    owners = owners_of(pairs.cell_starts)
    largest = np.lexsort((shares, owners))[pairs.cell_starts[1:] - 1]
    fixed = np.zeros(len(shares))
    fixed[largest] = 1.0
    value = disagreeing_pairs(pairs, fixed)
    inner = value if np.array_equal(shares, fixed) else disagreeing_pairs(pairs, shares)
    gap = policy_gap(pairs, pairs.cells[largest], end, worth=abs(outer - value))
    if end == "least":
        return max(outer, value - gap), min(inner, value)
    return max(inner, value), min(outer, value + gap)


def policy_gap(
    pairs: SetPairs, sent: Ints, end: Literal["least", "most"], *, worth: float = inf
) -> float:
    r"""Upper bound of the mean of what the best table gains over the table of a policy.

    Let N be any table that the drawn sets allow, and M the one of the policy. N arises from M by
    moves of objects from cell to cell: :math:`f_m` objects move from :math:`p_m` to :math:`q_m`,
    at most the :math:`c_m` that the policy sent to :math:`p_m` and whose sets leave :math:`q_m`
    open. The ordered pairs that disagree are a quadratic form, so they change by exactly

    .. math:: \sum_m f_m s_m + f^T Q f \le \sum_m f_m s_m + \lambda_m f_m^2
              \le \sum_m c_m \max(0, s_m + \lambda_m c_m)

    for all weights with :math:`f^T Q f \le \sum \lambda_m f_m^2` for :math:`f \ge 0`. Slopes
    :math:`s_m` and counts are sums over independent objects, so the mean of each term follows from
    :math:`y \le e^{\theta y} / (e \theta)` and a product over the objects.

    Parameters
    ----------
    pairs : SetPairs
    sent : ndarray of shape (pairs,)
        The cell to which the policy sends each pair of sets.
    end : {"least", "most"}
        Whether the gain is to have fewer, or more, ordered pairs that disagree.
    worth : float
        Larger bounds are of no use: where groups of similar objects foretell one, all of it is
        left undone.

    Returns
    -------
    float
        Infinite if it is not found, if it would exceed ``worth``, or if there is no time for it.

    Notes
    -----
    Weights and rates :math:`\theta` are chosen on at most 192 groups of objects, which takes
    milliseconds for each move. Then O(e) for each move, with e the masses of all types. Theorem 6
    of the theory in the documentation.

    Examples
    --------
    >>> from sfumato.algorithms.expectations.set_pairs import SetPairs
    >>> one, sets = np.array([[True]]), np.array([[True, False], [True, True]])
    >>> lists = [[30, 1], [0, 1, 2], [0, 1], [1.0, 1.0], [0, 1, 3], [0, 0, 1]]
    >>> rest = SetPairs(*map(np.array, lists), one, sets, np.array([0, 0]), np.array([0, 1]))
    >>> policy_gap(rest, np.array([0, 0]), "least") < 1e-9  # all in one cluster: nothing to gain
    True
    """
    weights = expected_counts(pairs)
    moves = _moves(pairs, sent, weights, end)
    if moves is None:
        return inf
    if not len(moves.may):
        return 0.0
    n_groups = min(_MOST_GROUPS, len(pairs.counts))
    if n_groups * len(weights) > _MOST_NUMBERS:
        return inf
    if seconds_left() < 2 * _SECONDS_EACH * len(moves.may) * n_groups:
        return inf
    chosen = _choose(moves, *_mean_masses(pairs, _groups(pairs)), moves.slopes @ weights, worth)
    if chosen is None or chosen[2] > worth:
        return inf
    own, rates, _ = chosen
    return _ROUNDING * sum(
        _mean_gain(pairs, slopes + weight * may, may, rate)
        for slopes, may, weight, rate in zip(moves.slopes, moves.may, own, rates, strict=True)
    )


def _moves(
    pairs: SetPairs, sent: Ints, weights: Floats, end: Literal["least", "most"]
) -> _Moves | None:
    n_columns = pairs.shape[1]
    n_cells = pairs.shape[0] * n_columns
    owners = owners_of(pairs.cell_starts)
    is_move = (pairs.cells != sent[owners]) & (weights[owners] > 0)
    owners, targets = owners[is_move], pairs.cells[is_move]
    kinds, which = np.unique(sent[owners] * n_cells + targets, return_inverse=True)
    if len(kinds) > _MOST_MOVES or len(kinds) * len(sent) > _MOST_NUMBERS:
        return None
    may = np.zeros((len(kinds), len(sent)), dtype=bool)
    may[which, owners] = True
    sources, targets = kinds // n_cells, kinds % n_cells
    sign = 1.0 if end == "most" else -1.0

    def product(cells: Ints, others: Ints) -> Floats:
        """Of cells, in the form of the pairs that disagree: rows, columns, less twice cells."""
        same_row = cells[:, None] // n_columns == others // n_columns
        same_column = cells[:, None] % n_columns == others % n_columns
        return sign * (1.0 * same_row + same_column - 2.0 * (cells[:, None] == others))

    return _Moves(
        may,
        2 * (product(targets, sent) - product(sources, sent)),
        product(targets, targets)
        - product(targets, sources)
        - product(sources, targets)
        + product(sources, sources),
    )


def _groups(pairs: SetPairs) -> Ints:
    """The group of each type: alike in the pair of sets that it draws most often, and how often."""
    n_types = len(pairs.counts)
    if n_types <= _MOST_GROUPS:
        return np.arange(n_types)
    by_mass = np.lexsort((pairs.masses, pairs.owners))
    last = by_mass[pairs.starts[1:] - 1]
    groups = np.empty(n_types, dtype=np.int64)
    groups[np.lexsort((pairs.masses[last], pairs.pairs[last]))] = (
        np.arange(n_types) * _MOST_GROUPS // n_types
    )
    return groups


def _mean_masses(pairs: SetPairs, groups: Ints) -> tuple[Floats, Floats]:
    """Mean masses of the objects of each group, of shape (groups, pairs), and their numbers."""
    sizes = sums_by(groups, pairs.counts.astype(np.float64), int(groups.max()) + 1)
    n_pairs = len(pairs.a_set)
    weights = pairs.masses * pairs.counts[pairs.owners]
    places = groups[pairs.owners] * n_pairs + pairs.pairs
    masses = sums_by(places, weights, len(sizes) * n_pairs).reshape(-1, n_pairs)
    return masses / sizes[:, None], sizes


def _choose(
    moves: _Moves, masses: Floats, sizes: Floats, expected: Floats, worth: float
) -> tuple[Floats, Floats, float] | None:
    """Weights and rates of all moves, and what the bound would be if groups were all alike.

    A price for each move at each weight that it may have; then the lowest price at which all of
    them may be bought; then lower weights where that saves much.
    """
    rows = np.arange(len(expected))
    least = np.maximum(np.diagonal(moves.form), _LEAST_WEIGHT)
    weights = np.geomspace(least, np.maximum(4 * least, 1.2 * abs(expected)), _N_WEIGHTS, axis=1)
    tries: Floats = np.geomspace(0.1 / float(sizes.sum()), _LARGEST_RATE, _N_RATES)
    prices, rates = np.empty(weights.shape), np.empty(weights.shape)
    left = worth
    for at, move in enumerate(zip(moves.slopes, moves.may, weights, strict=True)):
        look()
        prices[at], rates[at] = _prices(masses, sizes, tries, *move)
        left -= prices[at, 0]
        if left < 0:  # even the lowest weights cost more
            return None

    def is_enough(at: Ints) -> bool:
        return _is_below(moves.form, weights[rows, at])

    def bought(price: float) -> Ints:
        return np.maximum((prices <= price).sum(axis=1) - 1, 0)

    steps = np.unique(prices[np.isfinite(prices)])
    low, high = -1, len(steps) - 1
    if high < 0 or not is_enough(bought(steps[high])):
        return None
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


def _mean_gain(pairs: SetPairs, steps: Floats, may: Bools, rate: float) -> float:
    """Upper bound of E c max(0, y): y the sum of the steps of all objects, c how many may move."""
    top = float(steps.max())
    weights = pairs.masses * np.exp(rate * (steps - top))[pairs.pairs]
    n_types = len(pairs.counts)
    means = sums_by(pairs.owners, weights, n_types)
    moving = sums_by(pairs.owners, weights * may[pairs.pairs], n_types)
    log_mean = float(pairs.counts @ (np.log(means) + rate * top))
    share = float(pairs.counts @ (moving / means))
    with np.errstate(over="ignore"):
        return float(share * np.exp(log_mean) / (np.e * rate))
