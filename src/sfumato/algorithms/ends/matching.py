"""Find both ends of the matching of two rough partitions.

The matching of a table is the number of objects that its best one-to-one matching of rows to
columns covers. Its ends are the largest and the smallest over all compatible tables.
"""

import os
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sfumato import _core
from sfumato._typing import Ints
from sfumato.algorithms.deadline import Deadline, in_threads, kernel_limits
from sfumato.algorithms.ends.found_ends import FoundEnds
from sfumato.algorithms.ends.matching_program import smallest_match_program

__all__ = ["largest_match", "smallest_match"]

_BLOCK = 1024  # instances that are worth a thread of their own

_Solved = tuple[Ints, Ints, Ints]  # tables, values, bounds


def largest_match(
    row_sets: NDArray[np.uint32],
    column_sets: NDArray[np.uint32],
    counts: Ints,
    *,
    n_rows: int,
    n_columns: int,
    max_nodes: int,
    threads: int | None,
    deadline: Deadline | None = None,
) -> FoundEnds:
    r"""Find the most objects that a matching of rows to columns covers in any compatible table.

    .. math:: \max_N \max_w \sum_i N_{i w(i)}
              = \max_w \#\{x : w(i) \in B(x) \text{ for some } i \in A(x)\}

    where object x may be in the rows A(x) and the columns B(x), and w matches rows to columns one
    to one.

    Parameters
    ----------
    row_sets, column_sets : ndarray of shape (t,)
        Rows and columns open to the objects of each type: bit i stands for row or column i. No set
        is empty.
    counts : ndarray of shape (b, t)
        Objects of each type, for each of b instances.
    n_rows, n_columns : int
        Between 1 and 32.
    max_nodes : int
        Partial matchings that the search may visit in each instance, after the first full one.
    threads : int or None
        None: one for each processor. The answer does not depend on it.
    deadline : Deadline, optional
        Ends searches early, as ``max_nodes`` does.

    Returns
    -------
    FoundEnds
        Numbers of objects, exact. ``values`` are those of ``tables``. No compatible table exceeds
        ``bounds``. Values and bounds are equal unless ``max_nodes`` ended the search.

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

    >>> sets, classes = np.array([1, 3, 2, 1], np.uint32), np.array([1, 2, 2, 2], np.uint32)
    >>> found = largest_match(sets, classes, np.array([[2, 1, 1, 1]]), n_rows=2, n_columns=2,
    ...                       max_nodes=100, threads=1)
    >>> found.tables.tolist(), found.values.tolist(), found.bounds.tolist()
    ([[[2, 1], [0, 2]]], [4.0], [4.0])
    """

    def solve(rows: NDArray[np.uint32], columns: NDArray[np.uint32], shape: _Shape) -> _Solver:
        if _is_small(columns, shape):
            return lambda part: _core.largest_match_three(rows, _elements(columns), part, *shape)
        return lambda part: _core.largest_match(
            rows, columns, part, *shape, max_nodes, *kernel_limits(deadline)
        )

    return _solve_either_way(
        solve,
        row_sets,
        column_sets,
        counts,
        (n_rows, n_columns),
        threads=threads,
        deadline=deadline,
    )


def smallest_match(
    row_sets: NDArray[np.uint32],
    column_sets: NDArray[np.uint32],
    counts: Ints,
    *,
    n_rows: int,
    n_columns: int,
    max_nodes: int,
    threads: int | None,
    deadline: Deadline | None = None,
) -> FoundEnds:
    r"""Find the fewest objects that the best matching covers in any compatible table.

    .. math:: \min_N \max_w \sum_i N_{i w(i)}
              = \min \Big\{\sum_i u_i + \sum_j v_j : N_{ij} \le u_i + v_j\Big\}

    over compatible tables N and integers u, v >= 0, by the duality of matching. Against a certain
    truth N is not needed: a table below u + v exists if and only if, for all classes j and sets I
    of rows, :math:`\sum_{i \in I} (u_i + v_j) \ge \#\{x \in j : A(x) \subseteq I\}`.

    Parameters
    ----------
    row_sets, column_sets : ndarray of shape (t,)
        Rows and columns open to the objects of each type: bit i stands for row or column i. No set
        is empty.
    counts : ndarray of shape (b, t)
        Objects of each type, for each of b instances.
    n_rows, n_columns : int
        Between 1 and 32.
    max_nodes : int
        Branches of the search for each instance. With 0, u and v may be real numbers, which gives
        a weaker bound.
    threads : int or None
        None: one for each processor. The answer does not depend on it.
    deadline : Deadline, optional
        Ends searches early, as ``max_nodes`` does.

    Returns
    -------
    FoundEnds
        Numbers of objects. ``values`` are those of ``tables``. No compatible table falls below
        ``bounds``. Values and bounds are equal where the search closed.

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

    >>> sets, classes = np.array([1, 3, 2, 1], np.uint32), np.array([1, 2, 2, 2], np.uint32)
    >>> found = smallest_match(sets, classes, np.array([[2, 1, 1, 1]]), n_rows=2, n_columns=2,
    ...                        max_nodes=100, threads=1)
    >>> found.tables.tolist(), found.values.tolist(), found.bounds.tolist()
    ([[[2, 2], [0, 1]]], [3.0], [3.0])
    """

    def solve(rows: NDArray[np.uint32], columns: NDArray[np.uint32], shape: _Shape) -> _Solver:
        if _is_small(columns, shape):
            return lambda part: _core.smallest_match_three(
                rows, _elements(columns), part, *shape, max_nodes
            )
        return lambda part: smallest_match_program(
            rows,
            columns,
            part,
            n_rows=shape[0],
            n_columns=shape[1],
            max_nodes=max_nodes,
            deadline=deadline,
        )

    return _solve_either_way(
        solve,
        row_sets,
        column_sets,
        counts,
        (n_rows, n_columns),
        threads=threads,
        deadline=deadline,
    )


_Shape = tuple[int, int]
_Solver = Callable[[Ints], _Solved]


def _solve_either_way(
    choose: Callable[[NDArray[np.uint32], NDArray[np.uint32], _Shape], _Solver],
    row_sets: NDArray[np.uint32],
    column_sets: NDArray[np.uint32],
    counts: Ints,
    shape: _Shape,
    *,
    threads: int | None,
    deadline: Deadline | None,
) -> FoundEnds:
    """Make the certain side, if there is one, the columns; then solve."""
    rows, columns = np.ascontiguousarray(row_sets), np.ascontiguousarray(column_sets)
    is_flipped = _are_certain(rows) and not _are_certain(columns)
    if is_flipped:
        rows, columns, shape = columns, rows, (shape[1], shape[0])
    tables, values, bounds = _in_blocks(choose(rows, columns, shape), counts, threads, deadline)
    if is_flipped:
        tables = np.ascontiguousarray(tables.swapaxes(1, 2))
    return FoundEnds(tables, values.astype(np.float64), bounds.astype(np.float64))


def _in_blocks(
    solve: _Solver, counts: Ints, threads: int | None, deadline: Deadline | None
) -> _Solved:
    """Solve blocks of instances, each on some thread."""
    counts = np.ascontiguousarray(counts, dtype=np.int64)
    n_threads = threads or os.cpu_count() or 1
    if n_threads == 1 or len(counts) <= _BLOCK:
        return solve(counts)
    blocks = [counts[start : start + _BLOCK] for start in range(0, len(counts), _BLOCK)]
    solved = in_threads(solve, blocks, n_threads, deadline)
    return (
        np.concatenate([tables for tables, _, _ in solved]),
        np.concatenate([values for _, values, _ in solved]),
        np.concatenate([bounds for _, _, bounds in solved]),
    )


def _are_certain(sets: NDArray[np.uint32]) -> bool:
    return not np.any(sets & (sets - np.uint32(1)))


def _is_small(columns: NDArray[np.uint32], shape: _Shape) -> bool:
    return max(shape) <= 3 and _are_certain(columns)


def _elements(singletons: NDArray[np.uint32]) -> Ints:
    """The one element of each set."""
    return np.frexp(singletons.astype(np.float64))[1].astype(np.int64) - 1
