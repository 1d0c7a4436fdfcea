"""Counts of pairs of objects as quadratic forms in a table.

A form is a weighted sum of squares: of the objects in each row, in each column, in each cell, or in
places that are sums of cells.
"""

from typing import NamedTuple

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.expectations.set_pairs import sums_by

__all__ = ["PairForm", "contrast_form", "disagreement_form"]


class PairForm(NamedTuple):
    """A weighted sum of squared counts, over several ways to sum up the cells into places.

    The weights sum to 0, so that an object counts nothing with itself.
    """

    places: tuple[Ints, ...]  # each (n_cells,): the place of each cell
    weights: tuple[float, ...]

    def of_table(self, counts: Floats) -> float:
        """The form of one table of shape (n_cells,), which need not hold integers."""
        return sum(
            weight * float((sums_by(own, counts, int(own.max()) + 1) ** 2).sum())
            for own, weight in zip(*self, strict=True)
        )

    def product(self, cells: Ints, others: Ints) -> Floats:
        """What one object in each of the cells counts with one in each of the others, once."""
        return sum(
            (
                weight * (own[cells][:, None] == own[others])
                for own, weight in zip(*self, strict=True)
            ),
            start=np.zeros((len(cells), len(others))),
        )


def disagreement_form(shape: tuple[int, int]) -> PairForm:
    """Ordered pairs that are together in just one of the two clusterings.

    Examples
    --------
    >>> disagreement_form((1, 2)).of_table(np.array([1.0, 1.0]))
    2.0
    """
    rows, columns = np.divmod(np.arange(shape[0] * shape[1]), shape[1])
    return PairForm((rows, columns, np.arange(len(rows))), (1.0, 1.0, -2.0))


def contrast_form(first_rows: Ints, second_rows: Ints, n_columns: int) -> PairForm:
    """Ordered pairs on which one candidate disagrees with the truth, less those of another.

    A row of the table is a pair of clusters: ``first_rows`` and ``second_rows`` say which. The
    pairs that are together in the truth cancel.
    """
    cells = np.arange(len(first_rows) * n_columns)
    rows, columns = np.divmod(cells, n_columns)
    first, second = first_rows[rows], second_rows[rows]
    return PairForm(
        (first, first * n_columns + columns, second, second * n_columns + columns),
        (1.0, -2.0, -1.0, 2.0),
    )
