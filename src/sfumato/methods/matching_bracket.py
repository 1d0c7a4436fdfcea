"""A certified bracket of the mean of a matching measure, for any two fuzzy partitions."""

from collections.abc import Iterator
from functools import partial
from math import inf
from typing import final

import numpy as np

from sfumato._typing import Guarantee
from sfumato.algorithms.expectations.matching_mean import (
    MatchingMean,
    bracket_matching_mean,
    bracket_sparse_matching_mean,
)
from sfumato.algorithms.laws.step_sums import law_of_line_steps
from sfumato.algorithms.sampling.blocks import Run
from sfumato.families import Matching, Objective
from sfumato.methods.base import Method, Scope
from sfumato.question.joint import Joint
from sfumato.question.plan import Plan, Policy
from sfumato.question.query import Query
from sfumato.results.answers import Answer, bracketed_mean
from sfumato.results.known_std import known_std
from sfumato.results.values import EXACT_LOST_MASS, ValueDistribution

__all__ = ["MatchingBracket"]

_ROUNDING = EXACT_LOST_MASS  # a bracket narrower than this is exact but for rounding
_STD_ROUNDING = 1e-9
_DEFAULT_TOLERANCE = 1e-3
_MOST_PRODUCTS = 2e10
# Memberships up to this size may be laid out in full, for the sharper bounds: sparse ones, and all.
_FEW_MEMBERSHIPS, _MANY_MEMBERSHIPS = 2_000_000, 40_000_000


@final
class MatchingBracket(Method):
    """Compare all matchings of clusters with the one that is best for the expected table.

    As a rule that one is almost surely the best for the random table too, and then the bracket
    is as narrow as rounding and its Poisson binomial law is the whole distribution. A bracket
    wider than the tolerance is left to sampling, if the policy accepts that.
    """

    name = "matching_bracket"
    cost = "O(n k²) and the improving cycles"
    scopes = (
        Scope(theories=("fuzzy",), guarantees=("exact", "certified"), families=("matching",)),
    )

    def plan(self, query: Query, policy: Policy) -> Iterator[Plan]:
        """Find the bracket, whose width decides; then little is left to do."""
        joint, objective = query.joint, query.objective
        in_rows, in_columns = (rows.mean_length for rows in joint.probabilities)
        products = query.n_objects * in_rows * in_columns
        if products > _MOST_PRODUCTS or objective.n_cells > _MANY_MEMBERSHIPS:
            return
        # Whether memberships are looked at a few objects at a time.
        n_memberships = joint.n_objects * sum(joint.shape)
        has_lists = any(rows.is_sparse for rows in joint.probabilities)
        is_in_blocks = n_memberships > (_FEW_MEMBERSHIPS if has_lists else _MANY_MEMBERSHIPS)
        tolerance = policy.tolerance or _DEFAULT_TOLERANCE
        widest = 2 * tolerance if policy.accepts("confidence") else inf
        found = _find(objective, joint, widest, is_in_blocks=is_in_blocks)
        error = (found.high - found.low) / 2
        if query.quantity == "distribution":
            error = max(error, found.another_wins)
        is_exact = error <= _ROUNDING and found.std_error <= _STD_ROUNDING
        if not is_exact and error > widest / 2:
            return
        guarantee: Guarantee = "exact" if is_exact else "certified"
        lost_mass = min(policy.max_lost_mass, EXACT_LOST_MASS) if is_exact else policy.max_lost_mass
        yield Plan(
            guarantee=guarantee,
            tables=1,
            bytes=16.0 * (query.n_objects + objective.n_cells)
            + (0.0 if is_in_blocks else 16.0 * n_memberships),
            seconds=1e-3
            + (1e-9 * products if is_in_blocks else 1e-8 * query.n_objects * objective.n_cells),
            why="one matching of the clusters is nearly always the best"
            if is_exact
            else f"other matchings of the clusters change the answer by {error:.2g} at most",
            work=partial(_answer, query, guarantee, found, lost_mass, tolerance),
        )


def _answer(
    query: Query,
    guarantee: Guarantee,
    found: MatchingMean,
    max_lost_mass: float,
    tolerance: float,
    _: Run,
) -> Answer:
    """Take the middle of a narrow bracket; for the distribution sum up the matched objects."""
    bracket, std, notes = (found.low, found.high), found.std, ()
    if found.std_error > _STD_ROUNDING:  # the std is that of the matching which is best on average
        low, high = std - found.std_error, std + found.std_error
        std, notes = known_std(low, high, bracket, query.objective.bounds, estimate=std)
    distribution = None
    if query.quantity == "distribution":
        distribution = _distribution(query.objective, found, max_lost_mass)
        if guarantee != "exact":
            notes = (
                *notes,
                "The distribution is that of the matching which is best on average: its "
                f"cumulative probabilities are within {distribution.lost_mass:.2g} of the "
                "truth.",
            )
    is_narrow = (found.high - found.low) / 2 <= tolerance
    return bracketed_mean(
        guarantee,
        sum(bracket) / 2 if is_narrow else None,
        bracket,
        std=std,
        distribution=distribution,
        notes=notes,
    )


def _find(objective: Objective, joint: Joint, widest: float, *, is_in_blocks: bool) -> MatchingMean:
    """The bracket and the standard deviation in units of the measure."""
    assert isinstance(objective.family, Matching)
    offset, slope = objective.family.offset, objective.family.slope
    found = (
        bracket_sparse_matching_mean(*joint.probabilities)
        if is_in_blocks
        else bracket_matching_mean(*joint.both_memberships, widest=widest / abs(slope))
    )
    ends = [offset + slope * total for total in (found.low, found.high)]
    low, high = np.clip(sorted(ends), *objective.bounds).tolist()
    std, std_error = abs(slope) * found.std, abs(slope) * found.std_error
    return found._replace(low=low, high=high, std=std, std_error=std_error)


def _distribution(
    objective: Objective, matching: MatchingMean, max_lost_mass: float
) -> ValueDistribution:
    """Law of the total of one matching: objects are matched or not, independently."""
    assert isinstance(objective.family, Matching)
    weights = np.stack([matching.unmatched, matching.matched], axis=1)
    law = law_of_line_steps(weights, max_lost_mass=max_lost_mass)
    totals = law.origin[0] + np.arange(len(law.law))
    values = np.clip(objective.family.offset + objective.family.slope * totals, *objective.bounds)
    order = np.argsort(values, kind="stable")
    lost = min(1.0, law.lost_mass + matching.another_wins)
    return ValueDistribution(values[order], law.law[order], lost)
