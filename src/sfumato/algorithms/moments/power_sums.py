r"""Hold power sums of the memberships of objects, which add up over chunks of objects.

Object x falls into row i with probability :math:`p_i(x)` and into column j with probability
:math:`q_j(x)`. The power sums of the cells are :math:`\sum_x (p_i(x) q_j(x))^r`. They are all that
the means of pair counts need (r = 1, 2), and give the cumulants of each count up to the order.
"""

from functools import reduce
from operator import add
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato import _core
from sfumato._typing import Codes, Floats, Ints
from sfumato.algorithms.moments.counts import CountLaw, add_counts, xlogx_from_log_sums
from sfumato.algorithms.moments.pair_means import ObjectSums, TableSums, paired_blocks, table_sums
from sfumato.algorithms.tables.rows import Rows

__all__ = ["LogSums", "PowerSums", "SpreadSums", "power_sums", "power_sums_of_columns"]

_BLOCK = 1 << 15  # objects; part of the definition, as sums depend on it


class LogSums(NamedTuple):
    """Sums over objects for some counts of a table, at the nodes of their fits."""

    rows: Ints  # (c,): -1 for the sum of a column
    columns: Ints  # (c,): -1 for the sum of a row
    fits: Ints  # (c,): numbers of fits of the logarithm
    scales: Floats  # (c,): what a count is divided by there
    totals: Floats  # (3, c): means, sure events, steps of rounding
    logs: Floats  # of the generating functions, at the nodes of one count after the other
    slopes: Floats  # of these logarithms

    def __add__(self, other: object) -> "LogSums":
        assert isinstance(other, LogSums)
        totals, logs, slopes = (one + two for one, two in zip(self[4:], other[4:], strict=True))
        return self._replace(totals=totals, logs=logs, slopes=slopes)

    def turned(self) -> "LogSums":
        """The same with rows for columns."""
        return self._replace(rows=self.columns, columns=self.rows)

    def expected_xlogx(self, n_objects: int) -> tuple[Floats, Floats]:
        """Mean of N log N for each count, of shape (c,), and bounds of the errors."""
        sums = self.totals, self.logs, self.slopes
        return xlogx_from_log_sums(*sums, self.fits, self.scales, n_objects)


class SpreadSums(NamedTuple):
    """What a second round sums over n objects; see `spread_sums`."""

    n_objects: int
    pairs: ObjectSums
    products: Floats  # (3, 3, 3): of means of an object, for squares and twice for x log x
    features: Floats | None  # (f, g): see `feature_sums`; None where they are too many
    nodes: LogSums  # of counts whose power sums are not enough
    laws: tuple[CountLaw, ...]  # of the cluster sizes of a fuzzy side; none where they cost much

    def __add__(self, other: object) -> "SpreadSums":
        assert isinstance(other, SpreadSums)
        pairs = (one + two for one, two in zip(self.pairs, other.pairs, strict=True))
        return SpreadSums(
            self.n_objects + other.n_objects,
            ObjectSums(*pairs),
            self.products + other.products,
            self.features
            if self.features is None or other.features is None
            else self.features + other.features,
            self.nodes + other.nodes,
            tuple(map(add_counts, self.laws, other.laws)),
        )

    def turned(self) -> "SpreadSums":
        """The same with rows for columns."""
        order = np.array([1, 0, 2])
        linear, crossed, own = (
            part.reshape(3, 3)[np.ix_(order, order)].ravel() for part in self.pairs[:3]
        )
        pairs = ObjectSums(linear, crossed, own, self.pairs.unsure, self.pairs.unsure_squares)
        features = None if self.features is None else np.ascontiguousarray(self.features.T)
        products, nodes = self.products[:, order][:, :, order], self.nodes.turned()
        return SpreadSums(self.n_objects, pairs, products, features, nodes, self.laws)


class PowerSums(NamedTuple):
    """Sums over n objects of powers 1 to m of their memberships.

    ``are_hard`` says whether the rows and the columns are the clusters of a hard partition.
    ``spread`` is what a second round found, of the same objects.
    """

    n_objects: int
    rows: Floats  # (m, k1)
    columns: Floats  # (m, k2)
    cells: Floats  # (m, k1, k2)
    are_hard: tuple[bool, bool]
    spread: SpreadSums | None = None

    @property
    def order(self) -> int:
        """The highest power."""
        return len(self.rows)

    def __add__(self, other: object) -> "PowerSums":
        assert isinstance(other, PowerSums)
        order = min(self.order, other.order)
        rows, columns, cells = (
            one[:order] + two[:order] for one, two in zip(self[1:4], other[1:4], strict=True)
        )
        return PowerSums(self.n_objects + other.n_objects, rows, columns, cells, self.are_hard)

    def turned(self) -> "PowerSums":
        """The same with rows for columns."""
        return PowerSums(
            self.n_objects,
            self.columns,
            self.rows,
            np.ascontiguousarray(self.cells.transpose(0, 2, 1)),
            (self.are_hard[1], self.are_hard[0]),
            None if self.spread is None else self.spread.turned(),
        )

    def means_of(self, rows: Ints, columns: Ints) -> Floats:
        """Means of some counts: of cells, of rows (with a column of -1) and of columns."""
        every = np.zeros((self.rows.shape[1] + 1, self.columns.shape[1] + 1))  # -1 is the last
        every[:-1, :-1] = self.cells[0]
        every[:-1, -1], every[-1, :-1] = self.rows[0], self.columns[0]
        return every[rows, columns]

    def table_sums(self) -> TableSums:
        """What `table_sums` finds of the objects."""
        own = np.array([float(sums[1].sum()) for sums in (self.rows, self.columns, self.cells)])
        return TableSums(self.rows[0], self.columns[0], self.cells[0], own)


def power_sums(a: Rows, b: Rows, order: int) -> PowerSums:
    """Sum powers of memberships over the objects, up to ``order``, at least 2.

    Notes
    -----
    O(n k1 order) against a hard side, O(n k1 k2 order) otherwise; less for sparse rows. Memory
    O(order k1 k2) and that of a block of objects.

    Examples
    --------
    >>> from sfumato.algorithms.tables.rows import dense_rows, hard_rows
    >>> half = dense_rows(np.array([[0.5, 0.5], [1.0, 0.0]]))
    >>> power_sums(half, hard_rows(np.array([0, 1]), 2), 2).cells[1].tolist()
    [[0.25, 1.0], [0.25, 0.0]]
    """
    if a.is_hard and not b.is_hard:
        return power_sums(b, a, order).turned()
    return reduce(add, (_of_block(*block, order) for block in paired_blocks(a, b, _BLOCK)))


class CheckedSums(NamedTuple):
    """Power sums of rows that were divided by their sums, and what is wrong with the rows."""

    sums: PowerSums
    has_bad_entry: bool  # not finite, negative or above the largest allowed
    worst: float  # distance of the sum of a row from 1
    n_off: int  # rows whose sum differs from 1 by more than rounding


def power_sums_of_columns(
    columns: list[Floats] | list[NDArray[np.float32]],
    classes: Codes,
    n_classes: int,
    order: int,
    *,
    largest: float = 1.0,
) -> CheckedSums:
    """Power sums of a block of memberships, column by column, against a hard partition.

    The columns are of one dtype, float32 or float64, and of one stride; nothing is copied. An entry
    above ``largest`` is bad. O(n k order), in one pass.
    """
    rounding = 4 * len(columns) * float(np.finfo(np.float64).eps)
    sums, has_bad_entry, worst, n_off = _core.class_powers(
        columns, classes, n_classes, order, largest, rounding
    )
    sizes = np.bincount(classes, minlength=n_classes).astype(np.float64)
    found = PowerSums(
        len(classes),
        sums.sum(axis=0),
        np.tile(sizes, (order, 1)),
        np.ascontiguousarray(sums.transpose(1, 2, 0)),
        (False, True),
    )
    return CheckedSums(found, has_bad_entry, worst, n_off)


def _of_block(a: Rows, b: Rows, order: int) -> PowerSums:
    if a.is_dense and b.is_hard:
        values = a.values.reshape(-1, a.width)
        return power_sums_of_columns(list(values.T), b.columns, b.width, order).sums
    parts = [table_sums(_powered(a, r), _powered(b, r)) for r in range(1, order + 1)]
    rows, columns, cells = (np.stack([part[at] for part in parts]) for at in range(3))
    return PowerSums(a.n_rows, rows, columns, cells, (a.is_hard, b.is_hard))


def _powered(rows: Rows, power: int) -> Rows:
    return rows if power == 1 or rows.is_hard else rows._replace(values=rows.values**power)
