"""Find both ends of Rand and of the variation of information between two rough partitions.

The near end is the smallest distance over the compatible tables, the far end the largest.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from sfumato import _core
from sfumato._typing import Floats
from sfumato.algorithms.deadline import kernel_limits
from sfumato.algorithms.ends.found_ends import Budget, FoundEnds
from sfumato.algorithms.tables.focal_model import SetTypes
from sfumato.families import Psi

__all__ = ["far_end", "near_end"]

_Kernel: TypeAlias = Callable[..., Any]

_FAR: dict[Psi, _Kernel] = {
    "square": _core.both_rough_far_weighted,
    "xlogx": _core.both_rough_far_xlogx,
}
_NEAR: dict[Psi, _Kernel] = {
    "square": _core.both_rough_near_weighted,
    "xlogx": _core.both_rough_near_xlogx,
}


def far_end(
    types: SetTypes, shape: tuple[int, int], psi: Psi, weights: Floats, budget: Budget
) -> FoundEnds:
    r"""Find the largest distance between two clusterings compatible with two rough partitions.

    .. math:: \max_N G_w(N), \qquad G_w(N) =
        w \Bigl(\sum_i \psi(R_i) + \sum_j \psi(C_j)\Bigr) - 2 \sum_{ij} \psi(N_{ij}),

    over the tables :math:`N` with row sums :math:`R` and column sums :math:`C` in which every
    object of type :math:`t` is in one cell of :math:`A_t \times B_t`. Write G for weight 1: for
    :math:`\psi(x) = x^2`, one minus Rand is :math:`G / (n (n - 1))`; for
    :math:`\psi(x) = x \log x`, the variation of information is :math:`G / n`. A ratio of these
    sums, as in Jaccard and Dice, has its ends where some :math:`G_w` has them
    :cite:`dinkelbach1967nonlinear`.

    There may be up to 1e8 objects in all and 64 cells. The weights :math:`w` of the instances are
    from 0 to 1; for "xlogx" only 1. A node is a box that the search bounds, after the first box.

    Values and bounds are equal where the search ended within ``max_nodes``: exactly for "square"
    with weight 1, else up to ``1e-12 * max(1, psi(n))``.

    Notes
    -----
    Best-first branch and bound on boxes of row and column sums. Within a box :math:`\psi` of these
    sums is replaced by a chord above it. What is left is separable and concave over the integer
    points of a base polytope. It is solved exactly by decomposition :cite:`groenevelt1991`, with
    exchanges along paths of types in place of a rank function. Wide boxes are bounded by tangent
    planes of a concave function above :math:`G`. The points of contact follow
    :cite:`frank1956algorithm` or mirror ascent. For "xlogx" :math:`G` itself is concave, so
    ``max_nodes=0`` gives a bound that is loose by little more than the rounding to whole objects;
    for "square" it is for :math:`w \le 2 / \max(k, l)`. O(k l t) per plane and per exchange. No
    search is needed for 2 x 2 tables with "square", nor for a single row or column.

    Examples
    --------
    Two objects are certain, one may be anywhere in two clusters against two:

    >>> sets = np.array([1, 2, 3])
    >>> types = SetTypes(sets, sets, np.array([[1, 1, 1], [1, 1, 1]]))
    >>> far = far_end(types, (2, 2), "square", np.array([0.5, 1.0]), Budget(max_nodes=100))
    >>> far.tables[1].tolist(), far.values.tolist(), far.bounds.tolist()
    ([[1, 1], [0, 1]], [-1.0, 4.0], [-1.0, 4.0])
    """
    return _solve(_FAR, types, shape, psi, weights, budget)


def near_end(
    types: SetTypes, shape: tuple[int, int], psi: Psi, weights: Floats, budget: Budget
) -> FoundEnds:
    r"""Find the smallest distance between two clusterings compatible with two rough partitions.

    The minimum of :math:`G_w` over the same tables as in `far_end`. Parameters and result are
    those of `far_end`, but ``bounds`` are at most the minimum and a node is a partial order of the
    cells.

    Notes
    -----
    When objects of one type move from one cell to another, :math:`G_w` is concave: for squares
    :math:`G_w'' \le 8 w - 8`, and the weight is at most 1. So in some best table every type is
    wholly in one cell: the first of its cells in an order of all cells, the same order for all
    types. Best-first branch and bound on that order. The bounds are two linear functions below
    :math:`G_w` and their mixtures. O(k l t) per node. 2 x 2 tables with "square" and weight 1 need
    no search.

    Examples
    --------
    >>> sets = np.array([1, 2, 3])
    >>> types = SetTypes(sets, sets, np.array([[1, 1, 1]]))
    >>> near_end(types, (2, 2), "xlogx", np.ones(1), Budget(max_nodes=100)).values.tolist()
    [0.0]
    """
    return _solve(_NEAR, types, shape, psi, weights, budget)


def _solve(
    kernels: dict[Psi, _Kernel],
    types: SetTypes,
    shape: tuple[int, int],
    psi: Psi,
    weights: Floats,
    budget: Budget,
) -> FoundEnds:
    sets = types.row_sets.astype(np.uint32), types.column_sets.astype(np.uint32)
    counts = np.ascontiguousarray(types.counts)
    own = (np.ascontiguousarray(weights, np.float64),) if psi == "square" else ()
    limits = budget.max_nodes, budget.threads, *kernel_limits(budget.deadline)
    return FoundEnds(*kernels[psi](*sets, counts, *own, *shape, *limits))
