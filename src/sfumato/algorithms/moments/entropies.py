"""Compute the mean sums of x log x over the rows, columns and cells of two fuzzy partitions.

Each row sum, column sum and cell of the table is a count of independent events. So each mean is a
sum of means of single counts.
"""

from typing import NamedTuple

import numpy as np

from sfumato.algorithms.moments.count_lists import count_lists
from sfumato.algorithms.moments.counts import expected_xlogx_of_lists
from sfumato.algorithms.tables.rows import Rows, count_codes
from sfumato.families import xlogx

__all__ = ["EntropySums", "expected_sums"]


class EntropySums(NamedTuple):
    """Sums of x log x over rows, columns and cells, each with a bound of its error."""

    rows: float
    columns: float
    cells: float
    errors: tuple[float, float, float]


def expected_sums(a: Rows, b: Rows) -> EntropySums:
    r"""Means of the sums of x log x over the table of two fuzzy partitions.

    .. math:: E\Big[\sum_i R_i \log R_i\Big], \quad E\Big[\sum_j C_j \log C_j\Big], \quad
              E\Big[\sum_{ij} N_{ij} \log N_{ij}\Big]

    Parameters
    ----------
    a, b : Rows
        Memberships of the same objects, in any form.

    Returns
    -------
    EntropySums

    Notes
    -----
    Time and memory of `count_lists`.

    Examples
    --------
    >>> from sfumato.algorithms.tables.rows import dense_rows, hard_rows
    >>> fuzzy, hard = dense_rows(np.full((2, 2), 0.5)), hard_rows(np.zeros(2, int), 1)
    >>> found = expected_sums(fuzzy, hard)
    >>> round(found.rows, 6), round(found.columns, 6), round(found.cells, 6)
    (0.693147, 1.386294, 0.693147)
    """
    values, errors = np.zeros((2, 3))
    for at, side in enumerate((a, b)):
        if not len(side.values):  # the sizes of its clusters are known
            values[at] = float(xlogx(count_codes(side.columns, side.width).astype(float)).sum())
    for lists in count_lists(a, b):
        found, off = expected_xlogx_of_lists(lists.events, lists.starts)
        values[lists.part] += found.sum()
        errors[lists.part] += off.sum()
    rows, columns, cells = values.tolist()
    return EntropySums(rows, columns, cells, (errors[0].item(), errors[1].item(), errors[2].item()))
