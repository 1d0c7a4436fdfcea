"""Whole laws of pair-counting measures of fuzzy partitions."""

from dataclasses import replace
from math import inf
from typing import NamedTuple, final

import numpy as np

from sfumato._typing import Floats, Guarantee
from sfumato.algorithms.laws.matching_totals import number_of_agreements
from sfumato.algorithms.laws.pair_sums import (
    bound_joint_pairs,
    find_row_sums,
    joint_pairs,
    weighted_pairs,
)
from sfumato.algorithms.laws.split_table import bound_split, split_table
from sfumato.algorithms.tables.distinct import distinct_values
from sfumato.algorithms.tables.pair_counts import pair_counts
from sfumato.families import Affine, Separable
from sfumato.methods.base import Method, Plan, Policy, Progress
from sfumato.methods.hard_truth import (
    HardTruth,
    RatioOfSums,
    hard_truth,
    ratio_of_sums,
    undefined_value,
)
from sfumato.methods.law_answers import allowed_loss, answer_with_law, plan_within_budget
from sfumato.query import Query
from sfumato.results.comparison import Comparison
from sfumato.results.values import ValueDistribution

__all__ = ["FuzzyLaws"]

_SECONDS_PER_PAIR = 1.5e-9
_PAIRS_PER_TABLE = 1000  # an addition in the cache, against a table with its storage
_MOST_BYTES = 2e9
_UNDEFINED = 1e-12  # a denominator this small is zero: sums of squares are exact


class _Law(NamedTuple):
    values: Floats
    masses: Floats
    lost_mass: float


@final
class FuzzyLaws(Method):
    """Law of a pair-counting measure: mean, standard deviation and the whole distribution.

    Against a hard truth the columns of the table are independent. All but the last are merged by
    their row sums and pairs within cells; the last is added to each of the merged states. With
    two clusters on either side Rand depends on the number of agreements alone.
    """

    name = "fuzzy_laws"

    def plan(self, query: Query, policy: Policy) -> Plan | None:
        """Applies to a fuzzy partition against a hard one, and to two clusters on either side."""
        if _difference_of_two(query) is not None:
            return plan_within_budget(
                policy,
                lambda _, guarantee: Plan(
                    query,
                    policy,
                    method=self.name,
                    guarantee=guarantee,
                    tables=1,
                    bytes=32.0 * query.n_objects,
                    seconds=5e-4 + 1e-6 * query.n_objects,
                    lists_tables=True,
                    why="with two clusters agreements are independent events",
                ),
            )
        truth = hard_truth(query, "square")
        ratio = None if truth is None else ratio_of_sums(query, truth, "square")
        if truth is None or ratio is None:
            return None

        def make(max_lost_mass: float, guarantee: Guarantee) -> Plan:
            return _plan(query, policy, truth, ratio, max_lost_mass, guarantee)

        return plan_within_budget(policy, make)

    def run(
        self,
        plan: Plan,
        *,
        rng: np.random.Generator,
        deadline: float | None,
        progress: Progress,
    ) -> Comparison:
        """Find the law of the pair counts and turn it into values."""
        query = plan.query
        loss = allowed_loss(plan)
        value = _difference_of_two(query)
        if value is not None:
            law = _law_of_two(query, value, loss)
        else:
            truth = hard_truth(query, "square")
            assert truth is not None
            ratio = ratio_of_sums(query, truth, "square")
            assert ratio is not None
            law = _law(query, truth, ratio, loss)
        values = np.clip(law.values, *query.bounds)
        distribution = None
        if query.quantity == "distribution":
            distinct, which = distinct_values(values)
            masses = np.bincount(which, law.masses).astype(np.float64)
            distribution = ValueDistribution(distinct, masses, law.lost_mass)
        return answer_with_law(plan, values, law.masses, law.lost_mass, distribution=distribution)


def _plan(
    query: Query,
    policy: Policy,
    truth: HardTruth,
    ratio: RatioOfSums,
    max_lost_mass: float,
    guarantee: Guarantee,
) -> Plan:
    cost = bound_split(
        truth.memberships,
        truth.codes,
        truth.n_columns,
        pair_counts,
        max_lost_mass=max_lost_mass,
    )
    memory = 48.0 * cost.states
    if not _is_difference(ratio):
        memory += bound_joint_pairs(truth.memberships, truth.codes, truth.n_columns, cost.pairs)
    tables = max(cost.states, cost.pairs / _PAIRS_PER_TABLE)
    return Plan(
        query,
        policy,
        method="fuzzy_laws",
        guarantee=guarantee,
        tables=tables if memory <= _MOST_BYTES else inf,
        bytes=memory,
        seconds=1e-3 + 1e-7 * cost.states + _SECONDS_PER_PAIR * cost.pairs,
        lists_tables=True,
        why="the columns of a hard partition are independent and can be added one by one",
    )


def _is_difference(ratio: RatioOfSums) -> bool:
    """Whether the value is affine in the number of pairs on which the clusterings differ."""
    value = ratio.numerator
    is_affine = ratio.denominator == Affine(1.0)
    return is_affine and Separable("square", replace(value, columns=value.rows)).counts_pairs


def _difference_of_two(query: Query) -> Affine | None:
    """The value, if it counts pairs that differ and neither side has more than two clusters."""
    family = query.measure.family(query.n_objects)
    if query.theory != "fuzzy" or max(query.shape) > 2:
        return None
    return family.value if isinstance(family, Separable) and family.counts_pairs else None


def _law_of_two(query: Query, value: Affine, max_lost_mass: float) -> _Law:
    """T objects of n agree: T (n - T) pairs are joined by one clustering and not by the other."""
    a, b = query.a.pignistic().memberships, query.b.pignistic().memberships
    found = number_of_agreements(a, b, max_lost_mass=max_lost_mass)
    agreements = found.origin[0] + np.arange(len(found.law), dtype=np.float64)
    differing = agreements * (query.n_objects - agreements)
    values = value.offset + 2 * value.rows * differing
    return _Law(values, found.law, found.lost_mass)


def _law(query: Query, truth: HardTruth, ratio: RatioOfSums, max_lost_mass: float) -> _Law:
    split = split_table(
        truth.memberships,
        truth.codes,
        truth.n_columns,
        pair_counts,
        max_lost_mass=max_lost_mass,
    )
    n = query.n_objects
    if _is_difference(ratio):
        found = weighted_pairs(split, row_weight=1, cell_weight=-2)
        offset, rows = ratio.numerator.offset, ratio.numerator.rows
        # The sums of squares are n + 2 pairs.
        values = offset - n * rows + 2 * rows * found.sums.astype(np.float64)
        return _Law(values, found.masses, found.lost_mass)
    joint = joint_pairs(split)
    above, below = (
        part.offset + part.rows * (n + 2.0 * joint.rows) + part.cells * (n + 2.0 * joint.cells)
        for part in (ratio.numerator, ratio.denominator)
    )
    is_undefined = np.abs(below) <= _UNDEFINED
    below = np.where(is_undefined, 1.0, below)
    values = above / (below if ratio.power == 1 else below**ratio.power)
    if is_undefined.any():
        rows = find_row_sums(split, int(joint.rows[is_undefined][0]))
        values[is_undefined] = undefined_value(query, truth, rows)
    return _Law(values, joint.masses, joint.lost_mass)
