"""The door for the difference of two candidates under one truth."""

from dataclasses import replace
from functools import partial

import numpy as np

from sfumato._typing import Name, PartitionLike, Quantity, RandomSource
from sfumato.api.compare import check_quantity
from sfumato.api.ranking.contenders import Contenders
from sfumato.api.ranking.pair_answers import answer_of, answer_without_composite, shared_time
from sfumato.api.seeds import Seeds
from sfumato.engines import Engine, as_engine
from sfumato.measures import Measure
from sfumato.partitions.reading.reading_options import Missing, Noise, Reading
from sfumato.question.plan import Policy
from sfumato.results.comparison import Comparison
from sfumato.results.differences import apart, sharpened
from sfumato.results.ranking import FindValues

__all__ = ["difference"]


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
        The two candidates, independent of each other, also if both are drawn.
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
    contenders = Contenders.read({"a": a, "b": b}, truth, measure, reading)
    engine, seeds = as_engine(engine), Seeds(rng)
    policy = shared_time(engine.policy(), 3 if quantity == "expectation" else 1)
    found = _found(contenders, quantity, policy, seeds)
    values = partial(contenders.precise_values, engine, seeds)
    return replace(
        found,
        notes=tuple(dict.fromkeys((*contenders.notes, *found.notes))),
        find_hardened=partial(_hardened_difference, values),
        find_pignistic=partial(_pignistic_difference, values),
        find_witness=None,
    )


def _found(contenders: Contenders, quantity: Quantity, policy: Policy, seeds: Seeds) -> Comparison:
    if quantity == "expectation" and contenders.is_apart(0, 1):
        name = f"{contenders.measure.name} difference"
        singles = _singles(contenders, policy, seeds)
        return apart(name, *singles, confidence=policy.confidence)
    if quantity != "range" and contenders.has_no_composite(0, 1):
        found = answer_without_composite(contenders, quantity, policy, seeds)
    else:
        found = answer_of(contenders.pair(0, 1, quantity), policy, seeds, 0)
    if quantity != "expectation" or found.guarantee == "exact":
        return found
    return sharpened(found, *_singles(contenders, policy, seeds), is_apart=False)


def _singles(contenders: Contenders, policy: Policy, seeds: Seeds) -> list[Comparison]:
    """Each candidate with the truth; both hold together at the confidence of the policy."""
    halved = replace(policy, confidence=1.0 - (1.0 - policy.confidence) / 2)
    return [answer_of(contenders.alone(at), halved, seeds, at + 1) for at in (0, 1)]


def _hardened_difference(values: FindValues) -> float:
    return float(np.subtract(*values("hardened")))


def _pignistic_difference(values: FindValues) -> float | None:
    found = float(np.subtract(*values("pignistic")))
    return None if np.isnan(found) else found
