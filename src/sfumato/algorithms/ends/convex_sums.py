"""Bound sums over a table from below by slopes, where they are convex or can be made so."""

from typing import TypeAlias, final

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.deadline import look
from sfumato.algorithms.ends.rough_batch import RoughBatch

__all__ = ["is_convex", "least_convex_sums", "least_square_sums"]

# Bounds of all tables, objects in each listed cell, and the cheapest listed cell of each entry.
_Found: TypeAlias = tuple[Floats, Floats, Ints]

_STEPS = 40
_CLOSE = 1e-5  # of the objects, or of their pairs: what further steps might still add
_LEAST_COUNT = 1e-9  # of an object: slopes stay finite


@final
class _OpenEntries:
    """The entries of a batch with several cells; those with one are summed up once."""

    def __init__(self, batch: RoughBatch) -> None:
        sizes = np.diff(batch.cells.starts)
        is_open = sizes > 1
        self._is_listed = is_open[batch.owners]
        self._sent = batch.counts[batch.owners].astype(np.float64)
        self.cells, self.tables = batch.cells.places[self._is_listed], batch.tables[is_open]
        self.objects, self.sizes = batch.counts[is_open].astype(np.float64), sizes[is_open]
        self.starts = np.cumsum(self.sizes) - self.sizes
        self.owners = np.repeat(np.arange(len(self.sizes)), self.sizes)
        self.equal_shares = (self.objects / self.sizes)[self.owners]
        self.settled = batch.totals(np.where(self._is_listed, 0.0, self._sent))

    def fill(self, listed: Floats) -> Floats:
        """Tables of the objects that have a choice."""
        filled = np.bincount(self.cells, listed, self.settled.size).astype(np.float64)
        return filled.reshape(self.settled.shape)

    def by_table(self, entries: Floats) -> Floats:
        """Sum over the entries of each table."""
        return np.bincount(self.tables, entries, len(self.settled)).astype(np.float64)

    def of_all(self, shares: Floats) -> Floats:
        """Objects in each listed cell of all entries."""
        of_all = self._sent.copy()
        of_all[self._is_listed] = shares
        return of_all


def is_convex(batch: RoughBatch, weights: Floats) -> bool:
    """Whether the sums of x log x are convex in the tables; a fixed margin does not matter."""
    margins = weights[:, :2] * [not batch.rows.is_certain, not batch.columns.is_certain]
    outweighed = weights[:, 2] + margins.sum(axis=1) >= -1e-12 * weights[:, 2]
    return bool((margins <= 0).all() and (weights[:, 2] > 0).all() and outweighed.all())


def _total(tables: Floats) -> Floats:
    return tables.sum(axis=(1, 2))


def least_convex_sums(batch: RoughBatch, weights: Floats) -> _Found:
    """Bounds by the slopes of convex sums of x log x.

    With the slopes g at a table M, the sum at any table N is at least g N - (w1 + w2 + w3) |M|.
    Each step takes shares in proportion to exp(-g / w3).
    """
    entries = _OpenEntries(batch)
    settled, starts, owners = entries.settled, entries.starts, entries.owners
    shares, slopes = entries.equal_shares, settled
    least_counts = np.zeros(settled.shape)  # no slope is asked of cells that nobody may take
    least_counts.ravel()[batch.cells.places] = _LEAST_COUNT
    bounds = np.full(batch.n_tables, -np.inf)
    for _ in range(_STEPS):
        look()
        tables = np.maximum(least_counts, settled + entries.fill(shares))
        sums = tables.sum(axis=2, keepdims=True), tables.sum(axis=1, keepdims=True), tables
        slopes = np.zeros(tables.shape)
        for weight, places in zip(weights.T[:, :, None, None], sums, strict=True):
            slopes += weight * (1.0 + np.log(np.maximum(places, _LEAST_COUNT)))
        costs = slopes.ravel()[entries.cells]
        least: Floats = np.minimum.reduceat(costs, starts)
        at_least = entries.by_table(least * entries.objects)
        total = _total(tables)
        bound = _total(settled * slopes) + at_least - weights.sum(axis=1) * total
        bounds = np.maximum(bounds, bound)
        gap = entries.by_table(np.add.reduceat(shares * costs, starts)) - at_least
        is_far = gap > _CLOSE * total * weights[:, 2]
        if not is_far.any():
            break
        rates = (is_far / weights[:, 2])[entries.tables][owners]
        shares = shares * np.exp((least[owners] - costs) * rates)
        shares *= (entries.objects / np.maximum(np.add.reduceat(shares, starts), 1e-300))[owners]
    chosen = batch.best_places(slopes.ravel()[batch.cells.places])[1]
    return bounds, entries.of_all(shares), chosen


def least_square_sums(batch: RoughBatch, weights: Floats) -> tuple[Floats, Floats]:
    r"""Bounds of sums of squares by a convex sum below them; the cells have a positive weight.

    Let y be the objects with a choice in the cells of a row, r those without one, w the weight of
    the cells and -v that of the row. For any numbers a between 0 and 1,

    .. math:: (r + \sum y)^2 = r^2 + 2 r \sum y + (\sum a y)^2
              + \sum (1 - a) y \cdot \sum (1 + a) y,

    and the last sum is at most what the cells of the row can hold. This leaves a line and
    :math:`-v (\sum a y)^2 + w \sum y^2`, which is convex if :math:`v \sum a^2 \le w`, by the
    inequality of Cauchy and Schwarz. So a is 1 for the w / v cells of the row that may change most:
    for Rand against a hard side two. With two margins that have negative weights, each takes half
    of w. The slopes of a convex sum bound it; each step of Frank and Wolfe's method goes as far as
    the sum falls.
    """
    entries = _OpenEntries(batch)
    settled, starts, owners = entries.settled, entries.starts, entries.owners
    room, shares = entries.fill(entries.objects[owners]), entries.equal_shares
    table = entries.fill(shares)
    own = weights[:, 2, None, None]
    lines = 2.0 * own * settled
    fixed = weights[:, 2] * _total(settled**2)
    forms: list[tuple[int, Floats, Floats]] = []  # axis, weight and a of a margin
    is_fixed = batch.rows.is_certain, batch.columns.is_certain
    n_shared = max(1, sum(not at for at in is_fixed))
    for axis, weight, is_constant in zip((2, 1), weights.T, is_fixed, strict=False):
        weight = weight[:, None, None]
        sums = settled.sum(axis=axis, keepdims=True)
        if is_constant:
            sums = sums + table.sum(axis=axis, keepdims=True)
            fixed += _total(weight * sums**2)
            continue
        share = np.divide(own, -n_shared * weight, out=np.full(own.shape, np.inf), where=weight < 0)
        kept = _kept(room, share, axis)
        most = ((1.0 + kept) * room).sum(axis=axis, keepdims=True)
        lines += weight * (2.0 * sums + most * (1.0 - kept))
        fixed += _total(weight * sums**2)
        forms.append((axis, weight, kept))

    def squares(tables: Floats) -> tuple[Floats, Floats]:
        """The convex form of tables, and half of its slopes."""
        half = own * tables
        for axis, weight, kept in forms:
            half = half + weight * kept * (kept * tables).sum(axis=axis, keepdims=True)
        return _total(half * tables), half

    bounds = np.full(batch.n_tables, -np.inf)
    close = _CLOSE * batch.n_objects**2.0 * weights[:, 2]
    for _ in range(_STEPS):
        look()
        form, half = squares(table)
        slopes = lines + 2.0 * half
        costs = slopes.ravel()[entries.cells]
        least: Floats = np.minimum.reduceat(costs, starts)
        at_least = entries.by_table(least * entries.objects)
        bounds = np.maximum(bounds, fixed - form + at_least)
        gap = np.maximum(0.0, _total(slopes * table) - at_least)
        if (gap <= close).all():
            break
        gap[gap <= close] = 0.0
        is_cheapest = (costs == least[owners]).astype(np.float64)
        target = is_cheapest * (entries.objects / np.add.reduceat(is_cheapest, starts))[owners]
        way = entries.fill(target) - table
        curve = 2.0 * squares(way)[0]
        step = np.divide(gap, curve, out=np.ones(len(gap)), where=curve > gap)
        table = table + step[:, None, None] * way
        of_listed = np.repeat(step[entries.tables], entries.sizes)
        shares = shares + of_listed * (target - shares)
    return bounds, entries.of_all(shares)


def _kept(room: Floats, share: Floats, axis: int) -> Floats:
    """Numbers between 0 and 1 whose squares sum to the share along an axis, for the most room."""
    ranks = np.argsort(np.argsort(-room, axis=axis, kind="stable"), axis=axis, kind="stable")
    return np.sqrt(np.clip(share - ranks, 0.0, 1.0))
