"""Whole laws of pair-counting measures of fuzzy partitions."""

from collections.abc import Callable, Iterator
from functools import partial
from math import inf
from typing import NamedTuple, final

import numpy as np

from sfumato._typing import Floats, Guarantee
from sfumato.algorithms.laws.fixed_columns import RatioOfSums, ratio_of_sums, undefined_value
from sfumato.algorithms.laws.matching_totals import number_of_agreements
from sfumato.algorithms.laws.pair_sums import (
    bound_joint_pairs,
    find_row_sums,
    joint_pairs,
    weighted_pairs,
)
from sfumato.algorithms.laws.split_table import bound_split, split_table
from sfumato.algorithms.sampling.blocks import Run
from sfumato.algorithms.tables.distinct import distinct_values
from sfumato.algorithms.tables.pair_counts import pair_counts
from sfumato.families import Separable
from sfumato.methods.base import Method, Scope
from sfumato.question.plan import Plan, Policy, plan_within_budget
from sfumato.question.query import Query
from sfumato.results.answers import Answer, law_answer
from sfumato.results.values import ValueDistribution

__all__ = ["FuzzyLaws"]

_SECONDS_PER_PAIR = 1.5e-9
_PAIRS_PER_TABLE = 1000  # an addition in the cache, against a table with its storage
_MOST_BYTES = 2e9
_MOST_MEMBERSHIPS = 40_000_000
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
    cost = "grows as a power of the uncertain objects"
    scopes = (
        Scope(
            theories=("fuzzy",),
            guarantees=("exact", "certified"),
            families=("pairs", "pair ratio"),
            most_clusters=32,
            needs_hard_side=True,
        ),
        Scope(
            theories=("fuzzy",),
            guarantees=("exact", "certified"),
            families=("pairs",),
            most_clusters=2,
        ),
    )

    def plan(self, query: Query, policy: Policy) -> Iterator[Plan]:
        """Find the law of the pair counts and turn it into values."""
        family = query.objective.family
        is_small = max(query.objective.shape) <= 2
        if is_small and isinstance(family, Separable) and family.counts_pairs:
            make = partial(_plan_for_two, query)
        else:
            make = _plan_against_hard(query)
        plan = None if make is None else plan_within_budget(query.objective, policy, make)
        if plan is not None:
            yield plan


def _plan_for_two(query: Query, max_lost_mass: float, guarantee: Guarantee) -> Plan:
    return Plan(
        guarantee=guarantee,
        tables=1,
        bytes=32.0 * query.n_objects,
        seconds=5e-4 + 1e-6 * query.n_objects,
        lists_tables=True,
        why="with two clusters agreements are independent events",
        work=partial(_answer, query, guarantee, partial(_law_of_two, query, max_lost_mass)),
    )


def _plan_against_hard(query: Query) -> Callable[[float, Guarantee], Plan] | None:
    """Makes the plan for a hard column side; None where there is no such law."""
    joint = query.joint
    if not joint.has_hard_columns or query.n_objects * max(joint.shape) > _MOST_MEMBERSHIPS:
        return None
    ratio = ratio_of_sums(query.objective.family, joint.class_sizes)
    if ratio is None:
        return None
    against = joint.row_memberships, joint.classes, joint.shape[1]

    def make(max_lost_mass: float, guarantee: Guarantee) -> Plan:
        cost = bound_split(*against, pair_counts, max_lost_mass=max_lost_mass)
        memory = 48.0 * cost.states
        if not ratio.counts_pairs:
            memory += bound_joint_pairs(*against, cost.pairs)
        tables = max(cost.states, cost.pairs / _PAIRS_PER_TABLE)
        return Plan(
            guarantee=guarantee,
            tables=tables if memory <= _MOST_BYTES else inf,
            bytes=memory,
            seconds=1e-3 + 1e-7 * cost.states + _SECONDS_PER_PAIR * cost.pairs,
            lists_tables=True,
            why="the columns of a hard partition are independent and can be added one by one",
            work=partial(_answer, query, guarantee, partial(_law, query, ratio, max_lost_mass)),
        )

    return make


def _answer(query: Query, guarantee: Guarantee, find: Callable[[], _Law], _: Run) -> Answer:
    law = find()
    bounds = query.objective.bounds
    values = np.clip(law.values, *bounds)
    distribution = None
    if query.quantity == "distribution":
        distinct, which = distinct_values(values)
        masses = np.bincount(which, law.masses).astype(np.float64)
        distribution = ValueDistribution(distinct, masses, law.lost_mass)
    return law_answer(
        query.quantity,
        guarantee,
        (values, law.masses),
        law.lost_mass,
        bounds,
        distribution=distribution,
    )


def _law_of_two(query: Query, max_lost_mass: float) -> _Law:
    """T objects of n agree: T (n - T) pairs are joined by one clustering and not by the other."""
    assert isinstance(query.objective.family, Separable)
    value = query.objective.family.value
    found = number_of_agreements(*query.joint.both_memberships, max_lost_mass=max_lost_mass)
    agreements = found.origin[0] + np.arange(len(found.law), dtype=np.float64)
    differing = agreements * (query.n_objects - agreements)
    return _Law(value.offset + 2 * value.rows * differing, found.law, found.lost_mass)


def _law(query: Query, ratio: RatioOfSums, max_lost_mass: float) -> _Law:
    joint, n = query.joint, query.n_objects
    split = split_table(
        joint.row_memberships,
        joint.classes,
        joint.shape[1],
        pair_counts,
        max_lost_mass=max_lost_mass,
    )
    if ratio.counts_pairs:
        found = weighted_pairs(split, row_weight=1, cell_weight=-2)
        offset, rows = ratio.numerator.offset, ratio.numerator.rows
        # The sums of squares are n + 2 pairs.
        values = offset - n * rows + 2 * rows * found.sums.astype(np.float64)
        return _Law(values, found.masses, found.lost_mass)
    pairs = joint_pairs(split)
    squares = (n + 2 * pairs.rows).astype(float), (n + 2 * pairs.cells).astype(float)
    above, below = (part.at(*squares) for part in (ratio.numerator, ratio.denominator))
    is_undefined = np.abs(below) <= _UNDEFINED
    below = np.where(is_undefined, 1.0, below)
    values = above / (below if ratio.power == 1 else below**ratio.power)
    if is_undefined.any():
        rows = find_row_sums(split, int(pairs.rows[is_undefined][0]))
        values[is_undefined] = undefined_value(query.objective, joint.class_sizes, rows)
    return _Law(values, pairs.masses, pairs.lost_mass)
