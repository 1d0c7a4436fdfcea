"""Whole laws of measures of fuzzy partitions."""

from collections.abc import Callable, Iterator
from functools import partial
from math import inf, isfinite
from typing import NamedTuple, TypeAlias, final

import numpy as np

from sfumato._typing import Guarantee
from sfumato.algorithms.laws.hard_matching import bound_hard_matching, hard_matching_law
from sfumato.algorithms.laws.matching_totals import (
    agreement_law,
    bound_permutation_law,
    law_of_agreements,
    law_of_matching,
    permutation_law,
)
from sfumato.algorithms.laws.ratio_laws import (
    ValueLaw,
    bound_information_law,
    bound_joint_pairs,
    law_of_information,
    law_of_pairs,
    ratio_of_sums,
)
from sfumato.algorithms.laws.split_table import SplitCost, bound_split
from sfumato.algorithms.sampling.blocks import Run
from sfumato.algorithms.tables.distinct import distinct_values
from sfumato.algorithms.tables.pair_counts import pair_counts
from sfumato.families import Matching, Separable
from sfumato.methods.base import Method, Scope
from sfumato.question.plan import Plan, Policy, plan_within_budget
from sfumato.question.query import Query
from sfumato.results.answers import Answer, law_answer
from sfumato.results.values import ValueDistribution

__all__ = ["FuzzyLaw"]

_SECONDS_PER_MERGE = 2e-8
_MERGES_PER_TABLE = 100  # a merge is a few additions, a table some storage
_SECONDS_PER_PAIR, _SECONDS_PER_PAIR_ON_GRID = 1.5e-9, 4.5e-9
_PAIRS_PER_TABLE = 1000  # an addition in the cache, against a table with its storage
_MOST_BYTES = 2e9
_MOST_MEMBERSHIPS = 40_000_000
_FEW_OBJECTS = 2000
_Scope = partial(Scope, theories=("fuzzy",), guarantees=("exact", "certified"))
_OF_TWO = "with two clusters agreements are independent events"
_OF_COLUMNS = "the columns of a hard partition are independent and can be added one by one"
_OF_THREE = "the totals of the six matchings of three clusters span four dimensions"


class _Way(NamedTuple):
    """One way to the law, and what it takes."""

    tables: float
    bytes: float
    seconds: float
    why: str
    find: Callable[[], ValueLaw]


_FindWay: TypeAlias = Callable[[float], _Way | None]  # of the probability that may be left out


@final
class FuzzyLaw(Method):
    """Law of the value: mean, standard deviation and the whole distribution.

    Against a hard truth the columns of the table are independent. Pair counting and information:
    all but the last are merged by their row sums and their sum of psi, the last is added to each of
    the merged states; information on a fine grid of values, with the rounding stated. Matching: the
    columns are added one by one to the best matchings so far. With two clusters on either side the
    number of agreements is all that counts, and it is Poisson binomial; with three the totals of
    the six matchings span four dimensions.
    """

    name = "fuzzy_law"
    cost = "grows as a power of the uncertain objects"
    scopes = (
        _Scope(families=("pairs", "pair ratio"), most_clusters=32, needs_hard_side=True),
        _Scope(
            guarantees=("certified",),
            families=("information", "information ratio"),
            most_clusters=32,
            needs_hard_side=True,
        ),
        _Scope(families=("matching",), most_clusters=12, needs_hard_side=True),
        _Scope(families=("matching",), most_clusters=3),
        _Scope(families=("pairs",), most_clusters=2),
    )

    def plan(self, query: Query, policy: Policy) -> Iterator[Plan]:
        """Find the law of the sums that the measure needs, and turn it into values."""
        find_way, on_grid = _way_to(query)

        def make(max_lost_mass: float, guarantee: Guarantee) -> Plan | None:
            way = None if find_way is None else find_way(max_lost_mass)
            if way is None:
                return None
            return Plan(
                guarantee=guarantee,
                tables=way.tables,
                bytes=way.bytes,
                seconds=way.seconds,
                why=way.why,
                lists_tables=True,
                work=partial(_answer, query, guarantee, way.find),
            )

        if on_grid:
            plan = make(policy.max_lost_mass, "certified")
        else:
            plan = plan_within_budget(query.objective, policy, make)
        if plan is not None:
            yield plan


def _answer(query: Query, guarantee: Guarantee, find: Callable[[], ValueLaw], _: Run) -> Answer:
    law, bounds = find(), query.objective.bounds
    values, masses = np.clip(law.values, *bounds), law.masses
    distribution = None
    notes: tuple[str, ...] = ()
    if law.rounding > 0:
        notes = (
            "Values are collected on a grid, which moves one by no more than "
            f"{law.rounding:.2g}, and the mean by no more than {law.mean_error:.2g}.",
        )
    if query.quantity == "distribution" or law.rounding > 0:
        distinct, which = distinct_values(values)
        distribution = ValueDistribution(
            distinct, np.bincount(which, masses).astype(np.float64), law.lost_mass
        )
    return law_answer(
        query.quantity,
        guarantee,
        (values, masses),
        law.lost_mass,
        bounds,
        mean_error=law.mean_error,
        distribution=distribution,
        notes=notes,
    )


def _way_to(query: Query) -> tuple[_FindWay | None, bool]:
    """The way to the law of the value, if there is one, and whether it is on a grid."""
    family = query.objective.family
    if isinstance(family, Matching):
        return partial(_way_to_matching, query), False
    if max(query.objective.shape) <= 2 and isinstance(family, Separable) and family.counts_pairs:
        return partial(_way_to_agreements, query), False
    joint = query.joint
    ratio = ratio_of_sums(family, joint.class_sizes) if joint.has_hard_columns else None
    if ratio is None or query.n_objects * max(joint.shape) > _MOST_MEMBERSHIPS:
        return None, False
    if query.n_objects > 10 * _FEW_OBJECTS:
        few = joint.first_memberships(_FEW_OBJECTS), joint.classes[:_FEW_OBJECTS], joint.shape[1]
        if _tables(bound_split(*few, pair_counts, max_lost_mass=1e-9)) == inf:
            return None, False  # those of all objects are more
    against = joint.row_memberships, joint.classes, joint.shape[1]

    def way_to_pairs(max_lost_mass: float) -> _Way:
        cost = bound_split(*against, pair_counts, max_lost_mass=max_lost_mass)
        memory = 48.0 * cost.states
        if not ratio.counts_pairs:
            memory += bound_joint_pairs(*against, cost.pairs)
        find = partial(law_of_pairs, *against, ratio, max_lost_mass=max_lost_mass)
        seconds = 1e-3 + 1e-7 * cost.states + _SECONDS_PER_PAIR * cost.pairs
        tables = _tables(cost) if memory <= _MOST_BYTES else inf
        return _Way(tables, memory, seconds, _OF_COLUMNS, find)

    def way_to_information(max_lost_mass: float) -> _Way | None:
        if not isfinite(query.objective.spread):
            return None
        cost = bound_information_law(*against, max_lost_mass=max_lost_mass)
        find = partial(law_of_information, *against, ratio, max_lost_mass=max_lost_mass)
        seconds = 2e-3 + 1e-7 * cost.states + _SECONDS_PER_PAIR_ON_GRID * cost.pairs
        return _Way(_tables(cost), 4e6 + 48.0 * cost.states, seconds, _OF_COLUMNS, find)

    is_information = family is not None and family.kind in ("information", "information ratio")
    return (way_to_information if is_information else way_to_pairs), is_information


def _tables(cost: SplitCost) -> float:
    return max(cost.states, cost.pairs / _PAIRS_PER_TABLE)


def _way_to_agreements(query: Query, max_lost_mass: float) -> _Way:
    n = query.n_objects
    find = partial(
        law_of_agreements,
        query.objective,
        *query.joint.both_memberships,
        max_lost_mass=max_lost_mass,
    )
    return _Way(1.0, 32.0 * n, 5e-4 + 1e-6 * n, _OF_TWO, find)


def _way_to_matching(query: Query, max_lost_mass: float) -> _Way | None:
    """The cheapest way to the law of the total; None if there is none."""
    joint, objective = query.joint, query.objective
    n, k = joint.n_objects, max(joint.shape)
    loss = {"max_lost_mass": max_lost_mass}
    if k <= 2:
        tables, merges, why = 1.0, 50.0 * n, _OF_TWO
        find = partial(agreement_law, *joint.both_memberships, **loss)
    elif joint.has_hard_columns:
        against = joint.row_memberships, joint.classes, joint.shape[1]
        cost = bound_hard_matching(*against, **loss)
        if not cost.is_feasible:
            return None
        tables, merges, why = cost.states, cost.merges, _OF_COLUMNS
        find = partial(hard_matching_law, *against, **loss)
    else:
        tables = bound_permutation_law(*joint.both_memberships, **loss)
        merges, why = tables * n, _OF_THREE
        find = partial(permutation_law, *joint.both_memberships, **loss)
    return _Way(
        max(tables, merges / _MERGES_PER_TABLE),
        8.0 * tables * (1 + k),
        5e-4 + _SECONDS_PER_MERGE * merges,
        why,
        lambda: law_of_matching(objective, find()),
    )
