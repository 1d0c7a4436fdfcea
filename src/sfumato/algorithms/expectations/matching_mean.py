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
from sfumato.algorithms.expectations.matching_cycles import bounded_cycles, disjoint_gain
from sfumato.algorithms.expectations.matching_gain import bound_improvement
from sfumato.algorithms.moments.pair_means import paired_blocks, table_sums
from sfumato.algorithms.tables.ragged import gather, owners_of
from sfumato.algorithms.tables.rows import Rows, sparse_rows

__all__ = ["MatchingMean", "best_matching", "bracket_matching_mean", "bracket_sparse_matching_mean"]

_NUMBERS_AT_ONCE = 1 << 21
_FEW_COLUMNS = 6
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


def bracket_matching_mean(a: Floats, b: Floats, *, widest: float = inf) -> MatchingMean:
    r"""Bracket the mean of the largest matching.

    Let w be the best matching for the expected table W = a'b, and S its random total. Every better
    matching contains a cycle c that improves w. So

    .. math:: E S + \max_{disjoint} \sum_c E \Delta_c^+ \;\le\; E \max_\pi S_\pi
              \;\le\; E S + \sum_c E \Delta_c^+

    where :math:`\Delta_c` is a sum of independent steps -1, 0, 1.

    ``a`` and ``b`` are memberships of shapes (n, k1) and (n, k2), whose rows sum to 1. If k1 and k2
    differ some clusters have no partner. A bracket that is certain to become wider than ``widest``
    is of no use: it is not sharpened.

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
    expected: Floats = p.T @ q
    order = _best_order(expected)
    expected, p, q = expected[:, order], np.ascontiguousarray(p), np.take(q, order, axis=1)
    matched = np.einsum("xi,xi->x", p, q[:, : p.shape[1]])
    return _bracket(matched, *_gain(p, q, expected, widest))


def bracket_sparse_matching_mean(a: Rows, b: Rows) -> MatchingMean:
    """Bracket the mean of the largest matching without a dense matrix of memberships.

    From the expected table and its best matching alone. Where other matchings are nearly as good,
    it is wider than that of `bracket_matching_mean`. O(e + k^3). Here e is the number of possible
    pairs of a cluster in ``a`` and one in ``b``, summed over all objects. Memory O(n + k^2), and
    that of a block of objects.

    Examples
    --------
    >>> from sfumato.algorithms.tables.rows import dense_rows, hard_rows
    >>> a = dense_rows(np.repeat([[0.9, 0.1], [0.1, 0.9]], 50, axis=0))
    >>> found = bracket_sparse_matching_mean(a, hard_rows(np.repeat([0, 1], 50), 2))
    >>> round(found.low, 9), round(found.high, 9)
    (90.0, 90.0)
    """
    first, second = (a, b) if a.width <= b.width else (b, a)
    expected = table_sums(first, second).cells
    order = _best_order(expected)
    per_object = first.mean_length * second.mean_length + first.mean_length + second.mean_length
    step = max(1, int(_NUMBERS_AT_ONCE / per_object))
    blocks = paired_blocks(first, second, step)
    matched = np.concatenate([_matched(own, other, order) for own, other in blocks])
    most, probability = bound_improvement(expected[:, order], first.n_rows)
    return _bracket(matched, 0.0, most, inf, probability)


def _matched(first: Rows, second: Rows, order: Ints) -> Floats:
    """Probability that each object is in a row and in the column matched to it."""
    if first.is_dense and second.is_dense:
        p, q = (side.values.reshape(-1, side.width) for side in (first, second))
        return np.einsum("xi,xi->x", p, q[:, order[: first.width]])
    if first.is_dense and not second.is_sparse:
        own = np.argsort(order)[second.columns]  # the row of its column, if there is one
        p = first.values.reshape(-1, first.width)
        chosen = p[np.arange(len(p)), np.minimum(own, first.width - 1)]
        return np.where(own < first.width, chosen, 0.0)
    first, second = sparse_rows(first), sparse_rows(second)
    objects = owners_of(first.starts)
    sizes, others = gather(second.starts, objects)
    entries = owners_of(sizes)
    is_matched = second.columns[others] == order[first.columns[entries]]
    events = (first.values[entries] * second.values[others])[is_matched]
    owners = objects[entries[is_matched]]
    return np.bincount(owners, events, first.n_rows).astype(np.float64)


def _bracket(
    matched: Floats, low: float, high: float, norm: float, probability: float
) -> MatchingMean:
    """Build the bracket from the fixed matching and the gain G of others.

    ``low`` and ``high`` bracket the mean of G, ``norm`` and ``probability`` bound its root mean
    square and the probability that it is positive.
    """
    matched = np.minimum(matched, 1.0)
    n_objects, total = len(matched), float(matched.sum())
    rounding = 32 * _EPS * n_objects
    std = sqrt(float((matched * (1.0 - matched)).sum()))
    norm = min(norm, sqrt(n_objects * high))
    # The deviations of S and of S + G, 0 <= G <= n, differ by the norm of G at most. And
    # |Var(S + G) - Var S| <= E G^2 + 2 |Cov(S, G)| <= 3 n E G.
    return MatchingMean(
        low=max(0.0, total + low - rounding),
        high=min(float(n_objects), total + high + rounding),
        std=std,
        std_error=min(norm, 3 * n_objects * high / std) if std > 0 else norm,
        another_wins=probability,
        matched=matched,
    )


def best_matching(table: Floats) -> tuple[Ints, Ints]:
    """Rows and columns of the matching with the largest total."""
    from scipy import optimize

    solver: Any = optimize  # without types
    rows, columns = solver.linear_sum_assignment(table, maximize=True)
    return rows, columns


def _best_order(expected: Floats) -> Ints:
    """Order the columns: first the partner of each row in the best matching, then the others."""
    n_rows, n_columns = len(expected), int(expected.shape[1])
    if n_columns <= _FEW_COLUMNS:  # does not import SciPy, so a first call is fast
        matchings = np.array(list(permutations(range(n_columns), n_rows)), dtype=np.int64)
        totals = expected[np.arange(n_rows), matchings].sum(axis=1)
        partners = matchings[np.argmax(totals)]
    else:
        partners = best_matching(expected)[1]
    return np.concatenate([partners, np.setdiff1d(np.arange(n_columns), partners)])


def _gain(
    p: Floats, q: Floats, expected: Floats, widest: float
) -> tuple[float, float, float, float]:
    """What other matchings gain over the fixed one, as `_bracket` takes it."""
    low, high, norm, probability = 0.0, inf, inf, 1.0
    enough = _NEGLIGIBLE * len(p)
    by_arcs = partial(bound_improvement, expected, len(p), sides=(p, q), enough=enough)
    bound = by_arcs() if widest < inf else None
    most = inf if bound is None else bound[0]
    cycles = bounded_cycles(p, q, expected, enough=enough, widest=widest, most=most)
    if cycles is not None:
        low = disjoint_gain(cycles)
        high = sum(cycle.high for cycle in cycles)
        norm = sum(sqrt(cycle.square) for cycle in cycles)
        probability = min(1.0, sum(cycle.probability for cycle in cycles))
    if high - low > 1e3 * enough:
        mean, chance = bound or by_arcs()
        high, probability = min(high, mean), min(probability, chance)
    return low, max(low, high), norm, probability
