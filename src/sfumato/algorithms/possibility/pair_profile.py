"""Least costs of the pair counts of a table, against a hard truth."""

from typing import NamedTuple

from sfumato import _core
from sfumato._typing import Floats, Ints
from sfumato.algorithms.possibility.class_columns import ClassColumns

__all__ = ["PairProfile", "pair_profile"]


class PairProfile(NamedTuple):
    """Sums of squares with the least cost of a table that has them."""

    row_squares: Ints  # (m,): sum of R^2
    cell_squares: Ints  # (m,): sum of N^2
    costs: Floats  # (m,)
    least_dropped: float


def pair_profile(
    columns: ClassColumns,
    n_objects: int,
    *,
    limit: float,
    max_steps: float,
    only_difference: bool,
) -> PairProfile:
    """Merge the columns class by class, keeping row sums and pairs within cells.

    Parameters
    ----------
    columns : ClassColumns
    n_objects : int
    limit : float
        Tables that cost this much or more are left out.
    max_steps : float
        Steps of each merge; the limit is lowered to keep to it.
    only_difference : bool
        Merge tables with the same sum of R^2 - 2 N^2 and give one of them as (n, that of cells).

    Notes
    -----
    O(r c t) for r row sums before the last class, its c columns, and t values of the pairs within
    cells; the inner loop is one addition and one comparison.

    Examples
    --------
    >>> import numpy as np
    >>> from sfumato.algorithms.possibility.class_columns import class_columns
    >>> costs = np.array([[0.0, 9.0], [0.0, 0.5]])
    >>> two = class_columns(costs, np.array([0, 0]), 1, limit=5.0, max_steps=1e6)
    >>> found = pair_profile(two, 2, limit=5.0, max_steps=1e6, only_difference=False)
    >>> sorted(zip(found.row_squares.tolist(), found.costs.tolist()))
    [(2, 0.5), (4, 0.0)]
    """
    merge = _core.pair_difference_profile if only_difference else _core.pair_count_profile
    row_pairs, cell_pairs, costs, dropped = merge(
        columns.columns, columns.costs, columns.starts, n_objects, limit, max_steps
    )
    # 2 T - P stands for a table with half as many pairs within cells and none within rows.
    cell_squares = (1 if only_difference else 2) * cell_pairs + n_objects
    least_dropped = min(dropped, columns.least_dropped)
    return PairProfile(2 * row_pairs + n_objects, cell_squares, costs, least_dropped)
