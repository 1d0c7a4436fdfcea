r"""Describe the random table of two fuzzy partitions: means, variances and limits of its counts.

Each object x falls into a row and a column, independently, with probabilities :math:`p_i(x)` and
:math:`q_j(x)`. So each row sum, column sum and cell of the table counts independent events.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import log
from typing import NamedTuple, final

import numpy as np

from sfumato._typing import Floats
from sfumato.algorithms.deadline import look
from sfumato.algorithms.moments.pair_means import TableSums, table_sums
from sfumato.algorithms.moments.power_sums import PowerSums
from sfumato.algorithms.tables.likely_sizes import SizeLimits, sure_sizes
from sfumato.algorithms.tables.ragged import cross
from sfumato.algorithms.tables.rows import Rows, count_codes, slice_rows, sparse_rows

__all__ = [
    "Counts",
    "FuzzyTable",
    "fuzzy_table",
    "object_forms",
    "object_products",
    "relative_rounding",
    "table_of_powers",
]

_NUMBERS_AT_ONCE = 1 << 20
_EPS = float(np.finfo(np.float64).eps)
_PAIRS = (0, 0), (1, 1), (2, 2), (0, 2), (2, 0), (1, 2), (2, 1)


class Counts(NamedTuple):
    """Row sums, column sums or cells: counts of independent events."""

    means: Floats
    variances: Floats  # not too small, whatever the rounding
    largest: Floats  # no event of the count is likelier

    @property
    def flat(self) -> "Counts":
        """The counts that can be above 0, as a list."""
        used = self.means.ravel() > 0.0
        return Counts(*(part.ravel()[used] for part in self))


@final
@dataclass(frozen=True, slots=True, eq=False)
class FuzzyTable:
    """The random table of a fuzzy partition (rows) and a fuzzy or hard one (columns).

    Attributes
    ----------
    objects : (Rows, Rows) or PowerSums
        The memberships on both sides, or what is kept of them.
    sums : TableSums
    is_hard : bool
        Whether the columns are those of a hard partition, so that their sums are fixed.
    rows, columns, cells : Counts
        Of shapes (k1,), (k2,) and (k1, k2).
    sure_rows, sure_columns : SizeLimits
        Limits that no clustering leaves.
    rounding : float
        Relative error of sums over the objects, at most.
    """

    objects: tuple[Rows, Rows] | PowerSums
    sums: TableSums
    is_hard: bool
    rows: Counts
    columns: Counts
    cells: Counts
    sure_rows: SizeLimits
    sure_columns: SizeLimits
    rounding: float

    @property
    def n_objects(self) -> int:
        """Objects that are counted."""
        objects = self.objects
        return objects.n_objects if isinstance(objects, PowerSums) else objects[0].n_rows

    def margins(self, risk: float) -> tuple[SizeLimits, SizeLimits]:
        r"""Limits of rows and columns that all hold but for a probability of ``risk``.

        A count with mean :math:`\mu` and variance v leaves :math:`\mu \pm t` with a probability of
        at most :math:`2 e^{-L}`, where :math:`t = L/3 + \sqrt{L^2/9 + 2 v L}` (Bernstein's
        inequality). A risk of 0 gives the limits that surely hold.
        """
        sure = self.sure_rows, self.sure_columns
        if risk == 0.0:
            return sure
        n_random = len(self.rows.means) + (0 if self.is_hard else len(self.columns.means))
        log_term = log(2 * n_random) - log(risk)

        def likely(counts: Counts, sure: SizeLimits) -> SizeLimits:
            away = log_term / 3 + np.sqrt((log_term / 3) ** 2 + 2 * counts.variances * log_term)
            away += self.rounding * counts.means
            least, most = counts.means - away, counts.means + away
            return SizeLimits(np.maximum(sure.least, least), np.minimum(sure.most, most))

        rows = likely(self.rows, sure[0])
        return rows, sure[1] if self.is_hard else likely(self.columns, sure[1])


def relative_rounding(n_objects: int, n_cells: int) -> float:
    """Most that rounding can change a sum over the objects of numbers above 0, relative to it.

    Sums over blocks of 1024 objects, or of as many as there are cells, are added up. Squares of
    such sums have twice their error.

    Examples
    --------
    >>> relative_rounding(10**4, 100)
    1e-12
    """
    return max(1e-12, 2 * _EPS * (1024 + n_cells + n_objects / 1024))


def fuzzy_table(a: Rows, b: Rows) -> FuzzyTable:
    """Find the means, variances and sure limits of all counts.

    Parameters
    ----------
    a : Rows
        Memberships of the n objects in the clusters that are the rows of the table.
    b : Rows
        The same for the columns. They may be hard.

    Returns
    -------
    FuzzyTable

    Notes
    -----
    O(n k1 k2), or one multiplication for each pair of entries of an object; memory O(k1 k2) and
    that of a block of objects.

    Examples
    --------
    >>> from sfumato.algorithms.tables.rows import dense_rows, hard_rows
    >>> half = dense_rows(np.array([[0.5, 0.5], [1.0, 0.0]]))
    >>> table = fuzzy_table(half, hard_rows(np.array([0, 1]), 2))
    >>> table.rows.means.tolist(), table.sure_rows.least.tolist(), table.sure_rows.most.tolist()
    ([1.5, 0.5], [1.0, 0.0], [2.0, 1.0])
    """
    n_cells = a.width * b.width
    rounding = relative_rounding(a.n_rows, n_cells)
    sums = table_sums(a, b)
    squares = [np.zeros(a.width), np.zeros(b.width), np.zeros((a.width, b.width))]
    for own, other in _blocks(a, b):
        part = table_sums(_squared(own), _squared(other))
        for total, added in zip(squares, part[:3], strict=True):
            total += added
    in_rows, in_columns = _largest(a), _largest(b)
    largest = in_rows, in_columns, np.minimum(in_rows[:, None], in_columns)
    rows, columns, cells = (
        Counts(means, np.maximum(means - square, 0.0) + rounding * means, top)
        for means, square, top in zip(sums[:3], squares, largest, strict=True)
    )
    is_hard = not len(b.values)
    if is_hard:
        columns = columns._replace(variances=np.zeros(b.width))
    limits = sure_sizes(a), sure_sizes(b)
    return FuzzyTable((a, b), sums, is_hard, rows, columns, cells, *limits, rounding)


def table_of_powers(sums: PowerSums) -> FuzzyTable:
    """The same from power sums: no count is known to be limited, no event to be unlikely.

    Examples
    --------
    >>> from sfumato.algorithms.moments.power_sums import power_sums
    >>> from sfumato.algorithms.tables.rows import dense_rows, hard_rows
    >>> half = dense_rows(np.array([[0.5, 0.5], [1.0, 0.0]]))
    >>> table_of_powers(power_sums(half, hard_rows(np.array([0, 1]), 2), 2)).rows.means.tolist()
    [1.5, 0.5]
    """
    n, is_hard = sums.n_objects, sums.are_hard[1]
    rounding = relative_rounding(n, sums.cells[0].size)
    rows, columns, cells = (
        Counts(
            powers[0],
            np.maximum(powers[0] - powers[1], 0.0) + rounding * powers[0],
            np.minimum(powers[0], 1.0),
        )
        for powers in (sums.rows, sums.columns, sums.cells)
    )
    anything = (
        SizeLimits(np.zeros(len(side.means)), np.full(len(side.means), float(n)))
        for side in (rows, columns)
    )
    sure_rows, sure_columns = anything
    if is_hard:
        columns = columns._replace(variances=np.zeros_like(columns.means))
        sure_columns = SizeLimits(columns.means, columns.means)
    return FuzzyTable(
        sums, sums.table_sums(), is_hard, rows, columns, cells, sure_rows, sure_columns, rounding
    )


def _largest(rows: Rows) -> Floats:
    """The largest probability of each cluster."""
    largest = np.zeros(rows.width)
    if not len(rows.values):
        largest[count_codes(rows.columns, rows.width) > 0] = 1.0
    elif rows.is_sparse:
        np.maximum.at(largest, rows.columns, rows.values)
    else:
        for (own,) in _blocks(rows):
            np.maximum(largest, own.values.reshape(-1, rows.width).max(axis=0), out=largest)
    return largest


def object_forms(
    table: FuzzyTable,
    rows: Floats,
    columns: Floats,
    cells: Floats,
    products: Floats | None = None,
) -> tuple[Floats, Floats]:
    r"""Sum over the objects the covariances of three functions of the object's cell.

    .. math:: \sum_x \mathrm{Cov}\bigl(d_s(X_x), d_t(X_x)\bigr), \quad
              d_0(i, j) = \text{rows}_i, \; d_1(i, j) = \text{columns}_j, \;
              d_2(i, j) = \text{cells}_{ij}

    Parameters
    ----------
    table : FuzzyTable
    rows : ndarray of shape (f, k1)
    columns : ndarray of shape (f, k2)
    cells : ndarray of shape (f, k1, k2)
        f sets of functions, found in one pass.
    products : ndarray of shape (f, 3, 3), optional
        What `object_products` finds of all objects, where only sums are kept of them.

    Returns
    -------
    forms : ndarray of shape (f, 3, 3)
        Where only sums are kept of the objects, and no products, the forms lie above these
        covariances, as forms: by Jensen's inequality within each class of a hard side, or over all
        objects.
    noise : ndarray of shape (f, 3)
        Rounding changes an entry (s, t) by at most sqrt(noise[s] * noise[t]).

    Notes
    -----
    O(f n k1 k2) for dense memberships, one multiplication for each pair of entries of an object
    for sparse ones; O(f k1 k2) from sums.
    """
    weights = table.rows.means, table.columns.means, table.cells.means
    d_rows, d_columns, d_cells = _centred(table, rows, columns, cells)
    own = (
        (weights[0] * d_rows**2).sum(axis=1),
        (weights[1] * d_columns**2).sum(axis=1),
        (weights[2] * d_cells**2).sum(axis=(1, 2)),
    )
    forms = np.zeros((len(rows), 3, 3))
    for at, square in enumerate(own):
        forms[:, at, at] = square
    forms[:, 0, 2] = forms[:, 2, 0] = (weights[2] * d_cells * d_rows[:, :, None]).sum(axis=(1, 2))
    forms[:, 1, 2] = forms[:, 2, 1] = (weights[2] * d_cells * d_columns[:, None]).sum(axis=(1, 2))
    if products is not None:
        forms -= products
    elif isinstance(table.objects, PowerSums):
        crossed = np.einsum("fi,ij,fj->f", d_rows, weights[2], d_columns)
        forms[:, 0, 1] = forms[:, 1, 0] = crossed
        for at in range(len(rows)):
            sizes, totals = _group_totals(table, d_rows[at], d_columns[at], d_cells[at])
            for s, t in (*_PAIRS, (0, 1), (1, 0)):
                forms[at, s, t] -= (totals[s] * totals[t] / sizes).sum()
    else:
        forms -= object_products(table, table.objects, rows, columns, cells)
    if table.is_hard:  # the column of an object is known
        forms[:, 1, :] = forms[:, :, 1] = 0.0
    return forms, 4 * table.rounding * np.stack(own, axis=1)


def object_products(
    table: FuzzyTable, objects: tuple[Rows, Rows], rows: Floats, columns: Floats, cells: Floats
) -> Floats:
    """Sum over some objects the products of the means of an object, for `object_forms`.

    Functions of the row and of the column are independent, so that none is summed for these two.
    """
    functions = _centred(table, rows, columns, cells)
    found = np.zeros((len(rows), 3, 3))
    for a, b in _blocks(*objects):
        for at, each in enumerate(zip(*functions, strict=True)):
            means = _object_means(a, b, *each)
            for s, t in _PAIRS:
                found[at, s, t] += (means[s] * means[t]).sum()  # pairwise
    return found


def _centred(table: FuzzyTable, *functions: Floats) -> tuple[Floats, Floats, Floats]:
    """The same functions with mean 0: less is left to cancel, and no covariance changes."""
    weights = table.rows.means, table.columns.means, table.cells.means
    rows, columns, cells = (
        d - np.tensordot(d, w, axes=w.ndim).reshape(-1, *[1] * w.ndim) / table.n_objects
        for d, w in zip(functions, weights, strict=True)
    )
    return rows, np.zeros_like(columns) if table.is_hard else columns, cells


def _group_totals(
    table: FuzzyTable, rows: Floats, columns: Floats, cells: Floats
) -> tuple[Floats, Floats]:
    """Objects of each class of a hard side, or of all, and the sums of their means."""
    expected = table.cells.means
    if not table.is_hard:
        totals = (rows @ table.rows.means, columns @ table.columns.means, (cells * expected).sum())
        return np.array([float(table.n_objects)]), np.array(totals)[:, None]
    used = table.columns.means > 0.0
    expected = expected[:, used]
    sizes = table.columns.means[used]
    totals = rows @ expected, np.zeros(len(sizes)), (cells[:, used] * expected).sum(axis=0)
    return sizes, np.stack(totals)


def _object_means(
    a: Rows, b: Rows, rows: Floats, columns: Floats, cells: Floats
) -> tuple[Floats, Floats, Floats]:
    """Means of a function of the row, of the column and of the cell, for each object."""
    if a.is_sparse or b.is_sparse:
        a, b = sparse_rows(a), sparse_rows(b)
        objects = np.arange(a.n_rows)
        starts, of_a, of_b = cross(a.starts, objects, b.starts, objects)
        weights = a.values[of_a] * b.values[of_b]
        return (
            np.add.reduceat(a.values * rows[a.columns], a.starts[:-1]),
            np.add.reduceat(b.values * columns[b.columns], b.starts[:-1]),
            np.add.reduceat(weights * cells[a.columns[of_a], b.columns[of_b]], starts[:-1]),
        )
    p = a.values.reshape(-1, a.width)
    if not len(b.values):
        own = cells.T[b.columns]
        return p @ rows, np.zeros(len(p)), np.einsum("xi,xi->x", p, own)
    q = b.values.reshape(-1, b.width)
    return p @ rows, q @ columns, np.einsum("xj,xj->x", p @ cells, q)


def _squared(rows: Rows) -> Rows:
    return rows._replace(values=rows.values**2)


def _blocks(*sides: Rows) -> Iterator[tuple[Rows, ...]]:
    """Give the same few objects of each side at a time."""
    per_object = sum(side.mean_length for side in sides)
    if any(side.is_sparse for side in sides) and len(sides) == 2:
        per_object += 4 * sides[0].mean_length * sides[1].mean_length
    if any(side.is_single for side in sides):  # every block is a copy
        per_object *= 8
    step = max(1, int(_NUMBERS_AT_ONCE / per_object))
    for first in range(0, sides[0].n_rows, step):
        look()
        last = min(first + step, sides[0].n_rows)
        yield tuple(slice_rows(side, first, last) for side in sides)
