"""Find the law of the counts in each column of a table against a hard truth.

The columns are independent of one another.
"""

from math import exp, inf, lgamma, log2, prod
from typing import NamedTuple

import numpy as np

from sfumato import _core
from sfumato._typing import Codes, Floats, Ints
from sfumato.algorithms.deadline import look
from sfumato.algorithms.laws.step_sums import law_of_steps, window_widths

__all__ = [
    "VectorLaw",
    "column_law",
    "column_laws",
    "column_work",
    "drop_threshold",
    "exponents",
    "lost_exponent",
    "moments_by_column",
    "sums_by_column",
]

_OBJECTS_BETWEEN_TRIMS = 8  # a box may grow by so much before its tails are cut off
_CELLS_PER_STATE = 20.0  # filling a box costs less than finding states, by about this factor
_KEY_BITS = 62
_WORTH_A_BOUND = 1e5  # additions that take longer than bounding them


class VectorLaw(NamedTuple):
    """Probabilities of vectors of integers."""

    values: Ints  # (m, w)
    masses: Floats  # (m,)
    lost_mass: float


def column_law(memberships: Floats, *, max_lost_mass: float) -> VectorLaw:
    """Find the law of the counts of one column: how many of its objects are in each row.

    ``memberships``, of shape (n, k1), are those of the objects of the column. The counts come most
    probable first.

    Notes
    -----
    O(k1 w) for each object that has a choice, where w is the number of different counts, or of
    cells in a box around them. Other objects only move the origin. Only positive numbers are added
    and multiplied, so nothing cancels.

    Examples
    --------
    >>> found = column_law(np.array([[0.25, 0.75], [0.0, 1.0]]), max_lost_mass=0.0)
    >>> found.values.tolist(), found.masses.tolist()
    ([[0, 2], [1, 1]], [0.75, 0.25])
    """
    look()
    n_objects, n_rows = memberships.shape
    options = memberships > 0
    n_open = int((options.sum(axis=1) > 1).sum())
    if n_open == 0:
        return VectorLaw(options.sum(axis=0, dtype=np.int64)[None, :], np.ones(1), 0.0)
    variances = (memberships * (1 - memberships)).sum(axis=0)
    order = np.argsort(variances, kind="stable")  # the widest count follows from the others
    if _has_full_box(memberships, n_open, max_lost_mass):
        counts, masses, lost = _in_a_box(memberships[:, order], max_lost_mass)
    else:
        counts, masses, lost = _one_by_one(memberships[:, order], max_lost_mass)
    values = np.empty((len(masses), n_rows), dtype=np.int64)
    values[:, order[:-1]] = counts
    values[:, order[-1]] = n_objects - counts.sum(axis=1)
    likely_first = np.argsort(-masses, kind="stable")
    return VectorLaw(values[likely_first], masses[likely_first], lost)


def column_laws(
    memberships: Floats, codes: Codes, n_columns: int, *, max_lost_mass: float
) -> list[VectorLaw]:
    """The laws of all columns, each with its own lost mass. The one with most states is last."""
    columns = [
        column_law(memberships[codes == column], max_lost_mass=max_lost_mass)
        for column in range(n_columns)
    ]
    return sorted(columns, key=lambda column: len(column.masses))


def column_work(
    memberships: Floats, codes: Codes, n_columns: int, *, max_lost_mass: float
) -> float:
    """Predict the additions that the laws of all columns take, without doing them; O(n k1)."""
    is_open = (memberships > 0).sum(axis=1) > 1
    own, codes = memberships[is_open], codes[is_open]
    options, means, variances = moments_by_column(own, codes, n_columns)
    n_open = np.bincount(codes, minlength=n_columns)
    cells = [prod(own[:-1]) for own in np.sort(options + 1.0, axis=1).tolist()]
    if float(np.dot(n_open, cells)) > _WORTH_A_BOUND:  # tails can be cut off
        cells = _box_cells(means, variances, options, max_lost_mass)
    work = 0.0
    for box, m, reach in zip(cells, n_open.tolist(), (options > 0).sum(axis=1), strict=True):
        is_packable = (int(reach) - 1) * log2(m + 1.0) < _KEY_BITS
        states = _CELLS_PER_STATE * _n_ways(m, int(reach)) if is_packable else inf
        work += m * memberships.shape[1] * min(box, states)
    return work


def sums_by_column(rows: Floats, codes: Codes, n_columns: int) -> Floats:
    """Sums of the rows of each column, of shape (n_columns, k1)."""
    sums = [np.bincount(codes, row, n_columns).astype(np.float64) for row in rows.T]
    return np.stack(sums, axis=1)


def moments_by_column(rows: Floats, codes: Codes, n_columns: int) -> tuple[Ints, Floats, Floats]:
    """Of the count of each row and column: possible events, mean and variance."""
    options, means, variances = (
        sums_by_column(part, codes, n_columns)
        for part in ((rows > 0).astype(np.float64), rows, rows * (1 - rows))
    )
    return options.astype(np.int64), means, variances


def _has_full_box(memberships: Floats, n_open: int, max_lost_mass: float) -> bool:
    """Whether filling a box around the counts costs less than listing the states."""
    own = memberships[(memberships > 0).sum(axis=1) > 1]
    options, means, variances = moments_by_column(own, np.zeros(n_open, dtype=np.int64), 1)
    enough = _CELLS_PER_STATE * _n_ways(n_open, int((options > 0).sum()))
    if prod(np.sort(options[0] + 1.0)[:-1].tolist()) <= enough:
        return True
    return _box_cells(means, variances, options, max_lost_mass)[0] <= enough


def _n_ways(n_open: int, n_rows: int) -> float:
    """Number of ways to share out objects over rows."""
    k = max(1, n_rows)
    return exp(min(700.0, lgamma(n_open + k) - lgamma(n_open + 1) - lgamma(k)))


def _box_cells(
    means: Floats, variances: Floats, options: Ints, max_lost_mass: float
) -> list[float]:
    """Cells of the largest box that is filled while the law of each column is found."""
    widths = window_widths(means, variances, options, max_lost_mass=max_lost_mass)
    sides = np.maximum(widths, np.minimum(options, _OBJECTS_BETWEEN_TRIMS) + 1.0)
    return [prod(own[:-1]) for own in np.sort(sides, axis=1).tolist()]


def _in_a_box(memberships: Floats, max_lost_mass: float) -> tuple[Ints, Floats, float]:
    """Counts of all rows but the last, their masses, and the lost mass: by filling a box."""
    n_rows = memberships.shape[1]
    steps = np.eye(n_rows, n_rows - 1, dtype=np.int64)
    found = law_of_steps(memberships, steps, max_lost_mass=max_lost_mass)
    at = np.nonzero(found.law)
    return np.stack(at, axis=1) + found.origin, found.law[at], found.lost_mass


def _one_by_one(memberships: Floats, max_lost_mass: float) -> tuple[Ints, Floats, float]:
    """The same by listing the states, for cases where a box would be mostly empty."""
    is_open = (memberships > 0).sum(axis=1) > 1
    n_open, n_rows = int(is_open.sum()), memberships.shape[1]
    sides = (memberships[is_open] > 0).sum(axis=0, dtype=np.int64)[:-1] + 1
    strides = np.append(np.cumprod(np.append(1, sides[:0:-1]))[::-1], 0)  # last row: not stored
    keys, masses, lost = np.zeros(1, dtype=np.int64), np.ones(1), 0.0
    for own in memberships[is_open]:
        rows = np.argsort(-own, kind="stable")[: np.count_nonzero(own)]
        drop = drop_threshold(masses, own[rows], max_lost_mass / n_open)
        keys, masses, dropped = _core.merge_keys(keys, masses, strides[rows], own[rows], drop)
        lost += dropped
    counts = keys[:, None] // strides[:-1] % sides
    sure = (memberships[~is_open] > 0).sum(axis=0, dtype=np.int64)
    return counts + sure[: n_rows - 1], masses, lost


def drop_threshold(left: Floats, right: Floats, max_lost_mass: float) -> float:
    """Find a threshold for products of a mass of one list and a mass of the other.

    Products below the threshold may be left out: together they are at most ``max_lost_mass``.
    Masses from 2^-e up to 2^(1-e) are put together, so that only the e of each product is needed.

    Examples
    --------
    >>> drop_threshold(np.array([0.9, 0.1]), np.array([0.9, 0.1]), 0.0101)
    0.03125
    """
    first, second = (
        np.bincount(exponents(masses), masses).astype(np.float64) for masses in (left, right)
    )
    products = np.convolve(first, second)
    return 2.0 ** (1 - lost_exponent(products, max_lost_mass))


def exponents(masses: Floats) -> Ints:
    """Find e for each mass, such that the mass is at least 2^-e and below 2^(1-e)."""
    return (1 - np.frexp(masses)[1]).astype(np.int64)


def lost_exponent(by_exponent: Floats, max_lost_mass: float) -> int:
    """Find the smallest e such that the masses at e and beyond sum to ``max_lost_mass`` at most."""
    tails = np.cumsum(by_exponent[::-1])[::-1]
    return int(np.searchsorted(-tails, -max_lost_mass))
