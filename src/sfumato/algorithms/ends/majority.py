"""Find both ends of the majority sum_i max_j N_ij against a hard truth: n times the purity.

It counts the objects that are in the largest cell of their row.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportArgumentType=false

from itertools import product

import numpy as np

from sfumato import _core
from sfumato._typing import Bools, Floats, Ints
from sfumato.algorithms.ends.found_ends import FoundEnds
from sfumato.algorithms.programs import solve_program, whole_bound
from sfumato.algorithms.tables.focal_model import SetTypes

__all__ = ["largest_majority", "smallest_majority"]

_MOST_CHOICES = 5000


def largest_majority(types: SetTypes, shape: tuple[int, int]) -> FoundEnds:
    """Find the largest majority: give every row a class, so that most objects find their class.

    An object finds its class if one of its possible rows has this class. Each type has one column.

    Notes
    -----
    O(l^k t) for k rows and l columns where these are few choices, else one integer program of
    k l variables and t constraints per instance. Values are counted in the tables; bounds are
    those of the program, so they meet only where it was solved.

    Examples
    --------
    >>> types = SetTypes(np.array([3, 1]), np.array([1, 2]), np.array([[2, 1]]))
    >>> largest_majority(types, (2, 2)).values
    array([3.])
    """
    (n_rows, n_columns), truth_classes, counts = shape, types.classes, types.counts
    members = (types.row_sets[:, None] >> np.arange(n_rows)) & 1 == 1
    choose = _try_all if n_columns**n_rows <= _MOST_CHOICES else _choose_by_program
    chosen, bounds = choose(members, truth_classes, counts, n_columns)
    tables = np.zeros((len(counts), n_rows, n_columns), dtype=np.int64)
    for instance, classes in enumerate(chosen):
        fits = members & (classes == truth_classes[:, None])
        rows = np.where(fits.any(axis=1), fits.argmax(axis=1), members.argmax(axis=1))
        np.add.at(tables[instance], (rows, truth_classes), counts[instance])
    values = tables.max(axis=2).sum(axis=1).astype(np.float64)
    return FoundEnds(tables, values, np.maximum(bounds, values))


def _try_all(
    members: Bools, truth_classes: Ints, counts: Ints, n_columns: int
) -> tuple[Ints, Floats]:
    """The best class of every row for each instance and its value, by trying all choices."""
    n_rows = members.shape[1]
    best = np.full(len(counts), -1, dtype=np.int64)
    chosen = np.zeros((len(counts), n_rows), dtype=np.int64)
    for classes in product(range(n_columns), repeat=n_rows):
        covered = (members & (np.array(classes) == truth_classes[:, None])).any(axis=1)
        total = counts[:, covered].sum(axis=1)
        better = total > best
        best[better], chosen[better] = total[better], classes
    return chosen, best.astype(np.float64)


def _choose_by_program(
    members: Bools, truth_classes: Ints, counts: Ints, n_columns: int
) -> tuple[Ints, Floats]:
    """The same as a largest coverage: z_ij for class j of row i, y_t <= sum of z that cover t."""
    from scipy.sparse import block_array, csr_array, eye_array, kron

    n_types, n_rows = members.shape
    types, rows = np.nonzero(members)
    at = rows * n_columns + truth_classes[types]
    covers = csr_array((np.ones(len(at)), (types, at)), shape=(n_types, n_rows * n_columns))
    one_class = kron(eye_array(n_rows), np.ones((1, n_columns)))
    limits = block_array([[one_class, None], [-covers, eye_array(n_types)]], format="csr")
    highest = np.concatenate([np.ones(n_rows), np.zeros(n_types)])
    is_whole = np.concatenate([np.ones(n_rows * n_columns), np.zeros(n_types)])
    chosen = np.zeros((len(counts), n_rows), dtype=np.int64)
    bounds = counts.sum(axis=1).astype(np.float64)  # what is known without a program
    for at, own in enumerate(counts):
        costs = -np.concatenate([np.zeros(n_rows * n_columns), own])
        found = solve_program(costs, limits, (-np.inf, highest), highest=1.0, is_whole=is_whole)
        # Constraints may be off by the tolerance, and what they are worth adds up to n at most.
        bounds[at] = min(bounds[at], -whole_bound(found.bound, bounds[at] + n_rows + n_types))
        if found.point is not None:
            classes = found.point[: n_rows * n_columns].reshape(n_rows, n_columns)
            chosen[at] = classes.argmax(axis=1)
    return chosen, bounds


def smallest_majority(types: SetTypes, shape: tuple[int, int]) -> FoundEnds:
    """Find the smallest majority: the smallest capacities of rows into which every class fits.

    Class j fits into rows with capacities m if and only if, for every set I of rows,
    sum_{i in I} m_i >= #{objects of class j whose rows all lie in I} (Hall's condition). So the
    smallest sum of capacities is a small integer program. Its size does not depend on the number of
    objects.

    Notes
    -----
    One integer program of k variables and 2^k constraints per instance, and one flow.
    Values are counted in the tables; bounds are those of the program.
    """
    (n_rows, n_columns), truth_classes, counts = shape, types.classes, types.counts
    subsets = np.arange(1, 1 << n_rows)
    rows_of = ((subsets[:, None] >> np.arange(n_rows)) & 1).astype(np.float64)
    inside = (types.row_sets[None, :] & ~subsets[:, None]) == 0  # (2^k - 1, t)
    sets = types.row_sets.astype(np.uint32), types.column_sets.astype(np.uint32)
    tables = np.zeros((len(counts), n_rows, n_columns), dtype=np.int64)
    bounds = np.empty(len(counts))
    for at, own in enumerate(counts):
        demand = np.max(
            [inside[:, truth_classes == j] @ own[truth_classes == j] for j in range(n_columns)],
            axis=0,
        )
        found = solve_program(np.ones(n_rows), rows_of, (demand, np.inf), is_whole=np.ones(n_rows))
        # All rows together hold the largest class.
        bounds[at] = max(float(demand[-1]), whole_bound(found.bound, float(own.sum())))
        capacities = _whole_capacities(found.point, rows_of, demand)
        room = np.repeat(capacities[:, None], n_columns, axis=1)
        tables[at] = _core.fill_cells(*sets, np.ascontiguousarray(own), room)
    values = tables.max(axis=2).sum(axis=1).astype(np.float64)
    return FoundEnds(tables, values, np.minimum(bounds, values))


def _whole_capacities(point: Floats | None, rows_of: Floats, demand: Ints) -> Ints:
    """Capacities in whole objects that meet the demand: those found, or else enough for all."""
    if point is not None:
        capacities = np.rint(point).astype(np.int64)
        if (rows_of.astype(np.int64) @ capacities >= demand).all():
            return capacities
    return np.full(rows_of.shape[1], demand[-1], dtype=np.int64)
