"""Putting together the answer of a method."""

from collections.abc import Callable
from math import inf, nan
from typing import NamedTuple, TypeAlias

import numpy as np

from sfumato._typing import Floats, Guarantee, Ints
from sfumato.algorithms.expectations.mean_ends import Expectations, expectations
from sfumato.algorithms.tables.distinct import ROUNDING, distinct_values
from sfumato.methods.base import Plan
from sfumato.methods.estimate import Estimate
from sfumato.methods.sampling import distribution_note, shortfall_notes
from sfumato.query import Query
from sfumato.results.comparison import Comparison, End, Witness
from sfumato.results.values import (
    ValueDistribution,
    ValueKnowledge,
    ValueMass,
    ValuePossibility,
    ValueSet,
)

__all__ = [
    "Ends",
    "Reached",
    "bracketed_answer",
    "bracketed_expectations",
    "bracketed_mean",
    "ends_of",
    "estimated_answer",
    "exact_answer",
    "intervals",
    "mean_answer",
    "possibilities_of_values",
    "sampled_answer",
    "sets_of_values",
    "support_answer",
]

Ends: TypeAlias = tuple[Floats, Floats, Floats]  # least value, largest value, mass of each set


class Reached(NamedTuple):
    """Focal tables with masses, and the values of the tables within reach of each."""

    values: Floats  # (m,): of each distinct table
    starts: Ints  # (f + 1,)
    ids: Ints  # (starts[f],): tables that each focal table reaches
    masses: Floats  # (f,)
    lost_mass: float = 0.0  # of focal tables that were left out
    notes: tuple[str, ...] = ()
    find_witness: Callable[[End], Witness] | None = None


def ends_of(reached: Reached, *, is_precise: bool) -> Ends:
    """Smallest and largest value within reach of each focal table."""
    values = reached.values[reached.ids]
    lows = np.minimum.reduceat(values, reached.starts[:-1])
    highs = lows if is_precise else np.maximum.reduceat(values, reached.starts[:-1])
    return lows, highs, reached.masses


def sets_of_values(query: Query, reached: Reached) -> ValueKnowledge:
    """The mass function over sets of values, in the form of the query's theory."""
    distinct, which = distinct_values(reached.values)
    members = which[reached.ids]
    if query.is_precise:  # one table per focal table
        law = np.bincount(members, reached.masses).astype(np.float64)
        return ValueDistribution(distinct, law, reached.lost_mass)
    merged: dict[bytes, float] = {}
    for first, last, mass in zip(
        reached.starts[:-1].tolist(), reached.starts[1:].tolist(), reached.masses, strict=True
    ):
        key = np.unique(members[first:last]).tobytes()
        merged[key] = merged.get(key, 0.0) + float(mass)
    sets = tuple(distinct[np.frombuffer(key, dtype=np.int64)] for key in merged)
    if query.theory == "rough":
        return ValueSet(sets[0])
    return ValueMass(sets, np.array(list(merged.values())), reached.lost_mass)


def intervals(lows: Floats, highs: Floats) -> ValueMass:
    """Equally likely focal sets, known by their ends."""
    pairs, counts = np.unique(np.stack([lows, highs]), axis=1, return_counts=True)
    sets = tuple(np.unique(pair) for pair in pairs.T)
    return ValueMass(sets, counts / len(lows), is_complete=False)


def possibilities_of_values(values: Floats, possibilities: Floats) -> ValuePossibility:
    """The possibility of each distinct value: that of its most possible table."""
    distinct, which = distinct_values(values)
    largest = np.zeros(len(distinct))
    np.maximum.at(largest, which, possibilities)
    return ValuePossibility(distinct, largest)


def _summary(query: Query, ends: Ends) -> Expectations:
    lows, highs, masses = ends
    if query.quantity == "range":
        return Expectations(float(lows.min()), float(highs.max()), 0.0, 0.0)
    return expectations(lows, highs, masses)


def exact_answer(
    plan: Plan,
    ends: Ends,
    *,
    distribution: ValueKnowledge | None = None,
    notes: tuple[str, ...] = (),
    find_witness: Callable[[End], Witness] | None = None,
) -> Comparison:
    """An answer without error."""
    found = _summary(plan.query, ends)
    return _comparison(
        plan,
        found,
        guarantee="exact",
        brackets=((found.lower, found.lower), (found.upper, found.upper)),
        distribution=distribution,
        notes=notes,
        find_witness=find_witness,
    )


def bracketed_answer(
    plan: Plan,
    low: tuple[float, float],
    high: tuple[float, float],
    *,
    stds: tuple[float, float] = (0.0, 0.0),
    distribution: ValueKnowledge | None = None,
    notes: tuple[str, ...] = (),
    find_witness: Callable[[End], Witness] | None = None,
) -> Comparison:
    """Ends known within brackets, as those of a rough comparison; exact where both have no width.

    ``low`` and ``high`` are (outer, attained) and (attained, outer); the outer sides are reported.
    """
    is_exact = low[0] == low[1] and high[0] == high[1] and plan.query.quantity != "distribution"
    return _comparison(
        plan,
        Expectations(low[0], high[1], *stds),
        guarantee="exact" if is_exact else "certified",
        brackets=(low, high),
        distribution=distribution,
        notes=notes,
        find_witness=find_witness,
    )


def bracketed_expectations(
    plan: Plan,
    low: tuple[float, float],
    high: tuple[float, float],
    *,
    distribution: ValueKnowledge | None = None,
    find_std: Callable[[], tuple[float, float]] | None = None,
    notes: tuple[str, ...] = (),
) -> Comparison:
    """Lower and upper expectation that surely lie in these brackets; the outer sides are reported.

    Without ``find_std`` the standard deviations are nan, and the notes should say why.
    """
    return _comparison(
        plan,
        Expectations(low[0], high[1], nan, nan),
        guarantee=plan.guarantee,
        brackets=(low, high),
        distribution=distribution,
        find_std=find_std,
        notes=notes,
    )


def support_answer(plan: Plan, bracket: tuple[float, float]) -> Comparison:
    """Both ends known only to lie in one bracket: its middle if theory gives a single value."""
    low, high = bracket
    if plan.query.is_precise:
        low = high = (bracket[0] + bracket[1]) / 2
    return _comparison(
        plan,
        Expectations(low, high, nan, nan),
        guarantee="certified",
        brackets=(bracket, bracket),
        distribution=ValueSet(np.unique(bracket), is_complete=False),
        notes=("Only the range of what is not ruled out is known; the spread is not.",),
    )


def mean_answer(
    plan: Plan,
    mean: float,
    *,
    error: float = 0.0,
    find_std: Callable[[], tuple[float, float]] | None = None,
    notes: tuple[str, ...] = (),
) -> Comparison:
    """A mean by a formula, known up to ``error``; the standard deviation is found when asked for.

    With no ``find_std`` it is nan, and the notes should say why.
    """
    lowest, highest = plan.query.bounds
    bracket = max(lowest, mean - error), min(highest, mean + error)
    return _comparison(
        plan,
        Expectations(mean, mean, nan, nan),
        guarantee=plan.guarantee,
        brackets=(bracket, bracket),
        distribution=None,
        notes=notes,
        find_std=find_std,
    )


def bracketed_mean(
    plan: Plan,
    bracket: tuple[float, float],
    *,
    std: float,
    distribution: ValueKnowledge | None = None,
    notes: tuple[str, ...] = (),
) -> Comparison:
    """A mean that surely lies in a bracket: its middle, which is all of it if exact."""
    middle = (bracket[0] + bracket[1]) / 2
    bracket = (middle, middle) if plan.guarantee == "exact" else bracket
    return _comparison(
        plan,
        Expectations(middle, middle, std, std),
        guarantee=plan.guarantee,
        brackets=(bracket, bracket),
        distribution=distribution,
        notes=notes,
    )


def sampled_answer(
    plan: Plan,
    ends: Ends,
    *,
    guarantee: Guarantee,
    n_samples: int,
    half_width: float,
    gaps: tuple[float, float] = (0.0, 0.0),
    distribution: ValueKnowledge | None = None,
    notes: tuple[str, ...] = (),
) -> Comparison:
    """An estimate; with the guarantee "inner" it may lie inside the true ends by any amount.

    ``half_width`` is the error of the mean of the draws, at the confidence of the policy;
    ``gaps`` says by how much the lower and the upper mean may lie too far out besides.
    """
    query = plan.query
    lowest, highest = query.bounds
    found = _summary(query, ends)
    out = float("inf") if guarantee == "inner" else half_width
    brackets = (
        (max(lowest, found.lower - out), min(highest, found.lower + gaps[0] + half_width)),
        (max(lowest, found.upper - gaps[1] - half_width), min(highest, found.upper + out)),
    )
    return _comparison(
        plan,
        found,
        guarantee=guarantee,
        brackets=brackets,
        distribution=distribution,
        confidence=plan.policy.confidence if half_width > 0 else None,
        n_samples=n_samples,
        notes=notes,
    )


def estimated_answer(
    plan: Plan,
    found: Estimate,
    *,
    distribution: ValueKnowledge | None = None,
    notes: tuple[str, ...] = (),
) -> Comparison:
    """Means of draws, known within brackets at the confidence of the policy.

    One mean if theory gives a single value, else those of the lower and the upper ends.
    """
    query, n_draws = plan.query, len(found.values)
    error = float(found.half_widths.max())
    notes = (*notes, *shortfall_notes(plan, n_draws, error, is_late=found.is_late))
    if error < inf:
        notes = (*notes, f"The error of {n_draws:,} draws is that of {found.bound}.")
    if query.quantity == "distribution":
        notes = (
            *notes,
            distribution_note(plan, n_draws, is_outer=bool(found.gaps.max() > ROUNDING)),
        )
    lowest, highest = query.bounds
    lower, upper = (float(found.means[at]) for at in (0, -1))
    out = np.array([inf, inf]) if plan.guarantee == "inner" else found.half_widths

    def within(low: float, high: float) -> tuple[float, float]:
        return float(max(lowest, low)), float(min(highest, high))

    stds = found.values.std(axis=0)
    return _comparison(
        plan,
        Expectations(lower, upper, float(stds[0]), float(stds[-1])),
        guarantee=plan.guarantee,
        brackets=(
            within(lower - out[0], lower + found.gaps[0] + found.half_widths[0]),
            within(upper - found.gaps[-1] - found.half_widths[-1], upper + out[-1]),
        ),
        distribution=distribution,
        confidence=plan.policy.confidence if error < inf else None,
        n_samples=n_draws,
        notes=notes,
    )


def _comparison(
    plan: Plan,
    found: Expectations,
    *,
    guarantee: Guarantee,
    brackets: tuple[tuple[float, float], tuple[float, float]],
    distribution: ValueKnowledge | None,
    confidence: float | None = None,
    n_samples: int | None = None,
    notes: tuple[str, ...] = (),
    find_witness: Callable[[End], Witness] | None = None,
    find_std: Callable[[], tuple[float, float]] | None = None,
) -> Comparison:
    query = plan.query
    return Comparison(
        measure=query.measure.name,
        better=query.measure.better,
        quantity=query.quantity,
        kinds=query.kinds,
        lower=found.lower,
        upper=found.upper,
        is_precise=query.is_precise,
        lower_bracket=brackets[0],
        upper_bracket=brackets[1],
        stds=(found.lower_std, found.upper_std),
        guarantee=guarantee,
        method=plan.method,
        confidence=confidence,
        n_samples=n_samples,
        distribution=distribution if query.quantity == "distribution" else None,
        notes=(*query.notes, *notes),
        find_witness=find_witness,
        find_std=find_std,
    )
