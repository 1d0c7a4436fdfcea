"""Find the smallest cost of a table whose matching has a given size.

The matching of a table is the number of objects that its best one-to-one matching of rows to
columns covers. A small cost means a high possibility.
"""

from collections.abc import Iterator
from itertools import permutations
from math import perm

import numpy as np

from sfumato import _core
from sfumato._typing import Floats, Ints
from sfumato.algorithms.possibility.class_columns import ClassColumns

__all__ = ["least_matching_at_most", "matching_at_least", "matching_at_most", "n_matchings"]


def n_matchings(n_rows: int, n_columns: int) -> int:
    """Number of ways to match the clusters of the smaller side to clusters of the larger side."""
    return perm(max(n_rows, n_columns), min(n_rows, n_columns))


def matching_at_least(costs: Floats, counts: Ints, n_rows: int, n_columns: int) -> Floats:
    """Smallest cost of a table with a matching of at least m objects, for m = 0, 1, ..., n.

    For a given matching, put the m objects into matched cells for which this is cheapest. The
    others stay where they cost nothing.

    ``costs`` of shape (t, n_rows * n_columns) are those of each cell for each type, the smallest of
    a type 0; ``counts`` are the objects of each type. O(k! n log n) for k clusters on the larger
    side.

    Examples
    --------
    >>> costs = np.array([[0.0, 0.5], [0.0, 0.25]])  # two rows, one column
    >>> matching_at_least(costs, np.array([1, 1]), 2, 1).tolist()
    [0.0, 0.0, 0.0]
    """
    least = np.full(int(counts.sum()) + 1, np.inf)
    for agreeing, _ in _by_matching(costs.reshape(-1, n_rows, n_columns)):
        np.minimum(least, _cheapest_sums(agreeing, counts), out=least)
    return least


def least_matching_at_most(costs: Floats, counts: Ints, n_rows: int, n_columns: int) -> Floats:
    """Lower bound of the cost of a table with a matching of at most m, for m = 0, 1, ..., n.

    In such a table every matching covers at most m objects. So for each matching at least n - m
    objects leave its cells; take the cheapest ones. A table must do this for all matchings at once,
    which may cost more.

    Parameters and cost are as in `matching_at_least`.

    Examples
    --------
    >>> costs = np.array([[0.0, 0.5], [0.0, 0.25]])  # two rows, one column
    >>> least_matching_at_most(costs, np.array([1, 1]), 2, 1).tolist()
    [0.75, 0.25, 0.0]
    """
    least = np.zeros(int(counts.sum()) + 1)
    for _, leaving in _by_matching(costs.reshape(-1, n_rows, n_columns)):
        np.maximum(least, _cheapest_sums(leaving, counts)[::-1], out=least)
    return least


def _by_matching(costs: Floats) -> Iterator[tuple[Floats, Floats]]:
    """For each matching, the smallest cost of a cell in it and of a cell outside it, by type."""
    n_rows, n_columns = int(costs.shape[1]), int(costs.shape[2])
    if n_rows < n_columns:
        costs = costs.transpose(0, 2, 1)
        n_rows, n_columns = n_columns, n_rows
    for rows in permutations(range(n_rows), n_columns):
        outside = costs.copy()
        outside[:, list(rows), range(n_columns)] = np.inf
        inside: Floats = costs[:, list(rows), range(n_columns)].min(axis=1)
        yield inside, outside.min(axis=(1, 2))


def _cheapest_sums(costs: Floats, counts: Ints) -> Floats:
    """Smallest total cost of 0, 1, ..., n objects."""
    order = np.argsort(costs, kind="stable")
    return np.concatenate([[0.0], np.cumsum(np.repeat(costs[order], counts[order]))])


def matching_at_most(
    columns: ClassColumns, n_objects: int, *, limit: float
) -> tuple[Floats, float]:
    """Smallest cost of a table with a matching of at most m, for m = 0, 1, ..., n.

    There are at most three classes and three rows. Tables that cost ``limit`` or more are left out:
    their cost counts as infinite. The second number is a cost below which no table was left out.
    O(c1 c2 n), where c1 and c2 are the numbers of columns of the two classes with fewest columns.
    """
    n_classes, n_rows = len(columns.starts) - 1, columns.columns.shape[1]
    padded = np.zeros((len(columns.costs), 3), dtype=np.int64)
    padded[:, :n_rows] = columns.columns
    missing = 3 - n_classes  # a class without objects has one column, of zeros
    costs, dropped = _core.matching_at_most(
        np.concatenate([np.zeros((missing, 3), dtype=np.int64), padded]),
        np.concatenate([np.zeros(missing), columns.costs]),
        np.concatenate([np.arange(missing), columns.starts + missing]),
        n_objects,
        limit,
    )
    return costs, min(dropped, columns.least_dropped)
