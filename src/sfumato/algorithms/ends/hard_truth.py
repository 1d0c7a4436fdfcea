"""Find the tables of a rough partition that are nearest to a hard truth, or farthest from it.

Near and far are meant as distances: the far end holds the smallest value of an index of agreement
such as Rand, and the largest of a distance.
"""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from sfumato import _core
from sfumato._typing import Floats, Ints
from sfumato.algorithms.deadline import Deadline, kernel_limits
from sfumato.algorithms.ends.found_ends import Budget, FoundEnds, in_blocks
from sfumato.algorithms.tables.focal_model import SetTypes
from sfumato.families import Psi, psi_sum

__all__ = ["far_end", "near_end", "truth_sums"]

_Kernel: TypeAlias = Callable[..., tuple[Ints, Floats, Floats]]

_FAR: dict[Psi, _Kernel] = {
    "square": _core.hard_truth_far_square,
    "xlogx": _core.hard_truth_far_xlogx,
}
_NEAR: dict[Psi, _Kernel] = {
    "square": _core.hard_truth_near_square,
    "xlogx": _core.hard_truth_near_xlogx,
}
_BLOCK = 256  # instances that a thread takes at a time
# A block whose instances share their nodes has a fourth of all, but so many at least and at most.
_LEAST_SHARED, _MOST_SHARED = 8, 32


def far_end(
    types: SetTypes, shape: tuple[int, int], psi: Psi, row_weight: Floats, budget: Budget
) -> FoundEnds:
    r"""Find the tables that are farthest from the truth.

    .. math:: \max_N \kappa \sum_i \psi(R_i) - 2 \sum_{ij} \psi(N_{ij}), \quad
              \psi(x) = x^2 \text{ or } x \log x

    over all tables N, with row sums R, in which each object of type t is in one row of its set
    and in the column of its class. The column sums C are fixed. Call the sum above D. With weight
    1, the pairs that disagree are :math:`(D + \sum_j C_j^2) / 2` for squares, and n times the
    variation of information is :math:`D + \sum_j C_j \log C_j` for x log x.

    Each type has one column; there are at most 12 rows. The weights kappa of the instances are not
    negative. A node is a box of row sums; a box of sorted row sums counts for 20.

    ``bounds`` are at least the maximum. For squares with weights 0, 1 and 2 a search closes exactly
    (up to n = 1e9). Else it closes when ``bounds`` and ``values`` differ by at most 1e-12 of
    max(1, psi(n)), and ``bounds`` are then set to ``values``.

    Notes
    -----
    Best-first branch and bound on boxes of row sums. Within a box psi(R) is replaced by a chord
    above it. Then the columns are independent, and each is solved by decomposition
    :cite:`fujishige1980,groenevelt1991`, in O(l k 2^k) for a box. With two classes, squares and
    weight 1 the answer is the shortest vector of one base polytope, and no search is needed.
    Instances of squares that are much alike share their boxes, if the budget says so. Squares of
    many rows are also searched by boxes of sorted row sums, where one dynamic program over sets of
    rows bounds all orders of the rows, in O(k^2 2^k); see the small proofs in docs/theory.md.

    Examples
    --------
    Four objects of two classes. The second and the third may be in either cluster:

    >>> types = SetTypes(np.array([1, 3, 3, 2]), np.array([1, 1, 2, 2]), np.ones((1, 4), np.int64))
    >>> far = far_end(types, (2, 2), "square", np.ones(1), Budget(max_nodes=100))
    >>> far.tables[0].tolist(), far.values.tolist(), far.bounds.tolist()
    ([[1, 1], [1, 1]], [0.0], [0.0])
    """
    return _solve(_FAR[psi], types, shape, row_weight, budget)


def near_end(
    types: SetTypes, shape: tuple[int, int], psi: Psi, row_weight: Floats, budget: Budget
) -> FoundEnds:
    r"""Find the tables that are nearest to the truth.

    .. math:: \min_N \kappa \sum_i \psi(R_i) - 2 \sum_{ij} \psi(N_{ij}), \quad
              \psi(x) = x^2 \text{ or } x \log x

    Parameters and result are those of `far_end`, but ``bounds`` are at most the minimum.

    Notes
    -----
    For kappa <= 2 every column of a best table is a vertex of its base polytope
    :cite:`edmonds1970submodular`. A polytope has up to k! vertices. With two or three rows and up
    to 512 combinations all are tried. Else lines below psi(R) give a bound, in O(l k 2^k) for each
    set of lines, and a depth-first search goes through the vertices that the bound does not
    exclude. In ``max_nodes`` a node with many vertices counts for several. For kappa > 2 the best
    table need not be at vertices: the bound is valid, but the search often does not close.

    Examples
    --------
    >>> types = SetTypes(np.array([1, 3, 3, 2]), np.array([1, 1, 2, 2]), np.ones((1, 4), np.int64))
    >>> near = near_end(types, (2, 2), "square", np.ones(1), Budget(max_nodes=100))
    >>> near.tables[0].tolist(), near.values.tolist(), near.bounds.tolist()
    ([[2, 0], [0, 2]], [-8.0], [-8.0])
    """
    return _solve(_NEAR[psi], types, shape, row_weight, budget)


def _solve(
    kernel: _Kernel, types: SetTypes, shape: tuple[int, int], row_weight: Floats, budget: Budget
) -> FoundEnds:
    counts = np.ascontiguousarray(types.counts, dtype=np.int64)
    rows, classes = types.row_sets.astype(np.uint32), types.classes
    deadline = Deadline() if budget.deadline is None else budget.deadline

    def solve(some: slice) -> tuple[Ints, Floats, Floats]:
        own = counts[some], row_weight[some]
        limits = budget.is_shared, budget.max_nodes, *kernel_limits(deadline)
        return kernel(rows, classes, *own, *shape, *limits)

    block = _BLOCK
    if budget.is_shared:
        block = min(_MOST_SHARED, max(_LEAST_SHARED, -(-len(counts) // 4)))
    return in_blocks(solve, len(counts), budget._replace(deadline=deadline), block)


def truth_sums(psi: Psi, types: SetTypes, n_columns: int) -> Floats:
    """Sum of psi over the sizes of the truth's classes, in each instance."""
    in_class = types.classes[:, None] == np.arange(n_columns)
    return psi_sum(psi, types.counts @ in_class.astype(np.int64))
