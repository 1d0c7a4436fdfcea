"""Bounds of weighted sums of psi over rows, columns and cells, for many rough comparisons.

Every term is replaced by a line below it, and a sum of lines is least where each object goes to
the cheapest cell that is open to it.
"""

from typing import Any, NamedTuple, final

import numpy as np

from sfumato import _core
from sfumato._typing import Bools, Floats, Ints
from sfumato.algorithms.ends.rough_batch import Lines, RoughBatch
from sfumato.families import Psi, psi_of, xlogx

__all__ = ["Relaxed", "climb_down", "least_sums", "psi_table", "round_shares"]

_ROUNDS = 4
_SWEEPS = 4
_MANY = 4  # objects that share their sets


class Relaxed(NamedTuple):
    """What a relaxation gives for each table: a bound, and where objects would go."""

    bounds: Floats  # (n_tables,)
    shares: Floats  # (cells,): objects in each listed cell, not integers
    chosen: Ints  # (entries,): the cheapest listed cell of each entry


def psi_table(psi: Psi, n_objects: int) -> Floats:
    """Psi at 0, 1, ..., n."""
    x = np.arange(n_objects + 1, dtype=np.float64)
    return psi_of(psi, x)


def least_sums(batch: RoughBatch, psi: Psi, weights: Floats, rounds: int = _ROUNDS) -> Relaxed:
    r"""Lower bounds of :math:`w_1 \sum \psi(R) + w_2 \sum \psi(C) + w_3 \sum \psi(N)`.

    Where a weight is positive, psi is convex on the integers, so for any slope s

    .. math:: \psi(x) \ge s x + \min_m (\psi(m) - s m),

    with the minimum over the integers within the limits of x. Where it is negative, psi lies below
    its chords: first that over the objects with one choice, then that over those with few, last
    that over those with many. Entries that may be taken to go wholly to one cell, and have many
    objects, raise a convex term by no less than they raise it above the least that is there. What
    is left is linear, so each object takes its cheapest cell. The
    slopes come from the mean of where the objects went before (the method of Frank and Wolfe);
    whatever they are, the bound holds.

    Parameters
    ----------
    batch : RoughBatch
    psi : {"square", "xlogx"}
    weights : ndarray of shape (n_tables, 3)
    rounds : int
        How often the slopes are improved.

    Returns
    -------
    Relaxed

    Notes
    -----
    O(cells of all entries and tables) for each round.

    Examples
    --------
    Two objects that may go to either of two rows, one column: the squares of the rows sum to 2 at
    least and to 4 at most.

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
    values = psi_table(psi, batch.n_objects)
    whole = _whole_entries(batch, weights)
    fixed = np.zeros(batch.n_tables)
    terms: list[_Term] = []
    for at, line in enumerate(batch.lines):
        least = batch.limits[at][0]
        if len(line.places) == len(batch.counts):  # all is certain here
            sums = values[least].reshape(batch.n_tables, -1).sum(axis=1)
            fixed += weights[:, at] * sums
        elif weights[:, at].any():
            terms.append(_Term(batch, at, psi, values, weights[:, at], whole))
    shares = batch.equal_shares()
    bounds = np.full(batch.n_tables, -np.inf)
    chosen = batch.cells.starts[:-1]
    for at in range(rounds):
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
    """Entries of many objects, open on both sides, that go wholly to one cell; None if none.

    If the positive weights of rows and columns do not exceed the weight taken off for cells, the
    sum is concave when objects of one entry move from one cell to another: no cell holds more
    than its row or its column, and the second derivative of psi does not rise. So the least sum is
    attained with every entry in one cell.
    """
    margins = np.maximum(weights[:, :2], 0.0).sum(axis=1)
    is_concave = margins <= -weights[:, 2]
    is_open = (np.diff(batch.rows.starts) > 1) & (np.diff(batch.columns.starts) > 1)
    whole = is_open & (batch.counts >= _MANY) & is_concave[batch.tables]
    return whole if whole.any() else None


@final
class _Term:
    """One of the three sums: lines below its part of the weighted sum."""

    def __init__(
        self,
        batch: RoughBatch,
        at: int,
        psi: Psi,
        values: Floats,
        weights: Floats,
        whole: Bools | None,
    ) -> None:
        self._line = batch.lines[at]
        self._of_cell = (batch.row_of_cell, batch.column_of_cell, None)[at]
        self._psi: Psi = psi
        self._limits, self._values = batch.limits[at], values
        self._n_tables = batch.n_tables
        self._weights = np.repeat(weights, self._line.size)  # of each place
        self._is_convex = self._weights > 0
        self._chords = None
        if not self._is_convex.all():
            slopes = _chord_slopes(batch, self._line, values)
            self._chords = self._by_cell(slopes * self._weights[self._line.places])
        self._is_whole = None if whole is None else whole[batch.owners]
        if self._is_whole is not None:
            counts = batch.counts[batch.owners]
            places = self._by_cell(self._line.places)
            least = self._limits[0][places]
            # Objects that are certain to be here are among the least already; they take no part.
            most = np.minimum(least + counts, batch.n_objects)
            self._rises = self._weights[places] * (values[most] - values[least]) / counts

    def _by_cell(self, listed: Floats | Ints) -> Any:
        """From the list of places to the list of cells."""
        return listed if self._of_cell is None else listed[self._of_cell]

    def below(self, shares: Floats) -> tuple[Floats, Floats]:
        """Slopes for each listed cell, and what the lines of each table sum to at 0."""
        if self._chords is not None and not self._is_convex.any():
            return self._chords, np.zeros(self._n_tables)
        places = self._by_cell(self._line.places)
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
    """How much psi rises from x - 1/2 to x + 1/2: a slope that suits the integers next to x."""
    if psi == "square":
        return 2.0 * x
    x = np.maximum(x, 0.5)
    return xlogx(x + 0.5) - xlogx(x - 0.5)


def _chord_slopes(batch: RoughBatch, line: Lines, values: Floats) -> Floats:
    """Slopes above psi for each listed place, such that their sums bound the sums of psi.

    Objects of entries with about the same number of places form a tier. psi(x) is a sum of rises,
    from tier to tier; as psi is convex, a rise by y of at most u objects above x of at most t is
    no more than y / u times that from t to t + u.
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
    """Whole objects near the shares; each entry keeps its objects."""
    shares = np.maximum(shares, 0.0)
    whole = np.floor(shares + 1e-9).astype(np.int64)
    missing = batch.counts - np.add.reduceat(whole, batch.cells.starts[:-1])
    order = np.lexsort((whole - shares, batch.owners))  # the largest remainders first
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return whole + (rank - batch.cells.starts[batch.owners] < missing[batch.owners])


def climb_down(batch: RoughBatch, psi: Psi, weights: Floats, sent: Ints) -> Ints:
    """Move objects between the cells open to them while that lowers the weighted sums.

    ``sent`` are objects in each listed cell, before and after.
    """
    scale = np.maximum(np.abs(weights).max(axis=1, keepdims=True), 1e-300)
    return _core.climb_tables(
        np.searchsorted(batch.tables, np.arange(batch.n_tables + 1)).astype(np.int64),
        batch.cells.starts,
        batch.cells.places % batch.cells.size,
        sent,
        np.ascontiguousarray(weights / scale),
        psi_table(psi, batch.n_objects),
        *batch.shape,
        _SWEEPS,
    )
