"""The adjusted concordance index and its chance models."""

from math import inf
from typing import Literal, TypeAlias

import numpy as np

from sfumato._arguments import generator_of
from sfumato._typing import Floats, PartitionLike, RandomSource
from sfumato.indices.base import Estimate, Index, Unlike
from sfumato.indices.formulas.chance import Kernel, RandomSide, random_side
from sfumato.indices.formulas.drawn_mean import CONFIDENCE, DrawnMean, check_tolerance, draw_mean
from sfumato.indices.formulas.joined_pairs import (
    gram_sums,
    memberships_of,
    pairs_inside,
    sum_of_products,
)
from sfumato.indices.formulas.pair_blocks import sum_of_gaps
from sfumato.indices.formulas.pair_values import PairValues, mean_difference, pair_values
from sfumato.indices.huellermeier import half_distances, mean_distance, mean_gap
from sfumato.partitions import HardPartition, IndependentPartition

__all__ = ["ADJUSTED_CONCORDANCE", "adjusted_concordance", "estimate_adjusted_concordance"]

Of: TypeAlias = Literal["concordance", "belief", "jousselme", "conflict"]
Chance: TypeAlias = Literal["permutation", "flat", "symmetric", "fitted"]
Random: TypeAlias = Literal["both", "candidate"]

_ROUNDING = 1e-14  # a mean difference below is that of equal values


def adjusted_concordance(
    a: PartitionLike,
    b: PartitionLike,
    *,
    index: Of = "concordance",
    chance: Chance = "permutation",
    random: Random = "both",
    rng: RandomSource = None,
    tolerance: float = 0.01,
) -> float:
    r"""Concordance rescaled so that chance scores 0 and equality 1.

    .. math:: \frac{I - \mathbb{E} I}{1 - \mathbb{E} I}

    where I is one minus the mean discordance over pairs, and its expectation that of random sides.

    Parameters
    ----------
    a, b : Partition or anything `as_partition` takes
        Candidate and reference: hard or fuzzy.
    index : {"concordance", "belief", "jousselme", "conflict"}
        Default "concordance", that of `huellermeier`: the discordance is the difference of half
        the L1 distances. "belief" and "jousselme": the difference of the probabilities to be in
        one cluster, the same number for hard and fuzzy sides, where both distances of belief
        functions agree. "conflict": the probability that two independent draws differ on the
        pair, as in `frigui`; not reflexive.
    chance : {"permutation", "flat", "symmetric", "fitted"}
        Default "permutation": the objects of a side are shuffled. Else the memberships of every
        object are drawn anew: "flat" from all memberships alike; "symmetric" from the most likely
        symmetric Dirichlet distribution; "fitted" from the most likely one. With the last two a
        hard side stays hard: its clusters are equally likely, or as likely as they are large.
    random : {"both", "candidate"}
        Default "both"; "candidate" keeps the reference as it is. Alike for "permutation".
    rng : Generator, int or None
        For draws, where there is no closed form.
    tolerance : float
        Error of the drawn answer that ends the drawing, with probability 0.95. Default 0.01.

    Returns
    -------
    float
        1 where neither the sides nor chance leave any difference, and for a single object.

    Raises
    ------
    InputError
        For an unknown option, partitions of different objects, and memberships of 0 where a
        Dirichlet is to be fitted.
    UnsupportedError
        For other kinds of partitions.

    See Also
    --------
    estimate_adjusted_concordance : the same, with the error.

    Notes
    -----
    Closed forms: "conflict" in O(n k k'), and all else if a side is hard and stays hard in
    O(n k log n). "permutation" of two soft sides is the mean over all pairs of pairs, in
    O(n^2 (k + k')) by blocks: exact up to some 2,900 distinct objects, beyond that within a
    stated error, as a rule some 1e-11; D'Ambrosio et al. draw it. The Dirichlet models of soft
    sides are drawn. Defined in
    :cite:`dambrosio2021adjusted`, exactly in :cite:`andrews2022assessments`; chance models in
    :cite:`dewolfe2025random`.

    Examples
    --------
    >>> from sfumato import indices
    >>> memberships = [[0.9, 0.1], [0.8, 0.2], [0.3, 0.7]]
    >>> round(indices.adjusted_concordance(memberships, ["x", "x", "y"]), 4)
    0.375
    """
    return estimate_adjusted_concordance(
        a, b, index=index, chance=chance, random=random, rng=rng, tolerance=tolerance
    ).value


def estimate_adjusted_concordance(
    a: PartitionLike,
    b: PartitionLike,
    *,
    index: Of = "concordance",
    chance: Chance = "permutation",
    random: Random = "both",
    rng: RandomSource = None,
    tolerance: float = 0.01,
) -> Estimate:
    """`adjusted_concordance` with its error.

    Parameters are those of `adjusted_concordance`.

    Returns
    -------
    Estimate
        ``value``, ``error``, ``confidence`` (None where nothing was drawn: the error is then
        certain, and 0 for a closed form) and ``n_draws``.

    Examples
    --------
    >>> from sfumato import indices
    >>> memberships = [[0.9, 0.1], [0.8, 0.2], [0.3, 0.7]]
    >>> found = indices.estimate_adjusted_concordance(memberships, memberships[::-1],
    ...                                               chance="flat", rng=1)
    >>> found.error <= 0.01, found.confidence
    (True, 0.95)
    """
    ADJUSTED_CONCORDANCE.check(index=index, chance=chance, random=random)
    check_tolerance("adjusted_concordance", tolerance)
    generator = generator_of(rng)
    first, second = ADJUSTED_CONCORDANCE.sides(a, b)
    if first.n_objects == 1:
        return Estimate(1.0)
    kernel: Kernel = "distance" if index == "concordance" else "product"
    gap = _mean_discordance(first, second, index)
    sides = _chance_sides(first, second, chance, random)
    if index == "conflict" or any(map(_is_hard, sides)):
        # The difference of x and y is x + y - 2xy if one of them is 0 or 1.
        one, other = (_mean(side, kernel) for side in sides)
        return _adjusted(gap, one + other - 2 * one * other, 0.0)
    candidate, reference = (
        side if isinstance(side, RandomSide) else _values(side, kernel) for side in sides
    )
    if isinstance(candidate, PairValues) and isinstance(reference, PairValues):
        return _adjusted(gap, *mean_difference(candidate, reference))
    assert isinstance(candidate, RandomSide)
    return _drawn(gap, candidate, reference, kernel, tolerance, generator)


def _mean_discordance(
    first: IndependentPartition, second: IndependentPartition, index: Of
) -> float:
    if index == "concordance" or (_is_hard(first) and _is_hard(second)):
        return mean_gap(first, second)  # all are 1 - Rand if both sides are hard
    one, other = memberships_of(first), memberships_of(second)
    n_pairs = len(one) * (len(one) - 1) / 2
    if index == "conflict" or _is_hard(first) or _is_hard(second):
        sums = gram_sums(one, other)
        return (sums.first + sums.second) / n_pairs
    return sum_of_gaps(one, other, _products) / n_pairs


def _products(rows: Floats, columns: Floats) -> Floats:
    return rows @ columns.T


def _chance_sides(
    first: IndependentPartition, second: IndependentPartition, chance: Chance, random: Random
) -> tuple[IndependentPartition | RandomSide, IndependentPartition | RandomSide]:
    """What chance makes of the two sides; a shuffled side has the values of pairs that it had."""
    if chance == "permutation":
        return first, second
    drawn = random_side(first, chance)
    return drawn, random_side(second, chance) if random == "both" else second


def _is_hard(side: IndependentPartition | RandomSide) -> bool:
    if isinstance(side, RandomSide):
        return side.is_hard
    return isinstance(side.simplest(), HardPartition)


def _mean(side: IndependentPartition | RandomSide, kernel: Kernel) -> float:
    if isinstance(side, RandomSide):
        return side.mean(kernel)
    n_pairs = side.n_objects * (side.n_objects - 1) / 2
    if isinstance(hard := side.simplest(), HardPartition):
        together = pairs_inside(np.bincount(hard.codes)) / n_pairs
        return together if kernel == "product" else 1 - together
    memberships = memberships_of(side)
    if kernel == "distance":
        return mean_distance(memberships)
    return sum_of_products(memberships) / n_pairs


def _values(side: IndependentPartition, kernel: Kernel) -> PairValues:
    return pair_values(memberships_of(side), half_distances if kernel == "distance" else _products)


def _drawn(
    gap: float,
    candidate: RandomSide,
    reference: RandomSide | PairValues,
    kernel: Kernel,
    tolerance: float,
    rng: np.random.Generator,
) -> Estimate:
    """Draw values of pairs of the random sides; each is compared with all of a fixed side."""
    is_fixed = isinstance(reference, PairValues)
    rounding = reference.rounding if is_fixed else 0.0
    distance = reference.distance() if is_fixed else None

    def draw(n_draws: int, rng: np.random.Generator) -> Floats:
        values = candidate.draw(kernel, n_draws, rng)
        if distance is not None:
            return distance(np.sort(values))  # in order, so that the look-ups are near each other
        assert isinstance(reference, RandomSide)
        return np.abs(values - reference.draw(kernel, n_draws, rng))

    if candidate.is_constant and (is_fixed or reference.is_constant):
        return _adjusted(gap, float(draw(1, rng)[0]), rounding)

    def estimate(found: DrawnMean) -> Estimate:
        return _adjusted(gap, found.mean, found.half_width + rounding)

    found = draw_mean(draw, lambda found: estimate(found).error <= tolerance, rng)
    return estimate(found)._replace(confidence=CONFIDENCE, n_draws=found.n_draws)


def _adjusted(gap: float, expected: float, error: float) -> Estimate:
    """(I - E I) / (1 - E I) for the discordances 1 - I and 1 - E I, the latter up to an error."""
    if expected <= _ROUNDING:
        return Estimate(1.0, 0.0 if error == 0 else inf)
    ratio = gap / expected
    return Estimate(1.0 - ratio, gap / (expected - error) - ratio if error < expected else inf)


ADJUSTED_CONCORDANCE = Index(
    function=adjusted_concordance,
    estimate=estimate_adjusted_concordance,
    candidate_kinds=("hard", "fuzzy"),
    reference_kinds=("hard", "fuzzy"),
    is_reflexive=True,
    cost="with a hard side: O(n k log n); else O(n^2 (k+k')), or draws",
    place="Corrects what is stated for chance; compare(measure='adjusted_rand') gives the mean of "
    "a corrected measure.",
    reference="dambrosio2021adjusted",
    also_called=("ACI", "ANDC", "adjusted degree of concordance"),
    unlike=(
        Unlike("index", "conflict", is_reflexive=False),
        Unlike("random", "candidate", is_symmetric=False),
    ),
)
