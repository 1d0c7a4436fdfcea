"""Find both ends of the matching of two rough partitions.

The matching of a table is the number of objects that its best one-to-one matching of rows to
columns covers. Its ends are the largest and the smallest over all compatible tables.
"""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from sfumato import _core
from sfumato._typing import Ints
from sfumato.algorithms.deadline import kernel_limits
from sfumato.algorithms.ends.found_ends import Budget, FoundEnds, in_blocks
from sfumato.algorithms.ends.matching_program import smallest_match_program
from sfumato.algorithms.tables.focal_model import SetTypes

__all__ = ["largest_match", "smallest_match"]

_BLOCK = 1024  # instances that are worth a thread of their own

_Solved: TypeAlias = tuple[Ints, Ints, Ints]  # tables, values, bounds


def largest_match(types: SetTypes, shape: tuple[int, int], budget: Budget) -> FoundEnds:
    r"""Find the most objects that a matching of rows to columns covers in any compatible table.

    .. math:: \max_N \max_w \sum_i N_{i w(i)}
              = \max_w \#\{x : w(i) \in B(x) \text{ for some } i \in A(x)\}

    where object x may be in the rows A(x) and the columns B(x), and w matches rows to columns one
    to one.

    There are at most 32 rows and 32 columns. A node is a partial matching, after the first full
    one. Numbers of objects are exact; values and bounds are equal unless ``max_nodes`` ended the
    search.

    Notes
    -----
    If one side is certain this is an assignment problem: well under a microsecond each for up to
    three clusters, polynomial for more. If both sides are rough: branch and bound over matchings.
    The bound is the assignment that counts an object in every cell open to it. The partition
    distance of :cite:`day1981complexity` is (n - match) / (n - 1), so this gives its smallest
    value.

    Examples
    --------
    Two objects of the first class, three of the second. One of these may be in either cluster:

    >>> sets, classes = np.array([1, 3, 2, 1]), np.array([1, 2, 2, 2])
    >>> types = SetTypes(sets, classes, np.array([[2, 1, 1, 1]]))
    >>> found = largest_match(types, (2, 2), Budget(max_nodes=100))
    >>> found.tables.tolist(), found.values.tolist(), found.bounds.tolist()
    ([[[2, 1], [0, 2]]], [4.0], [4.0])
    """
    rows, columns = types.row_sets.astype(np.uint32), types.column_sets.astype(np.uint32)
    counts = np.ascontiguousarray(types.counts)

    def solve(some: slice) -> _Solved:
        if _is_small(types, shape):
            return _core.largest_match_three(rows, types.classes, counts[some], *shape)
        limits = budget.max_nodes, *kernel_limits(budget.deadline)
        return _core.largest_match(rows, columns, counts[some], *shape, *limits)

    return _in_blocks(solve, len(counts), budget)


def smallest_match(types: SetTypes, shape: tuple[int, int], budget: Budget) -> FoundEnds:
    r"""Find the fewest objects that the best matching covers in any compatible table.

    .. math:: \min_N \max_w \sum_i N_{i w(i)}
              = \min \Big\{\sum_i u_i + \sum_j v_j : N_{ij} \le u_i + v_j\Big\}

    over compatible tables N and integers u, v >= 0, by the duality of matching. Against a certain
    truth N is not needed: a table below u + v exists if and only if, for all classes j and sets I
    of rows, :math:`\sum_{i \in I} (u_i + v_j) \ge \#\{x \in j : A(x) \subseteq I\}`.

    Parameters and result are those of `largest_match`, but no compatible table falls below
    ``bounds``. Without nodes u and v may be real numbers, which gives a weaker bound.

    Notes
    -----
    If one side is certain and neither has more than three clusters: an exact search over two
    integers, about a microsecond each at n = 150 and at worst O(n log n). Else an integer program
    on one thread: mostly 10 to 500 milliseconds each up to ten clusters. Its bounds allow for a
    relative rounding error of 1e-7, so from about 1e7 objects on they may stay one below the
    values. If the program is too large, the bounds are cheap ones (`smallest_match_program`). The
    partition distance of :cite:`day1981complexity` is (n - match) / (n - 1), so this gives its
    largest value.

    Examples
    --------
    Two objects of the first class, three of the second. One of these may be in either cluster:

    >>> sets, classes = np.array([1, 3, 2, 1]), np.array([1, 2, 2, 2])
    >>> types = SetTypes(sets, classes, np.array([[2, 1, 1, 1]]))
    >>> found = smallest_match(types, (2, 2), Budget(max_nodes=100))
    >>> found.tables.tolist(), found.values.tolist(), found.bounds.tolist()
    ([[[2, 2], [0, 1]]], [3.0], [3.0])
    """
    rows, counts = types.row_sets.astype(np.uint32), np.ascontiguousarray(types.counts)

    def solve(some: slice) -> _Solved:
        if _is_small(types, shape):
            limits = *shape, budget.max_nodes
            return _core.smallest_match_three(rows, types.classes, counts[some], *limits)
        return smallest_match_program(types._replace(counts=counts[some]), shape, budget)

    return _in_blocks(solve, len(counts), budget)


def _in_blocks(solve: Callable[[slice], _Solved], n_instances: int, budget: Budget) -> FoundEnds:
    if n_instances <= _BLOCK:  # starting threads would take longer
        budget = budget._replace(threads=1)
    return in_blocks(solve, n_instances, budget, _BLOCK)


def _is_small(types: SetTypes, shape: tuple[int, int]) -> bool:
    return max(shape) <= 3 and types.has_hard_columns
