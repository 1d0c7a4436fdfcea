"""Build the answer of a method, as plain data: both ends, their brackets, and the guarantee."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, nan
from typing import NamedTuple, TypeAlias, final

import numpy as np

from sfumato._typing import Floats, Guarantee, Ints, Quantity
from sfumato.algorithms.expectations.mean_ends import Expectations, expectations
from sfumato.algorithms.sampling.mean import Estimate
from sfumato.algorithms.tables.distinct import distinct_values
from sfumato.results.comparison import End, Witness
from sfumato.results.values import (
    EXACT_LOST_MASS,
    ValueDistribution,
    ValueKnowledge,
    ValueMass,
    ValuePossibility,
    ValueSet,
)

__all__ = [
    "Answer",
    "Bracket",
    "Ends",
    "Reached",
    "answer_by_range",
    "bracketed_answer",
    "bracketed_mean",
    "empirical",
    "ends_of",
    "estimated_answer",
    "exact_answer",
    "intervals",
    "law_answer",
    "lossy_answer",
    "mean_answer",
    "possibilities_of_values",
    "sampled_answer",
    "sets_of_values",
]

Bracket: TypeAlias = tuple[float, float]
Ends: TypeAlias = tuple[Floats, Floats, Floats]  # smallest value, largest value, mass of each set
FindStds: TypeAlias = Callable[[], tuple[float, float]]
FindWitness: TypeAlias = Callable[[End], Witness | None]

_UNKNOWN = (nan, nan)
_ONE_DRAW = "The standard deviation is not known: one draw says nothing of a spread."


@final
@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """Both ends of what is known of a value, and how far they can be trusted.

    Where theory gives a single value the ends are an estimate of it, twice, or the two sides of
    the bracket that holds it. The fields are those of `Comparison`; the planner adds what the
    question was.
    """

    lower: float
    upper: float
    lower_bracket: Bracket
    upper_bracket: Bracket
    guarantee: Guarantee
    stds: tuple[float, float] = (nan, nan)
    confidence: float | None = None
    n_samples: int | None = None
    distribution: ValueKnowledge | None = None
    notes: tuple[str, ...] = ()
    find_witness: FindWitness | None = None
    find_std: FindStds | None = None


class Reached(NamedTuple):
    """Focal tables with their masses, and the values of the tables within reach of each."""

    values: Floats  # (m,): value of each distinct table
    starts: Ints  # (f + 1,)
    ids: Ints  # (starts[f],): focal table i reaches ids[starts[i]:starts[i + 1]]
    masses: Floats  # (f,)
    lost_mass: float = 0.0  # mass of the focal tables that were left out
    notes: tuple[str, ...] = ()
    find_witness: FindWitness | None = None


def ends_of(reached: Reached, *, is_precise: bool) -> Ends:
    """Smallest and largest value within reach of each focal table."""
    values = reached.values[reached.ids]
    lows = np.minimum.reduceat(values, reached.starts[:-1])
    highs = lows if is_precise else np.maximum.reduceat(values, reached.starts[:-1])
    return lows, highs, reached.masses


def sets_of_values(reached: Reached, *, is_precise: bool, is_rough: bool) -> ValueKnowledge:
    """Build the mass function over sets of values; a distribution if precise, one set if rough."""
    distinct, which = distinct_values(reached.values)
    members = which[reached.ids]
    if is_precise:  # one table per focal table
        law = np.bincount(members, reached.masses).astype(np.float64)
        return ValueDistribution(distinct, law, reached.lost_mass)
    merged: dict[bytes, float] = {}
    for first, last, mass in zip(
        reached.starts[:-1].tolist(), reached.starts[1:].tolist(), reached.masses, strict=True
    ):
        key = np.unique(members[first:last]).tobytes()
        merged[key] = merged.get(key, 0.0) + float(mass)
    sets = tuple(distinct[np.frombuffer(key, dtype=np.int64)] for key in merged)
    if is_rough:
        return ValueSet(sets[0])
    return ValueMass(sets, np.array(list(merged.values())), reached.lost_mass)


def empirical(values: Floats) -> ValueDistribution:
    """Build the distribution of equally likely values."""
    distinct, which = distinct_values(values)
    return ValueDistribution(distinct, np.bincount(which) / len(values))


def intervals(lows: Floats, highs: Floats, *, is_outer: bool = False) -> ValueMass:
    """Build a mass function from equally likely focal sets, of which only the ends are known.

    ``is_outer`` says that some ends are bounds of the true ones.
    """
    distinct, which = distinct_values(np.concatenate([lows, highs]))
    pairs, counts = np.unique(which.reshape(2, -1), axis=1, return_counts=True)
    sets = tuple(distinct[np.unique(pair)] for pair in pairs.T)
    return ValueMass(sets, counts / len(lows), is_complete=False, is_outer=is_outer)


def possibilities_of_values(values: Floats, possibilities: Floats) -> ValuePossibility:
    """Find the possibility of each distinct value: that of its most possible table."""
    distinct, which = distinct_values(values)
    largest = np.zeros(len(distinct))
    np.maximum.at(largest, which, possibilities)
    return ValuePossibility(distinct, largest)


def _summary(quantity: Quantity, ends: Ends) -> Expectations:
    lows, highs, masses = ends
    if quantity == "range":
        return Expectations(float(lows.min()), float(highs.max()), 0.0, 0.0)
    return expectations(lows, highs, masses)


def exact_answer(
    quantity: Quantity,
    ends: Ends,
    *,
    distribution: ValueKnowledge | None = None,
    notes: tuple[str, ...] = (),
    find_witness: FindWitness | None = None,
) -> Answer:
    """Build an answer without error."""
    found = _summary(quantity, ends)
    return bracketed_answer(
        "exact",
        (found.lower, found.lower),
        (found.upper, found.upper),
        stds=(found.lower_std, found.upper_std),
        distribution=distribution,
        notes=notes,
        find_witness=find_witness,
    )


def bracketed_answer(
    guarantee: Guarantee,
    low: Bracket,
    high: Bracket,
    *,
    stds: tuple[float, float] = (nan, nan),
    distribution: ValueKnowledge | None = None,
    notes: tuple[str, ...] = (),
    find_witness: FindWitness | None = None,
    find_std: FindStds | None = None,
) -> Answer:
    """Build an answer from brackets of both ends. It reports the outer sides of the brackets.

    ``low`` is (outer side, attained side), ``high`` is (attained side, outer side). Standard
    deviations that are not known are nan, and the notes should say why.
    """
    return Answer(
        low[0],
        high[1],
        low,
        high,
        guarantee,
        stds=stds,
        distribution=distribution,
        notes=notes,
        find_witness=find_witness,
        find_std=find_std,
    )


def answer_by_range(bracket: Bracket) -> Answer:
    """Both ends known only to lie in one bracket, whose sides are reported."""
    known = ValueSet(np.unique(bracket), is_complete=False)
    note = "Only the range of what is not ruled out is known; the spread is not."
    return bracketed_mean("certified", None, bracket, std=nan, distribution=known, notes=(note,))


def mean_answer(
    guarantee: Guarantee,
    mean: float,
    bounds: Bracket,
    *,
    error: float = 0.0,
    find_std: FindStds | None = None,
    notes: tuple[str, ...] = (),
) -> Answer:
    """Build an answer from a mean that a formula gives, up to ``error``.

    ``find_std`` finds the standard deviation when it is asked for. Without it the standard
    deviation is nan, and the notes should say why.
    """
    bracket = max(bounds[0], mean - error), min(bounds[1], mean + error)
    return Answer(mean, mean, bracket, bracket, guarantee, notes=notes, find_std=find_std)


def bracketed_mean(
    guarantee: Guarantee,
    mean: float | None,
    bracket: Bracket,
    *,
    std: float,
    distribution: ValueKnowledge | None = None,
    notes: tuple[str, ...] = (),
) -> Answer:
    """A mean that surely lies in a bracket.

    Without an estimate of it both sides of the bracket are reported: its middle is no estimate.
    """
    ends = bracket if mean is None else (mean, mean)
    bracket = ends if guarantee == "exact" else bracket
    return Answer(
        *ends,
        bracket,
        bracket,
        guarantee,
        stds=(std, std),
        distribution=distribution,
        notes=notes,
    )


def law_answer(
    quantity: Quantity,
    guarantee: Guarantee,
    law: tuple[Floats, Floats],
    lost_mass: float,
    bounds: Bracket,
    *,
    mean_error: float = 0.0,
    distribution: ValueDistribution | None = None,
    notes: tuple[str, ...] = (),
) -> Answer:
    """Build an answer from a law, given as values and masses: its mean and standard deviation.

    The bracket of the mean holds for any values of the mass that was left out. ``mean_error`` is
    the most that rounding of the values may have changed the mean.
    """
    values, masses = law
    if guarantee == "exact":
        ends = values, values, masses
        return exact_answer(quantity, ends, distribution=distribution, notes=notes)
    kept = expectations(values, values, masses)
    return bracketed_mean(
        guarantee,
        kept.lower,
        _bracket_with_loss(kept.lower, mean_error, masses, lost_mass, bounds),
        std=kept.lower_std,
        distribution=distribution,
        notes=(*notes, *_loss_notes(lost_mass)),
    )


def lossy_answer(
    guarantee: Guarantee,
    ends: Ends,
    lost_mass: float,
    bounds: Bracket,
    *,
    is_precise: bool,
    distribution: ValueKnowledge | None,
) -> Answer:
    """Build an answer when focal sets of some mass were left out.

    The brackets hold for any such sets.
    """
    kept = expectations(*ends)
    low, high = (
        _bracket_with_loss(end, 0.0, ends[2], lost_mass, bounds) for end in (kept.lower, kept.upper)
    )
    notes = _loss_notes(lost_mass)
    if is_precise:
        return bracketed_mean(
            guarantee, kept.lower, low, std=kept.lower_std, distribution=distribution, notes=notes
        )
    stds = kept.lower_std, kept.upper_std
    return bracketed_answer(guarantee, low, high, stds=stds, distribution=distribution, notes=notes)


def _bracket_with_loss(
    mean: float, error: float, masses: Floats, lost_mass: float, bounds: Bracket
) -> Bracket:
    lowest, highest = bounds
    share = float(masses.sum()) / (float(masses.sum()) + lost_mass)
    low = share * (mean - error) + (1 - share) * lowest
    high = share * (mean + error) + (1 - share) * highest
    # What was kept has a mean within the bounds, but for rounding.
    return min(max(low, lowest), mean), max(min(high, highest), mean)


def _loss_notes(lost_mass: float) -> tuple[str, ...]:
    if lost_mass <= EXACT_LOST_MASS:
        return ()
    return (
        f"A probability of {lost_mass:.2g} was left out of the distribution, and out of the "
        "standard deviation.",
    )


def sampled_answer(
    quantity: Quantity,
    guarantee: Guarantee,
    ends: Ends,
    bounds: Bracket,
    *,
    n_samples: int,
    half_width: float = 0.0,
    confidence: float,
    gaps: tuple[float, float] = (0.0, 0.0),
    distribution: ValueKnowledge | None = None,
    notes: tuple[str, ...] = (),
) -> Answer:
    """Build an answer from draws.

    With the guarantee "inner" the true ends may lie further out by any amount. ``half_width`` is
    the error of the mean of the draws, at the given confidence. In addition, the lower and the
    upper mean may lie too far out by ``gaps``.
    """
    found = _summary(quantity, ends)
    is_set = quantity == "range" or isinstance(distribution, ValueSet)  # no spread to estimate
    is_one_draw = n_samples == 1 and not is_set
    out = inf if guarantee == "inner" else half_width
    lowest, highest = bounds
    return Answer(
        found.lower,
        found.upper,
        (max(lowest, found.lower - out), min(highest, found.lower + gaps[0] + half_width)),
        (max(lowest, found.upper - gaps[1] - half_width), min(highest, found.upper + out)),
        guarantee,
        stds=_UNKNOWN if is_one_draw else (found.lower_std, found.upper_std),
        confidence=confidence if half_width > 0 else None,
        n_samples=n_samples,
        distribution=distribution,
        notes=(*notes, _ONE_DRAW) if is_one_draw else notes,
    )


def estimated_answer(
    guarantee: Guarantee,
    found: Estimate,
    bounds: Bracket,
    *,
    confidence: float,
    distribution: ValueKnowledge | None = None,
    notes: tuple[str, ...] = (),
) -> Answer:
    """Build an answer from estimated means; brackets hold at the given confidence.

    There is one mean if theory makes both ends equal. Else there are two, of the lower and of the
    upper end.
    """
    lowest, highest = bounds
    low, high = (
        (float(max(lowest, found.lows[at])), float(min(highest, found.highs[at]))) for at in (0, -1)
    )
    is_one_draw = len(found.values) == 1
    stds = _UNKNOWN if is_one_draw else found.values.std(axis=0)
    return Answer(
        float(found.means[0]),
        float(found.means[-1]),
        low,
        high,
        guarantee,
        stds=(float(stds[0]), float(stds[-1])),
        confidence=confidence if found.error < inf else None,
        n_samples=len(found.values),
        distribution=distribution,
        notes=(*notes, _ONE_DRAW) if is_one_draw else notes,
    )
