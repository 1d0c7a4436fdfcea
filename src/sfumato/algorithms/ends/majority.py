"""Find both ends of the majority sum_i max_j N_ij against a hard truth: n times the purity.

It counts the objects that are in the largest cell of their row.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportArgumentType=false

from itertools import product

import numpy as np

from sfumato._typing import Bools, Ints, Tables
from sfumato.algorithms.ends.extremes import Extremes

__all__ = ["largest_majority", "smallest_majority"]

_MOST_CHOICES = 5000


def largest_majority(
    row_sets: Ints, truth_classes: Ints, counts: Ints, *, n_rows: int, n_columns: int
) -> Extremes:
    """Find the largest majority: give every row a class, so that most objects find their class.

    An object finds its class if one of its possible rows has this class.

    Parameters
    ----------
    row_sets : ndarray of shape (t,)
        Rows that the objects of each type may go to, as bit masks.
    truth_classes : ndarray of shape (t,)
    counts : ndarray of shape (batch, t)
    n_rows, n_columns : int

    Notes
    -----
    For k rows and l columns: O(l^k t) if there are few choices, else one integer program of
    k l variables and t constraints per instance.

    Examples
    --------
    >>> found = largest_majority(np.array([3, 1]), np.array([0, 1]), np.array([[2, 1]]),
    ...                          n_rows=2, n_columns=2)
    >>> found.values
    array([3.])
    """
    members = (row_sets[:, None] >> np.arange(n_rows)) & 1 == 1
    choose = _try_all if n_columns**n_rows <= _MOST_CHOICES else _choose_by_program
    chosen = choose(members, truth_classes, counts, n_columns)
    tables = np.zeros((len(counts), n_rows, n_columns), dtype=np.int64)
    for instance, classes in enumerate(chosen):
        fits = members & (classes == truth_classes[:, None])
        rows = np.where(fits.any(axis=1), fits.argmax(axis=1), members.argmax(axis=1))
        np.add.at(tables[instance], (rows, truth_classes), counts[instance])
    values = tables.max(axis=2).sum(axis=1).astype(np.float64)
    return Extremes(tables, values, values.copy())


def _try_all(members: Bools, truth_classes: Ints, counts: Ints, n_columns: int) -> Ints:
    """Find the best class of every row for each instance, by trying all choices."""
    n_rows = members.shape[1]
    best = np.full(len(counts), -1, dtype=np.int64)
    chosen = np.zeros((len(counts), n_rows), dtype=np.int64)
    for classes in product(range(n_columns), repeat=n_rows):
        covered = (members & (np.array(classes) == truth_classes[:, None])).any(axis=1)
        total = counts[:, covered].sum(axis=1)
        better = total > best
        best[better], chosen[better] = total[better], classes
    return chosen


def _choose_by_program(members: Bools, truth_classes: Ints, counts: Ints, n_columns: int) -> Ints:
    """Find the best class of every row by an integer program, a largest coverage.

    z_ij = 1 if row i has class j; y_t <= 1 and y_t <= the sum of all z_ij that suit type t.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import block_array, csr_array, eye_array, kron

    n_types, n_rows = members.shape
    types, rows = np.nonzero(members)
    at = rows * n_columns + truth_classes[types]
    covers = csr_array((np.ones(len(at)), (types, at)), shape=(n_types, n_rows * n_columns))
    one_class = kron(eye_array(n_rows), np.ones((1, n_columns)))
    limits = block_array([[one_class, None], [-covers, eye_array(n_types)]], format="csr")
    highest = np.concatenate([np.ones(n_rows), np.zeros(n_types)])
    is_whole = np.concatenate([np.ones(n_rows * n_columns), np.zeros(n_types)])
    chosen = np.empty((len(counts), n_rows), dtype=np.int64)
    for instance, own in enumerate(counts):
        found = milp(
            -np.concatenate([np.zeros(n_rows * n_columns), own]),
            constraints=LinearConstraint(limits, ub=highest),
            bounds=Bounds(0, 1),
            integrality=is_whole,
            options={"mip_rel_gap": 0},
        )
        chosen[instance] = found.x[: n_rows * n_columns].reshape(n_rows, n_columns).argmax(axis=1)
    return chosen


def smallest_majority(
    row_sets: Ints, truth_classes: Ints, counts: Ints, *, n_rows: int, n_columns: int
) -> Extremes:
    """Find the smallest majority: the smallest capacities of rows into which every class fits.

    Class j fits into rows with capacities m if and only if, for every set I of rows,
    sum_{i in I} m_i >= #{objects of class j whose rows all lie in I} (Hall's condition). So the
    smallest sum of capacities is a small integer program. Its size does not depend on the number of
    objects.

    Parameters are those of `largest_majority`.

    Notes
    -----
    One integer program of k variables and 2^k constraints per instance, and one flow per class.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp

    subsets = np.arange(1, 1 << n_rows)
    rows_of = ((subsets[:, None] >> np.arange(n_rows)) & 1).astype(np.float64)
    inside = (row_sets[None, :] & ~subsets[:, None]) == 0  # (2^k - 1, t)
    tables = np.zeros((len(counts), n_rows, n_columns), dtype=np.int64)
    values = np.empty(len(counts))
    for instance, own in enumerate(counts):
        demand = np.max(
            [inside[:, truth_classes == j] @ own[truth_classes == j] for j in range(n_columns)],
            axis=0,
        )
        found = milp(
            np.ones(n_rows),
            constraints=LinearConstraint(rows_of, lb=demand),
            bounds=Bounds(0, np.inf),
            integrality=np.ones(n_rows),
        )
        capacities = np.rint(found.x).astype(np.int64)
        tables[instance] = _fill(row_sets, truth_classes, own, capacities, n_columns)
        values[instance] = tables[instance].max(axis=1).sum()
    return Extremes(tables, values, values.copy())


def _fill(
    row_sets: Ints, truth_classes: Ints, counts: Ints, capacities: Ints, n_columns: int
) -> Tables:
    """Build a table within the capacities: one flow from types to rows for each class."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_flow

    n_rows = len(capacities)
    table = np.zeros((n_rows, n_columns), dtype=np.int64)
    for j in range(n_columns):
        types = np.flatnonzero((truth_classes == j) & (counts > 0))
        n_types = len(types)
        size = n_types + n_rows + 2
        graph = np.zeros((size, size), dtype=np.int32)
        graph[-2, :n_types] = counts[types]
        open_rows = (row_sets[types, None] >> np.arange(n_rows)) & 1 == 1
        graph[:n_types, n_types:-2] = np.where(open_rows, counts[types, None], 0)
        graph[n_types:-2, -1] = capacities
        flow = maximum_flow(csr_array(graph), size - 2, size - 1).flow
        table[:, j] = np.asarray(flow[n_types : n_types + n_rows, [size - 1]].todense()).ravel()
    return table
