"""The mean of a ratio of fuzzy partitions, of any size, between certain limits."""

from collections.abc import Iterator
from functools import partial
from typing import final

from sfumato.algorithms.moments.bracketed_ratios import bracket_ratio_mean, can_bracket_ratio
from sfumato.algorithms.sampling.blocks import Run
from sfumato.families import Adjusted, Objective
from sfumato.methods.base import Method, Scope
from sfumato.question.joint import Joint
from sfumato.question.plan import Plan, Policy
from sfumato.question.query import Query
from sfumato.results.answers import Answer, bracketed_mean
from sfumato.results.known_std import known_std

__all__ = ["RatioBracket"]

_MOST_CELLS = 4_000_000
_SECONDS_PER_PRODUCT = 1e-8
_SECONDS_PER_CELL = 2e-5  # a few series
_SECONDS_FOR_CHANCE = 2.0  # at most, where mutual information is adjusted for chance


@final
class RatioBracket(Method):
    """A bracket of the mean of a ratio, from moments of its numerator and its denominator.

    Both are concentrated, the more the larger the data are: the ratio of the means, corrected by a
    covariance, is off by a remainder that is bounded without a draw. The bracket is wide where
    clusters are small or the denominator can vanish.
    """

    name = "ratio_bracket"
    cost = "O(n k1 k2)"
    scopes = (
        Scope(
            theories=("fuzzy",),
            guarantees=("certified",),
            quantities=("expectation",),
            families=("pair ratio",),
            needs="sums",
        ),
        Scope(
            theories=("fuzzy",),
            guarantees=("certified",),
            quantities=("expectation",),
            families=("information ratio",),
            needs="powers",
        ),
        Scope(
            theories=("fuzzy",),
            guarantees=("certified",),
            quantities=("expectation",),
            families=("adjusted information",),
            needs_hard_side=True,
            needs="powers",
        ),
    )

    def plan(self, query: Query, policy: Policy) -> Iterator[Plan]:
        """Bound the mean from moments of the sums over rows, columns and cells."""
        objective, joint = query.objective, query.joint
        if objective.n_cells > _MOST_CELLS:
            return
        if not can_bracket_ratio(objective, is_hard=joint.has_hard_columns):
            return
        rows, columns = joint.mean_lengths
        products = query.n_objects * (rows + 1) * (columns + 1) if joint.kept is None else 0.0
        chance = _SECONDS_FOR_CHANCE if isinstance(objective.family, Adjusted) else 0.0
        yield Plan(
            guarantee="certified",
            tables=1,
            bytes=64.0 * objective.n_cells + 5e7,
            seconds=1e-3
            + _SECONDS_PER_PRODUCT * products
            + _SECONDS_PER_CELL * min(objective.n_cells, query.n_objects)
            + min(chance, 1e-6 * products),
            why="numerator and denominator are close to their means",
            work=partial(_answer, objective, joint),
        )


def _answer(objective: Objective, joint: Joint, _: Run) -> Answer:
    found = bracket_ratio_mean(objective, joint.fuzzy_table)
    bracket, kept = (found.low, found.high), joint.kept
    std, notes = known_std(
        found.std - found.std_error,
        found.std + found.std_error,
        bracket,
        objective.bounds,
        estimate=found.std,
        is_of_sums=kept is not None and kept.sums is not None and kept.sums.spread is None,
    )
    return bracketed_mean("certified", found.mean, bracket, std=std, notes=notes)
