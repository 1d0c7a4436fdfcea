"""Bound a weighted sum of psi over rows, columns and cells from below, for many rough comparisons.

Each term is replaced by a line below it. A sum of lines is smallest if each object goes to the
cheapest cell that is open to it.
"""

from collections.abc import Sequence
from typing import NamedTuple, final

import numpy as np

from sfumato import _core
from sfumato._typing import Bools, Floats, Ints
from sfumato.algorithms.deadline import look
from sfumato.algorithms.ends.convex_sums import (
    is_convex,
    least_convex_sums,
    least_square_sums,
)
from sfumato.algorithms.ends.largest_row import has_largest_row, largest_row_sums
from sfumato.algorithms.ends.rough_batch import RoughBatch, View
from sfumato.families import Psi, psi_of, xlogx

__all__ = [
    "Relaxed",
    "climb_down",
    "least_sums",
    "least_view_sums",
    "near_bounds",
    "psi_table",
    "round_shares",
    "sum_limits",
]

_ROUNDS = 4
_SWEEPS = 4  # passes over all entries in `climb_down`
_FEW_PER_CELL, _MANY_PER_CELL = 0.25, 16.0  # objects: from when on slopes are worth it, and enough
_MANY = 4  # an entry has many objects from this number on


class Relaxed(NamedTuple):
    """What a relaxation gives: a bound for each table, and where objects would go."""

    bounds: Floats  # (n_tables,)
    shares: Floats  # (cells,): objects in each listed cell, not integers
    chosen: Ints  # (entries,): the cheapest listed cell of each entry


def psi_table(psi: Psi, n_objects: int) -> Floats:
    """Psi at 0, 1, ..., n."""
    x = np.arange(n_objects + 1, dtype=np.float64)
    return psi_of(psi, x)


def least_sums(
    batch: RoughBatch,
    psi: Psi,
    weights: Floats,
    rounds: int = _ROUNDS,
    *,
    attained: Floats | None = None,
) -> Relaxed:
    r"""Lower bounds of :math:`w_1 \sum \psi(R) + w_2 \sum \psi(C) + w_3 \sum \psi(N)`.

    A term with a positive weight needs a line below psi. psi is convex, so for any slope s

    .. math:: \psi(x) \ge s x + \min_m (\psi(m) - s m),

    with the minimum over the integers within the limits of x. A term with a negative weight needs a
    line above psi: a chord. There are several chords, one after the other: the first for the
    objects with one choice, the next for those with few choices, and so on.

    Some entries with many objects may be taken to go wholly to one cell. They raise a convex term
    at least as much as they raise psi from the smallest possible count of that place.

    What is left is linear, so each object takes its cheapest cell. The slopes come from the mean of
    where the objects went in earlier rounds (the method of Frank and Wolfe). The bound holds for
    any slopes.

    For x log x the whole sum is convex if no margin has a positive weight and that of the cells
    outweighs both: conditional entropies are concave. Then its slopes at any table bound it, which
    is nearly sharp with many objects. Squares of the cells outweigh those of a margin in part: see
    `largest_row_sums` where one side is certain, and `least_square_sums` where none is.

    ``weights`` are of shape (n_tables, 3); the slopes are improved in each of the ``rounds``. Sums
    that are ``attained`` by some tables within reach sharpen some bounds; tables with minus
    infinity need none.

    Notes
    -----
    O(cells of all entries and tables) for each round.

    Examples
    --------
    Two objects may go to either of two rows; there is one column. The squares of the rows sum to 2
    at least and to 4 at most.

    >>> from sfumato.algorithms.ends.rough_batch import rough_batch
    >>> both, one = (np.array([0, 2]), np.array([0, 1])), (np.array([0, 1]), np.array([0]))
    >>> zero = np.zeros(1, int)
    >>> batch = rough_batch(
    ...     zero, (zero, zero), np.array([2]), both, one, n_tables=1, shape=(2, 1)
    ... )
    >>> least_sums(batch, "square", np.array([[1.0, 0.0, 0.0]])).bounds.tolist()
    [2.0]
    >>> least_sums(batch, "square", np.array([[-1.0, 0.0, 0.0]])).bounds.tolist()
    [-4.0]
    """
    per_cell = batch.n_objects / batch.cells.size
    has_slopes = psi == "xlogx" and per_cell >= _FEW_PER_CELL and is_convex(batch, weights)
    if has_slopes and per_cell >= _MANY_PER_CELL:
        return Relaxed(*least_convex_sums(batch, weights))
    found = least_view_sums(
        batch, batch.views, psi, weights, rounds, whole=_whole_entries(batch, weights)
    )
    if has_slopes:
        bounds, _, _ = least_convex_sums(batch, weights)
        return found._replace(bounds=np.maximum(found.bounds, bounds))
    if psi == "xlogx" or not (weights[:, 2] > 0.0).all() or (weights[:, :2] >= 0.0).all():
        return found
    bounds, shares = (
        largest_row_sums(batch, weights, attained)
        if has_largest_row(batch, weights)
        else least_square_sums(batch, weights)
    )
    is_better = (bounds > found.bounds)[batch.tables][batch.owners]
    shares = np.where(is_better, shares, found.shares)
    return Relaxed(np.maximum(found.bounds, bounds), shares, found.chosen)


def sum_limits(
    batch: RoughBatch, psi: Psi, weights: Floats, rounds: int = _ROUNDS
) -> tuple[Floats, Floats]:
    """Lower and upper bounds of the sums that `least_sums` bounds."""
    low, high = (least_sums(batch, psi, sense * weights, rounds).bounds for sense in (1, -1))
    return low, -high


def least_view_sums(
    batch: RoughBatch,
    views: Sequence[View],
    psi: Psi,
    weights: Floats,
    rounds: int = _ROUNDS,
    *,
    whole: Bools | None = None,
) -> Relaxed:
    """The same for any sums over places: one column of weights for each view.

    ``whole`` says which entries go wholly to one cell where the sum is smallest, if that is known.
    """
    values = psi_table(psi, batch.n_objects)
    fixed = np.zeros(batch.n_tables)
    terms: list[_Term] = []
    for view, weight in zip(views, weights.T, strict=True):
        if view.is_certain:
            sums = values[view.limits[0]].reshape(batch.n_tables, -1).sum(axis=1)
            fixed += weight * sums
        elif weight.any():
            terms.append(_Term(batch, view, psi, values, weight, whole))
    shares = batch.equal_shares()
    bounds = np.full(batch.n_tables, -np.inf)
    chosen = batch.cells.starts[:-1]
    for at in range(rounds):
        look()
        costs = np.zeros(len(shares))
        constants = fixed.copy()
        for term in terms:
            slopes, constant = term.below(shares)
            costs += slopes
            constants += constant
        least, chosen = batch.best_places(costs)
        bounds = np.maximum(bounds, constants + batch.sums_by_table(least * batch.counts))
        target = batch.shared_among(costs == least[batch.owners])
        shares = shares + (target - shares) / (at + 2)
    return Relaxed(bounds, shares, chosen)


def _whole_entries(batch: RoughBatch, weights: Floats) -> Bools | None:
    """Which entries may be taken to go wholly to one cell; None if there are none.

    They have many objects and are open on both sides. Let the positive weights of rows and columns
    sum to at most minus the weight of the cells. Then the sum is concave when objects of one entry
    move from one cell to another: no cell holds more than its row or its column, and the second
    derivative of psi does not rise. So the smallest sum is attained with every entry in one cell.
    """
    margins = np.maximum(weights[:, :2], 0.0).sum(axis=1)
    is_concave = margins <= -weights[:, 2]
    is_open = (np.diff(batch.rows.starts) > 1) & (np.diff(batch.columns.starts) > 1)
    whole = is_open & (batch.counts >= _MANY) & is_concave[batch.tables]
    return whole if whole.any() else None


@final
class _Term:
    """One of the three weighted sums (over rows, columns or cells), and lines below it."""

    def __init__(
        self,
        batch: RoughBatch,
        view: View,
        psi: Psi,
        values: Floats,
        weights: Floats,
        whole: Bools | None,
    ) -> None:
        self._places, self._limits = view.of_cells, view.limits
        self._psi: Psi = psi
        self._values = values
        self._n_tables = batch.n_tables
        self._weights = np.repeat(weights, view.size)  # of each place
        self._is_convex = self._weights > 0
        self._chords = None
        if not self._is_convex.all():
            slopes = _chord_slopes(batch, view, values) * self._weights[view.places]
            self._chords = slopes[view.of_cell]
        self._is_whole = None if whole is None else whole[batch.owners]
        if self._is_whole is not None:
            counts = batch.counts[batch.owners]
            least = self._limits[0][self._places]
            # An entry with one place is part of the least count already. It has no choice.
            most = np.minimum(least + counts, batch.n_objects)
            self._rises = self._weights[self._places] * (values[most] - values[least]) / counts

    def below(self, shares: Floats) -> tuple[Floats, Floats]:
        """Slopes of the lines for each listed cell, and the sum of their offsets in each table."""
        if self._chords is not None and not self._is_convex.any():
            return self._chords, np.zeros(self._n_tables)
        places = self._places
        if self._is_whole is not None:
            shares = np.where(self._is_whole, 0.0, shares)
        means = np.bincount(places, shares, len(self._weights)).astype(np.float64)
        slopes = _rises(self._psi, means)
        nearest = np.clip(np.rint(means).astype(np.int64), *self._limits)
        constants = self._weights * (self._values[nearest] - slopes * nearest)
        constants[~self._is_convex] = 0.0
        own = (slopes * self._weights)[places]
        if self._is_whole is not None:
            own = np.where(self._is_whole, self._rises, own)
        if self._chords is not None:
            own = np.where(self._is_convex[places], own, self._chords)
        return own, constants.reshape(self._n_tables, -1).sum(axis=1)


def _rises(psi: Psi, x: Floats) -> Floats:
    """Rise of psi from x - 1/2 to x + 1/2: a good slope for the integers next to x."""
    if psi == "square":
        return 2.0 * x
    x = np.maximum(x, 0.5)
    return xlogx(x + 0.5) - xlogx(x - 0.5)


def _chord_slopes(batch: RoughBatch, line: View, values: Floats) -> Floats:
    """Slopes of chords for each listed place, so that sums of chords lie above sums of psi.

    Objects of entries with about the same number of places form a tier. psi of a count is a sum of
    rises, from tier to tier. Let the lower tiers have at most t objects in a place, and the next
    tier at most u. psi is convex, so y objects of this tier raise psi by at most y / u times the
    rise from t to t + u.
    """
    sizes = np.diff(line.starts)
    present, tier = np.unique(np.log2(sizes).astype(np.int64), return_inverse=True)
    keys = line.places * len(present) + np.repeat(tier, sizes)
    n_keys = batch.n_tables * line.size * len(present)
    within = np.rint(np.bincount(keys, np.repeat(batch.counts, sizes), n_keys)).astype(np.int64)
    upto = within.reshape(-1, len(present)).cumsum(axis=1).ravel()
    rises = values[upto] - values[upto - within]
    return np.divide(rises, within, out=np.zeros(n_keys), where=within > 0)[keys]


def round_shares(batch: RoughBatch, shares: Floats) -> Ints:
    """Round the shares to whole objects. Each entry keeps its number of objects."""
    look()
    shares = np.maximum(shares, 0.0)
    whole = np.floor(shares + 1e-9).astype(np.int64)
    missing = batch.counts - np.add.reduceat(whole, batch.cells.starts[:-1])
    at = np.flatnonzero((missing > 0)[batch.owners])
    owners = batch.owners[at]
    order = at[np.lexsort((whole[at] - shares[at], owners))]  # the largest remainders first
    rank = np.arange(len(at)) - np.searchsorted(owners, owners)
    whole[order] += rank < missing[owners]
    return whole


def climb_down(
    batch: RoughBatch,
    psi: Psi,
    weights: Floats,
    sent: Ints,
    views: Sequence[View] | None = None,
) -> Ints:
    """Move objects between the cells open to them while that lowers the weighted sums.

    ``sent`` is the number of objects in each listed cell. The result is the same after the moves.
    ``views`` are rows, columns and cells unless others are given, one for each column of weights.
    """
    look()
    views = batch.views if views is None else views
    sizes = np.array([view.size for view in views])
    places = np.stack([view.of_cells % view.size for view in views], axis=1)
    places += np.cumsum(sizes) - sizes  # the places of all views have numbers of their own
    scale = np.maximum(np.abs(weights).max(axis=1, keepdims=True), 1e-300)
    return _core.climb_tables(
        batch.starts,
        batch.cells.starts,
        np.ascontiguousarray(places),
        sent,
        np.ascontiguousarray(weights / scale),
        psi_table(psi, batch.n_objects),
        int(sizes.sum()),
        _SWEEPS,
    )


def near_bounds(
    batch: RoughBatch,
    psi: Psi,
    weights: Floats,
    relaxed: Relaxed,
    views: Sequence[View] | None = None,
) -> list[Ints]:
    """Two tables each, as in `climb_down`, that start where a relaxation would send the objects."""
    starts = batch.send_to(relaxed.chosen), round_shares(batch, relaxed.shares)
    return [climb_down(batch, psi, weights, sent, views) for sent in starts]
