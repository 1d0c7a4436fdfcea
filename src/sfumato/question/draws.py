"""How many draws a question needs, the answer that they give, and what it says of them."""

from dataclasses import dataclass, replace
from math import inf
from typing import final

import numpy as np

from sfumato._typing import Floats, Guarantee
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
from sfumato.algorithms.tables.distinct import ROUNDING, distinct_values
from sfumato.algorithms.tables.likely_sizes import SizeLimits
from sfumato.errors import CostError, UnsupportedError
from sfumato.families import Ratio
from sfumato.question.plan import Policy
from sfumato.question.query import Query
from sfumato.results.answers import (
    Answer,
    Ends,
    empirical,
    estimated_answer,
    intervals,
    sampled_answer,
)
from sfumato.results.values import ValueKnowledge, ValueSet

__all__ = [
    "MeanOfDraws",
    "answer_of_draws",
    "answer_of_seen",
    "check_affordable",
    "gap_notes",
    "level_note",
    "prior_of",
]

_FEWEST_DRAWS = 1000
_NEGLIGIBLE_GAP = 1e-6  # distance of a bound to what is attained
_STEP_RISK = 1e-15  # that a draw leaves the limits within which an object changes a ratio so little


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
        cls,
        query: Query,
        policy: Policy,
        *,
        objects: float,
        default: int,
        confidence: float | None = None,
    ) -> "MeanOfDraws":
        """As many draws as asked for, else for the tolerance within the budget of objects.

        Each draw takes the time of so many ``objects``. ``confidence`` is that of the means, where
        it does not depend on the quantity.
        """
        prior = prior_of(query)
        if policy.n_samples is not None:
            if policy.n_samples > MOST_DRAWS:
                raise CostError(
                    f"n_samples={policy.n_samples:,} is above {MOST_DRAWS:.0e} draws: ask for "
                    "fewer."
                )
            return cls(query, policy, prior, int(policy.n_samples))
        draws: float = default
        if policy.tolerance is not None and query.theory != "rough":
            confidence = confidence or policy.confidence_of_means(query.quantity)
            confidence = prior_confidence(confidence, policy.bound)
            needed = draws_for(prior, policy.tolerance, bound=policy.bound, confidence=confidence)
            if needed == inf and policy.tolerance_is_demand:
                raise UnsupportedError(
                    f"{query.measure.name} has no finite range, so no number of draws guarantees a "
                    f"tolerance: {either('use Sampled(n_samples=...)', 'leave --tolerance out')}, "
                    f"or ask for {option('quantity', 'distribution')} and its quantiles."
                )
            draws = default if needed == inf else needed
        if policy.tolerance_is_demand:
            check_affordable(policy, draws)
        affordable = policy.max_draws_of_objects / objects
        draws = draws if draws <= affordable else max(_FEWEST_DRAWS, affordable)
        return cls(query, policy, prior, int(draws))

    @property
    def error(self) -> float:
        """Of the mean, before any draw."""
        policy = self.policy
        return prior_bound(
            self.prior, self.n_draws, bound=policy.bound, confidence=policy.confidence
        )[0]

    @property
    def guarantee(self) -> Guarantee:
        """Nothing can be said of the error where the measure has no finite range."""
        return "confidence" if self.error < inf else "inner"

    def estimate(self, source: Source, run: Run) -> Estimate:
        """Draw until the means are known well enough."""
        policy = self.policy
        tolerance = policy.tolerance if policy.n_samples is None else None
        confidence = policy.confidence_of_means(self.query.quantity)
        goal = Goal(self.n_draws, tolerance, confidence, policy.bound)
        return estimate_means(source, goal, self.prior, run)

    def of(self, source: Source, run: Run, *, is_solved: bool = True) -> Answer:
        """Draw, and state the means and, if asked for, the distribution of what was drawn.

        Where ends are known to some gap only, ``is_solved`` says if they were searched for.
        """
        found = self.estimate(source, run)
        distribution = None
        if self.query.quantity == "distribution":
            ends, is_outer = found.values.T, bool(found.gaps.max() > ROUNDING)
            distribution = (
                empirical(ends[0]) if len(ends) == 1 else intervals(*ends, is_outer=is_outer)
            )
        answer = self.answer(found, distribution)
        gaps = gap_notes(found.gaps[0], found.gaps[-1], is_solved=is_solved)
        return replace(answer, notes=(*gaps, *answer.notes))

    def answer(self, found: Estimate, distribution: ValueKnowledge | None = None) -> Answer:
        """The answer with the notes that belong to draws."""
        return estimated_answer(
            self.guarantee,
            found,
            self.query.objective.bounds,
            confidence=self.policy.confidence,
            distribution=distribution,
            notes=_estimate_notes(self.query, self.policy, self.n_draws, found),
        )


def answer_of_draws(
    query: Query,
    policy: Policy,
    guarantee: Guarantee,
    ends: Ends,
    distribution: ValueKnowledge,
    *,
    n_draws: int,
    planned: int,
    error: float = 0.0,
    gaps: tuple[float, float] = (0.0, 0.0),
    notes: tuple[str, ...],
) -> Answer:
    """The answer of draws that were all made with one aim, or of what was seen in them."""
    return sampled_answer(
        query.quantity,
        guarantee,
        ends,
        query.objective.bounds,
        n_samples=n_draws,
        half_width=error,
        confidence=policy.confidence,
        gaps=gaps,
        distribution=distribution,
        notes=(
            *notes,
            *_shortfall_notes(query, policy, planned, n_draws, error, is_late=n_draws < planned),
        ),
    )


def answer_of_seen(mean: MeanOfDraws, values: Floats, what: str = "draws") -> Answer:
    """The smallest and the largest value that was seen; the true ends may lie further out."""
    seen = distinct_values(values)[0]
    return answer_of_draws(
        mean.query,
        mean.policy,
        "inner",
        (seen[:1], seen[-1:], np.ones(1)),
        ValueSet(seen, is_complete=False),
        n_draws=len(values),
        planned=mean.n_draws,
        notes=(
            f"Sampled: the ends are the smallest and largest of {len(values):,} {what}; the true "
            "ends may lie further out.",
        ),
    )


def check_affordable(policy: Policy, draws: float) -> None:
    """Raise `CostError` where a tolerance needs too many draws."""
    if draws > MOST_DRAWS:
        raise CostError(
            f"A tolerance of {policy.tolerance:g} needs up to {draws:.2g} draws "
            f"({MOST_DRAWS:.0e} at most): use a larger tolerance, or {option('engine', 'exact')}."
        )


def _estimate_notes(query: Query, policy: Policy, planned: int, found: Estimate) -> tuple[str, ...]:
    """What a result says of means of draws."""
    n_draws = len(found.values)
    notes = _shortfall_notes(query, policy, planned, n_draws, found.error, is_late=found.is_late)
    if found.error < inf:
        notes = (*notes, f"The error of {n_draws:,} draws is that of {found.bound}.")
    if query.quantity == "distribution":
        risk = (1.0 - policy.confidence_of_means(query.quantity)) * found.share
        band = dkw_band(n_draws, 1.0 - risk, 1 if query.is_precise else 2)
        is_outer = bool(found.gaps.max() > ROUNDING)  # the ends of some draws are bounds
        what = "its cumulative probabilities are"
        notes = (*notes, _distribution_note(policy, n_draws, band, what, is_outer=is_outer))
    return notes


def level_note(query: Query, policy: Policy, n_draws: int, planned: int, *, is_outer: bool) -> str:
    """What may be said of a distribution where levels are drawn from strata.

    Hoeffding's inequality holds for each event.
    """
    width = hoeffding_half_width(planned, 1.0, policy.confidence_of_means(query.quantity), 1)
    band = line_half_width(width, planned, n_draws)
    what = "each of its cumulative probabilities is"
    return _distribution_note(policy, n_draws, band, what, is_outer=is_outer)


def _distribution_note(
    policy: Policy, n_draws: int, band: float, what: str, *, is_outer: bool
) -> str:
    """How far ``what`` may be off; ends of draws that are outer may lie outside the true ones."""
    band = min(1.0, band)
    drawn, off = f"{n_draws:,} draws", f"{what} within {band:.3g} of the truth"
    if is_outer:
        drawn = f"the outer ends of {drawn}"
        off = (
            f"beliefs are at most {band:.3g} above the truth, plausibilities at most as much below "
            "it"
        )
    return (
        f"The distribution is that of {drawn}: {off}, and the means within their brackets, at "
        f"{policy.confidence:.0%}."
    )


def gap_notes(low: float, high: float, *, is_solved: bool) -> tuple[str, ...]:
    """Say how far the ends of the draws are known on average, if not exactly."""
    if max(low, high) <= _NEGLIGIBLE_GAP:
        return ()
    what = "The ends of each draw are bracketed, not solved"
    what = "Not every search of a draw's ends closed" if is_solved else what
    return (
        f"{what}: on average the lower one lies within {low:.2g} and the upper one within "
        f"{high:.2g} of an attained value.",
    )


def _shortfall_notes(
    query: Query, policy: Policy, planned: int, n_draws: int, error: float, *, is_late: bool
) -> tuple[str, ...]:
    """Say when time ran out, or nothing is known of the error."""
    notes: list[str] = []
    if is_late:
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
