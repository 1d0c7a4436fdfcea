r"""Bracket the mean of N log N of counts of independent events, from power sums alone.

Power sums of the probabilities give the cumulants of a count, and these its central moments. For
an even m the terms of Taylor's series of x log x about the mean :math:`\mu` up to m - 1 leave a
remainder between 0 and :math:`(N - \mu)^m / ((m - 1) \mu^{m-1})`: divided by
:math:`(N - \mu)^m` it falls with N, and it is attained at N = 0.
"""

from math import inf, log

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.moments.power_sums import LogSums, PowerSums
from sfumato.families import xlogx

__all__ = ["expected_sums_of_powers", "xlogx_from_powers"]

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


def xlogx_from_powers(powers: Floats, rounding: float) -> tuple[Floats, Floats]:
    r"""Mean of N log N for counts whose power sums are known, and bounds of the errors.

    Parameters
    ----------
    powers : ndarray of shape (m, c)
        For each of c counts the sums of the r-th powers of the probabilities of its events, for r
        from 1 to m; 2 <= m <= 6.
    rounding : float
        Relative error of the sums.

    Returns
    -------
    values, errors : ndarray of shape (c,)
        The error falls as :math:`1 / \mu^{m/2 - 1}`, with the largest even number up to m.

    Notes
    -----
    O(c). Small counts: :math:`\mu \log \mu \le E N \log N \le \mu \log(E N^2 / \mu)` (Jensen), and
    :math:`x \log x \le x (x - 1) \log 2` for integers.

    Examples
    --------
    >>> events = np.full(10_000, 0.3)
    >>> powers = np.array([[(events**r).sum()] for r in range(1, 7)])
    >>> value, error = xlogx_from_powers(powers, 1e-15)
    >>> round(float(value[0]), 6), bool(error[0] < 1e-6)
    (24019.452728, True)
    """
    values, errors = np.zeros((2, powers.shape[1]))
    used = powers[0] > 0.0
    known = powers[:, used]
    mean, square = known[0], known[1]
    slack = rounding * mean * (1.0 + np.abs(np.log(mean)))  # of mean log mean
    pairs = np.maximum(mean**2 - square, 0.0) + 3 * rounding * mean**2  # E N (N - 1)
    low = np.maximum(0.0, mean * np.log(mean) - slack)
    high = np.minimum(log(2.0) * pairs, mean * np.log1p(pairs / mean) + slack)
    moments = _central_moments(known)
    series = mean * np.log(mean)
    doubt: Floats = np.where(mean > _LEAST_MEAN, slack, inf)
    for order in range(2, len(known) + 1):
        scale = np.maximum(mean, _LEAST_MEAN) ** (order - 1)
        unsure = rounding * _ROUNDINGS[order] * np.maximum(mean, 1.0) ** (order // 2)
        if order % 2 == 0:
            rest = (np.maximum(moments[order - 2], 0.0) + unsure) / ((order - 1) * scale)
            low = np.maximum(low, series - doubt)
            high = np.minimum(high, series + doubt + rest)
        sign = 1.0 if order % 2 == 0 else -1.0
        series = series + sign * moments[order - 2] / (order * (order - 1) * scale)
        doubt = doubt + unsure / (order * (order - 1) * scale)
    high = np.maximum(high, low)
    values[used], errors[used] = (low + high) / 2, (high - low) / 2
    return values, errors


def _central_moments(powers: Floats) -> list[Floats]:
    """Central moments of orders 2 to m, from the cumulants."""
    m = len(powers)
    cumulants = _CUMULANTS[:m, :m] @ powers
    k = [np.zeros_like(powers[0])] * 2 + list(cumulants[1:])  # k[r] has order r
    found = [k[2]]
    if m >= 3:
        found.append(k[3])
    if m >= 4:
        found.append(k[4] + 3 * k[2] ** 2)
    if m >= 5:
        found.append(k[5] + 10 * k[3] * k[2])
    if m >= 6:
        found.append(k[6] + 15 * k[4] * k[2] + 10 * k[3] ** 2 + 15 * k[2] ** 3)
    return found


def expected_sums_of_powers(sums: PowerSums, rounding: float) -> tuple[Floats, Floats]:
    """Means and errors as in `expected_sums`, from power sums.

    Counts of which a second round found the generating functions have their means from these.

    Examples
    --------
    >>> from sfumato.algorithms.moments.power_sums import power_sums
    >>> from sfumato.algorithms.tables.rows import dense_rows, hard_rows
    >>> fuzzy, hard = dense_rows(np.full((2000, 2), 0.5)), hard_rows(np.zeros(2000, int), 1)
    >>> means, errors = expected_sums_of_powers(power_sums(fuzzy, hard, 6), 1e-12)
    >>> round(float(means[0]), 4), bool(errors[0] < 1e-4), float(errors[1])
    (13816.0107, True, 0.0)
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
