"""Find the smallest cost of each value of a possibilistic partition against a hard truth.

Costs add over objects, and the columns of the table are independent. A pair-counting measure
depends on the row sums and on the pairs within cells. So tables that are equal in both are merged,
and the cheapest is kept. For a matching, the near end takes the cheapest objects that agree with
it; the far end compares columns of three rows directly. Tables are not listed.
"""

from math import inf
from typing import NamedTuple

import numpy as np

from sfumato._typing import Codes, Floats, Ints
from sfumato.algorithms.laws.value_laws import ratio_of_sums
from sfumato.algorithms.possibility.class_columns import ClassColumns, class_columns, fits_keys
from sfumato.algorithms.possibility.matching_profile import matching_at_least, matching_at_most
from sfumato.algorithms.possibility.pair_profile import pair_profile
from sfumato.families import Matching, Objective, Ratio, Separable

__all__ = ["Profile", "bound_profile", "has_profile", "profile"]

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
    """Find the smallest cost of each value.

    Parameters
    ----------
    objective : Objective
        `has_profile` must hold.
    costs : ndarray of shape (n, k)
        Of each object in each row.
    classes : ndarray of shape (n,)
        The column of each object.
    limit : float
        Tables that cost this much or more are left out.
    max_steps : float
    max_column_steps : float
        Of the columns of each class.

    Notes
    -----
    `bound_profile` gives the number of steps.
    """
    n_classes = objective.shape[1]
    columns = class_columns(costs, classes, n_classes, limit=limit, max_steps=max_column_steps)
    if isinstance(objective.family, Matching):
        return _matching_profile(objective, objective.family, costs, classes, columns, limit)
    return _pair_profile(objective, classes, columns, limit, max_steps)


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


def _pair_profile(
    objective: Objective, classes: Codes, columns: ClassColumns, limit: float, max_steps: float
) -> Profile:
    family = objective.family
    only_difference = isinstance(family, Separable) and family.counts_pairs
    found = pair_profile(
        columns,
        objective.n_objects,
        limit=limit,
        max_steps=max_steps,
        only_difference=only_difference,
    )
    ratio = ratio_of_sums(family, np.bincount(classes, minlength=objective.shape[1]))
    assert ratio is not None
    numerator, denominator = (
        part.at(found.row_squares.astype(float), found.cell_squares.astype(float))
        for part in (ratio.numerator, ratio.denominator)
    )
    return Profile(numerator / denominator**ratio.power, found.costs, found.least_dropped)
