"""Extremes of Rand and of the variation of information between two rough clusterings."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sfumato import _core
from sfumato._typing import Floats, Ints
from sfumato.algorithms.ends.extremes import Extremes
from sfumato.families import Psi

__all__ = ["Sets", "far_end", "near_end", "weighted_far_end", "weighted_near_end"]

Sets: TypeAlias = NDArray[np.uint32]  # (t,): bit i is set where cluster i is possible

_FAR = {"square": _core.both_rough_far_square, "xlogx": _core.both_rough_far_xlogx}
_NEAR = {"square": _core.both_rough_near_square, "xlogx": _core.both_rough_near_xlogx}


def far_end(
    row_sets: Sets,
    column_sets: Sets,
    counts: Ints,
    *,
    n_rows: int,
    n_columns: int,
    psi: Psi,
    max_nodes: int,
    threads: int,
) -> Extremes:
    r"""Largest distance between two hard clusterings compatible with two rough ones.

    .. math:: \max_N G(N), \qquad
        G(N) = \sum_i \psi(R_i) + \sum_j \psi(C_j) - 2 \sum_{ij} \psi(N_{ij}),

    over the tables :math:`N` with row sums :math:`R` and column sums :math:`C` that arise when
    every object of type :math:`t` goes to one cell of :math:`A_t \times B_t`. With
    :math:`\psi(x) = x^2` one minus Rand is :math:`G / (n (n - 1))`; with
    :math:`\psi(x) = x \log x` the variation of information is :math:`G / n`.

    Parameters
    ----------
    row_sets, column_sets : ndarray of shape (t,)
        The non-empty sets :math:`A_t`, :math:`B_t` as bits.
    counts : ndarray of shape (batch, t)
        Objects of each type in each instance; up to 1e8 objects in all.
    n_rows, n_columns : int
        Clusters on either side; at most 64 cells.
    psi : {"square", "xlogx"}
    max_nodes : int
        Boxes that may be bounded in each instance after the first.
    threads : int
        Instances are shared out; the result does not depend on it.

    Returns
    -------
    Extremes
        ``tables`` are compatible and attain ``values``; no compatible table has more than
        ``bounds``. Both are equal where the search ended within ``max_nodes``: exactly for
        "square", up to ``1e-12 * max(1, n log n)`` for "xlogx".

    Notes
    -----
    Best-first branch and bound on boxes of row and column sums, where :math:`\psi` lies below its
    chords. The rest is separable and concave over the integer points of a base polytope, and is
    solved exactly by decomposition :cite:`groenevelt1991`, with exchanges along paths of types
    in place of a rank function. Wide boxes are bounded by tangent planes of a concave function
    above :math:`G`, at points that follow :cite:`frank1956algorithm` or mirror ascent; for
    "xlogx" :math:`G` itself is concave, so that ``max_nodes=0`` leaves little more than the
    rounding to whole objects. O(k l t) per plane and per exchange. 2 x 2 with "square" and a
    single row or column need no search.

    Examples
    --------
    Two objects are certain, one may be anywhere in two clusters against two:

    >>> sets = np.array([1, 2, 3], dtype=np.uint32)
    >>> counts = np.array([[1, 1, 1]])
    >>> size = {"n_rows": 2, "n_columns": 2, "max_nodes": 100, "threads": 1}
    >>> far = far_end(sets, sets, counts, psi="square", **size)
    >>> far.tables.tolist(), far.values.tolist(), far.bounds.tolist()
    ([[[1, 1], [0, 1]]], [4.0], [4.0])
    """
    contiguous = np.ascontiguousarray(counts)
    return Extremes(
        *_FAR[psi](row_sets, column_sets, contiguous, n_rows, n_columns, max_nodes, threads)
    )


def near_end(
    row_sets: Sets,
    column_sets: Sets,
    counts: Ints,
    *,
    n_rows: int,
    n_columns: int,
    psi: Psi,
    max_nodes: int,
    threads: int,
) -> Extremes:
    r"""Smallest distance between two hard clusterings compatible with two rough ones.

    The minimum of :math:`G` over the same tables as in `far_end`, with the same parameters.

    Parameters
    ----------
    row_sets, column_sets : ndarray of shape (t,)
    counts : ndarray of shape (batch, t)
    n_rows, n_columns : int
    psi : {"square", "xlogx"}
    max_nodes : int
        Partial orders of the cells that may be bounded in each instance after the first.
    threads : int

    Returns
    -------
    Extremes
        ``tables`` are compatible and attain ``values``; no compatible table has less than
        ``bounds``. Both are equal where the search ended within ``max_nodes``, as in `far_end`.

    Notes
    -----
    :math:`G` is concave along exchanges of objects of one type, so every type goes wholly to one
    cell, and these follow one order of the cells. Best-first branch and bound on that order, with
    two linear minorants of :math:`G` and their mixtures; O(k l t) per node. 2 x 2 with "square"
    needs no search.

    Examples
    --------
    >>> sets = np.array([1, 2, 3], dtype=np.uint32)
    >>> counts = np.array([[1, 1, 1]])
    >>> size = {"n_rows": 2, "n_columns": 2, "max_nodes": 100, "threads": 1}
    >>> near = near_end(sets, sets, counts, psi="xlogx", **size)
    >>> near.values.tolist()
    [0.0]
    """
    contiguous = np.ascontiguousarray(counts)
    return Extremes(
        *_NEAR[psi](row_sets, column_sets, contiguous, n_rows, n_columns, max_nodes, threads)
    )


def weighted_far_end(
    row_sets: Sets,
    column_sets: Sets,
    counts: Ints,
    *,
    n_rows: int,
    n_columns: int,
    weights: Floats,
    max_nodes: int,
    threads: int,
) -> Extremes:
    r"""Largest difference of squares between two rough clusterings, with a weight on margins.

    .. math:: \max_N G_w(N), \qquad
        G_w(N) = w \Bigl(\sum_i R_i^2 + \sum_j C_j^2\Bigr) - 2 \sum_{ij} N_{ij}^2,

    over the same tables as in `far_end`. Ratios of these sums, as in Jaccard and Dice, are
    largest where such a difference is :cite:`dinkelbach1967nonlinear`.

    Parameters
    ----------
    row_sets, column_sets : ndarray of shape (t,)
    counts : ndarray of shape (batch, t)
    n_rows, n_columns : int
    weights : ndarray of shape (batch,)
        :math:`w` of each instance, from 0 to 1.
    max_nodes : int
    threads : int

    Returns
    -------
    Extremes
        ``tables`` are compatible and attain ``values``; no compatible table has more than
        ``bounds``. Both are equal where the search ended within ``max_nodes``: exactly for
        :math:`w = 1`, else up to ``1e-12 * max(1, n**2)``.

    Notes
    -----
    The search of `far_end`, in floating point unless :math:`w = 1`. Tangent planes need no pull
    into a box where :math:`w \le 2 / \max(k, l)`: :math:`G_w` is concave.

    Examples
    --------
    >>> sets = np.array([1, 2, 3], dtype=np.uint32)
    >>> counts = np.array([[1, 1, 1], [1, 1, 1]])
    >>> size = {"n_rows": 2, "n_columns": 2, "max_nodes": 100, "threads": 1}
    >>> far = weighted_far_end(sets, sets, counts, weights=np.array([0.5, 1.0]), **size)
    >>> far.values.tolist(), far.bounds.tolist()
    ([-1.0, 4.0], [-1.0, 4.0])
    """
    each, contiguous = _match(weights, counts)
    return Extremes(
        *_core.both_rough_far_weighted(
            row_sets, column_sets, contiguous, each, n_rows, n_columns, max_nodes, threads
        )
    )


def weighted_near_end(
    row_sets: Sets,
    column_sets: Sets,
    counts: Ints,
    *,
    n_rows: int,
    n_columns: int,
    weights: Floats,
    max_nodes: int,
    threads: int,
) -> Extremes:
    r"""Smallest difference of squares between two rough clusterings, with a weight on margins.

    The minimum of :math:`G_w` over the same tables as in `weighted_far_end`, with the same
    parameters.

    Parameters
    ----------
    row_sets, column_sets : ndarray of shape (t,)
    counts : ndarray of shape (batch, t)
    n_rows, n_columns : int
    weights : ndarray of shape (batch,)
        :math:`w` of each instance, from 0 to 1.
    max_nodes : int
    threads : int

    Returns
    -------
    Extremes
        ``tables`` are compatible and attain ``values``; no compatible table has less than
        ``bounds``. Both are equal where the search ended within ``max_nodes``, as in
        `weighted_far_end`.

    Notes
    -----
    The search of `near_end`, in floating point unless :math:`w = 1`. Along an exchange of objects
    of one type :math:`G_w'' \le 8 w - 8`, so that it is concave as long as :math:`w \le 1`.

    Examples
    --------
    >>> sets = np.array([1, 2, 3], dtype=np.uint32)
    >>> counts = np.array([[1, 1, 1], [1, 1, 1]])
    >>> size = {"n_rows": 2, "n_columns": 2, "max_nodes": 100, "threads": 1}
    >>> near = weighted_near_end(sets, sets, counts, weights=np.array([0.5, 1.0]), **size)
    >>> near.values.tolist(), near.bounds.tolist()
    ([-5.0, 0.0], [-5.0, 0.0])
    """
    each, contiguous = _match(weights, counts)
    return Extremes(
        *_core.both_rough_near_weighted(
            row_sets, column_sets, contiguous, each, n_rows, n_columns, max_nodes, threads
        )
    )


def _match(weights: Floats, counts: Ints) -> tuple[Floats, Ints]:
    """One weight for each row of counts, both contiguous."""
    each = np.ascontiguousarray(np.broadcast_to(weights, len(counts)), dtype=np.float64)
    return each, np.ascontiguousarray(counts)
