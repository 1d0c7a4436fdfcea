"""Find the law of the row sums of a fuzzy partition against a hard truth, with means of the cells.

The truth fixes the column sums, and the columns are independent. Let T be the sum of psi over the
cells. For known row sums R, many measures are affine in T. So their mean needs only the law of R
and the means E[T; R]. These have one dimension less than there are rows.
"""

from math import log2, prod
from typing import NamedTuple, TypeAlias

import numpy as np

from sfumato._typing import Codes, Floats, Ints
from sfumato.algorithms.laws.column_laws import moments_by_column
from sfumato.algorithms.laws.moment_boxes import (
    MomentBox,
    add_boxes,
    addition_cost,
    join_boxes,
    trim_box,
)
from sfumato.algorithms.laws.step_sums import law_of_steps, window_widths
from sfumato.families import Psi, psi_of

__all__ = ["RowSumCost", "RowSumLaw", "bound_row_sums", "law_of_row_sums"]

_Shape: TypeAlias = tuple[int, ...]

_LEAF = 512  # objects of a block, which are added one by one; then blocks are joined


class RowSumLaw(NamedTuple):
    """Row sums with their probabilities and the moments of T there."""

    rows: Ints  # (m, k1)
    moments: Floats  # (t, m): E[(T - centre)^i; R] for i = 0, 1 and perhaps 2
    centre: float  # a number near the mean of T
    noise: Floats  # (t,): bounds of errors of moments in the 2-norm, without ordinary rounding
    lost_mass: float  # probability of all other row sums


class RowSumCost(NamedTuple):
    """About how many row sums are kept and how many multiplications are made, at most."""

    states: float
    products: float


def law_of_row_sums(
    memberships: Floats,
    codes: Codes,
    base: Ints,
    *,
    psi: Psi,
    n_moments: int,
    max_lost_mass: float,
) -> RowSumLaw:
    r"""Find the law of the row sums R and the moments of T, by adding column after column.

    .. math:: T = \sum_{ij} \psi(N_{ij}), \qquad
              E[T; R] = \sum_j \sum_c f_j(c)\,\psi(c)\,\Pr(R_{-j} = R - c)

    where f_j is the law of column j and R_{-j} are the row sums of the other columns.

    ``memberships``, of shape (m, k1), and ``codes``, the columns, are those of the objects with a
    choice; ``base`` is the table of all others. Two moments are for T, three for its square too.

    Notes
    -----
    `bound_row_sums` gives the cost. The row that varies most is not stored: it follows from the
    other rows and the number of objects.

    Examples
    --------
    >>> found = law_of_row_sums(np.array([[0.5, 0.5]]), np.array([0]), np.array([[1, 0], [0, 1]]),
    ...     psi="square", n_moments=2, max_lost_mass=0.0)
    >>> found.rows.tolist(), found.centre, found.moments.tolist()
    ([[1, 2], [2, 1]], 4.0, [[0.5, 0.5], [-0.5, 0.5]])
    """
    order = np.argsort((memberships * (1 - memberships)).sum(axis=0), kind="stable")
    p, table = memberships[:, order], base[order]
    open_columns: Ints = np.unique(codes)
    share = max_lost_mass / (2 * max(1, len(open_columns)))  # half for the columns, half to merge
    parts = [
        _column(p[codes == j], table[:, j], psi=psi, n_moments=n_moments, max_lost_mass=share)
        for j in open_columns.tolist()
    ]
    parts.sort(key=lambda part: part[0].moments.size)
    total = parts[0][0]
    for box, _ in parts[1:]:
        total = trim_box(add_boxes(total, box), share)
    closed = np.delete(table, open_columns, axis=1)
    centre = sum(mean for _, mean in parts) + float(psi_of(psi, closed.astype(np.float64)).sum())
    rows, moments = _states(total, table.sum(axis=1), len(p))
    return RowSumLaw(rows[:, np.argsort(order)], moments, centre, total.noise, total.lost_mass)


def _column(
    memberships: Floats, base: Ints, *, psi: Psi, n_moments: int, max_lost_mass: float
) -> tuple[MomentBox, float]:
    """Law of one column with the moments of its sum of psi, centred at the mean; and that mean."""
    box = _law_of_column(memberships, max_lost_mass=max_lost_mass)
    law = box.moments[0]
    left = np.full(law.shape, len(memberships), dtype=np.int64)
    sums = np.zeros(law.shape)
    for axis, width in enumerate(law.shape):
        counts = box.origin[axis] + np.arange(width, dtype=np.int64)
        along = [1] * law.ndim
        along[axis] = width
        left -= counts.reshape(along)
        sums += psi_of(psi, (counts + base[axis]).astype(np.float64)).reshape(along)
    law = np.where(left >= 0, law, 0.0)  # an impossible count can only be noise
    sums += psi_of(psi, (np.maximum(left, 0) + base[-1]).astype(np.float64))
    mean = float((law * sums).sum() / law.sum())
    centred = np.where(law > 0, sums - mean, 0.0)
    powers = [centred**power for power in range(n_moments)]
    moments = np.stack([law * power for power in powers])
    noise = box.noise[0] * np.array([float(np.abs(power).max()) for power in powers])
    return box._replace(moments=moments, noise=noise), mean


def _law_of_column(memberships: Floats, *, max_lost_mass: float) -> MomentBox:
    """Law of the counts of all rows but the last. Blocks of objects are found, then joined."""
    n_rows = memberships.shape[1]
    steps = np.eye(n_rows, n_rows - 1, dtype=np.int64)
    starts = range(0, len(memberships), _LEAF)
    share = max_lost_mass / (2 * len(starts))  # of each block, and of each join
    boxes = list[MomentBox]()
    for start in starts:
        found = law_of_steps(memberships[start : start + _LEAF], steps, max_lost_mass=share)
        boxes.append(MomentBox(found.origin, found.law[None], np.zeros(1), found.lost_mass))
    return join_boxes(boxes, share)


def _states(total: MomentBox, base: Ints, n_objects: int) -> tuple[Ints, Floats]:
    """The row sums of positive probability, and the moments there."""
    at = np.nonzero(total.moments[0])
    counts = np.stack(at, axis=1) + total.origin
    last = n_objects - counts.sum(axis=1)
    # The noise of a Fourier transform may give mass to impossible counts.
    inside = last >= 0
    rows = np.column_stack([counts, last])[inside] + base
    return rows, np.stack([moment[at][inside] for moment in total.moments])


def bound_row_sums(
    memberships: Floats, codes: Codes, *, n_moments: int, max_lost_mass: float
) -> RowSumCost:
    """Predict the cost of `law_of_row_sums` without doing its work; O(n k1).

    Examples
    --------
    >>> p = np.full((100, 3), 1 / 3)
    >>> bound_row_sums(p, np.arange(100) % 2, n_moments=2, max_lost_mass=0.0).states
    10201.0
    """
    columns, place = np.unique(codes, return_inverse=True)
    order = np.argsort((memberships * (1 - memberships)).sum(axis=0), kind="stable")[:-1]
    p = memberships[:, order]
    moments = moments_by_column(p, place, len(columns))

    def shapes(n: Ints, mean: Floats, variance: Floats) -> list[_Shape]:
        widths = n + 1.0
        if max_lost_mass > 0:
            widths = window_widths(mean, variance, n, max_lost_mass=max_lost_mass)
        return [tuple(int(side) for side in row) for row in widths.tolist()]

    own = shapes(*moments)
    sizes = [prod(shape) for shape in own]
    by_size: Ints = np.argsort(sizes, kind="stable")
    own = [own[int(at)] for at in by_size]
    n_open, means, variances = (part[by_size].cumsum(axis=0) for part in moments)
    joined = shapes(n_open, means, variances)
    products = sum(
        _column_cost(shape, count, memberships.shape[1])
        for shape, count in zip(own, np.bincount(place)[by_size].tolist(), strict=True)
    )
    products += sum(
        addition_cost(left, right, n_moments)
        for left, right in zip(joined[:-1], own[1:], strict=True)
    )
    return RowSumCost(float(max(prod(joined[-1]), *sizes)), products)


def _column_cost(shape: _Shape, n_objects: int, n_rows: int) -> float:
    """Cost of one column: its blocks, then joins. Each level of joins costs like the last one."""
    n_blocks = max(1.0, n_objects / _LEAF)
    leaf, half = (tuple(int(side / parts**0.5) + 1 for side in shape) for parts in (n_blocks, 2.0))
    blocks = float(n_objects * n_rows) * prod(leaf)
    return blocks + log2(n_blocks) * addition_cost(half, half, 1)
