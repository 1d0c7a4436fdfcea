"""Compute the mean sums of x log x over the rows, columns and cells of two fuzzy partitions.

Each row sum, column sum and cell of the table is a count of independent events. So each mean is a
sum of means of single counts.
"""

import numpy as np

from sfumato._typing import Floats
from sfumato.algorithms.moments.count_lists import count_lists
from sfumato.algorithms.moments.counts import expected_xlogx_of_lists
from sfumato.algorithms.tables.rows import Rows, count_codes
from sfumato.families import xlogx

__all__ = ["expected_sums"]


def expected_sums(a: Rows, b: Rows) -> tuple[Floats, Floats]:
    r"""Means of the sums of x log x over the table of two fuzzy partitions.

    .. math:: E\Big[\sum_i R_i \log R_i\Big], \quad E\Big[\sum_j C_j \log C_j\Big], \quad
              E\Big[\sum_{ij} N_{ij} \log N_{ij}\Big]

    Parameters
    ----------
    a, b : Rows
        Memberships of the same objects, in any form.

    Returns
    -------
    means, errors : ndarrays of shape (3,)
        Of rows, columns and cells; the error of a mean is at most this.

    Notes
    -----
    Time and memory of `count_lists`.

    Examples
    --------
    >>> from sfumato.algorithms.tables.rows import dense_rows, hard_rows
    >>> fuzzy, hard = dense_rows(np.full((2, 2), 0.5)), hard_rows(np.zeros(2, int), 1)
    >>> expected_sums(fuzzy, hard)[0].round(6).tolist()
    [0.693147, 1.386294, 0.693147]
    """
    values, errors = np.zeros((2, 3))
    for at, side in enumerate((a, b)):
        if not len(side.values):  # the sizes of its clusters are known
            values[at] = float(xlogx(count_codes(side.columns, side.width).astype(float)).sum())
    for lists in count_lists(a, b):
        found, off = expected_xlogx_of_lists(lists.events, lists.starts)
        values[lists.part] += found.sum()
        errors[lists.part] += off.sum()
    return values, errors
