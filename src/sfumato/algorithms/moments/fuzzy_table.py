r"""Describe the random table of two fuzzy partitions: means, variances and limits of its counts.

Each object x falls into a row and a column, independently, with probabilities :math:`p_i(x)` and
:math:`q_j(x)`. So each row sum, column sum and cell of the table counts independent events.
"""

from dataclasses import dataclass, replace
from math import log
from typing import NamedTuple, final

import numpy as np

from sfumato._typing import Floats
from sfumato.algorithms.moments.pair_means import TableSums
from sfumato.algorithms.moments.power_sums import PowerSums, power_sums
from sfumato.algorithms.tables.likely_sizes import SizeLimits, sure_sizes
from sfumato.algorithms.tables.rows import Rows, count_codes, row_blocks

__all__ = ["Counts", "FuzzyTable", "fuzzy_table", "table_of_powers"]

_EPS = float(np.finfo(np.float64).eps)


class Counts(NamedTuple):
    """Row sums, column sums or cells: counts of independent events."""

    means: Floats
    variances: Floats  # not too small, whatever the rounding
    largest: Floats  # no event of the count is likelier

    @property
    def flat(self) -> "Counts":
        """The counts that can be above 0, as a list."""
        used = self.means.ravel() > 0.0
        return Counts(*(part.ravel()[used] for part in self))


@final
@dataclass(frozen=True, slots=True, eq=False)
class FuzzyTable:
    """The random table of a fuzzy partition (rows) and a fuzzy or hard one (columns)."""

    objects: tuple[Rows, Rows] | PowerSums  # memberships on both sides, or what is kept of them
    sums: TableSums
    is_hard: bool  # whether the columns are those of a hard partition, so that their sums are fixed
    rows: Counts  # (k1,)
    columns: Counts  # (k2,)
    cells: Counts  # (k1, k2)
    sure_rows: SizeLimits  # that no clustering leaves
    sure_columns: SizeLimits
    rounding: float  # relative error of sums over the objects, at most

    @property
    def counts(self) -> tuple[Counts, Counts, Counts]:
        """Rows, columns and cells."""
        return self.rows, self.columns, self.cells

    @property
    def has_only_sums(self) -> bool:
        """Whether only power sums are known of the objects, and no second round."""
        return isinstance(self.objects, PowerSums) and self.objects.spread is None

    @property
    def n_objects(self) -> int:
        """Objects that are counted."""
        objects = self.objects
        return objects.n_objects if isinstance(objects, PowerSums) else objects[0].n_rows

    def margins(self, risk: float) -> tuple[SizeLimits, SizeLimits]:
        r"""Limits of rows and columns that all hold but for a probability of ``risk``.

        A count with mean :math:`\mu` and variance v leaves :math:`\mu \pm t` with a probability of
        at most :math:`2 e^{-L}`, where :math:`t = L/3 + \sqrt{L^2/9 + 2 v L}` (Bernstein's
        inequality). A risk of 0 gives the limits that surely hold.
        """
        sure = self.sure_rows, self.sure_columns
        if risk == 0.0:
            return sure
        n_random = len(self.rows.means) + (0 if self.is_hard else len(self.columns.means))
        log_term = log(2 * n_random) - log(risk)

        def likely(counts: Counts, sure: SizeLimits) -> SizeLimits:
            away = log_term / 3 + np.sqrt((log_term / 3) ** 2 + 2 * counts.variances * log_term)
            away += self.rounding * counts.means
            least, most = counts.means - away, counts.means + away
            return SizeLimits(np.maximum(sure.least, least), np.minimum(sure.most, most))

        rows = likely(self.rows, sure[0])
        return rows, sure[1] if self.is_hard else likely(self.columns, sure[1])


def fuzzy_table(a: Rows, b: Rows) -> FuzzyTable:
    """Find the means, variances and sure limits of all counts; the columns may be hard.

    Notes
    -----
    O(n k1 k2), or one multiplication for each pair of entries of an object; memory O(k1 k2) and
    that of a block of objects.

    Examples
    --------
    >>> from sfumato.algorithms.tables.rows import dense_rows, hard_rows
    >>> half = dense_rows(np.array([[0.5, 0.5], [1.0, 0.0]]))
    >>> table = fuzzy_table(half, hard_rows(np.array([0, 1]), 2))
    >>> table.rows.means.tolist(), table.sure_rows.least.tolist(), table.sure_rows.most.tolist()
    ([1.5, 0.5], [1.0, 0.0], [2.0, 1.0])
    """
    table = table_of_powers(power_sums(a, b, 2))
    in_rows, in_columns = _largest(a), _largest(b)
    return replace(
        table,
        objects=(a, b),
        rows=table.rows._replace(largest=in_rows),
        columns=table.columns._replace(largest=in_columns),
        cells=table.cells._replace(largest=np.minimum(in_rows[:, None], in_columns)),
        sure_rows=sure_sizes(a),
        sure_columns=sure_sizes(b),
    )


def table_of_powers(sums: PowerSums) -> FuzzyTable:
    """Find them from power sums: no count is known to be limited, no event to be unlikely."""
    n, is_hard = sums.n_objects, sums.are_hard[1]
    # Sums over blocks of 1024 objects, or of as many as there are cells, are added up. Squares of
    # such sums have twice their error.
    rounding = max(1e-12, 2 * _EPS * (1024 + sums.cells[0].size + n / 1024))
    rows, columns, cells = (
        Counts(
            powers[0],
            np.maximum(powers[0] - powers[1], 0.0) + rounding * powers[0],
            np.minimum(powers[0], 1.0),
        )
        for powers in (sums.rows, sums.columns, sums.cells)
    )
    sure_rows, sure_columns = (
        SizeLimits(np.zeros(len(side.means)), np.full(len(side.means), float(n)))
        for side in (rows, columns)
    )
    if is_hard:
        columns = columns._replace(variances=np.zeros_like(columns.means))
        sure_columns = SizeLimits(columns.means, columns.means)
    return FuzzyTable(
        sums, sums.table_sums(), is_hard, rows, columns, cells, sure_rows, sure_columns, rounding
    )


def _largest(rows: Rows) -> Floats:
    """The largest probability of each cluster."""
    largest = np.zeros(rows.width)
    if not len(rows.values):
        largest[count_codes(rows.columns, rows.width) > 0] = 1.0
    elif rows.is_sparse:
        np.maximum.at(largest, rows.columns, rows.values)
    else:
        for block in row_blocks(rows):
            np.maximum(largest, block.values.reshape(-1, rows.width).max(axis=0), out=largest)
    return largest
