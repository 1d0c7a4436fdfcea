"""Whole laws of information measures of a fuzzy partition against a hard one."""

from collections.abc import Iterator
from functools import partial
from math import isfinite
from typing import final

import numpy as np

from sfumato.algorithms.laws.fixed_columns import RatioOfSums, ratio_of_sums, undefined_value
from sfumato.algorithms.laws.information_law import bound_information_law, information_law
from sfumato.algorithms.sampling.blocks import Run
from sfumato.algorithms.tables.distinct import distinct_values
from sfumato.methods.base import Method, Scope
from sfumato.question.plan import Plan, Policy
from sfumato.question.query import Query
from sfumato.results.answers import Answer, law_answer
from sfumato.results.values import ValueDistribution

__all__ = ["InformationLaws"]

_SECONDS_PER_PAIR = 4.5e-9
_PAIRS_PER_TABLE = 1000  # an addition in the cache, against a table with its storage
_MOST_MEMBERSHIPS = 40_000_000


@final
class InformationLaws(Method):
    """Law of an information measure on a fine grid of values, with the rounding stated.

    The columns of the table are independent. All but the last are merged by their row sums and
    their sum of N log N, rounded; the last is added to each of the merged states.
    """

    name = "information_laws"
    cost = "grows as a power of the uncertain objects"
    scopes = (
        Scope(
            theories=("fuzzy",),
            guarantees=("certified",),
            families=("information", "information ratio"),
            most_clusters=32,
            needs_hard_side=True,
        ),
    )

    def plan(self, query: Query, policy: Policy) -> Iterator[Plan]:
        """Find the law on the grid."""
        joint, objective = query.joint, query.objective
        ratio = ratio_of_sums(objective.family, joint.class_sizes)
        if ratio is None or not isfinite(objective.spread):
            return
        if query.n_objects * max(joint.shape) > _MOST_MEMBERSHIPS:
            return
        cost = bound_information_law(
            joint.row_memberships,
            joint.classes,
            joint.shape[1],
            max_lost_mass=policy.max_lost_mass,
        )
        yield Plan(
            guarantee="certified",
            tables=max(cost.states, cost.pairs / _PAIRS_PER_TABLE),
            bytes=4e6 + 48.0 * cost.states,
            seconds=2e-3 + 1e-7 * cost.states + _SECONDS_PER_PAIR * cost.pairs,
            lists_tables=True,
            why="the columns of a hard partition are independent and can be added one by one",
            work=partial(_answer, query, ratio, policy.max_lost_mass),
        )


def _answer(query: Query, ratio: RatioOfSums, max_lost_mass: float, _: Run) -> Answer:
    joint, objective = query.joint, query.objective
    law = information_law(
        joint.row_memberships,
        joint.classes,
        joint.shape[1],
        numerator=ratio.numerator,
        denominator=ratio.denominator,
        power=ratio.power,
        max_lost_mass=max_lost_mass,
    )
    values, masses = law.values, law.masses
    if law.undefined_mass > 0:
        value = undefined_value(objective, joint.class_sizes, law.undefined_rows)
        values, masses = np.append(values, value), np.append(masses, law.undefined_mass)
    values, which = distinct_values(np.clip(values, *objective.bounds))
    masses = np.bincount(which, masses).astype(np.float64)
    return law_answer(
        query.quantity,
        "certified",
        (values, masses),
        law.lost_mass,
        objective.bounds,
        mean_error=law.mean_error,
        distribution=ValueDistribution(values, masses, law.lost_mass),
        notes=(
            "Values are collected on a grid, which moves one by no more than "
            f"{law.rounding:.2g}, and the mean by no more than {law.mean_error:.2g}.",
        ),
    )
