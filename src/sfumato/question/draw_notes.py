"""What a result says of the draws behind it."""

from math import inf

from sfumato.algorithms.sampling.concentration import (
    dkw_band,
    hoeffding_half_width,
    line_half_width,
)
from sfumato.algorithms.sampling.mean import Estimate
from sfumato.algorithms.tables.distinct import ROUNDING
from sfumato.question.plan import Policy
from sfumato.question.query import Query

__all__ = ["estimate_notes", "gap_notes", "level_note", "shortfall_notes"]

_NEGLIGIBLE_GAP = 1e-6  # distance of a bound to what is attained


def estimate_notes(query: Query, policy: Policy, planned: int, found: Estimate) -> tuple[str, ...]:
    """What a result says of means of draws."""
    n_draws = len(found.values)
    notes = shortfall_notes(query, policy, planned, n_draws, found.error, is_late=found.is_late)
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
