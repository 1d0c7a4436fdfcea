r"""Bound the moments of the information that chance gives, against a hard partition.

The expected mutual information of random clusterings with given cluster sizes, times n, is a sum
:math:`\sum_i \omega(R_i)` over the rows, because the column sums are fixed. Each row sum counts
independent events. A term :math:`s R_i` may be added to each :math:`\omega`: the rows sum to n.
"""

from math import log, sqrt
from typing import NamedTuple, final

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.moments.counts import LOST, CountLaw, law_of_count
from sfumato.algorithms.moments.fuzzy_table import FuzzyTable
from sfumato.algorithms.moments.poisson_bounds import eighth_moment
from sfumato.algorithms.moments.power_sums import PowerSums
from sfumato.algorithms.tables.expected_information import expected_information_of_sizes
from sfumato.algorithms.tables.rows import Rows, row_blocks
from sfumato.families import xlogx

__all__ = ["ChanceInformation", "chance_information", "has_cheap_laws", "laws_of_sizes"]

_RISK = 1e-36  # that a row sum leaves the sizes that are looked at
_MOST_PRODUCTS = 1e8  # for the laws of the row sums
_MOST_SIZES = 4096  # of all rows together that are all looked at
_GRID = 256  # intervals of sizes, otherwise
_ROUNDING = 1e-13  # of a term, relative to the size
_EPS = float(np.finfo(np.float64).eps)
_SLACK = 1 + 1e-9
_SECOND = np.array([1.0, -2.0, 1.0])


class ChanceInformation(NamedTuple):
    """Of n times the expected mutual information: mean, its error, and bounds of norms about it.

    ``highest`` is exceeded with a probability of at most ``risk``.
    """

    mean: float
    error: float
    std: float
    fourth_norm: float
    highest: float
    risk: float


def chance_information(table: FuzzyTable) -> ChanceInformation:
    """Bound moments of n times the expected mutual information, against a hard partition.

    Notes
    -----
    The law of each row sum where that takes less than 1e8 steps, otherwise its mean and variance.
    Terms of many sizes are bounded from those of a few.

    Examples
    --------
    >>> from sfumato.algorithms.moments.fuzzy_table import fuzzy_table
    >>> from sfumato.algorithms.tables.rows import dense_rows, hard_rows
    >>> a, b = dense_rows(np.full((4, 2), 0.5)), hard_rows(np.array([0, 0, 1, 1]), 2)
    >>> found = chance_information(fuzzy_table(a, b))
    >>> round(found.mean / 4, 6), found.error < 1e-11
    (0.194524, True)
    """
    n = table.n_objects
    slope = 0.5 * (len(table.columns.means) - 1) / n  # chance information falls about as fast
    cap = n * log(n) + slope * n  # no term is larger, none is negative
    if laws := _known_laws(table):
        limits = [(law.first, law.first + len(law.probabilities)) for law in laws]
        known = _Terms(table, slope, limits)
        terms = [_expected(known, law, n, cap) for law in laws]
    else:
        least, most = table.margins(_RISK)[0]
        limits = list(zip(np.floor(least).astype(int), np.ceil(most).astype(int) + 1, strict=True))
        known = _Terms(table, slope, limits)
        moments = zip(limits, table.rows.means, table.rows.variances, strict=True)
        terms = [_nearly_linear(known, *each, cap) for each in moments]
    mean, error, std, fourth, highest, risk = np.sum(terms, axis=0).tolist()
    return ChanceInformation(mean - slope * n, error, std, fourth, highest - slope * n, risk)


def has_cheap_laws(table: FuzzyTable) -> bool:
    """Whether the laws of the row sums take less than 1e8 steps."""
    work = float((20.0 * np.sqrt(table.rows.variances) + 60.0).sum()) * table.n_objects
    return work < _MOST_PRODUCTS


def laws_of_sizes(a: Rows) -> tuple[CountLaw, ...]:
    """The law of the size of each cluster."""

    def events(cluster: int) -> Floats:
        if a.is_sparse:
            return a.values[a.columns == cluster]
        return np.concatenate([block.values[cluster :: a.width] for block in row_blocks(a)])

    return tuple(law_of_count(events(cluster), LOST) for cluster in range(a.width))


def _known_laws(table: FuzzyTable) -> tuple[CountLaw, ...]:
    """The laws of the row sums where they cost little, or were found; else none."""
    objects = table.objects
    if isinstance(objects, PowerSums):
        return () if objects.spread is None else objects.spread.laws
    return laws_of_sizes(objects[0]) if has_cheap_laws(table) else ()


def _expected(known: "_Terms", law: CountLaw, n_objects: int, cap: float) -> ChanceInformation:
    """The term of a row whose law is known."""
    p = law.probabilities / law.probabilities.sum()
    sizes = law.first + np.arange(len(p))
    low, high = known.between(law.first, law.first + len(p))
    values, radius = (low + high) / 2, (high - low) / 2
    mean, off = float(p @ values), float(radius.max())
    apart = np.abs(values - mean)
    rounding = _ROUNDING * float(p @ sizes) + 4 * _EPS * n_objects * float(p @ apart)
    return ChanceInformation(
        mean,
        float(p @ radius) + rounding + 2 * law.lost * cap,
        sqrt(float(p @ apart**2) * _SLACK + law.lost * cap**2) + off + rounding,
        (float(p @ apart**4) * _SLACK + law.lost * cap**4) ** 0.25 + off + rounding,
        float(high.max()) + _ROUNDING * float(sizes[-1]),
        law.lost,
    )


def _nearly_linear(
    known: "_Terms", ends: tuple[int, int], mean: float, variance: float, cap: float
) -> ChanceInformation:
    r"""The term of a row of which mean and variance are known, and likely sizes.

    With the size m below the mean, d = R - m and second differences within [c, C], it is
    :math:`\omega(m) + d (\omega(m + 1) - \omega(m)) + \frac{d (d - 1)}{2} [c, C]`.
    """
    low, high = known.between(*ends)
    at = min(max(int(mean), ends[0]), max(ends[1] - 2, ends[0]))
    start, off = (low + high)[at - ends[0]] / 2, float((high - low).max())
    slope = (low + high)[min(at + 1, ends[1] - 1) - ends[0]] / 2 - start
    bends = known.bends(*ends)
    apart = mean - at
    square = variance + apart * (apart - 1)
    bend, largest = sum(bends) / 2, max(map(abs, bends))
    # Beyond the likely sizes both sides are at most this.
    beyond = _RISK * (cap + cap * abs(slope) + cap**2 * largest)
    rounding = _ROUNDING * ends[1] * (2 + variance) + beyond + off
    eighth = float(eighth_moment(np.array(variance)))
    return ChanceInformation(
        start + apart * slope + bend * square / 2,
        (bends[1] - bends[0]) / 4 * abs(square) + abs(slope) * rounding + rounding,
        abs(slope) * sqrt(variance) + largest * (sqrt(3 * variance**2 + variance) + 1) + rounding,
        abs(slope) * (3 * variance**2 + variance) ** 0.25
        + largest * (eighth**0.25 + 1)
        + rounding
        + _RISK**0.25 * cap,
        float(high.max()) + _ROUNDING * ends[1],
        _RISK,
    )


@final
class _Terms:
    r"""Limits of :math:`\omega` for all sizes within some intervals.

    With :math:`\chi = \omega + \psi`, m-th differences are :math:`\Delta^m \chi(r) = \sum_j
    E[1_1 \cdots 1_m \Delta^m \psi(X_j)]`: the objects that join a row of r are exchangeable, and
    all m must be in class j. So, as for psi, second differences are positive and fall with r.
    Between two sizes those of :math:`\omega` lie within limits, and a function whose second
    differences are at most c lies within :math:`c h^2 / 8` of its chord.
    """

    def __init__(self, table: FuzzyTable, slope: float, intervals: list[tuple[int, int]]) -> None:
        self._table, self._slope = table, slope
        is_open = np.zeros(table.n_objects + 2, dtype=np.int64)
        for first, end in intervals:
            is_open[first] += 1
            is_open[end] -= 1
        sizes = np.flatnonzero(np.cumsum(is_open))
        self._first = int(sizes[0])
        self._low, self._high = np.full((2, int(sizes[-1]) - self._first + 1), np.nan)
        self._least, self._most = np.full((2, len(self._low)), np.nan)  # second differences
        is_short = len(sizes) <= _MOST_SIZES
        for run in np.split(sizes, np.flatnonzero(np.diff(sizes) > 1) + 1):
            (self._list if is_short else self._interpolate)(int(run[0]), int(run[-1]))

    def between(self, first: int, end: int) -> tuple[Floats, Floats]:
        """Lower and upper limits for the sizes from ``first`` to before ``end``."""
        within = slice(first - self._first, end - self._first)
        return self._low[within], self._high[within]

    def bends(self, first: int, end: int) -> tuple[float, float]:
        """Limits of the second differences within these sizes."""
        within = slice(first - self._first, max(end - 2, first) - self._first)
        least = self._least[within].min(initial=0.0)
        return float(least), float(self._most[within].max(initial=0.0))

    def _values(self, sizes: Ints) -> Floats:
        n, columns = self._table.n_objects, self._table.columns.means.round().astype(np.int64)
        return n * expected_information_of_sizes(sizes, columns) + self._slope * sizes

    def _list(self, first: int, last: int) -> None:
        values = self._values(np.arange(first, last + 1))
        within = slice(first - self._first, last + 1 - self._first)
        self._low[within] = self._high[within] = values
        inner = slice(within.start, max(within.stop - 2, within.start))
        self._least[inner] = np.diff(values, 2) - 4 * _ROUNDING * last
        self._most[inner] = np.diff(values, 2) + 4 * _ROUNDING * last

    def _interpolate(self, first: int, last: int) -> None:
        grid = np.unique(np.linspace(first, last, _GRID + 1).astype(np.int64))
        at = np.maximum(np.minimum(grid, last - 2)[:, None] + np.arange(3), 0)
        values = self._values(at.ravel()).reshape(at.shape)
        psi = xlogx(at.astype(np.float64))
        rounding = 4 * _ROUNDING * last + 16 * _EPS * psi.max()
        of_psi = psi @ _SECOND
        of_chi = values @ _SECOND + of_psi
        gaps = np.diff(grid)
        least = of_chi[1:] - of_psi[:-1] - rounding
        most = of_chi[:-1] - of_psi[1:] + rounding
        sizes = np.arange(first, last + 1)
        own = np.minimum(np.searchsorted(grid, sizes, side="right") - 1, len(gaps) - 1)
        chord = np.interp(sizes, grid, self._values(grid))
        within = slice(first - self._first, last + 1 - self._first)
        bend = gaps[own] ** 2 / 8
        self._low[within] = chord - bend * np.maximum(most[own], 0.0)
        self._high[within] = chord + bend * np.maximum(-least[own], 0.0)
        # A second difference may reach into the next interval.
        after = np.minimum(own + 1, len(gaps) - 1)
        self._least[within] = np.minimum(least[own], least[after])
        self._most[within] = np.maximum(most[own], most[after])
