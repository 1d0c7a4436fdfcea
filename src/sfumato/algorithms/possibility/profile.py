"""Find the smallest cost of each value of a possibilistic partition against a hard truth.

Costs add over objects, and the columns of the table are independent. A pair-counting measure
depends on the row sums and on the pairs within cells. So tables that are equal in both are merged,
and the cheapest is kept. For a matching, the near end takes the cheapest objects that agree with
it; the far end compares columns of three rows directly. Tables are not listed.
"""

from math import inf
from typing import NamedTuple

import numpy as np

from sfumato import _core
from sfumato._typing import Codes, Floats, Ints
from sfumato.algorithms.laws.ratio_laws import ratio_of_sums
from sfumato.algorithms.possibility.class_columns import ClassColumns, class_columns, fits_keys
from sfumato.algorithms.possibility.matching_profile import matching_at_least, matching_at_most
from sfumato.families import Matching, Objective, Ratio, Separable

__all__ = ["PairProfile", "Profile", "bound_profile", "has_profile", "pair_profile", "profile"]

_LARGEST_CLASS = 200  # for matchings, because all columns of a class are held in memory


class Profile(NamedTuple):
    """Values, each with the smallest cost of a table that has it.

    No table that was left out costs less than ``least_dropped``.
    """

    values: Floats
    costs: Floats
    least_dropped: float


def has_profile(objective: Objective, class_sizes: Ints) -> bool:
    """Whether `profile` can find the costs of the values of this measure."""
    n, (k, q) = objective.n_objects, objective.shape
    match objective.family:
        case Matching():
            return max(k, q) <= 3 and int(class_sizes.max()) <= _LARGEST_CLASS
        case Separable(psi="square"):
            return objective.is_symmetric and fits_keys(n, k)
        case Ratio(psi="square"):  # 1 < q < n and k < n: then a value is never 0 / 0
            return objective.is_symmetric and fits_keys(n, k) and 1 < q < n and k < n
        case _:
            return False


def bound_profile(memberships: Floats, classes: Codes, n_classes: int) -> float:
    """Most steps: row sums before the last class, times its columns, times pairs in cells."""
    n, k = memberships.shape
    is_open = (memberships > 0).sum(axis=1) > 1
    sizes = np.sort(np.bincount(classes[is_open], minlength=n_classes)).astype(float)
    pairs = float((sizes * (sizes + 2.0 * n)).sum()) / 2 + 100.0
    with np.errstate(over="ignore"):
        return float((sizes[:-1].sum() + 1.0) ** (k - 1) * (sizes[-1] + 1.0) ** (k - 1) * pairs)


def profile(
    objective: Objective,
    costs: Floats,
    classes: Codes,
    *,
    limit: float,
    max_steps: float,
    max_column_steps: float,
) -> Profile:
    """Find the smallest cost of each value that costs less than what was left out.

    ``costs`` of shape (n, k) are those of each object in each row, ``classes`` the columns of the
    objects. Tables that cost ``limit`` or more are left out, and the dearest of those that take
    more than ``max_steps``, or ``max_column_steps`` for the columns of a class. `has_profile` must
    hold. `bound_profile` gives the number of steps.
    """
    n_classes = objective.shape[1]
    columns = class_columns(costs, classes, n_classes, limit=limit, max_steps=max_column_steps)
    if isinstance(objective.family, Matching):
        found = _matching_profile(objective, objective.family, costs, classes, columns, limit)
    else:
        found = _value_profile(objective, classes, columns, limit, max_steps)
    kept = found.costs < found.least_dropped
    return found._replace(values=found.values[kept], costs=found.costs[kept])


def _matching_profile(
    objective: Objective,
    family: Matching,
    costs: Floats,
    classes: Codes,
    columns: ClassColumns,
    limit: float,
) -> Profile:
    n, (k, q) = objective.n_objects, objective.shape
    by_cell = np.full((n, k, q), inf)
    by_cell[np.arange(n), :, classes] = costs
    near = matching_at_least(by_cell.reshape(n, -1), np.ones(n, dtype=np.int64), k, q)
    far, least_dropped = matching_at_most(columns, n, limit=limit)
    # Take a table with a matching of at most m, and one with at least m. Move objects one by one
    # from the first to the cheapest table, then on to the second. No table on the way costs more
    # than these two. Each move changes the matching by one at most, so one table has exactly m.
    least = np.maximum(near, far)
    values = family.offset + family.slope * np.arange(n + 1, dtype=np.float64)
    above = near[(near >= limit) & (near < inf)]
    return Profile(values, least, min(least_dropped, float(above.min(initial=inf))))


def _value_profile(
    objective: Objective, classes: Codes, columns: ClassColumns, limit: float, max_steps: float
) -> Profile:
    family = objective.family
    only_difference = isinstance(family, Separable) and family.counts_pairs
    row_squares, cell_squares, costs, least_dropped = pair_profile(
        columns,
        objective.n_objects,
        limit=limit,
        max_steps=max_steps,
        only_difference=only_difference,
    )
    ratio = ratio_of_sums(family, np.bincount(classes, minlength=objective.shape[1]))
    assert ratio is not None
    numerator, denominator = (
        part.at(row_squares.astype(float), cell_squares.astype(float))
        for part in (ratio.numerator, ratio.denominator)
    )
    return Profile(numerator / denominator**ratio.power, costs, least_dropped)


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

    Tables that cost ``limit`` or more are left out; the limit is lowered if a merge takes more than
    ``max_steps``. With ``only_difference`` tables with the same sum of R^2 - 2 N^2 are merged too.
    Then ``row_squares`` are n, and ``cell_squares`` are such that this difference is right.

    Notes
    -----
    O(r c t) for r row sums before the last class, its c columns, and t values of the pairs within
    cells. The inner loop is one addition and one comparison.

    Examples
    --------
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
