"""Bound the difference of a measure between two candidates, for many rough comparisons.

Rows of a table are pairs of clusters, one of each candidate; see `families.Difference`.
"""

from dataclasses import replace
from itertools import permutations, product
from math import perm, prod
from typing import NamedTuple, final

import numpy as np

from sfumato._typing import Bools, Floats, Ints
from sfumato.algorithms.ends.ratio_lines import RatioLine
from sfumato.algorithms.ends.relaxed_sums import least_view_sums, near_bounds
from sfumato.algorithms.ends.rough_batch import RoughBatch, View
from sfumato.families import Difference, Psi, Separable

__all__ = ["Contrast"]

_ROUNDS = 8
_MOST_MAPS = 600  # pairs of maps from clusters to classes, one of each candidate


class _Side(NamedTuple):
    """One candidate: views of its rows and of its cells."""

    rows: View
    cells: View
    clusters: Ints  # of each listed cell of the batch
    first_of: Ints  # for each place of the list of cells, a listed cell of the batch
    n_rows: int


@final
class Contrast:
    """Two candidates against one truth, seen in the tables of the pairs of their clusters.

    The rows of the batch are pairs of clusters.
    """

    def __init__(self, family: Difference, batch: RoughBatch) -> None:
        self._family, self._batch = family, batch
        self._rows, self._columns = np.divmod(batch.cells.places % batch.cells.size, batch.shape[1])
        self._sides = tuple(self._side(rows) for rows in (family.first_rows, family.second_rows))

    def _side(self, rows: Ints) -> _Side:
        own, n_rows, n_columns = rows[self._rows], int(rows.max()) + 1, self._batch.shape[1]
        cells, first_of = self._view(own * n_columns + self._columns, n_rows * n_columns)
        return _Side(self._view(own, n_rows)[0], cells, own, first_of, n_rows)

    def _view(self, places: Ints, size: int) -> tuple[View, Ints]:
        """A view by the place of each listed cell, each listed once for an entry."""
        batch = self._batch
        keys, first_of, of_cell = np.unique(
            batch.owners * size + places, return_index=True, return_inverse=True
        )
        owners = keys // size
        starts = np.searchsorted(owners, np.arange(len(batch.counts) + 1)).astype(np.int64)
        places = batch.tables[owners] * size + keys % size
        return View(batch.counts, batch.n_tables, starts, places, size, of_cell), first_of

    def alone(self, which: int) -> RoughBatch:
        """The comparisons of one candidate with the truth."""
        batch, side = self._batch, self._sides[which]
        of_row, of_column = (view.of_cell[side.first_of] for view in (side.rows, batch.columns))
        return RoughBatch(
            batch.tables,
            replace(side.rows, of_cell=of_row),
            replace(batch.columns, of_cell=of_column),
            replace(side.cells, of_cell=np.arange(len(side.first_of))),
            (side.n_rows, batch.shape[1]),
        )

    def least_sums(self, family: Separable, sense: int) -> tuple[Floats, list[Ints]]:
        """Lower bounds of the difference of a separable measure, or of its negative.

        The sum over the columns is that of the truth and cancels. Four sums are left: over the rows
        and the cells of either candidate. Also gives objects in each listed cell, with values near
        the bound.
        """
        value = family.value
        weights = sense * np.array([value.rows, value.cells, -value.rows, -value.cells])
        return self._least(family.psi, weights)

    def _least(self, psi: Psi, weights: Floats, *others: View) -> tuple[Floats, list[Ints]]:
        """The same of weighted sums, also over the places of other views."""
        batch, (first, second) = self._batch, self._sides
        views = first.rows, first.cells, second.rows, second.cells, *others
        each = np.broadcast_to(weights, (batch.n_tables, len(views)))
        relaxed = least_view_sums(batch, views, psi, each, _ROUNDS)
        return relaxed.bounds, near_bounds(batch, psi, each, relaxed, views)

    def least_ratios(
        self, psi: Psi, lines: tuple[RatioLine, RatioLine], sense: int
    ) -> tuple[Floats, list[Ints]]:
        """The same for the difference of two ratios, each within the slack of a line.

        The weights of the columns, which are the truth's, add up.
        """
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
        bounds, sent = self._least(psi, sense * each, self._batch.columns)
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
        side, n_columns = self._sides[which], self._batch.shape[1]
        fewer, more = sorted((side.n_rows, n_columns))
        if perm(more, fewer) > _MOST_MAPS:
            return []
        matchings = np.array(list(permutations(range(more), fewer)))
        if side.n_rows <= n_columns:
            return list(matchings[:, side.clusters] == self._columns)
        return list(matchings[:, self._columns] == side.clusters)

    def _majorities(self, which: int) -> list[Bools]:
        """The same for all maps that may hold the largest class of every cluster in some table."""
        side, n_columns = self._sides[which], self._batch.shape[1]
        least, most = (each.reshape(-1, side.n_rows, n_columns) for each in side.cells.limits)
        may_be = (most >= least.max(axis=2, keepdims=True)).any(axis=0)
        choices: list[list[int]] = [np.flatnonzero(row).tolist() for row in may_be]
        if prod(map(len, choices)) > _MOST_MAPS:
            return []
        maps = np.array(list(product(*choices)))
        return list(maps[:, side.clusters] == self._columns)
