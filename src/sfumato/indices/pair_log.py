"""The logarithmic score of the probability that two objects share a cluster."""

from collections.abc import Callable
from math import inf, log

import numpy as np

from sfumato._arguments import generator_of
from sfumato._typing import Floats, Ints, PartitionLike, RandomSource
from sfumato.errors import CostError
from sfumato.indices.base import Estimate, Index
from sfumato.indices.formulas.drawn_mean import CONFIDENCE, check_tolerance, draw_mean
from sfumato.indices.formulas.pair_blocks import mean_over_pairs, pair_types
from sfumato.indices.formulas.pair_intervals import Odds, ScoreInterval, score_interval
from sfumato.indices.pair_brier import brier, pair_brier
from sfumato.partitions import (
    FuzzyPartition,
    HardPartition,
    IndependentPartition,
    PairMasses,
    relational,
)

__all__ = ["MOST_PAIRS", "PAIR_LOG", "estimate_pair_log", "pair_log", "pair_log_interval"]

MOST_PAIRS = 100_000_000  # all of them are visited up to this many
_MOST_SUPPORTS = 2_000_000_000
_PILOT = 1 << 14


def pair_log(
    a: PartitionLike,
    b: PartitionLike,
    *,
    tolerance: float = 1e-3,
    rng: RandomSource = None,
) -> float:
    r"""Mean surprise, in nats, at which objects share a cluster and which do not.

    With :math:`p_{xy} = \sum_i u_{xi} u_{yi}` the probability that a puts x and y together, and
    :math:`t_{xy}` 1 if they are together in b and 0 if not,

    .. math:: -\frac{2}{n (n - 1)} \sum_{x < y}
              t_{xy} \log p_{xy} + (1 - t_{xy}) \log (1 - p_{xy})

    For a fuzzy b, the mean of the score over the truths drawn from it.

    Parameters
    ----------
    a, b : Partition or anything `as_partition` takes
        Fuzzy or hard: what is stated, and the truth. For other kinds see `pair_log_interval`.
    tolerance : float
        Largest error, with probability 0.95, where pairs are drawn; 0.001 by default.
    rng : Generator, int or None
        Used only where pairs are drawn.

    Returns
    -------
    float
        0 is best; infinite as soon as a pair is as a says it surely is not. 0 for a single object.

    Raises
    ------
    InputError
        If the partitions do not speak of the same objects, or for a wrong option.
    UnsupportedError
        For other kinds of partitions.
    CostError
        If the tolerance would take more than 2^24 pairs.

    Notes
    -----
    Exact, in O(t^2 (k1 + k2)) and in blocks, for t distinct statements with at most 1e8 pairs
    (n = 14,000 if all objects differ). Beyond that, pairs are drawn until the empirical Bernstein
    bound :cite:`maurer2009empirical` is within the tolerance, with the Brier score as a control
    variate; the confidence holds over all times at which the draws could have ended.
    `estimate_pair_log` also gives the error.

    A proper score, as `pair_brier`, but a harsh one: certainty that fails costs everything. See
    :cite:`good1952rational,gneiting2007strictly`.

    Examples
    --------
    >>> import sfumato as sf
    >>> round(sf.indices.pair_log([[0.9, 0.1], [0.8, 0.2], [0.1, 0.9]], ["x", "x", "y"]), 4)
    0.2669
    >>> sf.indices.pair_log([0, 0, 1], [0, 1, 1])
    inf
    """
    return estimate_pair_log(a, b, tolerance=tolerance, rng=rng).value


def estimate_pair_log(
    a: PartitionLike,
    b: PartitionLike,
    *,
    tolerance: float = 1e-3,
    rng: RandomSource = None,
) -> Estimate:
    """`pair_log` with its error.

    Parameters, costs and errors are those of `pair_log`.

    Returns
    -------
    Estimate
        With ``value``, ``error``, ``confidence`` and ``n_draws``; error 0 and no confidence where
        all pairs were visited.

    Examples
    --------
    >>> import sfumato as sf
    >>> sf.indices.estimate_pair_log([[0.9, 0.1], [0.1, 0.9]], [0, 1]).error
    0.0
    """
    check_tolerance("pair_log", tolerance)
    generator = generator_of(rng)
    sides = PAIR_LOG.sides(a, b)
    first, second = (relational(side) for side in sides)
    if first.n_objects < 2:
        return Estimate(0.0)
    types = pair_types(first, second)
    if types.n_pairs <= MOST_PAIRS:
        return Estimate(mean_over_pairs(first, second, _log_of_masses, types))
    if _is_infinite(*sides):
        return Estimate(inf)
    return _draw(*sides, tolerance, generator)


def pair_log_interval(a: PartitionLike, b: PartitionLike) -> ScoreInterval:
    """Between what and what `pair_log` lies, for partitions of any kind.

    Parameters, returns and notes are those of `pair_brier_interval`. The upper end is infinite as
    soon as a pair may be sure and wrong, as for every rough partition that is not hard.

    Examples
    --------
    >>> import sfumato as sf
    >>> masses = [[0.9, 0.0, 0.1], [0.0, 0.9, 0.1], [0.0, 0.9, 0.1]]
    >>> evidential = sf.EvidentialPartition(masses, [[1, 0], [0, 1], [1, 1]])
    >>> lower, upper = sf.indices.pair_log_interval(evidential, [0, 1, 1])
    >>> round(lower, 4), round(upper, 4)
    (0.0, 0.2107)
    """
    return score_interval("pair_log_interval", a, b, _log)


def _log(stated: Odds, true: Odds) -> Floats:
    from scipy.special import xlogy  # 0 where the true probability is

    return -xlogy(true.same, stated.same) - xlogy(true.different, stated.different)


def _log_of_masses(stated: PairMasses, true: PairMasses) -> Floats:
    return _log(Odds(stated.same, stated.different), Odds(true.same, true.different))


def _is_infinite(a: IndependentPartition, b: IndependentPartition) -> bool:
    """Whether some pair is as it surely is not, which depends on what is possible alone."""
    first, second = (relational(side.support().pignistic()) for side in (a, b))
    types = pair_types(first, second)
    if types.n_pairs > _MOST_SUPPORTS:
        raise CostError(
            f"pair_log would compare about {types.n_pairs:.0e} pairs of different statements to "
            "see that none is impossible; use pair_brier, which is a formula."
        )
    return mean_over_pairs(first, second, _log_of_masses, types) == inf


def _draw(
    a: IndependentPartition, b: IndependentPartition, tolerance: float, rng: np.random.Generator
) -> Estimate:
    """Draw pairs until the error is small enough.

    The Brier score of the same pairs, whose mean is known, takes most of the variance away.
    """
    stated, true = _odds(a), _odds(b)

    def scores(size: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        x, y = _two_objects(a.n_objects, size, rng)
        of_a, of_b = stated(x, y), true(x, y)
        return _log(of_a, of_b), brier(of_a, of_b)

    # p and 1 - p are sums of products of two memberships, so no less than the least of these.
    largest = -2 * log(float(a.statements().weights.min()))
    slope = _slope(*scores(_PILOT, rng), largest)  # of draws that are not used again
    spread = largest + slope

    def rest(size: int, rng: np.random.Generator) -> Floats:
        logs, briers = scores(size, rng)
        return (logs + slope * (1 - briers)) / spread  # from 0 to 1

    found = draw_mean(rest, lambda drawn: drawn.half_width * spread <= tolerance, rng)
    error = found.half_width * spread
    if error > tolerance:
        raise CostError(
            f"pair_log is known up to {error:.1g} after {found.n_draws:,} pairs, the most that are "
            f"drawn, not up to tolerance={tolerance:g}: allow that error, or use pair_brier, which "
            "is a formula."
        )
    value = found.mean * spread - slope + slope * pair_brier(a, b)
    return Estimate(max(0.0, value), error, CONFIDENCE, found.n_draws)


def _slope(logs: Floats, briers: Floats, largest: float) -> float:
    """How much of the one score to expect for the other, at most ``largest``."""
    covariance = np.cov(logs, briers)
    if covariance[1, 1] == 0:
        return 0.0
    return min(max(float(covariance[0, 1] / covariance[1, 1]), 0.0), largest)


def _two_objects(n: int, size: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Pairs of two different objects, each as likely as any other."""
    x, y = rng.integers(0, n, size), rng.integers(0, n - 1, size)
    y += y >= x
    return x, y


def _odds(side: IndependentPartition) -> Callable[[Ints, Ints], Odds]:
    """The probabilities of pairs of a hard or fuzzy partition; memory O(n k)."""
    if isinstance(side, HardPartition):
        codes = side.codes

        def of_hard(x: Ints, y: Ints) -> Odds:
            together = (codes[x] == codes[y]).astype(np.float64)
            return Odds(together, 1.0 - together)

        return of_hard
    assert isinstance(side, FuzzyPartition)
    inside = side.memberships
    outside = 1.0 - inside
    # 1 - p loses digits where p is near 1: there the other memberships are added up.
    rows, top = np.arange(len(inside)), np.argmax(inside, axis=1)
    others = inside.copy()
    others[rows, top] = 0.0
    outside[rows, top] = others.sum(axis=1)

    def of_fuzzy(x: Ints, y: Ints) -> Odds:
        here = inside[x]
        same, different = (np.einsum("xi,xi->x", here, there[y]) for there in (inside, outside))
        return Odds(same, different)

    return of_fuzzy


PAIR_LOG = Index(
    function=pair_log,
    estimate=estimate_pair_log,
    candidate_kinds=("hard", "fuzzy"),
    reference_kinds=("hard", "fuzzy"),
    better="lower",
    is_reflexive=False,
    is_symmetric=False,
    cost="O(n^2 (k + k')), in blocks; drawn pairs beyond 1e8",
    place=(
        "A proper score, as pair_brier is, that does not forgive certainty that fails; compare(a, "
        "b) does not judge how well probabilities are stated."
    ),
    instead="sfumato.indices.pair_log_interval",
    reference="good1952rational",
)
