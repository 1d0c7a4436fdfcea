"""Possibilistic partitions read with product or lukasiewicz, against a hard truth."""

from dataclasses import replace
from math import inf, log
from typing import NamedTuple, final

import numpy as np

from sfumato._typing import Floats
from sfumato.algorithms.distinct import ROUNDING
from sfumato.algorithms.expectations import expectations
from sfumato.algorithms.laws.class_columns import ClassColumns, class_columns, fits_keys
from sfumato.algorithms.laws.matching_profile import matching_at_least, matching_at_most
from sfumato.algorithms.laws.pair_profile import pair_profile
from sfumato.algorithms.t_norms import costs_of, possibilities_of
from sfumato.measures.families import Matching, Ratio, Separable
from sfumato.methods.answers import bracketed_answer, exact_answer, possibilities_of_values
from sfumato.methods.base import Method, Plan, Policy, Progress
from sfumato.partitions.hard import HardPartition
from sfumato.partitions.possibilistic import PossibilisticPartition
from sfumato.query import Query
from sfumato.results.comparison import Comparison
from sfumato.results.values import ValuePossibility

__all__ = ["PossibilityProfile"]

# A step is one addition and one comparison in a vector; a table takes some storage besides.
_STEPS_PER_TABLE = 1000
_SECONDS_PER_STEP = 2e-9
# Up to this possibility what is left out counts as rounding.
_NEGLIGIBLE = 1e-12
_LARGEST_CLASS = 200  # for matchings: all columns of a class are held, by three counts


class _Profile(NamedTuple):
    """Values with the least cost of a table that has them; nothing left out costs less."""

    values: Floats
    costs: Floats
    least_dropped: float


@final
class PossibilityProfile(Method):
    """Add up costs instead of combining possibilities, class of the truth after class.

    Against a hard truth the columns of the table are independent. Pair-counting measures depend on
    row sums and on the pairs within cells, so tables that share both are merged and the cheapest
    kept. For the partition distance the objects that agree with a matching are chosen greedily
    (near end), and columns of three rows are compared directly (far end).
    """

    name = "possibility_profile"

    def plan(self, query: Query, policy: Policy) -> Plan | None:
        """Applies to the t-norms product and lukasiewicz, one side being hard."""
        if query.theory != "possibilistic" or query.t_norm == "min" or not _is_known(query):
            return None
        steps = min(_bound_steps(query), _STEPS_PER_TABLE * policy.max_tables)
        return Plan(
            query,
            policy,
            method=self.name,
            guarantee="exact" if policy.max_lost_mass <= _NEGLIGIBLE else "certified",
            tables=steps / _STEPS_PER_TABLE,
            bytes=1e6 + 8.0 * min(steps, 2e7),
            seconds=1e-3 + _SECONDS_PER_STEP * steps,
            why="costs add over the classes of a hard truth, and tables with equal sums merge",
        )

    def run(
        self,
        plan: Plan,
        *,
        rng: np.random.Generator,
        deadline: float | None,
        progress: Progress,
    ) -> Comparison:
        """Find the least cost of each value and turn it into a possibility."""
        query, policy = plan.query, plan.policy
        found, lost = _possibility(query, _profile(query, policy))
        notes: tuple[str, ...] = ()
        if lost > 0.0:
            notes = (f"Values of a possibility of at most {lost:.2g} may be left out.",)
        if lost <= _NEGLIGIBLE:
            return exact_answer(plan, found.ends, distribution=found, notes=notes)
        low, high = _brackets(query, found, lost)
        stds = (found.lower_std, found.upper_std)
        return bracketed_answer(plan, low, high, stds=stds, distribution=found, notes=notes)


def _sides(query: Query) -> tuple[PossibilisticPartition, HardPartition] | None:
    for soft, hard in ((query.a, query.b), (query.b, query.a)):
        if isinstance(soft, PossibilisticPartition) and isinstance(hard, HardPartition):
            return soft, hard
    return None


def _is_known(query: Query) -> bool:
    sides = _sides(query)
    if sides is None:
        return False
    soft, hard = sides
    n, k, q = query.n_objects, soft.n_clusters, hard.n_clusters
    match query.measure.family(n):
        case Matching():
            return max(k, q) <= 3 and int(np.bincount(hard.codes).max()) <= _LARGEST_CLASS
        case Separable(psi="square"):
            return query.measure.symmetric and fits_keys(n, k)
        case Ratio(psi="square"):  # a truth that neither joins nor parts everything: never 0 / 0
            return query.measure.symmetric and fits_keys(n, k) and 1 < q < n and k < n
        case _:
            return False


def _bound_steps(query: Query) -> float:
    """Row sums before the last class, times its columns, times the pairs within cells."""
    sides = _sides(query)
    assert sides is not None
    soft, hard = sides
    is_open = (soft.memberships > 0).sum(axis=1) > 1
    sizes = np.sort(np.bincount(hard.codes[is_open], minlength=hard.n_clusters)).astype(float)
    k = soft.n_clusters
    pairs = float((sizes * (sizes + 2.0 * query.n_objects)).sum()) / 2 + 100.0
    with np.errstate(over="ignore"):
        return float((sizes[:-1].sum() + 1.0) ** (k - 1) * (sizes[-1] + 1.0) ** (k - 1) * pairs)


def _limit(query: Query, policy: Policy) -> float:
    if query.t_norm == "lukasiewicz":
        return 1.0
    return -log(policy.max_lost_mass) if policy.max_lost_mass > 0 else inf


def _profile(query: Query, policy: Policy) -> _Profile:
    sides = _sides(query)
    assert sides is not None
    soft, hard = sides
    costs = costs_of(query.t_norm, soft.memberships)
    limit, max_steps = _limit(query, policy), _STEPS_PER_TABLE * policy.max_tables
    columns = class_columns(
        costs, hard.codes, hard.n_clusters, limit=limit, max_steps=max_steps / 10
    )
    family = query.measure.family(query.n_objects)
    if isinstance(family, Matching):
        return _matching_profile(family, costs, hard, columns, limit)
    assert isinstance(family, Separable | Ratio)
    return _pair_profile(query, family, hard, columns, limit, max_steps)


def _matching_profile(
    family: Matching, costs: Floats, hard: HardPartition, columns: ClassColumns, limit: float
) -> _Profile:
    n, k, q = len(costs), costs.shape[1], hard.n_clusters
    by_cell = np.full((n, k, q), inf)
    by_cell[np.arange(n), :, hard.codes] = costs
    near = matching_at_least(by_cell.reshape(n, -1), np.ones(n, dtype=np.int64), k, q)
    far, least_dropped = matching_at_most(columns, n, limit=limit)
    # One object moves a matching by one at most, so all totals between are as possible as needed.
    least = np.maximum(near, far)
    values = family.offset + family.slope * np.arange(n + 1, dtype=np.float64)
    return _Profile(values, least, min(least_dropped, _least_above(near, limit)))


def _least_above(costs: Floats, limit: float) -> float:
    above = costs[(costs >= limit) & (costs < inf)]
    return float(above.min()) if len(above) else inf


def _pair_profile(
    query: Query,
    family: Separable | Ratio,
    hard: HardPartition,
    columns: ClassColumns,
    limit: float,
    max_steps: float,
) -> _Profile:
    n = query.n_objects
    is_difference = isinstance(family, Separable) and family.value.cells == -2.0 * family.value.rows
    found = pair_profile(
        columns, n, limit=limit, max_steps=max_steps, only_difference=is_difference
    )
    column_squares = float((np.bincount(hard.codes).astype(float) ** 2).sum())
    sums = found.row_squares.astype(float), found.cell_squares.astype(float)
    if isinstance(family, Separable):
        part = family.value
        if hard is query.a:  # the truth's classes are the rows
            part = replace(part, rows=part.columns, columns=part.rows)
        values = part.offset + part.rows * sums[0] + part.cells * sums[1]
        return _Profile(values + part.columns * column_squares, found.costs, found.least_dropped)
    numerator, denominator = (
        part.offset + part.rows * sums[0] + part.columns * column_squares + part.cells * sums[1]
        for part in family.parts(column_squares)
    )
    return _Profile(numerator / denominator**family.power, found.costs, found.least_dropped)


def _possibility(query: Query, profile: _Profile) -> tuple[ValuePossibility, float]:
    """The possibility of each value, and the largest that may have been left out."""
    dropped = np.array(profile.least_dropped)
    lost = float(possibilities_of(query.t_norm, dropped)) if profile.least_dropped < inf else 0.0
    possibilities = possibilities_of(query.t_norm, profile.costs)
    kept = (possibilities > lost) & (profile.costs < inf)
    found = possibilities_of_values(_snapped(query, profile.values[kept]), possibilities[kept])
    return replace(found, lost_mass=lost), lost


def _snapped(query: Query, values: Floats) -> Floats:
    """Values that miss a bound of the measure by rounding are on it."""
    for bound in query.bounds:
        values = np.where(np.abs(values - bound) <= ROUNDING, bound, values)
    return values


def _brackets(
    query: Query, found: ValuePossibility, lost: float
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Below the level ``lost`` the cuts reach from the last known ends to the bounds at most."""
    lowest, highest = query.bounds
    lows, highs, masses = found.ends
    if query.quantity == "range":
        return (lowest, float(lows[-1])), (float(highs[-1]), highest)
    inner = expectations(lows, highs, masses)
    low = inner.lower - lost * (float(lows[-1]) - lowest)
    high = inner.upper + lost * (highest - float(highs[-1]))
    return (low, inner.lower), (inner.upper, high)
