"""Compute the mean sums of x log x over the rows, columns and cells of two fuzzy partitions.

Each row sum, column sum and cell of the table is a count of independent events. So each mean is a
sum of means of single counts.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

import numpy as np

from sfumato._typing import Codes, Floats
from sfumato.algorithms.moments.counts import expected_xlogx, expected_xlogx_of_both

__all__ = ["EntropySums", "expected_sums", "expected_sums_against_hard"]

# Probabilities (objects times counts) that are held at once.
_MOST_AT_ONCE = 1 << 21

_Estimates: TypeAlias = tuple[Floats, Floats]  # values and bounds of their errors


class EntropySums(NamedTuple):
    """Sums of x log x over rows, columns and cells, each with a bound of its error."""

    rows: float
    columns: float
    cells: float
    errors: tuple[float, float, float]


def expected_sums(first: Floats, second: Floats) -> EntropySums:
    r"""Means of the sums of x log x over the table of two fuzzy partitions.

    .. math:: E\Big[\sum_i R_i \log R_i\Big], \quad E\Big[\sum_j C_j \log C_j\Big], \quad
              E\Big[\sum_{ij} N_{ij} \log N_{ij}\Big]

    Parameters
    ----------
    first : ndarray of shape (k1, n)
    second : ndarray of shape (k2, n)
        Memberships, cluster by cluster.

    Returns
    -------
    EntropySums

    Notes
    -----
    O(n k1 k2) time, O(n) memory beyond the input.

    Examples
    --------
    >>> found = expected_sums(np.full((2, 2), 0.5), np.array([[1.0, 1.0], [0.0, 0.0]]))
    >>> round(found.rows, 6), round(found.columns, 6), round(found.cells, 6)
    (0.693147, 1.386294, 0.693147)
    """
    return _collect(
        map(expected_xlogx, _parts(first)),
        map(expected_xlogx, _parts(second)),
        [expected_xlogx_of_both(first, second)],
    )


def expected_sums_against_hard(first: Floats, codes: Codes) -> EntropySums:
    """Means of the sums of x log x over the table of a fuzzy and a hard partition.

    Parameters
    ----------
    first : ndarray of shape (k1, n)
        Memberships, cluster by cluster.
    codes : ndarray of shape (n,)
        The cluster of each object in the hard partition, the table's column.

    Returns
    -------
    EntropySums

    Notes
    -----
    O(n k1) time and memory, because a cell counts the objects of one column only.

    Examples
    --------
    >>> found = expected_sums_against_hard(np.full((2, 3), 0.5), np.array([0, 1, 1]))
    >>> round(found.columns, 6), round(found.cells, 6)
    (1.386294, 0.693147)
    """
    order = np.argsort(codes, kind="stable")
    ends = np.cumsum(np.bincount(codes))
    sizes = np.diff(ends, prepend=0).astype(np.float64)
    blocks = (
        part
        for start, end in zip(np.append(0, ends[:-1]), ends, strict=True)
        for part in _parts(first[:, order[start:end]])
    )
    found = _collect(map(expected_xlogx, _parts(first)), [], map(expected_xlogx, blocks))
    known = sizes[sizes > 0]
    return found._replace(columns=float(known @ np.log(known)))


def _parts(memberships: Floats) -> Iterator[Floats]:
    """Give a few clusters at a time."""
    step = max(1, _MOST_AT_ONCE // max(1, memberships.shape[1]))
    for start in range(0, len(memberships), step):
        yield memberships[start : start + step]


def _collect(
    rows: Iterable[_Estimates], columns: Iterable[_Estimates], cells: Iterable[_Estimates]
) -> EntropySums:
    totals: list[tuple[float, float]] = []
    for found in map(list, (rows, columns, cells)):
        value = float(np.sum([values.sum() for values, _ in found]))
        totals.append((value, float(np.sum([errors.sum() for _, errors in found]))))
    (row, row_error), (column, column_error), (cell, cell_error) = totals
    return EntropySums(row, column, cell, (row_error, column_error, cell_error))
