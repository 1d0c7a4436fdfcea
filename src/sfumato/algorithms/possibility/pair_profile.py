"""Find the smallest cost of each combination of pair counts, against a hard truth."""

from typing import NamedTuple

from sfumato import _core
from sfumato._typing import Floats, Ints
from sfumato.algorithms.possibility.class_columns import ClassColumns

__all__ = ["PairProfile", "pair_profile"]


class PairProfile(NamedTuple):
    """Sums of squares, each with the smallest cost of a table that has them."""

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
    """Merge the columns class by class; tables with equal row sums and pairs in cells are merged.

    Parameters
    ----------
    columns : ClassColumns
    n_objects : int
    limit : float
        Tables that cost this much or more are left out.
    max_steps : float
        Most steps of each merge. The limit is lowered if they are not enough.
    only_difference : bool
        True: also merge tables with the same sum of R^2 - 2 N^2. Then ``row_squares`` are n, and
        ``cell_squares`` are such that this difference is right.

    Notes
    -----
    O(r c t) for r row sums before the last class, its c columns, and t values of the pairs within
    cells. The inner loop is one addition and one comparison.

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
    # With only_difference, row_pairs are 0 and cell_pairs are 2 T - P, for a table with T pairs
    # within cells and P pairs within rows.
    cell_squares = (1 if only_difference else 2) * cell_pairs + n_objects
    least_dropped = min(dropped, columns.least_dropped)
    return PairProfile(2 * row_pairs + n_objects, cell_squares, costs, least_dropped)
