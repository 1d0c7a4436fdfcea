"""Bound the difference of a measure between two candidates, for many rough comparisons.

Rows of a table are pairs of clusters, one of each candidate; see `families.Difference`.
"""

from itertools import permutations
from math import perm
from typing import NamedTuple, final

import numpy as np

from sfumato._typing import Bools, Floats, Ints
from sfumato.algorithms.ends.relaxed_sums import climb_down, least_view_sums, round_shares
from sfumato.algorithms.ends.rough_batch import Lines, RoughBatch, View
from sfumato.families import Difference, Psi, Separable

__all__ = ["Contrast"]

_ROUNDS = 8
_MOST_MATCHINGS = 600  # pairs of matchings, one of each candidate


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
        batch, (first, second) = self._batch, self._sides
        views = first.rows, first.cells, second.rows, second.cells
        each = np.tile(weights, (batch.n_tables, 1))
        relaxed = least_view_sums(batch, views, psi, each, _ROUNDS)
        starts = batch.send_to(relaxed.chosen), round_shares(batch, relaxed.shares)
        return relaxed.bounds, [climb_down(batch, psi, each, sent, views) for sent in starts]

    def near_ends(self, sense: int) -> list[Ints]:
        """Objects in each listed cell where the first candidate is bad and the second good.

        By the pairs of objects that they share with the truth; the reverse if ``sense`` is -1.
        """
        return self._least("square", sense * np.array([-1.0, 2.0, 1.0, -2.0]))[1]

    @property
    def has_few_matchings(self) -> bool:
        """Whether all pairs of matchings can be tried."""
        return float(self._n_matchings(0)) * self._n_matchings(1) <= _MOST_MATCHINGS

    def _n_matchings(self, which: int) -> int:
        n_rows, n_columns = self._sides[which].n_rows, self._batch.shape[1]
        return perm(max(n_rows, n_columns), min(n_rows, n_columns))

    def least_matchings(self, sense: int) -> Floats:
        r"""Lower bounds of how many more objects one best matching covers than the other.

        For the first candidate less the second, or the reverse if ``sense`` is -1:

        .. math:: \min \left( \max_w N_A(w) - \max_{w'} N_B(w') \right) \ge
                  \min_{w'} \max_w \sum_x \min_{\text{open cells of } x}
                  \left( [w(a) = t] - [w'(b) = t] \right)
        """
        batch = self._batch
        first, second = (self._hits(at) for at in ((0, 1) if sense > 0 else (1, 0)))
        bounds = np.full(batch.n_tables, np.inf)
        for against in second:
            inner = np.full(batch.n_tables, -np.inf)
            for own in first:
                costs = own.astype(np.float64) - against.astype(np.float64)
                least: Floats = np.minimum.reduceat(costs, batch.cells.starts[:-1])
                inner = np.maximum(inner, batch.sums_by_table(least * batch.counts))
            bounds = np.minimum(bounds, inner)
        return bounds

    def _hits(self, which: int) -> list[Bools]:
        """For each matching of a candidate's clusters: the listed cells that it covers."""
        rows = (self._family.first_rows, self._family.second_rows)[which][self._rows]
        n_rows, n_columns = self._sides[which].n_rows, self._batch.shape[1]
        if n_rows <= n_columns:
            matchings = np.array(list(permutations(range(n_columns), n_rows)))
            return list(matchings[:, rows] == self._columns)
        matchings = np.array(list(permutations(range(n_rows), n_columns)))
        return list(matchings[:, self._columns] == rows)
