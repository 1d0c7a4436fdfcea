"""Find the fewest objects that the best matching of clusters covers, by an integer program."""

from math import inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato import _core
from sfumato._typing import Bools, Ints
from sfumato.algorithms.ends.climb import fill_greedily
from sfumato.algorithms.ends.found_ends import Budget
from sfumato.algorithms.programs import solve_program, whole_bound
from sfumato.algorithms.tables.focal_model import SetTypes
from sfumato.algorithms.tables.largest_matching import largest_matching
from sfumato.algorithms.tables.ragged import starts_of

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["MOST_FLOWS", "smallest_match_program"]

MOST_FLOWS = 50_000  # where the relaxation alone takes several seconds


class _Program(NamedTuple):
    """What all instances share: the constraints on (u, v, y), and the types with a choice.

    The first k l rows of the matrix say: u_i + v_j - (flow y into cell ij) >= objects certain to
    be in cell ij. The other rows say: (flow y out of type t) = counts[t].
    """

    matrix: "csr_array"  # (k l + o, k + l + f), o types with a choice
    n_flows: int  # f
    is_open: Bools  # (t,): whether the type has a choice
    starts: Ints  # (t + 1,)
    cells: Ints  # (starts[t],): the cells of each type
    n_cells: int


def smallest_match_program(
    types: SetTypes, shape: tuple[int, int], budget: Budget
) -> tuple[Ints, Ints, Ints]:
    r"""Find tables in which the best matching covers fewest objects.

    .. math:: \min \sum_i u_i + \sum_j v_j \quad\text{subject to}\quad
              \sum_t y_{t,ij} \le u_i + v_j, \quad \sum_{ij \in A_t \times B_t} y_{t,ij} = c_t

    with u, v integer. The flows y may stay real: for integer u, v there are also integer flows. No
    matching of a table below u + v covers more than the total of u and v.

    Without nodes only the linear relaxation is solved; after the deadline no program is, so the
    bounds are the cheap ones. One thread. Gives tables, values and bounds.

    Notes
    -----
    HiGHS solves it :cite:`huangfu2018parallelizing`. A table is then built in exact integers from
    the rounded potentials, so a value never suffers from rounding; the minimum is an integer, so
    the bound is the next integer above HiGHS's, less a margin (`whole_bound`). Programs of more
    than 50,000 flows are not solved: their tables are filled greedily, and their bounds are the
    larger of n / max(k, l), the mean of the matchings that share out all cells, and of the matching
    of the objects that are certain.

    Examples
    --------
    >>> types = SetTypes(np.array([7]), np.array([7]), np.array([[10]]))
    >>> tables, values, bounds = smallest_match_program(types, (3, 3), Budget(max_nodes=100))
    >>> values.tolist(), bounds.tolist(), int(tables.sum())
    ([4], [4], 10)
    """
    used = types.counts.any(axis=0)
    rows, columns = (sets[used].astype(np.uint32) for sets in (types.row_sets, types.column_sets))
    counts = types.counts[:, used]
    program = _program(rows, columns, *shape)
    only = program.cells[program.starts[:-1][~program.is_open]]  # the cell of those without choice
    tables = np.zeros((len(counts), *shape), dtype=np.int64)
    values = np.zeros(len(counts), dtype=np.int64)
    bounds = np.zeros(len(counts), dtype=np.int64)
    for at, own in enumerate(np.ascontiguousarray(counts)):
        sure = np.bincount(only, own[~program.is_open], program.n_cells)
        certain = sure.astype(np.int64)  # objects in each cell that cannot be elsewhere
        bounds[at] = max(
            -(-int(own.sum()) // max(shape)), int(largest_matching(certain.reshape(shape)))
        )
        is_large = program.n_flows > MOST_FLOWS
        if is_large:
            # Each type goes as a whole to the emptiest cell that is open to it.
            lists = program.starts, program.cells, program.n_cells
            sent = fill_greedily(own, *lists, gather=False)
            filled = np.bincount(program.cells, sent, program.n_cells)
            tables[at] = filled.astype(np.int64).reshape(shape)
        else:
            capacities = _spread(int(bounds[at]), *shape)
            tables[at] = _core.fill_cells(rows, columns, own, capacities)
        values[at] = largest_matching(tables[at])
        if values[at] == bounds[at] or is_large:
            continue
        potentials, total = _solve(program, certain, own[program.is_open], sum(shape), budget)
        # Flows add up to all objects, potentials to a matching, which is at most as many.
        bounds[at] = max(bounds[at], whole_bound(total, 2.0 * float(own.sum())))
        if potentials is None:
            continue
        capacities = potentials[: shape[0], None] + potentials[None, shape[0] :]
        table = _core.fill_cells(rows, columns, own, np.ascontiguousarray(capacities))
        value = int(largest_matching(table))
        if value < values[at]:
            tables[at], values[at] = table, value
    return tables, values, bounds


def _program(
    rows: NDArray[np.uint32], columns: NDArray[np.uint32], n_rows: int, n_columns: int
) -> _Program:
    from scipy.sparse import csr_array

    in_rows = (rows[:, None] >> np.arange(n_rows, dtype=np.uint32)) & 1
    in_columns = (columns[:, None] >> np.arange(n_columns, dtype=np.uint32)) & 1
    n_cells = n_rows * n_columns
    allowed = (in_rows[:, :, None] & in_columns[:, None, :]).reshape(len(rows), n_cells) == 1
    sizes = allowed.sum(axis=1)
    is_open = sizes > 1
    types, cells = np.nonzero(allowed[is_open])
    n_open = int(is_open.sum())
    all_cells, flows = np.arange(n_cells), n_rows + n_columns + np.arange(len(cells))
    ones = np.ones(n_cells + len(cells))
    entries = np.concatenate([ones[:n_cells], ones[:n_cells], -ones[n_cells:], ones[n_cells:]])
    at_row = np.concatenate([all_cells, all_cells, cells, n_cells + types])
    at_column = np.concatenate(
        [all_cells // n_columns, n_rows + all_cells % n_columns, flows, flows]
    )
    matrix = csr_array(
        (entries, (at_row, at_column)),
        shape=(n_cells + n_open, n_rows + n_columns + len(cells)),
    )
    every_cell = np.nonzero(allowed)[1]
    return _Program(matrix, len(cells), is_open, starts_of(sizes), every_cell, n_cells)


def _spread(total: int, n_rows: int, n_columns: int) -> Ints:
    """Share out the total evenly over the rows, or over the columns if these are fewer.

    Gives the capacity u_i + v_j of each cell.
    """
    fewer = min(n_rows, n_columns)
    share = (total + np.arange(fewer)) // fewer
    line = share[:, None] if n_rows <= n_columns else share[None, :]
    return np.ascontiguousarray(np.broadcast_to(line, (n_rows, n_columns)))


def _solve(
    program: _Program, certain: Ints, counts: Ints, n_potentials: int, budget: Budget
) -> tuple[Ints | None, float]:
    """Integer potentials that leave room for a table, if found, and a bound of their total."""
    n_variables = n_potentials + program.n_flows
    is_potential = (np.arange(n_variables) < n_potentials).astype(np.float64)
    limits = (
        np.concatenate([certain, counts]).astype(np.float64),
        np.concatenate([np.full(len(certain), inf), counts]),
    )
    bound = -inf
    if budget.max_nodes > 0:
        point, bound = solve_program(
            is_potential,
            program.matrix,
            limits,
            is_whole=is_potential,
            max_nodes=budget.max_nodes,
            deadline=budget.deadline,
        )
        if point is not None:
            return np.rint(point[:n_potentials]).astype(np.int64), bound
    point, relaxed = solve_program(is_potential, program.matrix, limits, deadline=budget.deadline)
    if point is None:
        return None, bound
    # Rounding up real potentials leaves room too.
    return np.ceil(point[:n_potentials] - 1e-9).astype(np.int64), max(bound, relaxed)
