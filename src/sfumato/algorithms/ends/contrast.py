"""Bound the difference of a measure between two candidates, for many rough comparisons.

Rows of a table are pairs of clusters, one of each candidate; see `families.Difference`.
"""

from itertools import permutations, product
from math import perm, prod
from typing import NamedTuple, final

import numpy as np

from sfumato._typing import Bools, Floats, Ints
from sfumato.algorithms.ends.ratio_lines import RatioLine
from sfumato.algorithms.ends.relaxed_sums import climb_down, least_view_sums, round_shares
from sfumato.algorithms.ends.rough_batch import Lines, RoughBatch, View
from sfumato.families import Difference, Psi, Separable

__all__ = ["Contrast"]

_ROUNDS = 8
_MOST_MAPS = 600  # pairs of maps from clusters to classes, one of each candidate


class _Side(NamedTuple):
    """One candidate: views of its rows and of its cells."""

    rows: View
    cells: View
    first_of: Ints  # for each place of the list of cells, a listed cell of the batch
    n_rows: int


@final
class Contrast:
    """Two candidates against one truth, seen in the tables of the pairs of their clusters.

    Parameters
    ----------
    family : Difference
    batch : RoughBatch
        Of pairs of clusters as rows.
    """

    def __init__(self, family: Difference, batch: RoughBatch) -> None:
        self._family, self._batch = family, batch
        self._rows, self._columns = np.divmod(batch.cells.places % batch.cells.size, batch.shape[1])
        self._sides = tuple(self._side(rows) for rows in (family.first_rows, family.second_rows))

    def _side(self, rows: Ints) -> _Side:
        own, n_rows, n_columns = rows[self._rows], int(rows.max()) + 1, self._batch.shape[1]
        cells, first_of = self._view(own * n_columns + self._columns, n_rows * n_columns)
        return _Side(self._view(own, n_rows)[0], cells, first_of, n_rows)

    def _view(self, places: Ints, size: int) -> tuple[View, Ints]:
        """A view by the place of each listed cell, each listed once for an entry."""
        batch = self._batch
        keys, first_of, of_cell = np.unique(
            batch.owners * size + places, return_index=True, return_inverse=True
        )
        owners = keys // size
        starts = np.searchsorted(owners, np.arange(len(batch.counts) + 1)).astype(np.int64)
        line = Lines(starts, batch.tables[owners] * size + keys % size, size)
        return View(line, of_cell, batch.limits_of(line)), first_of

    def alone(self, which: int) -> RoughBatch:
        """The comparisons of one candidate with the truth."""
        batch, side = self._batch, self._sides[which]
        of_cell = side.rows.of_cell[side.first_of], batch.column_of_cell[side.first_of]
        lines = side.rows.line, batch.columns, side.cells.line
        shape = side.n_rows, batch.shape[1]
        return RoughBatch(batch.tables, batch.counts, lines, of_cell, batch.n_tables, shape)

    def least_sums(self, family: Separable, sense: int) -> tuple[Floats, list[Ints]]:
        """Lower bounds of the difference of a separable measure, or of its negative.

        The sum over the columns is that of the truth and cancels. Four sums are left: over the rows
        and the cells of either candidate.

        Returns
        -------
        bounds : ndarray of shape (n_tables,)
        sent : list of ndarray
            Objects in each listed cell, with values near the bound.
        """
        value = family.value
        weights = sense * np.array([value.rows, value.cells, -value.rows, -value.cells])
        return self._least(family.psi, weights)

    def _least(self, psi: Psi, weights: Floats) -> tuple[Floats, list[Ints]]:
        first, second = self._sides
        views = first.rows, first.cells, second.rows, second.cells
        return self._least_of_views(psi, views, np.tile(weights, (self._batch.n_tables, 1)))

    def _least_of_views(
        self, psi: Psi, views: tuple[View, ...], each: Floats
    ) -> tuple[Floats, list[Ints]]:
        batch = self._batch
        relaxed = least_view_sums(batch, views, psi, each, _ROUNDS)
        starts = batch.send_to(relaxed.chosen), round_shares(batch, relaxed.shares)
        return relaxed.bounds, [climb_down(batch, psi, each, sent, views) for sent in starts]

    def least_ratios(
        self, psi: Psi, lines: tuple[RatioLine, RatioLine], sense: int
    ) -> tuple[Floats, list[Ints]]:
        """The same for the difference of two ratios, each within the slack of a line.

        The weights of the columns, which are the truth's, add up.
        """
        first, second = self._sides
        views = first.rows, first.cells, second.rows, second.cells, self._batch.views[1]
        ours, theirs = lines
        each = np.stack(
            [
                ours.weights[:, 0],
                ours.weights[:, 2],
                -theirs.weights[:, 0],
                -theirs.weights[:, 2],
                ours.weights[:, 1] - theirs.weights[:, 1],
            ],
            axis=1,
        )
        bounds, sent = self._least_of_views(psi, views, sense * each)
        offset = sense * (ours.offset - theirs.offset)
        return offset + bounds - ours.slack - theirs.slack, sent

    def near_ends(self, sense: int) -> list[Ints]:
        """Objects in each listed cell where the first candidate is bad and the second good.

        By the pairs of objects that they share with the truth; the reverse if ``sense`` is -1.
        """
        return self._least("square", sense * np.array([-1.0, 2.0, 1.0, -2.0]))[1]

    def least_counts(self, sense: int, *, one_to_one: bool) -> Floats:
        r"""Lower bounds of how many more objects the best map of one candidate covers.

        A map sends clusters to classes of the truth: one to one, or each cluster to any class. For
        the first candidate less the second, or the reverse if ``sense`` is -1:

        .. math:: \min \left( \max_w N_A(w) - \max_{w'} N_B(w') \right) \ge
                  \min_{w'} \max_w \sum_x \min_{\text{open cells of } x}
                  \left( [w(a) = t] - [w'(b) = t] \right)

        Minus infinity where there are too many pairs of maps to try.
        """
        batch = self._batch
        maps = [self._matchings(at) if one_to_one else self._majorities(at) for at in (0, 1)]
        bounds = np.full(batch.n_tables, -np.inf)
        if len(maps[0]) * len(maps[1]) > _MOST_MAPS or not (maps[0] and maps[1]):
            return bounds
        first, second = maps if sense > 0 else maps[::-1]
        bounds = -bounds
        for against in second:
            inner = np.full(batch.n_tables, -np.inf)
            for own in first:
                costs = own.astype(np.float64) - against.astype(np.float64)
                least: Floats = np.minimum.reduceat(costs, batch.cells.starts[:-1])
                inner = np.maximum(inner, batch.sums_by_table(least * batch.counts))
            bounds = np.minimum(bounds, inner)
        return bounds

    def _matchings(self, which: int) -> list[Bools]:
        """For each matching of a candidate's clusters: the listed cells that it covers."""
        rows, n_rows, n_columns = self._shape_of(which)
        if perm(max(n_rows, n_columns), min(n_rows, n_columns)) > _MOST_MAPS:
            return []
        if n_rows <= n_columns:
            matchings = np.array(list(permutations(range(n_columns), n_rows)))
            return list(matchings[:, rows] == self._columns)
        matchings = np.array(list(permutations(range(n_rows), n_columns)))
        return list(matchings[:, self._columns] == rows)

    def _majorities(self, which: int) -> list[Bools]:
        """The same for all maps that may hold the largest class of every cluster in some table."""
        rows, n_rows, n_columns = self._shape_of(which)
        least, most = (
            side.reshape(-1, n_rows, n_columns) for side in self._sides[which].cells.limits
        )
        may_be = (most >= least.max(axis=2, keepdims=True)).any(axis=0)
        choices: list[list[int]] = [np.flatnonzero(row).tolist() for row in may_be]
        if prod(map(len, choices)) > _MOST_MAPS:
            return []
        maps = np.array(list(product(*choices)))
        return list(maps[:, rows] == self._columns)

    def _shape_of(self, which: int) -> tuple[Ints, int, int]:
        """The candidate's cluster of each listed cell, and the shape of its table."""
        rows = (self._family.first_rows, self._family.second_rows)[which][self._rows]
        return rows, self._sides[which].n_rows, self._batch.shape[1]
