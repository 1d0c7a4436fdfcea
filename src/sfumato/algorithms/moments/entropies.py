r"""Compute the mean sums of x log x over the rows, columns and cells of two fuzzy partitions.

Each row sum, column sum and cell of the table is a count of independent events. So each mean is a
sum of means of single counts.

Where only power sums of the probabilities are kept, they give the cumulants of a count, and these
its central moments. For an even m the terms of Taylor's series of x log x about the mean
:math:`\mu` up to m - 1 leave a remainder between 0 and :math:`(N - \mu)^m / ((m - 1) \mu^{m-1})`:
divided by :math:`(N - \mu)^m` it falls with N, and it is attained at N = 0.
"""

from math import inf, log

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.moments.count_lists import count_lists
from sfumato.algorithms.moments.counts import expected_xlogx_of_lists
from sfumato.algorithms.moments.power_sums import LogSums, PowerSums
from sfumato.algorithms.tables.rows import Rows, count_codes
from sfumato.families import xlogx

__all__ = ["expected_sums", "expected_sums_of_powers", "xlogx_from_powers"]

# Row r - 1: the cumulant of order r of an event of probability p, in powers of p.
_CUMULANTS = np.array(
    [
        [1, 0, 0, 0, 0, 0],
        [1, -1, 0, 0, 0, 0],
        [1, -3, 2, 0, 0, 0],
        [1, -7, 12, -6, 0, 0],
        [1, -15, 50, -60, 24, 0],
        [1, -31, 180, -390, 360, -120],
    ],
    dtype=np.float64,
)
# Times the rounding of the sums and mean^(r // 2), or 1 if that is more: that of a central moment.
_ROUNDINGS = {2: 2.0, 3: 6.0, 4: 260.0, 5: 3200.0, 6: 110_000.0}
_LEAST_MEAN = 1e-3  # below it the series says nothing, and powers of the mean might be 0


def expected_sums(a: Rows, b: Rows) -> tuple[Floats, Floats]:
    r"""Means of the sums of x log x over the table of two fuzzy partitions.

    .. math:: E\Big[\sum_i R_i \log R_i\Big], \quad E\Big[\sum_j C_j \log C_j\Big], \quad
              E\Big[\sum_{ij} N_{ij} \log N_{ij}\Big]

    The means of rows, columns and cells, and bounds of their errors. Time and memory of
    `count_lists`.

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


def expected_sums_of_powers(sums: PowerSums, rounding: float) -> tuple[Floats, Floats]:
    """Means and errors as in `expected_sums`, from power sums.

    Counts of which a second round found the generating functions have their means from these.
    """
    means, bounds = np.zeros((2, 3))
    for at, powers in enumerate((sums.rows, sums.columns, sums.cells)):
        if (*sums.are_hard, all(sums.are_hard))[at]:
            means[at] = xlogx(powers[0]).sum()
            continue
        values, errors = xlogx_from_powers(powers.reshape(len(powers), -1), rounding)
        if sums.spread is not None:
            places, exact, off = _found_at_nodes(sums.spread.nodes, at, sums)
            better = off < errors[places]
            values[places[better]], errors[places[better]] = exact[better], off[better]
        means[at], bounds[at] = values.sum(), errors.sum()
    return means, bounds


def _found_at_nodes(nodes: LogSums, part: int, sums: PowerSums) -> tuple[Ints, Floats, Floats]:
    """Which rows (part 0), columns (1) or cells (2) have means from nodes; these, and errors."""
    own = np.where(nodes.rows < 0, 1, np.where(nodes.columns < 0, 0, 2)) == part
    rows, columns = nodes.rows[own], nodes.columns[own]
    values, errors = nodes.expected_xlogx(sums.n_objects)
    places = (rows, columns, rows * sums.cells.shape[2] + columns)[part]
    return places, values[own], errors[own]


def xlogx_from_powers(powers: Floats, rounding: float) -> tuple[Floats, Floats]:
    r"""Mean of N log N for counts whose power sums are known, and bounds of the errors.

    ``powers``, of shape (m, c), has for each of c counts the sums of the r-th powers of the
    probabilities of its events, for r from 1 to m, 2 <= m <= 6; ``rounding`` is the relative error
    of these sums. The error falls as :math:`1 / \mu^{m/2 - 1}`, with the largest even number up to
    m.

    Notes
    -----
    O(c). Small counts: :math:`\mu \log \mu \le E N \log N \le \mu \log(E N^2 / \mu)` (Jensen), and
    :math:`x \log x \le x (x - 1) \log 2` for integers.
    """
    values, errors = np.zeros((2, powers.shape[1]))
    used = powers[0] > 0.0
    known = powers[:, used]
    mean, square = known[0], known[1]
    slack = rounding * mean * (1.0 + np.abs(np.log(mean)))  # of mean log mean
    pairs = np.maximum(mean**2 - square, 0.0) + 3 * rounding * mean**2  # E N (N - 1)
    low = np.maximum(0.0, mean * np.log(mean) - slack)
    high = np.minimum(log(2.0) * pairs, mean * np.log1p(pairs / mean) + slack)
    series = mean * np.log(mean)
    doubt: Floats = np.where(mean > _LEAST_MEAN, slack, inf)
    for order, moment in enumerate(_central_moments(known), 2):
        scale = np.maximum(mean, _LEAST_MEAN) ** (order - 1)
        unsure = rounding * _ROUNDINGS[order] * np.maximum(mean, 1.0) ** (order // 2)
        if order % 2 == 0:
            rest = (np.maximum(moment, 0.0) + unsure) / ((order - 1) * scale)
            low = np.maximum(low, series - doubt)
            high = np.minimum(high, series + doubt + rest)
        series = series + (-1) ** order * moment / (order * (order - 1) * scale)
        doubt = doubt + unsure / (order * (order - 1) * scale)
    high = np.maximum(high, low)
    values[used], errors[used] = (low + high) / 2, (high - low) / 2
    return values, errors


def _central_moments(powers: Floats) -> list[Floats]:
    """Central moments of orders 2 to m, from the cumulants."""
    m = len(powers)
    _, k2, k3, k4, k5, k6 = _CUMULANTS[:, :m] @ powers  # those beyond m are not used
    sixth = k6 + 15 * k4 * k2 + 10 * k3**2 + 15 * k2**3
    return [k2, k3, k4 + 3 * k2**2, k5 + 10 * k3 * k2, sixth][: m - 1]
