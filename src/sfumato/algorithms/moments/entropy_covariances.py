"""Compute covariances of the sums of x log x over the table of two fuzzy partitions.

Two counts of the table depend on each other through the objects that may add to both. Let G(s, r)
be their joint generating function, and X = log(G(s, r) / (G(s) G(r))). A sum of exponentials
replaces each logarithm. So the covariance of two terms N log N is a double sum over exponentials.
X is a sum over objects. Only objects that couple the counts add to it, so rounding errors are
relative to X, not to the counts.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np

from sfumato import _core
from sfumato._typing import Bools, Floats
from sfumato.algorithms.moments.counts import CountTransform, transform_count

__all__ = ["covariance_of_sums", "covariance_seconds"]

# A power series in the gaps is used for the objects for which it converges at this rate or faster.
_SLOWEST_RATE = 1 / 8
_LOG_NEGLIGIBLE = 41.6  # 2^-60


class _Count(NamedTuple):
    """A row, a column or a cell of the table. -1 stands for all rows or all columns."""

    row: int
    column: int

    @property
    def part(self) -> int:
        """Whether it is a row (0), a column (1) or a cell (2)."""
        return 1 if self.row < 0 else 0 if self.column < 0 else 2

    def holds(self, other: "_Count") -> bool:
        """Whether every object in the other count is in this one."""
        return self.row in (-1, other.row) and self.column in (-1, other.column)


def covariance_of_sums(first: Floats, second: Floats) -> Floats:
    r"""Covariances of the sums of x log x over rows, columns and cells.

    .. math:: \mathrm{Cov}\Big(\sum_i R_i \log R_i, \sum_j C_j \log C_j,
              \sum_{ij} N_{ij} \log N_{ij}\Big)

    Memberships are given cluster by cluster, in arrays of shape (k1, n) and (k2, n). They are 0 and
    1 where a partition is hard. Rows and columns are independent.

    Notes
    -----
    O(n) for each pair of counts that share an uncertain object. There are at most
    (k1 k2 + k1 + k2)^2 / 2 such pairs; `covariance_seconds` predicts the time. Replacing the
    logarithm by exponentials changes each value, and so each standard deviation, by at most a few
    1e-14.

    Examples
    --------
    >>> found = covariance_of_sums(np.full((2, 2), 0.5), np.array([[1.0, 1.0], [0.0, 0.0]]))
    >>> float(found[0, 0].round(6)), float(found[0, 2].round(6)), float(found[1, 1])
    (0.480453, 0.480453, 0.0)
    """

    @cache
    def events(count: _Count) -> Floats:
        row = 1.0 if count.row < 0 else first[count.row]
        column = 1.0 if count.column < 0 else second[count.column]
        return np.asarray(row * column)

    @cache
    def transform(count: _Count) -> CountTransform:
        return transform_count(events(count))

    found = np.zeros((3, 3))
    for a, b in _coupled(first, second):
        one, other = events(a), events(b)
        shared = one * (1.0 - other) if b.holds(a) else -one * other
        open_ = np.flatnonzero(shared)
        if len(open_) == 0:
            continue
        pairs = _Pairs(one[open_], other[open_], shared[open_])
        covariance = _covariance(transform(a), transform(b), pairs)
        found[a.part, b.part] += covariance
        if a != b:
            found[b.part, a.part] += covariance
    return found


def covariance_seconds(n_objects: int, n_rows: int, n_columns: int, *, is_hard: bool) -> float:
    """Estimate the time that `covariance_of_sums` takes: pairs of counts times a fixed rate.

    ``is_hard`` says whether the columns are those of a hard partition.
    """
    if not is_hard:
        n_counts = n_rows * n_columns + n_rows + n_columns
        return n_counts**2 / 2 * _pair_seconds(n_objects)
    # Two rows share objects of all columns. A cell shares objects of its own column only, with
    # another cell or with a row.
    per_column = 3 * n_rows**2 / 2 * _pair_seconds(n_objects // n_columns)
    return n_rows**2 / 2 * _pair_seconds(n_objects) + n_columns * per_column


def _pair_seconds(n_objects: int) -> float:
    # From about a thousand objects on, the faster series is used for nearly all of them.
    return 1e-4 + 2e-6 * min(n_objects, 1_000) + 2e-7 * n_objects


class _Pairs(NamedTuple):
    """Two events for each object: probabilities a and b, and a b + shared that both happen."""

    first: Floats
    second: Floats
    shared: Floats

    def take(self, which: Bools) -> "_Pairs":
        return _Pairs(*(np.ascontiguousarray(part[which]) for part in self))


def _coupled(first: Floats, second: Floats) -> Iterator[tuple[_Count, _Count]]:
    """All unordered pairs of counts that may depend on each other."""
    is_hard = bool(((second == 0.0) | (second == 1.0)).all())
    rows = [_Count(i, -1) for i in range(len(first))]
    columns = [] if is_hard else [_Count(-1, j) for j in range(len(second))]
    cells = [[_Count(i, j) for i in range(len(first))] for j in range(len(second))]
    # Cells in different columns of a hard partition have no object in common.
    separate = cells if is_hard else [[cell for column in cells for cell in column]]
    for group in (rows, columns, *separate):
        yield from combinations_with_replacement(group, 2)
    yield from ((a, b) for column in cells for a in column for b in (*rows, *columns))


def _covariance(a: CountTransform, b: CountTransform, pairs: _Pairs) -> float:
    r"""Covariance of two terms N log N.

    Let l be the slopes of log G. The covariance is the weighted sum, over both sets of
    exponentials, of

    .. math:: s r\,G(s) G(r) \big[(e^X - 1) l_s l_r
              + e^X (X_{uv} + X_u X_v - l_s X_v - l_r X_u)\big]
    """
    value, by_u, by_v, by_both = _coupling(pairs, a.gaps, b.gaps)
    one, other = a.slopes[:, None], b.slopes[None, :]
    terms = np.expm1(value) * one * other
    terms += np.exp(value) * (by_both + by_u * by_v - one * by_v - other * by_u)
    left = a.weights * (1.0 - a.gaps) * a.values
    right = b.weights * (1.0 - b.gaps) * b.values
    return float(left @ terms @ right)


def _coupling(pairs: _Pairs, u: Floats, v: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """X and its derivatives X_u, X_v and X_uv at all pairs of gaps u and v."""
    single = pairs.first * u.max() + pairs.second * v.max()
    both = (pairs.first * pairs.second + pairs.shared) * (u.max() * v.max())
    rates = (single + np.sqrt(single**2 + 4.0 * both)) / 2.0
    is_slow = rates > _SLOWEST_RATE
    value, by_u, by_v, by_both = _core.couple_counts(*pairs.take(is_slow), u, v)
    if is_slow.all():
        return value, by_u, by_v, by_both
    rate = max(float(rates[~is_slow].max()), 1e-300)
    n_powers = 4 + int(np.ceil(_LOG_NEGLIGIBLE / -np.log(rate)))
    series = _core.couple_counts_in_powers(*pairs.take(~is_slow), n_powers)
    orders = np.arange(n_powers)
    left, right = u[:, None] ** orders, v[:, None] ** orders
    left_integral = left * u[:, None] / (orders + 1)
    right_integral = right * v[:, None] / (orders + 1)
    return (
        value + left_integral @ series @ right_integral.T,
        by_u + left @ series @ right_integral.T,
        by_v + left_integral @ series @ right.T,
        by_both + left @ series @ right.T,
    )
