"""A certified bracket of both ends of one rough comparison of any size, without a search."""

from collections.abc import Callable
from math import inf
from typing import TypeAlias, TypeVar

from sfumato._typing import Bools, Ints
from sfumato.algorithms.deadline import Deadline, OutOfTimeError, work_until
from sfumato.algorithms.ends.limits import bracket_of_values
from sfumato.algorithms.ends.relax import RelaxedEnds, relax_seconds, relaxed_ends
from sfumato.algorithms.ends.rough_batch import RoughBatch
from sfumato.algorithms.tables.sets_apart import MOST_PRODUCTS, n_products
from sfumato.families import Objective, Separable

__all__ = ["SetMatrices", "limit_seconds", "relaxed_in_time", "rough_bounds", "rough_bracket"]

_SECONDS_PER_ENTRY = 5e-10  # of the products of sets with counts
_SECONDS_PER_PRODUCT = 2e-10  # of those that find forced pairs

SetMatrices: TypeAlias = tuple[Bools, Bools, Ints]  # sets of rows, sets of columns, their pairs

Bracket: TypeAlias = tuple[float, float]
T = TypeVar("T")


def rough_bounds(
    objective: Objective, sets: SetMatrices | None, deadline: Deadline | None = None
) -> Bracket:
    """An interval that holds every value, from limits of margins and cells.

    ``sets`` are the distinct sets of both sides with the objects of each pair; None where these
    are too many. Then, and where time is too short, the bounds of the measure are left.
    """
    if sets is None:
        return objective.bounds
    seconds = limit_seconds(objective, *sets[2].shape)
    found = _in_time(lambda: bracket_of_values(objective, *sets), seconds, deadline)
    return objective.bounds if found is None else found


def rough_bracket(
    objective: Objective,
    sets: SetMatrices | None,
    batch: RoughBatch | None,
    deadline: Deadline | None = None,
) -> tuple[Bracket, Bracket]:
    """Brackets of the smallest and of the largest value.

    The measure has a family. The batch is the comparison as lists of open cells; None where these
    are too many, which leaves the attained sides infinite. What would take longer than the deadline
    allows is left out.

    Notes
    -----
    O(cells that are open), and O(d1 d2 (d1 + d2)) for d1 and d2 distinct sets where these are few.
    """
    low, high = rough_bounds(objective, sets, deadline)
    if batch is None or (found := relaxed_in_time(objective, batch, deadline)) is None:
        return (low, inf), (-inf, high)
    lowest, highest = float(found.lows[0]), float(found.highs[0])
    low = min(max(low, float(found.low_bounds[0])), lowest)
    high = max(min(high, float(found.high_bounds[0])), highest)
    return (low, lowest), (highest, high)


def relaxed_in_time(
    objective: Objective, batch: RoughBatch, deadline: Deadline | None
) -> RelaxedEnds | None:
    """Both ends by a relaxation; None where that would take longer than the time that is left."""
    seconds = relax_seconds(objective, len(batch.owners) + objective.n_cells)
    return _in_time(lambda: relaxed_ends(objective, batch), seconds, deadline)


def limit_seconds(objective: Objective, n_row_sets: int, n_column_sets: int) -> float:
    """Estimate the time of `rough_bounds`, by the distinct sets of each side."""
    n_pairs = float(n_row_sets) * n_column_sets
    seconds = _SECONDS_PER_ENTRY * n_pairs * sum(objective.shape)
    family = objective.family
    if isinstance(family, Separable) and family.counts_pairs:
        products = n_products(n_row_sets, n_column_sets)
        seconds += _SECONDS_PER_PRODUCT * products if products <= MOST_PRODUCTS else 0.0
    return seconds


def _in_time(find: Callable[[], T], seconds: float, deadline: Deadline | None) -> T | None:
    """What is found, unless that takes longer than the time that is left."""
    if deadline is None:
        return find()
    if seconds > deadline.left:
        return None
    try:
        with work_until(deadline):
            return find()
    except OutOfTimeError:
        return None
