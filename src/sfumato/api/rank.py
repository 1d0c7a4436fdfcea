"""The doors for decisions: rank and difference."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from math import inf, nan
from time import monotonic
from typing import Literal

import numpy as np

from sfumato._arguments import is_number
from sfumato._typing import Bools, Floats, Name, PartitionLike, Quantity, RandomSource
from sfumato.api.compare import answer, check_quantity
from sfumato.api.named import naming, partitions_of
from sfumato.api.seeds import Seeds
from sfumato.engines import Engine, as_engine
from sfumato.errors import InputError
from sfumato.measures import Measure, as_measure
from sfumato.partitions import FuzzyPartition, HardPartition, Partition, PossibilisticPartition
from sfumato.partitions.reading.alignment import share_objects
from sfumato.partitions.reading.coerce import read_as
from sfumato.partitions.reading.reading_options import Missing, Noise, Reading
from sfumato.question.composite import difference_query
from sfumato.question.plan import Policy
from sfumato.question.query import Query
from sfumato.results.comparison import Comparison
from sfumato.results.differences import apart, sharpened, weakest
from sfumato.results.lead import LEAD_ROUNDING, NO_GAP, Gap, is_outer, lead_of
from sfumato.results.ranking import FindValues, Ranking

__all__ = ["difference", "rank"]

_SECONDS = 3.0  # about, for all draws of a ranking where no number of them is asked for
_FEWEST_DRAWS, _MOST_DRAWS = 200, 4000
_ROUGHLY = 0.01  # error of the values of single candidates, where they decide nothing alone
_OTHERS = 1 << 20  # generators of values that are found later
_BLUNTER = 0.05  # nats of entropy by which one candidate is less sharp than another


def rank(
    candidates: Mapping[str, PartitionLike],
    truth: PartitionLike,
    *,
    measure: Measure | str = "rand",
    margin: float = 0.0,
    engine: Engine | str = "auto",
    confidence: float = 0.95,
    rng: RandomSource = None,
    noise: Noise | None = None,
    noise_label: Name = -1,
    missing: Missing = "raise",
) -> Ranking:
    r"""Which candidate is better against one truth, and how sure that is.

    Two candidates A and B are compared by their lead under **one shared truth** T, which may be
    soft:

    .. math:: D = v(A, T) - v(B, T),

    turned so that a positive D means that A is better. A beats B if the lower expectation
    :math:`\underline{E} D` is above ``margin``: whatever is unknown, A is better in expectation.
    That is a strict partial order (Walley's maximality). It decides more than two intervals that
    do not overlap, because what is unknown of the truth is the same for both.

    Parameters
    ----------
    candidates : mapping from name to partition
    truth : Partition or anything `as_partition` takes
    measure : str or Measure
    margin : float
        Lead that counts, in units of the measure; at least 0.
    engine : {"auto", "exact", "closed_form", "bounds", "sampled"} or Engine
    confidence : float
        Probability that all brackets of all pairs hold, as far as they rest on draws. It takes the
        place of the engine's.
    rng, noise, noise_label, missing : as in `compare`
        If some candidates or the truth drop objects, all are ranked on those that none drops.

    Returns
    -------
    Ranking
        With ``verdict``, ``maximal``, ``order``, ``dominates``, ``lower`` and ``upper`` of D with
        brackets, ``belief`` and ``plausibility`` that a row beats a column.

    Raises
    ------
    InputError
        If the partitions do not speak of the same objects, or an argument is wrong.
    UnsupportedError
        If no theory joins two candidates and the truth.
    CostError
        If the engine's budget is too small.

    Notes
    -----
    Two questions for each pair: one comparison of each candidate with the truth, and one of the
    pair, as a partition into pairs of clusters. Means of hard and fuzzy partitions, and both ends
    against a hard truth, are differences of those of the candidates. Else both ends of D are
    enumerated, or bounded in each draw. See :cite:`walley1991statistical` for maximality.

    Examples
    --------
    The truth of two objects is not known. So the values of the candidates are intervals, which
    overlap, but under every truth the first candidate is better:

    >>> import sfumato as sf
    >>> truth = sf.RoughPartition.from_sets([{0, 1}, {0}, {0}, {1}, {1}, {0, 1}])
    >>> found = sf.rank({"a": [0, 0, 0, 1, 1, 0], "b": [0, 0, 1, 1, 0, 1]}, truth)
    >>> found.maximal, bool(found.interval_dominates[0, 1]), bool(found.dominates[0, 1])
    (('a',), False, True)
    """
    started = monotonic()
    if not (is_number(margin) and 0.0 <= margin < inf):
        raise InputError(f"margin must be a number of at least 0, got {margin!r}.")
    _check_confidence(confidence)
    reading = Reading(noise, noise_label, missing)
    named = partitions_of(candidates, reading)
    names = tuple(named)
    with naming("truth"):
        reference = read_as(truth, None, reading)
    sides, reference, coverage = _aligned(named, reference)
    chosen, policy, seeds = as_measure(measure), as_engine(engine).policy(), Seeds(rng)
    pairs = list(combinations(range(len(sides)), 2))
    policy = _shared_time(policy, len(sides) + len(pairs))
    risk = 1.0 - confidence
    singles: list[Comparison] = []
    for at, (name, side) in enumerate(zip(names, sides, strict=True)):
        with naming(name):
            query = Query.of(side, reference, chosen, "expectation")
            own = replace(_roughly(policy, query), confidence=1.0 - risk / 2 / len(sides))
            singles.append(_answer(query, own, seeds, at))
    if any(single.confidence is not None for single in singles):
        risk /= 2
    risk /= max(1, len(pairs))
    gaps = {(i, i): NO_GAP for i in range(len(sides))}
    found: list[Comparison] = []
    for at, (i, j) in enumerate(pairs):
        with naming(f"{names[i]} against {names[j]}"):
            query = difference_query(sides[i], sides[j], reference, chosen, "distribution")
            fixed = _with_fixed_draws(query, policy, _SECONDS / len(pairs))
            drawn = _answer(query, replace(fixed, confidence=1.0 - risk), seeds, len(sides) + at)
        is_apart = _is_apart(sides[i], sides[j], reference)
        pair = sharpened(drawn, singles[i], singles[j], is_apart=is_apart)
        found.append(pair)
        ahead, behind = (
            lead_of(drawn, sense, risk / 2 * _share(drawn, fixed)) for sense in (1, -1)
        )
        gap = Gap(pair.lower, pair.upper, pair.lower_bracket, pair.upper_bracket, ahead, behind)
        gaps[i, j], gaps[j, i] = gap, gap.turned()
    if chosen.better == "lower":
        gaps = {(i, j): gaps[j, i] for i, j in gaps}
    draws = [each.n_samples for each in (*singles, *found) if each.n_samples is not None]
    return Ranking.of(
        names,
        gaps,
        measure=chosen.name,
        better=chosen.better,
        kinds=tuple(side.kind for side in sides),
        truth_kind=reference.kind,
        n_objects=reference.n_objects,
        margin=float(margin),
        interval_dominates=_interval_dominates(singles),
        guarantee=weakest(*found),
        confidence=confidence if draws else None,
        n_samples=max(draws, default=None),
        notes=(
            *coverage,
            *_notes(dict(zip(names, sides, strict=True)), singles, found, confidence),
        ),
        engine=policy.engine,
        seconds=monotonic() - started,
        find_values=partial(_other_values, sides, reference, chosen, as_engine(engine), seeds),
    )


def difference(
    a: PartitionLike,
    b: PartitionLike,
    truth: PartitionLike,
    *,
    measure: Measure | str = "rand",
    quantity: Quantity = "expectation",
    engine: Engine | str = "auto",
    rng: RandomSource = None,
    noise: Noise | None = None,
    noise_label: Name = -1,
    missing: Missing = "raise",
) -> Comparison:
    r"""By how much the value of one candidate is larger than that of another, under one truth.

    .. math:: D = v(A, T) - v(B, T)

    The truth T may be soft; it is drawn once and shared. D keeps the direction of the measure: for
    a distance, a negative D means that A is better.

    Parameters
    ----------
    a, b : Partition or anything `as_partition` takes
        The two candidates, independent of each other.
    truth : Partition or anything `as_partition` takes
    measure, quantity, engine, rng, noise, noise_label, missing : as in `compare`

    Returns
    -------
    Comparison
        Of D: its lower and upper expectation, its smallest and largest value, or its whole
        distribution. ``contributions()`` and witnesses are not known of a difference.

    Raises
    ------
    InputError, UnsupportedError, CostError
        As in `rank`.

    Examples
    --------
    >>> import sfumato as sf
    >>> truth = sf.RoughPartition.from_sets([{0, 1}, {0}, {0}, {1}, {1}, {0, 1}])
    >>> found = sf.difference([0, 0, 0, 1, 1, 0], [0, 0, 1, 1, 0, 1], truth)
    >>> round(found.lower, 3), round(found.upper, 3), found.guarantee
    (0.067, 0.6, 'exact')
    """
    check_quantity(quantity)
    reading = Reading(noise, noise_label, missing)
    given = {"a": a, "b": b}
    named = partitions_of(given, reading)
    with naming("truth"):
        reference = read_as(truth, None, reading)
    (first, second), reference, coverage = _aligned(named, reference)
    chosen, policy, seeds = as_measure(measure), as_engine(engine).policy(), Seeds(rng)
    policy = _shared_time(policy, 3 if quantity == "expectation" else 1)
    is_apart = _is_apart(first, second, reference)
    halved = replace(policy, confidence=1.0 - (1.0 - policy.confidence) / 2)
    query = difference_query(first, second, reference, chosen, quantity)
    if quantity != "expectation":
        found = _answer(query, policy, seeds, 0)
    else:
        singles = [
            _answer(Query.of(side, reference, chosen, quantity), halved, seeds, at)
            for at, side in enumerate((first, second), start=1)
        ]
        found = (
            apart(query.measure.name, *singles, confidence=policy.confidence)
            if is_apart
            else sharpened(_answer(query, policy, seeds, 0), *singles, is_apart=False)
        )
    values = partial(_other_values, (first, second), reference, chosen, as_engine(engine), seeds)
    return replace(
        found,
        notes=tuple(dict.fromkeys((*coverage, *found.notes))),
        find_hardened=lambda: float(np.subtract(*values("hardened"))),
        find_pignistic=partial(_pignistic_difference, values),
        find_witness=None,
    )


def _pignistic_difference(values: FindValues) -> float | None:
    found = float(np.subtract(*values("pignistic")))
    return None if np.isnan(found) else found


def _check_confidence(confidence: object) -> None:
    if not (is_number(confidence) and 0.0 < confidence < 1.0):
        raise InputError(f"confidence must lie strictly between 0 and 1, got {confidence!r}.")


def _aligned(
    named: Mapping[str, Partition], truth: Partition
) -> tuple[tuple[Partition, ...], Partition, tuple[str, ...]]:
    """Candidates and truth in the order of the truth, on the objects that none drops."""
    for name, side in named.items():
        with naming(name):
            share_objects((truth, side))  # complains about this one
    (reference, *sides), notes, _ = share_objects((truth, *named.values()))
    return tuple(sides), reference, notes


def _is_apart(a: Partition, b: Partition, truth: Partition) -> bool:
    """Whether the expectations of D are differences of those of the two candidates.

    So it is against a hard or fuzzy truth: each of its clusterings leaves nothing to share. By
    product and Lukasiewicz two candidates are not possible to a degree that each is alone.
    """
    sides = [side.simplest() for side in (a, b, truth)]
    norms = {side.t_norm for side in sides if isinstance(side, PossibilisticPartition)}
    return isinstance(sides[2], HardPartition | FuzzyPartition) and norms <= {None, "min"}


def _answer(query: Query, policy: Policy, seeds: Seeds, at: int) -> Comparison:
    from sfumato import planner  # loads all methods

    return planner.answer(query, policy, partial(seeds.child, at))


def _shared_time(policy: Policy, n_questions: int) -> Policy:
    """The same policy for each of several questions, which share its time."""
    if policy.max_seconds is None:
        return policy
    return replace(policy, max_seconds=policy.max_seconds / n_questions)


def _roughly(policy: Policy, query: Query) -> Policy:
    """The same policy, in a hurry where the value of one candidate is of little use for D."""
    if isinstance(query.b, HardPartition | FuzzyPartition) or policy.tolerance is None:
        return policy
    if policy.tolerance_is_demand:
        return policy
    return replace(policy, tolerance=max(policy.tolerance, _ROUGHLY))


def _with_fixed_draws(query: Query, policy: Policy, seconds: float) -> Policy:
    """The same policy, with a number of draws that is known before any of them is made.

    Limits of probabilities are narrower then. A tolerance that is a demand stays one.
    """
    from sfumato import planner

    if policy.n_samples is not None or (
        policy.tolerance is not None and policy.tolerance_is_demand
    ):
        return policy
    plan = planner.choose(query, policy)
    if plan.n_samples is None:
        return policy
    seconds = min(seconds, inf if policy.max_seconds is None else policy.max_seconds / 2)
    affordable = seconds * plan.n_samples / max(plan.seconds, 1e-9)
    draws = int(min(max(_FEWEST_DRAWS, affordable), _MOST_DRAWS))
    return replace(policy, n_samples=draws, tolerance=None)


def _share(found: Comparison, policy: Policy) -> float:
    """Part of a risk that is for this number of draws: not all, where time or values decide it."""
    is_fixed = policy.n_samples is not None and policy.max_seconds is None
    n_draws = found.n_samples or 1
    return 1.0 if is_fixed else 1.0 / (n_draws * (n_draws + 1.0))


def _interval_dominates(singles: Sequence[Comparison]) -> Bools:
    """Whether the whole interval of the row beats that of the column."""
    sense = 1.0 if singles[0].better == "higher" else -1.0
    ends = np.array([(one.lower_bracket[0], one.upper_bracket[1]) for one in singles]) * sense
    return ends.min(axis=1)[:, None] > ends.max(axis=1)[None, :] + LEAD_ROUNDING


def _other_values(
    sides: Sequence[Partition],
    truth: Partition,
    measure: Measure,
    engine: Engine,
    seeds: Seeds,
    what: Literal["pignistic", "hardened"],
) -> Floats:
    """Values of the candidates after all partitions are made precise; nan where only a range is."""
    simple = partial(_made_precise, what)
    reference = simple(truth)
    found = [
        answer(
            Query.of(simple(side), reference, measure, "expectation"),
            engine,
            Seeds(seeds.child(_OTHERS + at)),
        ).mean
        for at, side in enumerate(sides)
    ]
    return np.array([nan if value is None else value for value in found])


def _made_precise(what: Literal["pignistic", "hardened"], side: Partition) -> Partition:
    return side.pignistic() if what == "pignistic" else side.harden()


def _notes(
    named: Mapping[str, Partition],
    singles: Sequence[Comparison],
    found: Sequence[Comparison],
    confidence: float,
) -> tuple[str, ...]:
    notes = [f"{name}: {note}" for name, side in named.items() for note in side.notes]
    sharpness = {name: float(side.pignistic_entropy().mean()) for name, side in named.items()}
    if max(sharpness.values()) - min(sharpness.values()) > _BLUNTER:
        sharp, blunt = (end(sharpness, key=sharpness.__getitem__) for end in (min, max))
        notes.append(
            f"The candidates differ in sharpness (mean entropy {sharpness[sharp]:.2f} nats of "
            f"{sharp}, {sharpness[blunt]:.2f} of {blunt}): expectations reward memberships near 0 "
            "and 1, right or wrong; `hardened` takes that away."
        )
    n_drawn = sum(each.n_samples is not None for each in found)
    if n_drawn or any(each.n_samples is not None for each in singles):
        notes.append(
            f"{n_drawn} of {len(found)} pairs rest on draws; all brackets hold together at "
            f"{confidence:.0%} Monte Carlo confidence, which covers the error of drawing only."
        )
    outer = [each for each in found if is_outer(each)]
    if outer:
        notes.append(
            f"In {len(outer)} of {len(found)} pairs the ends of D are bounded, not solved: beliefs "
            "may be too small and plausibilities too large."
        )
    if any(each.guarantee == "inner" for each in found):
        notes.append(
            "Some ends of D are attained values only: the true ones may lie further out, and such "
            "a pair is never decided."
        )
    return tuple(notes)
