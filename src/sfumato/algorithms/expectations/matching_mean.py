"""Bracket the mean matching of two fuzzy partitions.

The matching of a table is the number of objects that its best one-to-one matching of rows to
columns covers.
"""

from functools import partial
from itertools import permutations
from math import inf, sqrt
from typing import Any, NamedTuple

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.expectations.matching_arcs import bound_improvement
from sfumato.algorithms.expectations.matching_cycles import bounded_cycles, disjoint_gain, n_cycles

__all__ = ["Improvement", "MatchingMean", "best_order", "bracket_fixed", "bracket_matching_mean"]

_FEW_COLUMNS = 6
_MOST_CYCLES = 500
_NEGLIGIBLE = 1e-15  # of the number of objects
_EPS = float(np.finfo(np.float64).eps)


class MatchingMean(NamedTuple):
    """What is known of the total of the largest matching.

    The *fixed* matching is the best one for the expected table.
    """

    low: float  # bracket of the mean of the largest matching
    high: float
    std: float  # of the total of the fixed matching
    std_error: float  # the standard deviation of the largest matching differs by at most this
    another_wins: float  # bound of the probability that another matching has a larger total
    matched: Floats  # (n,): probability that the fixed matching covers each object

    @property
    def unmatched(self) -> Floats:
        """Probability that the fixed matching does not cover each object."""
        return 1.0 - self.matched


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
    std = sqrt(float((matched * (1.0 - matched)).sum()))
    # The deviations of S and of S + G, 0 <= G <= n, differ by the norm of G at most. And
    # |Var(S + G) - Var S| <= E G^2 + 2 |Cov(S, G)| <= 3 n E G.
    std_error = min(gain.norm, 3 * n_objects * gain.high / std) if std > 0 else gain.norm
    return MatchingMean(
        low=max(0.0, total + gain.low - rounding),
        high=min(float(n_objects), total + gain.high + rounding),
        std=std,
        std_error=std_error,
        another_wins=gain.probability,
        matched=matched,
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


def _improvement(p: Floats, q: Floats, expected: Floats, widest: float) -> Improvement:
    n_objects = len(p)
    low, high, norm, probability = 0.0, np.inf, np.inf, 1.0
    enough = _NEGLIGIBLE * n_objects
    by_arcs = partial(bound_improvement, expected, n_objects, sides=(p, q), enough=enough)
    bound = by_arcs() if widest < inf else None
    if n_cycles(*expected.shape) <= _MOST_CYCLES:
        most = inf if bound is None else bound.mean
        cycles = bounded_cycles(p, q, expected, enough=enough, widest=widest, most=most)
        low = disjoint_gain(cycles)
        high = sum(cycle.high for cycle in cycles)
        norm = sum(sqrt(cycle.square) for cycle in cycles)
        probability = min(1.0, sum(cycle.probability for cycle in cycles))
    if high - low > 1e3 * enough:
        bound = by_arcs() if bound is None else bound
        high, probability = min(high, bound.mean), min(probability, bound.probability)
    high = max(low, high)
    return Improvement(low, high, min(norm, sqrt(n_objects * high)), probability)
