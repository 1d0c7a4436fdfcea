"""An answer put together from the answers to several questions, each with its probability."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import chain
from math import log, nan, sqrt
from typing import NamedTuple

import numpy as np

from sfumato._typing import Floats, Quantity
from sfumato.algorithms.tables.distinct import distinct_values
from sfumato.results.answers import Answer, Bracket
from sfumato.results.comparison import Comparison
from sfumato.results.differences import weakest
from sfumato.results.values import (
    ValueDistribution,
    ValueKnowledge,
    ValueMass,
    ValuePossibility,
    ValueSet,
)

__all__ = ["Part", "mixed_answer"]

_MOST_NOTES = 5


class Part(NamedTuple):
    """An answer, its probability, and the range that its draws, if it has any, lie in."""

    weight: float
    found: Comparison
    spread: float = 0.0
    rest: float = 0.0  # that values beyond the range may add to a mean


def mixed_answer(
    quantity: Quantity,
    parts: Sequence[Part],
    bounds: Bracket,
    confidence: float,
    *,
    what: str = "draws",
) -> Answer:
    r"""Average what is known of the parts; the guarantee is the weakest of theirs.

    Brackets of drawn parts hold together at ``confidence``: those that give one value by
    Hoeffding's inequality for all draws at once,

    .. math:: \varepsilon = \sqrt{\tfrac{1}{2} \log\tfrac{2}{\delta} \sum_i w_i^2 r_i^2 / m_i},

    the others because each holds with its share of the risk. Where the probabilities add up to
    less than 1, nothing is known of the rest, which may have any value. ``what`` parts are called
    in notes.
    """
    weights = np.array([part.weight for part in parts])
    left = max(0.0, 1.0 - float(weights.sum()))
    found = [part.found for part in parts]
    lower, upper = _of_all(quantity, weights, [(one.lower, one.upper) for one in found])
    guarantee = weakest(*found)
    exact = (lower, lower), (upper, upper)
    brackets = exact if guarantee == "exact" else _brackets(quantity, parts, confidence)
    is_whole = left <= 1e-12
    if not is_whole:
        brackets, (lower, upper) = _with_unknown(quantity, brackets, left, bounds)
        guarantee = "certified" if guarantee == "exact" else guarantee
    drawn = [one.n_samples for one in found if one.n_samples is not None]
    return Answer(
        lower,
        upper,
        *brackets,
        guarantee,
        confidence=confidence if any(one.confidence is not None for one in found) else None,
        n_samples=sum(drawn) if drawn else None,
        distribution=_mixture(weights, found) if is_whole else None,
        notes=_notes(found, what),
        find_std=partial(_stds, weights, found) if is_whole and quantity != "range" else None,
        stds=(0.0, 0.0) if quantity == "range" else (nan, nan),
    )


def _of_all(quantity: Quantity, weights: Floats, ends: Sequence[Bracket]) -> Bracket:
    lows, highs = np.array(ends).T
    if quantity == "range":
        return float(lows.min()), float(highs.max())
    return float(weights @ lows), float(weights @ highs)


def _brackets(
    quantity: Quantity, parts: Sequence[Part], confidence: float
) -> tuple[Bracket, Bracket]:
    weights = np.array([part.weight for part in parts])
    sides = np.array([(*p.found.lower_bracket, *p.found.upper_bracket) for p in parts])
    if quantity == "range":
        least, most = sides.min(axis=0), sides.max(axis=0)
        return (float(least[0]), float(least[1])), (float(most[2]), float(most[3]))
    extra = 0.0
    for at, part in enumerate(parts):
        one = part.found
        if one.is_precise and one.guarantee == "confidence" and one.n_samples is not None:
            sides[at] = one.lower
            extra += (part.weight * part.spread) ** 2 / one.n_samples
    half = sqrt(0.5 * log(2.0 / (1.0 - confidence)) * extra)
    half += float(sum(part.weight * part.rest for part in parts))
    low, inner_low, inner_high, high = (float(side) for side in weights @ sides)
    return (low - half, inner_low + half), (inner_high - half, high + half)


def _with_unknown(
    quantity: Quantity, brackets: tuple[Bracket, Bracket], left: float, bounds: Bracket
) -> tuple[tuple[Bracket, Bracket], Bracket]:
    """Allow for any value of what is left, and report the outer sides."""
    (low, inner_low), (inner_high, high) = brackets
    lowest, highest = bounds
    if quantity == "range":
        outer = (lowest, inner_low), (inner_high, highest)
    else:
        below, above = left * lowest, left * highest
        outer = (low + below, inner_low + above), (inner_high + below, high + above)
    return outer, (outer[0][0], outer[1][1])


def _stds(weights: Floats, found: Sequence[Comparison]) -> tuple[float, float]:
    """Standard deviations of the ends: those within the parts, and that of their means."""
    if any(one.is_precise and one.mean is None for one in found):
        return nan, nan
    stds = np.array([(one.lower_std, one.upper_std) for one in found])
    means = np.array([(one.lower, one.upper) for one in found])
    low, high = weights @ (stds**2 + (means - weights @ means) ** 2)
    return sqrt(low), sqrt(high)


def _mixture(weights: Floats, found: Sequence[Comparison]) -> ValueKnowledge | None:
    laws = [one.distribution for one in found if one.distribution is not None]
    if len(laws) < len(found):
        return None
    lost = float(weights @ [law.lost_mass for law in laws])
    known = [law for law in laws if isinstance(law, ValueDistribution)]
    if len(known) == len(laws):
        values, which = distinct_values(np.concatenate([law.values for law in known]))
        masses = [w * law.probabilities for w, law in zip(weights, known, strict=True)]
        law = np.bincount(which, np.concatenate(masses)).astype(np.float64)
        return ValueDistribution(values, law, lost)
    sets, masses = zip(*map(_sets, laws), strict=True)
    shares = [weight * mass for weight, mass in zip(weights, masses, strict=True)]
    return ValueMass(
        tuple(chain.from_iterable(sets)),
        np.concatenate(shares),
        lost,
        is_complete=all(law.is_complete and not isinstance(law, ValuePossibility) for law in laws),
        is_outer=any(isinstance(law, ValueMass) and law.is_outer for law in laws),
    )


def _sets(law: ValueKnowledge) -> tuple[list[Floats], Floats]:
    """Focal sets and masses; of possibilities only the ends of the cuts."""
    if isinstance(law, ValueSet):
        return [law.values], np.ones(1)
    if isinstance(law, ValueMass):
        return list(law.sets), law.masses
    lows, highs, masses = law.ends
    return [np.unique(pair) for pair in np.column_stack([lows, highs])], masses


def _notes(found: Sequence[Comparison], what: str) -> tuple[str, ...]:
    """What is said of all parts, or of some; of random clusterings only how many there are."""
    said = Counter(note for one in found if one.n_samples is None for note in one.notes)
    notes = [
        note if times == len(found) else f"Of {times:,} of {len(found):,} {what}: {note}"
        for note, times in said.most_common(_MOST_NOTES)
    ]
    sampled = [one.n_samples for one in found if one.n_samples is not None]
    if sampled:
        error = "their brackets share the risk"
        if all(one.is_precise for one in found):
            error = "the error is that of Hoeffding's bound for all of them together"
        notes.append(
            f"The soft side was drawn from {max(sampled):,} times for each of {len(sampled):,} "
            f"given draws; {error}."
        )
    return tuple(notes)
