r"""Bound sums of squares where one side is certain, by the cluster that takes the most.

Let :math:`F = w \sum N_{ij}^2 - v \sum R_i^2` with row sums R. Objects that are open to many rows
would all go to one of them, and a bound of each row for itself counts them in every row. Here the
row that gains most from them is assumed, one after the other; see the small proofs in
docs/theory.md.
"""

import numpy as np

from sfumato import _core
from sfumato._typing import Floats
from sfumato.algorithms.deadline import look
from sfumato.algorithms.ends.rough_batch import RoughBatch

__all__ = ["has_largest_row", "largest_row_line", "largest_row_sums"]


def has_largest_row(batch: RoughBatch, weights: Floats) -> bool:
    """Whether one side is certain, and cells count against the margin of the other in all tables.

    ``weights`` are those of the squares of rows, columns and cells, of shape (n_tables, 3).
    """
    certain = np.array([batch.rows.is_certain, batch.columns.is_certain])
    if certain.sum() != 1 or not (weights[:, 2] > 0.0).all():
        return False
    return bool((weights[:, :2][:, ~certain] < 0.0).all())


def largest_row_sums(
    batch: RoughBatch, weights: Floats, attained: Floats | None = None
) -> tuple[Floats, Floats]:
    """Lower bounds of weighted sums of squares, and objects in each listed cell.

    ``weights`` are as `has_largest_row` demands. Only tables with less than the sums that are
    ``attained`` by some table within reach matter, which limits how far their rows can be from
    those of the bound, and so sharpens it. Tables with minus infinity need no bound.

    Notes
    -----
    A few passes over the listed cells for each of k rows.

    Examples
    --------
    Two objects may go to either of two rows; they are in different columns. R is (1, 1) or (2, 0),
    so the sum is -2 or -8:

    >>> from sfumato.algorithms.ends.rough_batch import rough_batch
    >>> both, one = (np.array([0, 2]), np.array([0, 1])), (np.arange(3), np.arange(2))
    >>> zero, ones = np.zeros(2, int), np.ones(2, int)
    >>> pairs = zero, np.arange(2)
    >>> batch = rough_batch(zero, pairs, ones, both, one, n_tables=1, shape=(2, 2))
    >>> bounds = largest_row_sums(batch, np.array([[-3.0, 0.0, 2.0]]))[0]
    >>> bool(-8.1 < bounds[0] <= -8.0)
    True
    """
    bounds, shares, _ = _bound(batch, weights, attained)
    return bounds, shares


def largest_row_line(batch: RoughBatch, weights: Floats, attained: Floats) -> tuple[Floats, Floats]:
    """Lines below the sums of all tables with at most what is attained: constants and costs.

    The costs of the cells are of shape (n_tables, k1, k2). A constant is minus infinity where the
    bound meets what is attained without a line.
    """
    lines = _bound(batch, weights, attained)[2]
    costs = lines[:, 1:]
    if batch.rows.is_certain:  # turn the tables back
        costs = costs.reshape(-1, *batch.shape[::-1]).swapaxes(1, 2)
    return lines[:, 0], np.ascontiguousarray(costs.reshape(-1, *batch.shape))


def _bound(
    batch: RoughBatch, weights: Floats, attained: Floats | None
) -> tuple[Floats, Floats, Floats]:
    look()
    certain, own = (0, 1) if batch.rows.is_certain else (1, 0)
    cells = batch.cells.places % batch.cells.size
    n_rows, n_columns = batch.shape
    if batch.rows.is_certain:  # turn the tables
        cells = cells % n_columns * n_rows + cells // n_columns
        n_rows, n_columns = n_columns, n_rows
    sizes = batch.views[certain].limits[0].reshape(batch.n_tables, -1).astype(np.float64)
    fixed = weights[:, certain] * (sizes**2).sum(axis=1)
    attained = np.full(batch.n_tables, np.inf) if attained is None else attained
    bounds, shares, lines = _core.largest_row_bounds(
        batch.starts,
        batch.cells.starts,
        np.ascontiguousarray(cells),
        batch.counts,
        np.ascontiguousarray(np.stack([-weights[:, own], weights[:, 2]], axis=1)),
        attained - fixed,
        n_rows,
        n_columns,
    )
    lines[:, 0] += fixed
    return bounds + fixed, shares, lines
