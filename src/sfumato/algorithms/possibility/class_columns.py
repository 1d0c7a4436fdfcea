"""List the columns that each class of a hard truth can make, each with its smallest cost.

A column counts how many objects of the class are in each row.
"""

from math import inf, log2
from typing import NamedTuple

import numpy as np

from sfumato import _core
from sfumato._typing import Floats, Ints

__all__ = ["ClassColumns", "class_columns", "fits_keys"]

_KEY_BITS = 62
_FEWEST_COLUMNS, _FEWEST_STEPS = (100, 1000), 2e6  # columns of a class that are kept in any case


class ClassColumns(NamedTuple):
    """The columns that each class can make, class after class, cheapest first."""

    columns: Ints  # (m, k)
    costs: Floats  # (m,)
    starts: Ints  # (q + 1,)
    least_dropped: float  # no column that was left out costs less


def fits_keys(n_objects: int, n_rows: int) -> bool:
    """Whether row sums can be numbered by an integer: (n + 1)^k, compared as logarithms.

    Examples
    --------
    >>> fits_keys(150, 3), fits_keys(10_000, 100)
    (True, False)
    """
    return n_rows * log2(n_objects + 1) < _KEY_BITS


def class_columns(
    costs: Floats, classes: Ints, n_classes: int, *, limit: float, max_steps: float
) -> ClassColumns:
    """List all columns that cost less than a limit, the classes with fewest columns first.

    Parameters
    ----------
    costs : ndarray of shape (n, k)
        Cost of each row for each object. The smallest is 0; infinite means impossible.
    classes : ndarray of shape (n,)
        The column of each object.
    n_classes : int
    limit : float
    max_steps : float
        If about so many steps are not enough, the most expensive columns are left out.

    Notes
    -----
    O(n k c) for c columns of a class. A class has at most C(m + k - 1, k - 1) columns, where m of
    its objects have a choice.

    Examples
    --------
    Two objects of one class. The second may move to the other row for a cost of 0.5:

    >>> costs = np.array([[0.0, 9.0], [0.0, 0.5]])
    >>> found = class_columns(costs, np.array([0, 0]), 1, limit=5.0, max_steps=1e6)
    >>> found.columns.tolist(), found.costs.tolist(), found.least_dropped
    ([[2, 0], [1, 1]], [0.0, 0.5], 9.0)
    """
    too_expensive = costs[(costs >= limit) & (costs < inf)]
    least_dropped = float(too_expensive.min()) if len(too_expensive) else inf
    found: list[tuple[Ints, Floats]] = []
    for j in range(n_classes):
        columns, column_costs, dropped = _of_class(costs[classes == j], limit, max_steps)
        found.append((columns, column_costs))
        least_dropped = min(least_dropped, dropped)
    found.sort(key=lambda pair: len(pair[1]))
    sizes = [len(column_costs) for _, column_costs in found]
    return ClassColumns(
        np.concatenate([columns for columns, _ in found]),
        np.concatenate([column_costs for _, column_costs in found]),
        np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        least_dropped,
    )


def _of_class(costs: Floats, limit: float, max_steps: float) -> tuple[Ints, Floats, float]:
    n_rows = int(costs.shape[1])
    options = costs < limit
    is_certain = options.sum(axis=1) == 1
    base = options[is_certain].sum(axis=0).astype(np.int64)
    is_open = ~is_certain
    n_open = int(is_open.sum())
    keys = np.array([(n_open + 1) ** row for row in range(n_rows - 1)] + [0], dtype=np.int64)
    steps_each = max(1, n_open * n_rows)
    most = int(max(np.clip(_FEWEST_STEPS / steps_each, *_FEWEST_COLUMNS), max_steps / steps_each))
    found, column_costs, least_dropped = _core.class_columns(
        np.ascontiguousarray(costs[is_open]), keys, limit, most
    )
    columns = np.empty((len(found), n_rows), dtype=np.int64)
    for row in range(n_rows - 1):
        found, columns[:, row] = np.divmod(found, n_open + 1)
    columns[:, -1] = n_open - columns[:, :-1].sum(axis=1)
    return columns + base, column_costs, least_dropped
