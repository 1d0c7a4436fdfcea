"""Bound the matchings and the majorities over the tables within reach of many rough comparisons.

The matching of a table is the number of objects that its best one-to-one matching of rows to
columns covers. The majority of a table is the sum over rows of the largest cell.
"""

# pyright: reportUnknownVariableType=false

from typing import NamedTuple

import numpy as np

from sfumato._typing import Bools, Floats, Ints
from sfumato.algorithms.ends.relaxed_sums import climb_down, round_shares
from sfumato.algorithms.ends.rough_batch import RoughBatch

__all__ = [
    "MatchingBounds",
    "largest_majorities",
    "largest_matchings",
    "smallest_majorities",
    "smallest_matchings",
]

_ROUNDS = 6  # of fictitious play
_ROUNDING = 1e-9
# Weights of the sums of squares over rows, columns and cells, to be made small:
_SQUARES_OF_CELLS = np.array([0.0, 0.0, 1.0])  # even cells
_MIXED_ROWS = np.array([-1.0, 0.0, 1.0])  # even cells in few large rows


class MatchingBounds(NamedTuple):
    """A bound of the end for each table, and tables whose values come near this end.

    Each element of ``sent`` gives the objects in each listed cell, for all tables.
    """

    bounds: Ints  # (n_tables,)
    sent: tuple[Ints, ...]


def largest_matchings(batch: RoughBatch) -> MatchingBounds:
    """Upper bounds of the objects that a matching can cover.

    In a matched cell count all objects that may be there. This counts an object twice if two of
    its cells are matched. Objects that have, rows and columns together, more choices than there
    are clusters can always be in a matched cell: count them once. Where one side is certain the
    bound is attained.
    """
    n_rows, n_columns = batch.shape
    widths = np.diff(batch.rows.starts) + np.diff(batch.columns.starts)
    is_sure = (widths > max(n_rows, n_columns)) & (np.diff(batch.cells.starts) > 1)
    sure = batch.sums_by_table(np.where(is_sure, batch.counts, 0).astype(np.float64))
    open_counts = np.where(is_sure, 0, batch.counts)[batch.owners]
    most = batch.totals(open_counts)
    matched = np.stack([_matching(table) for table in most])
    totals = (most * matched).sum(axis=(1, 2)) + sure
    return MatchingBounds(_whole(np.minimum(totals, batch.n_objects)), (_into(batch, matched),))


def smallest_matchings(batch: RoughBatch) -> MatchingBounds:
    r"""Lower bounds of the objects that the best matching covers.

    Let Y be a weighted mean of matchings. Every table has
    :math:`\max_\pi \sum N_{i \pi(i)} \ge \sum Y N`, and each object adds at least the smallest Y
    among its cells. So any Y gives a bound. To find a good Y, take turns: find the best matching
    for the table and add it to Y, then send the objects where Y is small (fictitious play).
    """
    least = batch.cells.limits[0].reshape(batch.n_tables, *batch.shape).astype(np.float64)
    shares = batch.equal_shares()
    mixture = np.zeros(least.shape)
    bounds = np.full(batch.n_tables, batch.n_objects / max(batch.shape))
    for at in range(_ROUNDS):
        tables = least if at == 0 else batch.totals(shares)
        mixture += np.stack([_matching(table) for table in tables])
        costs = (mixture / (at + 1)).ravel()[batch.cells.places]
        least, _ = batch.best_places(costs)
        bounds = np.maximum(bounds, batch.sums_by_table(least * batch.counts))
        target = batch.shared_among(costs == least[batch.owners])
        shares = shares + (target - shares) / (at + 2)
    return MatchingBounds(_whole(np.ceil(bounds - _ROUNDING)), _spread(batch, shares))


def largest_majorities(batch: RoughBatch) -> MatchingBounds:
    """Upper bounds of the sum over rows of the largest cell."""
    most = batch.totals(batch.counts[batch.owners])
    best = most == most.max(axis=2, keepdims=True)
    totals = np.minimum(most.max(axis=2).sum(axis=1), batch.n_objects)
    return MatchingBounds(_whole(totals), (_into(batch, best),))


def smallest_majorities(batch: RoughBatch) -> MatchingBounds:
    """Lower bounds of the sum over rows of the largest cell.

    The largest of three bounds: the certain objects in the largest cell of each row, the certain
    objects of any one column, and the objects divided by the number of columns.
    """
    least = batch.cells.limits[0].reshape(batch.n_tables, *batch.shape)
    columns = batch.columns.limits[0].reshape(batch.n_tables, -1)
    bounds = np.maximum(least.max(axis=2).sum(axis=1), columns.max(axis=1))
    even = -(-batch.n_objects // batch.shape[1])
    gathered = _climbed(batch, batch.equal_shares(), _MIXED_ROWS)
    return MatchingBounds(
        np.maximum(bounds, even), (*_spread(batch, batch.equal_shares()), gathered)
    )


def _matching(table: Floats) -> Bools:
    from scipy.optimize import linear_sum_assignment

    matched = np.zeros(table.shape, dtype=bool)
    matched[linear_sum_assignment(table, maximize=True)] = True
    return matched


def _into(batch: RoughBatch, wanted: Bools) -> Ints:
    """Send all objects of each entry to a wanted cell, if one is open to them."""
    _, chosen = batch.best_places(np.where(wanted.ravel()[batch.cells.places], 0.0, 1.0))
    return batch.send_to(chosen)


def _spread(batch: RoughBatch, shares: Floats) -> tuple[Ints, Ints]:
    """Round the shares to whole objects; and once more, with the cells then made more even."""
    return round_shares(batch, shares), _climbed(batch, shares, _SQUARES_OF_CELLS)


def _climbed(batch: RoughBatch, shares: Floats, weights: Floats) -> Ints:
    each = np.tile(weights, (batch.n_tables, 1))
    return climb_down(batch, "square", each, round_shares(batch, shares))


def _whole(totals: Floats) -> Ints:
    return np.rint(totals).astype(np.int64)
