"""Whole laws of information measures of a fuzzy partition against a hard one."""

from math import isfinite
from typing import final

import numpy as np

from sfumato.algorithms.laws.information_law import bound_information_law, information_law
from sfumato.algorithms.tables.distinct import distinct_values
from sfumato.methods.base import Method, Plan, Policy, Progress
from sfumato.methods.hard_truth import hard_truth, ratio_of_sums, undefined_value
from sfumato.methods.law_answers import answer_with_law
from sfumato.query import Query
from sfumato.results.comparison import Comparison
from sfumato.results.values import ValueDistribution

__all__ = ["InformationLaws"]

_SECONDS_PER_PAIR = 4.5e-9
_PAIRS_PER_TABLE = 1000  # an addition in the cache, against a table with its storage


@final
class InformationLaws(Method):
    """Law of an information measure on a fine grid of values, with the rounding stated.

    The columns of the table are independent. All but the last are merged by their row sums and
    their sum of N log N, rounded; the last is added to each of the merged states.
    """

    name = "information_laws"

    def plan(self, query: Query, policy: Policy) -> Plan | None:
        """Applies to a fuzzy partition against a hard one."""
        truth = hard_truth(query, "xlogx")
        if truth is None or ratio_of_sums(query, truth, "xlogx") is None:
            return None
        if not all(map(isfinite, query.bounds)):
            return None
        cost = bound_information_law(
            truth.memberships, truth.codes, truth.n_columns, max_lost_mass=policy.max_lost_mass
        )
        return Plan(
            query,
            policy,
            method=self.name,
            guarantee="certified",
            tables=max(cost.states, cost.pairs / _PAIRS_PER_TABLE),
            bytes=4e6 + 48.0 * cost.states,
            seconds=2e-3 + 1e-7 * cost.states + _SECONDS_PER_PAIR * cost.pairs,
            lists_tables=True,
            why="the columns of a hard partition are independent and can be added one by one",
        )

    def run(
        self,
        plan: Plan,
        *,
        rng: np.random.Generator,
        deadline: float | None,
        progress: Progress,
    ) -> Comparison:
        """Find the law on the grid."""
        query = plan.query
        truth = hard_truth(query, "xlogx")
        assert truth is not None
        ratio = ratio_of_sums(query, truth, "xlogx")
        assert ratio is not None
        law = information_law(
            truth.memberships,
            truth.codes,
            truth.n_columns,
            numerator=ratio.numerator,
            denominator=ratio.denominator,
            power=ratio.power,
            max_lost_mass=plan.policy.max_lost_mass,
        )
        values, masses = law.values, law.masses
        if law.undefined_mass > 0:
            values = np.append(values, undefined_value(query, truth, law.undefined_rows))
            masses = np.append(masses, law.undefined_mass)
        values, which = distinct_values(np.clip(values, *query.bounds))
        masses = np.bincount(which, masses).astype(np.float64)
        return answer_with_law(
            plan,
            values,
            masses,
            law.lost_mass,
            mean_error=law.mean_error,
            distribution=ValueDistribution(values, masses, law.lost_mass),
            notes=(
                "Values are collected on a grid, which moves one by no more than "
                f"{law.rounding:.2g}, and the mean by no more than {law.mean_error:.2g}.",
            ),
        )
