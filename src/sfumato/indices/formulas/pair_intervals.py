"""The least and the largest score of pairs when a side gives ranges of probabilities."""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np

from sfumato._typing import Floats, PartitionLike
from sfumato.indices.formulas.pair_blocks import mean_over_pairs
from sfumato.partitions import PairMasses, Relational, as_partition, relational
from sfumato.partitions.base import independent
from sfumato.partitions.reading.alignment import align

__all__ = ["Odds", "Score", "ScoreInterval", "score_interval"]


class Odds(NamedTuple):
    """Probabilities that two objects share a cluster, and that they do not: the two add up to 1."""

    same: Floats
    different: Floats


Score: TypeAlias = Callable[[Odds, Odds], Floats]  # of what is stated, and of what is true


class ScoreInterval(NamedTuple):
    """No compatible pair of partitions scores below ``lower`` or above ``upper``."""

    lower: float
    upper: float


def score_interval(name: str, a: PartitionLike, b: PartitionLike, score: Score) -> ScoreInterval:
    """Ends of the mean score, each pair by itself; ``name`` is that of the caller, for messages.

    A side with masses s on same and d on different allows the probabilities from s to 1 - d. A
    score is linear in the true probability q and convex in the stated one p, with its minimum at
    p = q: so it is largest at a corner, and smallest at an end of q with p as near to it as can
    be. Ends of single pairs are attained, those of the mean need not be: the pairs are not free of
    each other.
    """
    sides = align(*(independent(as_partition(side), name) for side in (a, b)))[:2]
    # Without the mass on the empty set: it is conditioned away.
    first, second = (
        Relational(view.statements, np.zeros(view.n_objects), view.notes)
        for view in map(relational, sides)
    )
    if first.n_objects < 2:
        return ScoreInterval(0.0, 0.0)

    def least(stated: PairMasses, true: PairMasses) -> Floats:
        low, high = _ends(stated)
        return np.minimum(*(score(_nearest(low, high, q), q) for q in _ends(true)))

    def largest(stated: PairMasses, true: PairMasses) -> Floats:
        scores = [score(p, q) for p in _ends(stated) for q in _ends(true)]
        return np.maximum.reduce(scores)

    return ScoreInterval(
        mean_over_pairs(first, second, least), mean_over_pairs(first, second, largest)
    )


def _ends(masses: PairMasses) -> tuple[Odds, Odds]:
    """As little and as much mass on same as there can be."""
    return (
        Odds(masses.same, masses.different + masses.either),
        Odds(masses.same + masses.either, masses.different),
    )


def _nearest(low: Odds, high: Odds, wanted: Odds) -> Odds:
    return Odds(
        np.clip(wanted.same, low.same, high.same),
        np.clip(wanted.different, high.different, low.different),
    )
