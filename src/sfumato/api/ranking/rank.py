"""The door for decisions: which candidate is better, and how sure."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from math import inf
from time import monotonic

import numpy as np

from sfumato._arguments import is_number
from sfumato._typing import Bools, Name, PartitionLike, RandomSource
from sfumato.api.named import naming
from sfumato.api.ranking.contenders import Contenders
from sfumato.api.ranking.pair_answers import answer_of, pair_answers, shared_time
from sfumato.api.seeds import Seeds
from sfumato.api.spread import spread, without_means
from sfumato.engines import Engine, as_engine
from sfumato.errors import InputError
from sfumato.measures import Measure
from sfumato.partitions import FuzzyPartition, HardPartition
from sfumato.partitions.reading.reading_options import Missing, Noise, Reading
from sfumato.question.plan import Policy
from sfumato.results.comparison import Comparison
from sfumato.results.differences import weakest
from sfumato.results.lead import LEAD_ROUNDING, NO_GAP, Gap
from sfumato.results.ranking import Ranking
from sfumato.results.ranking_notes import ranking_notes

__all__ = ["rank"]

_ROUGHLY = 0.01  # error of the values of single candidates, where they decide nothing alone


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
    executor: object = None,
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
    executor : concurrent.futures.Executor, Dask Client or None
        Where candidates and pairs that share no draws are compared; the numbers are the same.

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
    Each candidate is compared with the truth, and each pair, as a partition into pairs of clusters,
    too. Against a hard or fuzzy truth the expectations of D are differences of those of the
    candidates. Else both ends of D are enumerated or, for pair counts, bracketed without draws.
    Where draws are needed, every candidate and the truth are drawn once for all pairs: O(n) for
    each candidate, draw and pair. With a drawn candidate D is a mixture over its draws; two drawn
    candidates are independent of each other. See :cite:`walley1991statistical` for maximality.

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
    if not (is_number(confidence) and 0.0 < confidence < 1.0):
        raise InputError(f"confidence must lie strictly between 0 and 1, got {confidence!r}.")
    contenders = Contenders.read(candidates, truth, measure, Reading(noise, noise_label, missing))
    names, sides = contenders.names, contenders.sides
    engine, seeds = as_engine(engine), Seeds(rng)
    pairs = list(combinations(range(len(sides)), 2))
    policy = shared_time(engine.policy(), len(sides) + len(pairs))
    risk = 1.0 - confidence
    own = replace(policy, confidence=1.0 - risk / 2 / len(sides))
    jobs = [(contenders, own, seeds, at) for at in range(len(sides))]
    singles: list[Comparison] = []
    for name, single in zip(names, spread(_single, jobs, executor), strict=True):
        with naming(name):
            singles.append(single())
    if any(single.confidence is not None for single in singles):
        risk /= 2
    found = pair_answers(
        contenders, pairs, singles, policy, seeds, risk / max(1, len(pairs)), executor
    )
    gaps = {(i, i): NO_GAP for i in range(len(sides))}
    for (i, j), one in zip(pairs, found, strict=True):
        gaps[i, j], gaps[j, i] = one.gap, one.gap.turned()
    chosen = contenders.measure
    if chosen.better == "lower":
        gaps: dict[tuple[int, int], Gap] = {(i, j): gaps[j, i] for i, j in gaps}
    known = [one.comparison for one in found]
    draws = [each.n_samples for each in (*singles, *known) if each.n_samples is not None]
    return Ranking.of(
        names,
        gaps,
        measure=chosen.name,
        better=chosen.better,
        kinds=tuple(side.kind for side in sides),
        truth_kind=contenders.truth.kind,
        n_objects=contenders.truth.n_objects,
        margin=float(margin),
        interval_dominates=_interval_dominates(singles),
        guarantee=weakest(*known),
        confidence=confidence if draws else None,
        n_samples=max(draws, default=None),
        notes=(
            *contenders.notes,
            *ranking_notes(
                dict(zip(names, sides, strict=True)),
                singles,
                known,
                confidence,
                n_outer=sum(one.is_outer for one in found),
            ),
        ),
        engine=policy.engine,
        seconds=monotonic() - started,
        find_values=partial(contenders.precise_values, engine, seeds),
    )


def _single(contenders: Contenders, policy: Policy, seeds: Seeds, at: int) -> Comparison:
    """The answer about one candidate and the truth, as plain data."""
    query = contenders.alone(at)
    # In a hurry where the value of one candidate is of little use for D.
    is_of_use = isinstance(query.b, HardPartition | FuzzyPartition)
    if not is_of_use and policy.tolerance is not None and not policy.tolerance_is_demand:
        rough = max(policy.tolerance, _ROUGHLY)
        policy = replace(policy, tolerance=rough, tolerance_falls=False)
    return without_means(answer_of(query, policy, seeds, at))


def _interval_dominates(singles: Sequence[Comparison]) -> Bools:
    """Whether the whole interval of the row beats that of the column."""
    sense = 1.0 if singles[0].better == "higher" else -1.0
    ends = np.array([(one.lower_bracket[0], one.upper_bracket[1]) for one in singles]) * sense
    return ends.min(axis=1)[:, None] > ends.max(axis=1)[None, :] + LEAD_ROUNDING
