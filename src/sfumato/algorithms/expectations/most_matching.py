"""Bracket the upper expectation of the matching of two evidential partitions.

Within the sets that objects draw, the table is chosen so that its best matching is largest.
"""

from itertools import permutations
from math import lgamma, sqrt

import numpy as np

from sfumato._typing import Bools, Ints
from sfumato.algorithms.expectations.matching_cycles import gain_of_steps
from sfumato.algorithms.expectations.matching_gain import most_gain
from sfumato.algorithms.expectations.matching_mean import best_matching
from sfumato.algorithms.expectations.set_pairs import SetPairs, sums_by
from sfumato.algorithms.laws.set_matching import most_matching_of_three

__all__ = ["bracket_most_matching"]

_FEW_CLUSTERS = 4
_MOST_STEPS = 400_000  # objects times matchings, to compute laws of differences
_NARROW = 1e-12  # of the number of objects
_MAX_LOST_MASS = 1e-13  # changes the mean no more than rounding does
_EPS = float(np.finfo(np.float64).eps)


def bracket_most_matching(pairs: SetPairs) -> tuple[float, float]:
    r"""Bracket :math:`E \max_N \max_\pi \sum_i N_{i\pi(i)}` over the tables N that the sets allow.

    For a matching :math:`\pi`, let :math:`S_\pi` be the number of objects that have an open cell in
    :math:`\pi`. It is a sum of independent events. The table can put all these objects into cells
    of :math:`\pi`, so the largest total is :math:`\max_\pi S_\pi`. Let w be the matching with the
    largest mean. Then

    .. math:: E S_w + \max_\pi E (S_\pi - S_w)^+ \le E \max_\pi S_\pi
              \le E S_w + \sum_\pi E (S_\pi - S_w)^+

    Notes
    -----
    With up to four clusters the laws of the differences are computed: at most 23, O(n log n) each.
    With up to three clusters against a hard partition `most_matching_of_three` finds the mean
    exactly, where it can afford to. With more clusters the lower side is :math:`E S_w`. The upper
    side then comes from `most_gain` if one partition is hard, else from the maximal
    inequality for sums of n events, :math:`\max_\pi E S_\pi + \sqrt{n \log(k!) / 2}` (by
    :cite:`hoeffding1963`).

    Examples
    --------
    >>> one, both = np.array([[True]]), np.array([[True, True]])
    >>> lists = [[2], [0, 1], [0], [1.0], [0, 2], [0, 1]]
    >>> free = SetPairs(*map(np.array, lists), one, both, np.array([0]), np.array([0]))
    >>> [round(end, 9) for end in bracket_most_matching(free)]
    [2.0, 2.0]
    """
    matchings = _candidates(pairs)
    hits = _hits(pairs, matchings)  # (matchings, pairs)
    totals = hits @ pairs.weights
    best = int(totals.argmax())
    n_objects, total = pairs.n_objects, float(totals[best])
    is_complete = max(pairs.shape) <= _FEW_CLUSTERS
    low, high = total, min(float(n_objects), _by_maximal_inequality(pairs))
    if is_complete and n_objects * len(matchings) <= _MOST_STEPS:
        gains = [_gain(pairs, hits[best], hit) for at, hit in enumerate(hits) if at != best]
        low = total + max((gain[0] for gain in gains), default=0.0)
        high = min(high, total + sum(gain[1] for gain in gains))
    if high - low > _NARROW * n_objects and (exact := _exact_mean(pairs)) is not None:
        return exact
    gain = most_gain(pairs, matchings[best])
    rounding = 32 * _EPS * n_objects
    low, high = low - rounding, min(high, total + gain) + rounding
    return max(0.0, low), min(float(n_objects), max(low, high))


def _exact_mean(pairs: SetPairs) -> tuple[float, float] | None:
    """Find the exact mean, as both sides of a bracket.

    None if a partition has more than three clusters, if none is hard, or if it costs too much.
    """
    if max(pairs.shape) > 3 or not (pairs.has_hard_columns or pairs.has_hard_rows):
        return None
    soft_sets, soft, hard = pairs.b_sets, pairs.b_set, pairs.a_set
    if pairs.has_hard_columns:
        soft_sets, soft, hard = pairs.a_sets, pairs.a_set, pairs.b_set
    sets = np.zeros((len(soft_sets), 3), dtype=np.int64)
    sets[:, : soft_sets.shape[1]] = soft_sets
    masses = np.zeros((len(pairs.counts), len(sets)))
    masses[pairs.owners, soft[pairs.pairs]] = pairs.masses
    classes = np.repeat(hard[pairs.pairs[pairs.starts[:-1]]], pairs.counts)
    rows = np.repeat(masses, pairs.counts, axis=0)
    found = most_matching_of_three(
        [rows[classes == j] for j in range(3)], sets, max_lost_mass=_MAX_LOST_MASS
    )
    return None if found is None else (found[0], found[0])


def _candidates(pairs: SetPairs) -> Ints:
    """The matchings to look at: all if there are few, else two that look best.

    A matching is the column of each row, or -1 if the row has none.
    """
    n_rows, n_columns = pairs.shape
    width = max(n_rows, n_columns)
    if width <= _FEW_CLUSTERS:
        partners = np.array(list(permutations(range(width))))[:, :n_rows]
        return np.unique(np.where(partners < n_columns, partners, -1), axis=0)
    weights = pairs.weights[pairs.cell_owners]
    found = np.full((2, n_rows), -1)
    for partners, shares in zip(found, (1.0, pairs.equal_shares), strict=True):
        rows, columns = best_matching(pairs.table(weights * shares))
        partners[rows] = columns
    return found


def _hits(pairs: SetPairs, matchings: Ints) -> Bools:
    """Whether each pair of sets leaves open some cell of each matching."""
    rows, columns = pairs.lines
    return np.array(
        [
            np.logical_or.reduceat(matching[rows] == columns, pairs.cell_starts[:-1])
            for matching in matchings
        ]
    )


def _by_maximal_inequality(pairs: SetPairs) -> float:
    """Bound the means of all totals, then add how far the largest total may exceed them."""
    plausible = pairs.table(pairs.weights[pairs.cell_owners])
    most = float(plausible[best_matching(plausible)].sum())
    few, many = sorted(pairs.shape)
    log_matchings = lgamma(many + 1) - lgamma(many - few + 1)
    n_open = int(pairs.counts[np.diff(pairs.starts) > 1].sum())
    return most + sqrt(n_open * log_matchings / 2)


def _gain(pairs: SetPairs, best: Bools, other: Bools) -> tuple[float, float]:
    """Bracket the mean of the positive part of the difference of two totals."""
    up, down = (
        sums_by(pairs.owners, pairs.masses * chosen[pairs.pairs], len(pairs.counts))
        for chosen in (other & ~best, best & ~other)
    )
    low, high, *_ = gain_of_steps(np.repeat(up, pairs.counts), np.repeat(down, pairs.counts))
    return low, high
