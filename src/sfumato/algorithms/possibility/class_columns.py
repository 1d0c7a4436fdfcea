"""List the columns that each class of a hard truth can make, each with its smallest cost.

A column counts how many objects of the class are in each row.
"""

from math import inf, log2
from typing import NamedTuple

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.possibility.cheap_tables import CheapTables, cheapest_tables
from sfumato.algorithms.tables.choices import Choices
from sfumato.algorithms.tables.ragged import starts_of

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

    ``costs`` of shape (n, k) are those of each row for each object, the smallest 0, infinite where
    impossible; ``classes`` are the columns of the objects. If about ``max_steps`` are not enough,
    the most expensive columns are left out. O(n k c) for c columns of a class, which has at most
    C(m + k - 1, k - 1) of them, where m of its objects have a choice.

    Examples
    --------
    Two objects of one class. The second may move to the other row for a cost of 0.5:

    >>> costs = np.array([[0.0, 9.0], [0.0, 0.5]])
    >>> found = class_columns(costs, np.array([0, 0]), 1, limit=5.0, max_steps=1e6)
    >>> found.columns.tolist(), found.costs.tolist(), found.least_dropped
    ([[2, 0], [1, 1]], [0.0, 0.5], 9.0)
    """
    found = [_of_class(costs[classes == j], limit, max_steps) for j in range(n_classes)]
    found.sort(key=lambda own: len(own.costs))
    return ClassColumns(
        np.concatenate([own.tables for own in found]),
        np.concatenate([own.costs for own in found]),
        starts_of(np.array([len(own.costs) for own in found])),
        min(own.least_dropped for own in found),
    )


def _of_class(costs: Floats, limit: float, max_steps: float) -> CheapTables:
    """A column is a table of one class, whose cells are the rows."""
    n, n_rows = costs.shape
    objects, rows = np.nonzero(costs < inf)
    choices = Choices(
        counts=np.ones(n, dtype=np.int64),
        starts=starts_of(np.bincount(objects, minlength=n)),
        cells=rows,
        weights=costs[objects, rows],
        labels=np.arange(n_rows),
    )
    n_open = np.count_nonzero((costs < limit).sum(axis=1) > 1)
    steps_each = max(1, n_open * n_rows)
    fewest = np.clip(_FEWEST_STEPS / steps_each, *_FEWEST_COLUMNS)
    return cheapest_tables(choices, limit=limit, most=int(max(fewest, max_steps / steps_each)))
