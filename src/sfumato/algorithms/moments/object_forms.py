r"""Sum over objects the covariances of functions of their cells, in a random table.

The cell of object x is random: its row and its column are independent. A function of the row, one
of the column and one of the cell have covariances, which are added up over all objects.
"""

import numpy as np

from sfumato._typing import Floats
from sfumato.algorithms.moments.fuzzy_table import FuzzyTable
from sfumato.algorithms.moments.pair_means import paired_blocks
from sfumato.algorithms.moments.power_sums import PowerSums
from sfumato.algorithms.tables.ragged import cross
from sfumato.algorithms.tables.rows import Rows, sparse_rows

__all__ = ["object_forms", "object_products"]

_NUMBERS_AT_ONCE = 1 << 20
_PAIRS = (0, 0), (1, 1), (2, 2), (0, 2), (2, 0), (1, 2), (2, 1)


def object_forms(
    table: FuzzyTable, rows: Floats, columns: Floats, cells: Floats, which: slice
) -> tuple[Floats, Floats]:
    r"""Sum over the objects the covariances of three functions of the object's cell.

    .. math:: \sum_x \mathrm{Cov}\bigl(d_s(X_x), d_t(X_x)\bigr), \quad
              d_0(i, j) = \text{rows}_i, \; d_1(i, j) = \text{columns}_j, \;
              d_2(i, j) = \text{cells}_{ij}

    ``rows``, ``columns`` and ``cells``, of shapes (f, k1), (f, k2) and (f, k1, k2), are f sets of
    functions. ``which`` of the products that a second round kept are those of these functions.

    Returns
    -------
    forms : ndarray of shape (f, 3, 3)
        Where only power sums are kept of the objects, the forms lie above these covariances, as
        forms: by Jensen's inequality within each class of a hard side, or over all objects.
    noise : ndarray of shape (f, 3)
        Rounding changes an entry (s, t) by at most sqrt(noise[s] * noise[t]).

    Notes
    -----
    O(f n k1 k2) for dense memberships, one multiplication for each pair of entries of an object
    for sparse ones; O(f k1 k2) from sums.
    """
    weights = [each.means for each in table.counts]
    d_rows, d_columns, d_cells = _centred(table, rows, columns, cells)
    own = (
        (weights[0] * d_rows**2).sum(axis=1),
        (weights[1] * d_columns**2).sum(axis=1),
        (weights[2] * d_cells**2).sum(axis=(1, 2)),
    )
    forms = np.zeros((len(rows), 3, 3))
    for at, square in enumerate(own):
        forms[:, at, at] = square
    forms[:, 0, 2] = forms[:, 2, 0] = (weights[2] * d_cells * d_rows[:, :, None]).sum(axis=(1, 2))
    forms[:, 1, 2] = forms[:, 2, 1] = (weights[2] * d_cells * d_columns[:, None]).sum(axis=(1, 2))
    objects = table.objects
    if not isinstance(objects, PowerSums):
        forms -= object_products(table, objects, rows, columns, cells)
    elif objects.spread is not None:
        forms -= objects.spread.products[which]
    elif table.is_hard:  # the mean object of each class
        totals = np.stack([d_rows @ weights[2], (d_cells * weights[2]).sum(axis=1)], axis=1)
        sizes = np.maximum(weights[1], 1.0)
        forms[:, ::2, ::2] -= np.einsum("fsj,ftj->fst", totals / sizes, totals)
    else:  # the mean object of all, whose means are 0
        crossed = np.einsum("fi,ij,fj->f", d_rows, weights[2], d_columns)
        forms[:, 0, 1] = forms[:, 1, 0] = crossed
    if table.is_hard:  # the column of an object is known
        forms[:, 1, :] = forms[:, :, 1] = 0.0
    return forms, 4 * table.rounding * np.stack(own, axis=1)


def object_products(
    table: FuzzyTable, objects: tuple[Rows, Rows], rows: Floats, columns: Floats, cells: Floats
) -> Floats:
    """Sum over some objects the products of the means of an object, for `object_forms`.

    Functions of the row and of the column are independent, so that none is summed for these two.
    """
    functions = _centred(table, rows, columns, cells)
    found = np.zeros((len(rows), 3, 3))
    for a, b in paired_blocks(*objects, _objects_at_once(*objects)):
        for at, each in enumerate(zip(*functions, strict=True)):
            means = _object_means(a, b, *each)
            for s, t in _PAIRS:
                found[at, s, t] += (means[s] * means[t]).sum()  # pairwise
    return found


def _centred(table: FuzzyTable, *functions: Floats) -> tuple[Floats, Floats, Floats]:
    """The same functions with mean 0: less is left to cancel, and no covariance changes."""
    rows, columns, cells = (
        d - np.tensordot(d, w, axes=w.ndim).reshape(-1, *[1] * w.ndim) / table.n_objects
        for d, w in zip(functions, [each.means for each in table.counts], strict=True)
    )
    return rows, np.zeros_like(columns) if table.is_hard else columns, cells


def _object_means(
    a: Rows, b: Rows, rows: Floats, columns: Floats, cells: Floats
) -> tuple[Floats, Floats, Floats]:
    """Means of a function of the row, of the column and of the cell, for each object."""
    if a.is_sparse or b.is_sparse:
        a, b = sparse_rows(a), sparse_rows(b)
        objects = np.arange(a.n_rows)
        starts, of_a, of_b = cross(a.starts, objects, b.starts, objects)
        weights = a.values[of_a] * b.values[of_b]
        return (
            np.add.reduceat(a.values * rows[a.columns], a.starts[:-1]),
            np.add.reduceat(b.values * columns[b.columns], b.starts[:-1]),
            np.add.reduceat(weights * cells[a.columns[of_a], b.columns[of_b]], starts[:-1]),
        )
    p = a.values.reshape(-1, a.width)
    if not len(b.values):
        own = cells.T[b.columns]
        return p @ rows, np.zeros(len(p)), np.einsum("xi,xi->x", p, own)
    q = b.values.reshape(-1, b.width)
    return p @ rows, q @ columns, np.einsum("xj,xj->x", p @ cells, q)


def _objects_at_once(a: Rows, b: Rows) -> int:
    """As many as fit into little memory."""
    per_object = a.mean_length + b.mean_length
    if a.is_sparse or b.is_sparse:
        per_object += 4 * a.mean_length * b.mean_length
    if a.is_single or b.is_single:  # every block is a copy
        per_object *= 8
    return max(1, int(_NUMBERS_AT_ONCE / per_object))
