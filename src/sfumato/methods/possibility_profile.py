"""Possibilistic partitions read with product or lukasiewicz, against a hard truth."""

from dataclasses import replace
from math import inf
from typing import NamedTuple, final

import numpy as np

from sfumato._typing import Floats
from sfumato.algorithms.ends.level_sweeps import LevelEnds
from sfumato.algorithms.possibility.class_columns import ClassColumns, class_columns
from sfumato.algorithms.possibility.matching_profile import matching_at_least, matching_at_most
from sfumato.algorithms.possibility.pair_profile import pair_profile
from sfumato.algorithms.possibility.t_norms import costs_of, possibilities_of
from sfumato.algorithms.tables.distinct import ROUNDING
from sfumato.families import Matching, Ratio, Separable
from sfumato.methods.answers import bracketed_answer, exact_answer, possibilities_of_values
from sfumato.methods.base import Method, Plan, Policy, Progress
from sfumato.methods.cut_off import (
    NEGLIGIBLE,
    brackets,
    cost_limit,
    cut_off_note,
    listed_cuts,
    outer_stds,
    with_cuts_below,
)
from sfumato.methods.profile_sides import has_profile, profile_sides
from sfumato.partitions.hard import HardPartition
from sfumato.query import Query
from sfumato.results.comparison import Comparison
from sfumato.results.values import ValuePossibility

__all__ = ["PossibilityProfile"]

# A step is one addition and one comparison in a vector; a table takes some storage besides.
_STEPS_PER_TABLE = 1000
_SECONDS_PER_STEP = 2e-9


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
        if query.theory != "possibilistic" or query.t_norm == "min" or not has_profile(query):
            return None
        steps = min(_bound_steps(query), _STEPS_PER_TABLE * policy.max_tables)
        return Plan(
            query,
            policy,
            method=self.name,
            guarantee="exact" if policy.max_lost_mass <= NEGLIGIBLE else "certified",
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
        notes = (cut_off_note(lost),) if lost > 0.0 else ()
        if lost <= NEGLIGIBLE:
            return exact_answer(plan, found.ends, distribution=found, notes=notes)
        lows, highs, _ = found.ends
        levels = np.sort(found.possibilities)[::-1]
        listed = listed_cuts(levels, LevelEnds(lows, lows, highs, highs), lost)
        cuts = with_cuts_below(query, listed, lost, policy)
        low, high = brackets(cuts, query.quantity)
        stds = outer_stds(cuts, query.quantity)
        return bracketed_answer(plan, low, high, stds=stds, distribution=found, notes=notes)


def _bound_steps(query: Query) -> float:
    """Row sums before the last class, times its columns, times the pairs within cells."""
    sides = profile_sides(query)
    assert sides is not None
    soft, hard = sides
    is_open = (soft.memberships > 0).sum(axis=1) > 1
    sizes = np.sort(np.bincount(hard.codes[is_open], minlength=hard.n_clusters)).astype(float)
    k = soft.n_clusters
    pairs = float((sizes * (sizes + 2.0 * query.n_objects)).sum()) / 2 + 100.0
    with np.errstate(over="ignore"):
        return float((sizes[:-1].sum() + 1.0) ** (k - 1) * (sizes[-1] + 1.0) ** (k - 1) * pairs)


def _profile(query: Query, policy: Policy) -> _Profile:
    sides = profile_sides(query)
    assert sides is not None
    soft, hard = sides
    costs = costs_of(query.t_norm, soft.memberships)
    limit, max_steps = cost_limit(query, policy), _STEPS_PER_TABLE * policy.max_tables
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
    is_difference = isinstance(family, Separable) and family.counts_pairs
    found = pair_profile(
        columns, n, limit=limit, max_steps=max_steps, only_difference=is_difference
    )
    column_squares = float((np.bincount(hard.codes).astype(float) ** 2).sum())
    sums = found.row_squares.astype(float), found.cell_squares.astype(float)
    if isinstance(family, Separable):
        part = family.value
        if hard is query.a:  # the truth's classes are the rows
            part = part.turned()
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
