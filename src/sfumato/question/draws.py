"""How many draws a question needs, and what a result says of them."""

from dataclasses import dataclass
from math import inf
from typing import final

import numpy as np

from sfumato._typing import Guarantee, Quantity
from sfumato._wording import either, option
from sfumato.algorithms.sampling.blocks import Run
from sfumato.algorithms.sampling.concentration import (
    dkw_band,
    hoeffding_half_width,
    line_half_width,
)
from sfumato.algorithms.sampling.mean import (
    Estimate,
    Goal,
    Source,
    estimate_means,
    prior_confidence,
)
from sfumato.algorithms.sampling.prior import (
    MOST_DRAWS,
    Prior,
    draws_for,
    largest_step,
    prior_bound,
)
from sfumato.algorithms.sampling.strata import Strata
from sfumato.algorithms.tables.distinct import ROUNDING
from sfumato.algorithms.tables.likely_sizes import SizeLimits
from sfumato.errors import CostError, UnsupportedError
from sfumato.families import Ratio
from sfumato.question.plan import Policy
from sfumato.question.query import Query
from sfumato.results.answers import Answer, estimated_answer
from sfumato.results.values import ValueKnowledge

__all__ = [
    "MeanOfDraws",
    "confidence_of_means",
    "distribution_note",
    "estimate_notes",
    "expected_error",
    "gap_notes",
    "goal_of",
    "level_notes",
    "mean_confidence",
    "planned_draws",
    "planned_draws_at_levels",
    "prior_of",
    "shortfall_notes",
]

_FEWEST_DRAWS = 1000
_DRAWS_AT_LEVELS, _ENOUGH_AT_LEVELS, _FEWEST_AT_LEVELS = 10_000, 100, 10
_SECONDS, _MOST_SECONDS = 2.0, 10.0  # about, at levels, where no number of draws is asked for
_STEP_RISK = 1e-15  # that a draw leaves the limits within which an object changes a ratio so little
_NEGLIGIBLE_GAP = 1e-6  # distance of a bound to what is attained


def prior_of(query: Query) -> Prior:
    """What is known of the mean of draws before any of them is made."""
    lowest, highest, rest = query.likely_range
    n_means = 1 if query.is_precise else 2
    # One level, or one draw, moves all objects at once.
    if query.theory in ("levels", "possibilistic", "drawn"):
        return Prior(lowest, highest, rest, n_means)
    step, step_risk = _likely_step(query)
    n_open, unsureness = query.joint.unsureness
    return Prior(
        lowest,
        highest,
        rest,
        n_means,
        step=step,
        n_objects=float(n_open),
        unsureness=unsureness,
        step_risk=step_risk,
    )


def _likely_step(query: Query) -> tuple[float, float]:
    """Most that one object changes a value, and the probability that a draw leaves its limits.

    Limits of cluster sizes that are likely need some room: from one draw within them to another
    objects change one at a time, in an order that leaves the limits by no more than as many objects
    as there are clusters (Grinberg and Sevastyanov's form of Steinitz's lemma).
    """
    objective = query.objective
    if not isinstance(objective.family, Ratio):
        return largest_step(objective), 0.0
    sure = query.size_limits(0.0)
    n_random = sum(len(side.most) for side in sure if (side.least < side.most).any())
    likely = (
        SizeLimits(wide.least, np.minimum(wide.most, narrow.most + n_random))
        for wide, narrow in zip(sure, query.size_limits(_STEP_RISK), strict=True)
    )
    found = (largest_step(objective, *sure), 0.0), (largest_step(objective, *likely), _STEP_RISK)
    return min(found)


def expected_error(prior: Prior, policy: Policy, n_draws: int) -> float:
    """Error of the mean of that many draws, known before any of them is made."""
    return prior_bound(prior, n_draws, bound=policy.bound, confidence=policy.confidence)[0]


def mean_confidence(query: Query, policy: Policy) -> float:
    """Confidence of the means: where a distribution is stated too, that takes half of the risk."""
    return confidence_of_means(query.quantity, policy)


def confidence_of_means(quantity: Quantity, policy: Policy) -> float:
    """The same before there is a question."""
    risk = 1.0 - policy.confidence
    return 1.0 - (risk / 2 if quantity == "distribution" else risk)


def goal_of(query: Query, policy: Policy, n_draws: int) -> Goal:
    """When drawing ends: with a number of draws that was asked for, or with the tolerance."""
    tolerance = policy.tolerance if policy.n_samples is None else None
    return Goal(n_draws, tolerance, mean_confidence(query, policy), policy.bound)


@final
@dataclass(frozen=True, slots=True)
class MeanOfDraws:
    """Means to be found by at most ``n_draws`` draws, and what is known of them beforehand."""

    query: Query
    policy: Policy
    prior: Prior
    n_draws: int

    @classmethod
    def planned(
        cls, query: Query, policy: Policy, *, objects: float, default: int
    ) -> "MeanOfDraws":
        """As many draws as `planned_draws` says."""
        prior, confidence = prior_of(query), mean_confidence(query, policy)
        n_draws = planned_draws(
            query, prior, policy, objects=objects, default=default, confidence=confidence
        )
        return cls(query, policy, prior, n_draws)

    @property
    def error(self) -> float:
        """Of the mean, before any draw."""
        return expected_error(self.prior, self.policy, self.n_draws)

    @property
    def guarantee(self) -> Guarantee:
        """Nothing can be said of the error where the measure has no finite range."""
        return "confidence" if self.error < inf else "inner"

    def estimate(self, source: Source, run: Run) -> Estimate:
        """Draw until the means are known well enough."""
        goal = goal_of(self.query, self.policy, self.n_draws)
        return estimate_means(source, goal, self.prior, run)

    def answer(self, found: Estimate, distribution: ValueKnowledge | None = None) -> Answer:
        """The answer with the notes that belong to draws."""
        return estimated_answer(
            self.guarantee,
            found,
            self.query.objective.bounds,
            confidence=self.policy.confidence,
            distribution=distribution,
            notes=estimate_notes(self.query, self.policy, self.n_draws, found),
        )


def planned_draws(
    query: Query,
    prior: Prior,
    policy: Policy,
    *,
    objects: float,
    default: int,
    confidence: float,
) -> int:
    """Draws to make at most: as asked for, else for the tolerance within the budget of objects.

    ``confidence`` is that of the means.
    """
    if policy.n_samples is not None:
        if policy.n_samples > MOST_DRAWS:
            raise CostError(
                f"n_samples={policy.n_samples:,} is above {MOST_DRAWS:.0e} draws: ask for fewer."
            )
        return int(policy.n_samples)
    draws: float = default
    if policy.tolerance is not None and query.theory != "rough":
        draws = draws_for(
            prior,
            policy.tolerance,
            bound=policy.bound,
            confidence=prior_confidence(confidence, policy.bound),
        )
        if draws == inf and policy.tolerance_is_demand:
            raise UnsupportedError(
                f"{query.measure.name} has no finite range, so no number of draws guarantees a "
                f"tolerance: {either('use Sampled(n_samples=...)', 'leave --tolerance out')}, or "
                f"ask for {option('quantity', 'distribution')} and its quantiles."
            )
        draws = default if draws == inf else draws
    if policy.tolerance_is_demand:
        _check_affordable(policy, draws)
    affordable = policy.max_draws_of_objects / objects
    return int(draws if draws <= affordable else max(_FEWEST_DRAWS, affordable))


def planned_draws_at_levels(
    query: Query, policy: Policy, strata: Strata, seconds_each: float
) -> int:
    """The same where levels are drawn from strata; ``seconds_each`` is about the time of a draw."""
    if policy.n_samples is not None:
        return int(policy.n_samples)
    draws = _DRAWS_AT_LEVELS
    if policy.tolerance is not None and strata.spread < inf:
        draws = strata.draws_for(policy.tolerance)
        if policy.tolerance_is_demand:
            _check_affordable(policy, draws)
            return draws
    affordable = min(policy.max_draws_of_objects / query.n_objects, _SECONDS / seconds_each)
    fewest = max(_FEWEST_AT_LEVELS, min(_ENOUGH_AT_LEVELS, _MOST_SECONDS / seconds_each))
    return int(max(fewest, min(draws, affordable)))


def _check_affordable(policy: Policy, draws: float) -> None:
    if draws > MOST_DRAWS:
        raise CostError(
            f"A tolerance of {policy.tolerance:g} needs up to {draws:.2g} draws "
            f"({MOST_DRAWS:.0e} at most): use a larger tolerance, or {option('engine', 'exact')}."
        )


def estimate_notes(query: Query, policy: Policy, planned: int, found: Estimate) -> tuple[str, ...]:
    """What a result says of means of draws."""
    n_draws = len(found.values)
    notes = shortfall_notes(query, policy, planned, n_draws, found.error, is_late=found.is_late)
    if found.error < inf:
        notes = (*notes, f"The error of {n_draws:,} draws is that of {found.bound}.")
    if query.quantity == "distribution":
        notes = (*notes, distribution_note(query, policy, found))
    return notes


def distribution_note(query: Query, policy: Policy, found: Estimate) -> str:
    """What may be said of an empirical distribution, or of those of both ends together."""
    n_draws = len(found.values)
    risk = (1.0 - mean_confidence(query, policy)) * found.share
    band = min(1.0, dkw_band(n_draws, 1.0 - risk, 1 if query.is_precise else 2))
    if found.gaps.max() > ROUNDING:  # the ends of some draws are bounds
        return _outer_distribution_note(n_draws, band, policy.confidence)
    return (
        f"The distribution is that of {n_draws:,} draws: its cumulative probabilities are within "
        f"{band:.3g} of the truth, and the means within their brackets, at {policy.confidence:.0%}."
    )


def _outer_distribution_note(n_draws: int, band: float, confidence: float) -> str:
    """What may be said where the ends of draws lie outside the true ones, if not on them."""
    return (
        f"The distribution is that of the outer ends of {n_draws:,} draws: beliefs are at most "
        f"{band:.3g} above the truth, plausibilities at most as much below it, and the means "
        f"within their brackets, at {confidence:.0%}."
    )


def level_notes(
    query: Query, policy: Policy, n_draws: int, planned: int, gaps: tuple[float, float]
) -> tuple[str, ...]:
    """The same where levels are drawn from strata: Hoeffding's inequality for each event."""
    if query.quantity != "distribution":
        return ()
    confidence = mean_confidence(query, policy)
    width = line_half_width(hoeffding_half_width(planned, 1.0, confidence, 1), planned, n_draws)
    band = min(1.0, width)
    if max(gaps) > ROUNDING:
        return (_outer_distribution_note(n_draws, band, policy.confidence),)
    return (
        f"The distribution is that of {n_draws:,} draws: each of its cumulative probabilities is "
        f"within {band:.3g} of the truth, and the means within their brackets, at "
        f"{policy.confidence:.0%}.",
    )


def gap_notes(low: float, high: float, *, is_solved: bool) -> tuple[str, ...]:
    """Say how far the ends of the draws are known on average, if not exactly."""
    if max(low, high) <= _NEGLIGIBLE_GAP:
        return ()
    what = (
        "Not every search of a draw's ends closed"
        if is_solved
        else "The ends of each draw are bracketed, not solved"
    )
    return (
        f"{what}: on average the lower one lies within {low:.2g} and the upper one within "
        f"{high:.2g} of an attained value.",
    )


def shortfall_notes(
    query: Query,
    policy: Policy,
    planned: int,
    n_draws: int,
    error: float,
    *,
    is_late: bool | None = None,
) -> tuple[str, ...]:
    """Say when time ran out, or nothing is known of the error."""
    notes: list[str] = []
    if n_draws < planned if is_late is None else is_late:
        notes.append(
            f"Stopped by max_seconds={policy.max_seconds:g} after {n_draws:,} of "
            f"{planned:,} draws, so the result depends on the machine."
        )
    if error == inf:
        notes.append(
            f"{query.measure.name} has no finite range, so no error can be stated for the "
            "mean of the draws."
        )
    return tuple(notes)
