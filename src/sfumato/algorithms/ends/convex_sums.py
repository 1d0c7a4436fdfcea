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
        self._batch = batch
        self._is_listed = is_open[batch.owners]
        self.cells = batch.cells.places[self._is_listed]
        self.tables = batch.tables[is_open]
        self.objects = batch.counts[is_open].astype(np.float64)
        self.sizes = sizes[is_open]
        self._starts = np.cumsum(self.sizes) - self.sizes
        self.owners = np.repeat(np.arange(len(self.sizes)), self.sizes)
        self._grid = batch.n_tables, *batch.shape
        alone = batch.cells.places[~self._is_listed], batch.counts[~is_open]
        self.settled = self._fill(*alone)  # objects without a choice, in each cell of all tables

    def _fill(self, cells: Ints, objects: Floats | Ints) -> Floats:
        n_cells = self._batch.n_tables * self._batch.cells.size
        return np.bincount(cells, objects, n_cells).astype(np.float64).reshape(self._grid)

    def fill(self, shares: Floats) -> Floats:
        """Tables with the shares in each listed cell, without those that have no choice."""
        return self._fill(self.cells, shares)

    def equal_shares(self) -> Floats:
        """Objects in each listed cell if each entry spreads them evenly."""
        return np.repeat(self.objects / self.sizes, self.sizes)

    def least(self, costs: Floats) -> Floats:
        """Smallest cost in each entry's list."""
        return np.minimum.reduceat(costs, self._starts)

    def sums(self, listed: Floats) -> Floats:
        """Sum over each entry's list."""
        return np.add.reduceat(listed, self._starts)

    def by_table(self, entries: Floats) -> Floats:
        """Sum over the entries of each table."""
        return np.bincount(self.tables, entries, self._batch.n_tables).astype(np.float64)

    def found(self, bounds: Floats, shares: Floats, slopes: Floats) -> _Found:
        """The same of all entries."""
        batch = self._batch
        chosen = batch.best_places(slopes.ravel()[batch.cells.places])[1]
        return bounds, self.of_all(shares), chosen

    def of_all(self, shares: Floats) -> Floats:
        """Objects in each listed cell of all entries."""
        of_all = self._batch.counts[self._batch.owners].astype(np.float64)
        of_all[self._is_listed] = shares
        return of_all


def is_convex(batch: RoughBatch, weights: Floats) -> bool:
    """Whether the sums of x log x are convex in the tables; a fixed margin does not matter."""
    margins = weights[:, :2] * [not is_fixed for is_fixed in _fixed_margins(batch)]
    outweighed = weights[:, 2] + margins.sum(axis=1) >= -1e-12 * weights[:, 2]
    return bool((margins <= 0).all() and (weights[:, 2] > 0).all() and outweighed.all())


def _fixed_margins(batch: RoughBatch) -> list[bool]:
    return [len(line.places) == len(batch.counts) for line in (batch.rows, batch.columns)]


def _total(tables: Floats) -> Floats:
    return tables.sum(axis=(1, 2))


def least_convex_sums(batch: RoughBatch, weights: Floats) -> _Found:
    """Bounds by the slopes of convex sums of x log x.

    With the slopes g at a table M, the sum at any table N is at least g N - (w1 + w2 + w3) |M|.
    Each step takes shares in proportion to exp(-g / w3).
    """
    entries = _OpenEntries(batch)
    cells, settled = entries.cells, entries.settled
    least_counts = np.where(settled > 0, _LEAST_COUNT, 0.0)
    least_counts.ravel()[cells] = _LEAST_COUNT  # no slope is asked of cells that nobody may take
    shares = entries.equal_shares()
    of_margins = weights.T[:, :, None, None]
    of_cells = np.repeat(weights[entries.tables, 2], entries.sizes)
    bounds, slopes = np.full(batch.n_tables, -np.inf), settled
    for _ in range(_STEPS):
        look()
        counts = np.maximum(least_counts, settled + entries.fill(shares))
        sums = counts.sum(axis=2, keepdims=True), counts.sum(axis=1, keepdims=True), counts
        slopes = np.zeros(counts.shape)
        for weight, places in zip(of_margins, sums, strict=True):
            slopes += weight * (1.0 + np.log(np.maximum(places, _LEAST_COUNT)))
        costs = slopes.ravel()[cells]
        least = entries.least(costs)
        at_least = entries.by_table(least * entries.objects)
        total = _total(counts)
        bound = _total(settled * slopes) + at_least - weights.sum(axis=1) * total
        bounds = np.maximum(bounds, bound)
        gap = entries.by_table(entries.sums(shares * costs)) - at_least
        is_far = gap > _CLOSE * total * weights[:, 2]
        if not is_far.any():
            break
        rates = np.repeat(is_far[entries.tables], entries.sizes) / of_cells
        shares *= np.exp((least[entries.owners] - costs) * rates)
        shares *= (entries.objects / np.maximum(entries.sums(shares), 1e-300))[entries.owners]
    return entries.found(bounds, shares, slopes)


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
    settled = entries.settled
    room = entries.fill(np.repeat(entries.objects, entries.sizes))
    own = weights[:, 2, None, None]
    lines = 2.0 * own * settled
    fixed = weights[:, 2] * _total(settled**2)
    forms: list[tuple[int, Floats, Floats]] = []  # axis, weight and a of a margin
    is_fixed = _fixed_margins(batch)
    n_shared = max(1, sum(not at for at in is_fixed))
    for axis, weight, is_constant in zip((2, 1), weights.T, is_fixed, strict=False):
        weight = weight[:, None, None]
        sums = settled.sum(axis=axis, keepdims=True)
        if is_constant:
            sums = sums + entries.fill(entries.equal_shares()).sum(axis=axis, keepdims=True)
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

    shares = entries.equal_shares()
    table = entries.fill(shares)
    bounds, slopes = np.full(batch.n_tables, -np.inf), lines
    close = _CLOSE * batch.n_objects**2.0 * weights[:, 2]
    for _ in range(_STEPS):
        look()
        form, half = squares(table)
        slopes = lines + 2.0 * half
        costs = slopes.ravel()[entries.cells]
        least = entries.least(costs)
        at_least = entries.by_table(least * entries.objects)
        bounds = np.maximum(bounds, fixed - form + at_least)
        gap = np.maximum(0.0, _total(slopes * table) - at_least)
        if (gap <= close).all():
            break
        gap[gap <= close] = 0.0
        is_cheapest = (costs == least[entries.owners]).astype(np.float64)
        target = is_cheapest * (entries.objects / entries.sums(is_cheapest))[entries.owners]
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
