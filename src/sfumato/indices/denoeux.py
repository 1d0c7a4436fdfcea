"""The evidential Rand indices of Denœux, Li and Sriboonchitta."""

from typing import Literal, TypeAlias

import numpy as np

from sfumato._typing import Floats, PartitionLike
from sfumato.indices.base import Index, Unlike
from sfumato.indices.formulas.joined_pairs import expected_sums
from sfumato.indices.formulas.mass_products import (
    MassProducts,
    has_few_sets,
    is_bayesian,
    is_hard,
    mass_products,
)
from sfumato.indices.formulas.pair_blocks import Distance, mean_over_pairs
from sfumato.partitions import PairMasses, Relational, relational

__all__ = ["DENOEUX", "DISTANCES", "credal_rand", "denoeux"]

Between: TypeAlias = Literal["conflict", "belief", "jousselme", "belief_interval"]


def denoeux(a: PartitionLike, b: PartitionLike, *, distance: Between = "conflict") -> float:
    r"""How far two evidential partitions agree on which objects belong together.

    Each side gives a pair of objects x, y a mass function :math:`m^{xy}` on {same, different},
    and the index is 1 less the mean over pairs of how far the two are apart:

    .. math:: 1 - \frac{2}{n (n - 1)} \sum_{x < y} \delta(m_1^{xy}, m_2^{xy})

    Parameters
    ----------
    a, b : Partition or anything `as_partition` takes
        Of any kind. Possibilistic partitions are read object by object, whatever their t-norm.
    distance : {"conflict", "belief", "jousselme", "belief_interval"}
        With s, d, e, o the masses on same, different, the empty set and both:

        - "conflict" (default): :math:`s_1 d_2 + d_1 s_2 + e_1 + e_2 - e_1 e_2`, the *consistency*
          index. No metric: a soft partition is not consistent with itself.
        - "belief": half of :math:`|\Delta s| + |\Delta d| + |\Delta e|`, the L1 distance of the
          belief functions. This and the next two are metrics, and make the *similarity* index.
        - "jousselme": the distance of Jousselme, Grenier and Bossé,
          :math:`\sqrt{(2 \Delta e^2 + \Delta e (\Delta s + \Delta d) + \Delta s^2 + \Delta d^2)
          / 2}`.
        - "belief_interval": the Euclidean distance of the intervals [Bel, Pl] of Han, Dezert and
          Yang.

    Returns
    -------
    float
        From 0 to 1; 1 for a single object.

    Raises
    ------
    InputError
        If the partitions do not speak of the same objects, or the distance is unknown.

    Notes
    -----
    Mass on the empty set takes part as it was given, unless the partition was made with
    ``empty="yager"``. An object with all its mass there is refused, by every partition.

    Conflict: O(n F F') for F and F' focal sets, and so is "belief" against a hard side, and all
    distances of a fuzzy side to a hard one, where they coincide. Else O(t^2 (F + F')) for t
    distinct statements, at most n, with memory O(n F): block by block, no n x n array.

    Between two hard or fuzzy partitions "conflict" is the mean of ``compare(a, b)``; of partitions
    without mass on the empty set it is an upper bound of its upper end. Defined in
    :cite:`denoeux2017evaluating`, with :cite:`jousselme2001distance` and :cite:`han2014distance`.

    Examples
    --------
    >>> import sfumato as sf
    >>> fuzzy = sf.FuzzyPartition([[1, 0], [0.5, 0.5], [0, 1]])
    >>> round(sf.indices.denoeux(fuzzy, fuzzy), 4)
    0.6667
    >>> sf.indices.denoeux(fuzzy, fuzzy, distance="jousselme")
    1.0
    """
    DENOEUX.check(distance=distance)
    first, second = DENOEUX.sides(a, b)
    if first.kind == second.kind == "hard":
        return expected_sums(first, second).rand()  # all distances agree
    return credal_rand(relational(first), relational(second), distance)


def credal_rand(first: Relational, second: Relational, distance: Between) -> float:
    """`denoeux` of two relational views of the same objects."""
    if first.n_objects < 2:
        return 1.0
    if distance != "conflict" and is_bayesian(first) and is_bayesian(second):
        distance = "belief"  # all three are |s_1 - s_2|
    is_linear = distance == "conflict" or (
        distance == "belief" and (is_hard(first) or is_hard(second))
    )
    if is_linear and has_few_sets(first, second):
        sums = mass_products(first, second)
        apart = _conflict(sums) if distance == "conflict" else _belief_to_hard(sums)
        return 1.0 - min(max(apart, 0.0), 1.0)  # sums may be off by rounding
    return 1.0 - mean_over_pairs(first, second, DISTANCES[distance])


def _conflict(sums: MassProducts) -> float:
    lost = sums.n_pairs - sums.normal  # e_1 + e_2 - e_1 e_2
    return (lost + sums.same_different + sums.different_same) / sums.n_pairs


def _belief_to_hard(sums: MassProducts) -> float:
    """No absolute values: s is at most 1 where the pair is the same, and so on."""
    agree = sums.same_same + sums.different_different
    differ = sums.same_different + sums.different_same
    lost = sums.n_pairs - sums.normal
    return (sums.n_pairs + lost - agree + differ) / (2 * sums.n_pairs)


def _differences(first: PairMasses, second: PairMasses) -> tuple[Floats, Floats, Floats]:
    return (
        first.same - second.same,
        first.different - second.different,
        first.conflict - second.conflict,
    )


def _conflict_of_pairs(first: PairMasses, second: PairMasses) -> Floats:
    kept = (1.0 - first.conflict) * (1.0 - second.conflict)
    return 1.0 - kept + first.same * second.different + first.different * second.same


def _belief(first: PairMasses, second: PairMasses) -> Floats:
    s, d, e = _differences(first, second)
    return (np.abs(s) + np.abs(d) + np.abs(e)) / 2


def _jousselme(first: PairMasses, second: PairMasses) -> Floats:
    s, d, e = _differences(first, second)
    return np.sqrt(np.maximum(2 * e * e + e * (s + d) + s * s + d * d, 0.0) / 2)


def _belief_interval(first: PairMasses, second: PairMasses) -> Floats:
    r"""Root of half the sum over {same}, {different} and both of squared interval distances.

    Two intervals whose lower ends differ by l and whose upper ends differ by u are at squared
    distance :math:`(l + u)^2 / 4 + (u - l)^2 / 12 = (l^2 + l u + u^2) / 3`.
    """
    s, d, e = _differences(first, second)
    total = e * e  # the belief in both and its plausibility are 1 - e
    for lower, upper in ((s, -d - e), (d, -s - e)):
        total += (lower * lower + lower * upper + upper * upper) / 3
    return np.sqrt(total / 2)


DISTANCES: dict[str, Distance] = {
    "conflict": _conflict_of_pairs,
    "belief": _belief,
    "jousselme": _jousselme,
    "belief_interval": _belief_interval,
}

DENOEUX = Index(
    function=denoeux,
    candidate_kinds=("hard", "rough", "fuzzy", "possibilistic", "evidential"),
    reference_kinds=("hard", "rough", "fuzzy", "possibilistic", "evidential"),
    is_reflexive=False,
    cost="O(n F F'); similarity O(n^2 (F + F')), in blocks",
    place=(
        "Judges what is said of each pair, not the clusterings behind it: consistency is no less "
        "than the upper end of compare(a, b), similarity is 1 for equal statements."
    ),
    reference="denoeux2017evaluating",
    also_called=("credal_RI", "credalRI"),
    unlike=(
        Unlike("distance", "belief", is_reflexive=True),
        Unlike("distance", "jousselme", is_reflexive=True),
        Unlike("distance", "belief_interval", is_reflexive=True),
    ),
)
