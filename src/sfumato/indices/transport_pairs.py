"""The pairwise transport indices in the code of Campagner, Ciucci and Denœux."""

from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from sfumato._arguments import is_number
from sfumato._typing import Floats, Ints, PartitionLike
from sfumato.algorithms.tables.ragged import gather
from sfumato.errors import InputError
from sfumato.indices.base import Index, Unlike
from sfumato.indices.formulas.cluster_costs import Degrees, cheapest_matching, cluster_costs
from sfumato.indices.formulas.joined_pairs import expected_sums
from sfumato.indices.formulas.mass_products import has_few_sets, is_hard, mass_products
from sfumato.indices.formulas.pair_blocks import mean_over_pairs
from sfumato.partitions import PairMasses, Relational, relational

__all__ = ["TRANSPORT_PAIRS", "transport_pairs"]

Of: TypeAlias = Literal["rand", "partition_distance"]


class _Masses(NamedTuple):
    """Masses on yes, no and either; what is left to 1 is the empty set's."""

    yes: Floats
    no: Floats
    either: Floats
    empty: Floats


def transport_pairs(
    a: PartitionLike, b: PartitionLike, *, alpha: float = 0.0, index: Of = "rand"
) -> float:
    r"""Least mass to move between what two partitions say of each pair of objects.

    Each side gives a pair of objects a mass function on {empty, same, different, either}. Moving a
    unit of mass costs 1, but ``alpha`` between "either" and "same" or "different". With
    :math:`T_\alpha` the cost of the cheapest transport, the Rand form is

    .. math:: 1 - \frac{2}{n (n - 1)} \sum_{x < y} T_\alpha(m_1^{xy}, m_2^{xy})

    and the partition distance matches clusters one to one by what is said of each object and
    cluster (in it, outside, either), with :math:`m^{xi}` those masses:

    .. math:: \frac{1}{2 n} \min_w \sum_i \sum_x T_\alpha(m_1^{xi}, m_2^{xw(i)})

    Parameters
    ----------
    a, b : Partition or anything `as_partition` takes
        Of any kind. Possibilistic partitions are read object by object, whatever their t-norm.
    alpha : float
        From 0 (default), where not knowing contradicts nothing, to 1, where it is as far from
        "same" as "different" is.
    index : {"rand", "partition_distance"}

    Returns
    -------
    float
        From 0 to 1. Rand: 1 is best, also for a single object; the partition distance: 0 is best.

    Raises
    ------
    InputError
        If the partitions do not speak of the same objects, or for a wrong option.

    Notes
    -----
    The transport has a closed form, where the published code solves a linear program for each
    pair of objects. Rand: O(n F F') against a hard side, else O(t^2 (F + F')) for t distinct
    statements, at most n, in blocks. Partition distance: O(n k1 k2) and an assignment.

    The published code also counts each object with itself, and leaves clusters in excess out
    where one side has more; here they count as matched to an empty cluster. :math:`T_\alpha` is a
    metric for alpha from 1/2 up. Between fuzzy and hard partitions alpha has no effect: the Rand
    form is `denoeux` with "belief", the partition distance `zhou` with p = 1, normalized. Of two
    hard partitions they are the values of ``compare``, the latter with
    ``PartitionDistance("n")``. It transports pair by pair, not the partitions as a whole as the
    paper does. See :cite:`campagner2023general`.

    Examples
    --------
    >>> import sfumato as sf
    >>> rough = sf.RoughPartition([[1, 0], [1, 1], [0, 1]])
    >>> sf.indices.transport_pairs(rough, [0, 0, 1]), sf.indices.transport_pairs(rough, rough)
    (1.0, 1.0)
    >>> round(sf.indices.transport_pairs(rough, [0, 0, 1], alpha=1), 4)
    0.3333
    """
    TRANSPORT_PAIRS.check(index=index)
    if not (is_number(alpha) and 0 <= alpha <= 1):
        raise InputError(f"transport_pairs(alpha=...) takes a number from 0 to 1, not {alpha!r}.")
    sides = TRANSPORT_PAIRS.sides(a, b)
    first, second = (relational(side) for side in sides)
    if index == "partition_distance":
        return _partition_distance(first, second, alpha)
    if first.n_objects < 2:
        return 1.0
    if sides[0].kind == sides[1].kind == "hard":
        return expected_sums(*sides).rand()
    if (is_hard(first) or is_hard(second)) and has_few_sets(first, second):
        return _rand_to_hard(first, second, alpha)

    def cost(one: PairMasses, two: PairMasses) -> Floats:
        return _transport(_of_pair(one), _of_pair(two), alpha)

    return 1.0 - mean_over_pairs(first, second, cost)


def _transport(a: _Masses, b: _Masses, alpha: float) -> Floats:
    """Cost of the cheapest transport of one mass function to another, in closed form.

    Every unit costs 1 less what is saved: 1 where it stays, 1 - alpha where it goes between
    "either" and another. Staying is best, but for "either" if alpha is below 1/2: then two units
    of it, one on each side, save more by serving an excess of yes or no on both sides.
    """
    both_either = np.minimum(a.either, b.either)
    stays = np.minimum(a.yes, b.yes) + np.minimum(a.no, b.no) + np.minimum(a.empty, b.empty)
    excess_a = np.maximum(a.yes - b.yes, 0.0) + np.maximum(a.no - b.no, 0.0)
    excess_b = np.maximum(b.yes - a.yes, 0.0) + np.maximum(b.no - a.no, 0.0)
    free_a, free_b = a.either - both_either, b.either - both_either
    served = np.minimum(excess_b, free_a) + np.minimum(excess_a, free_b)
    saved = stays + both_either + (1 - alpha) * served
    if alpha < 0.5:
        twice = np.minimum(np.minimum(excess_b - free_a, excess_a - free_b), both_either)
        saved += (1 - 2 * alpha) * np.maximum(twice, 0.0)
    return np.maximum(1.0 - saved, 0.0)


def _of_pair(masses: PairMasses) -> _Masses:
    return _Masses(masses.same, masses.different, masses.either, masses.conflict)


def _rand_to_hard(first: Relational, second: Relational, alpha: float) -> float:
    """All that says either, or the same as the hard side, is saved."""
    sums = mass_products(first, second)
    agree = sums.same_same + sums.different_different
    differ = sums.same_different + sums.different_same
    either = sums.normal - agree - differ
    kept = (agree + (1 - alpha) * either) / sums.n_pairs
    return min(max(kept, 0.0), 1.0)  # sums may be off by rounding


def _partition_distance(first: Relational, second: Relational, alpha: float) -> float:
    empty_a, empty_b = first.empty_mass, second.empty_mass

    def masses(degrees: Floats, empty: Floats) -> _Masses:
        yes, either = degrees.T
        return _Masses(yes, 1.0 - empty - yes - either, either, empty)

    def cost(u: Floats, v: Floats, objects: Ints) -> Floats:
        of_a, of_b = empty_a[objects], empty_b[objects]
        # Of two clusters that do not hold the object, only the empty sets differ.
        return _transport(masses(u, of_a), masses(v, of_b), alpha) - np.abs(of_a - of_b)

    degrees_a, degrees_b = _degrees(first), _degrees(second)
    costs = cluster_costs(degrees_a, degrees_b, cost)
    n_clusters = max(degrees_a.n_clusters, degrees_b.n_clusters)
    lost = n_clusters * float(np.abs(empty_a - empty_b).sum())
    return (cheapest_matching(costs) + lost) / (2 * first.n_objects)


def _degrees(view: Relational) -> Degrees:
    """Masses "surely in" and "maybe in" of each object and each cluster that it may be in."""
    statements, k = view.statements, view.statements.n_clusters
    starts, members = gather(statements.set_starts, statements.sets)
    sizes = np.diff(starts)
    keys = np.repeat(statements.owners, sizes) * k + statements.set_members[members]
    pairs, which = np.unique(keys, return_inverse=True)
    weights, is_single = np.repeat(statements.weights, sizes), np.repeat(sizes == 1, sizes)
    yes = np.bincount(which, weights * is_single)
    either = np.bincount(which, weights * ~is_single)
    of_statement = np.searchsorted(pairs, np.arange(statements.n_statements + 1) * k)
    starts, entries = gather(of_statement, statements.codes)
    kept = np.repeat(1.0 - view.empty_mass, np.diff(starts))
    values = np.column_stack([yes, either])[entries] * kept[:, None]
    return Degrees(starts, pairs[entries] % k, values, k)


TRANSPORT_PAIRS = Index(
    function=transport_pairs,
    candidate_kinds=("hard", "rough", "fuzzy", "possibilistic", "evidential"),
    reference_kinds=("hard", "rough", "fuzzy", "possibilistic", "evidential"),
    is_reflexive=True,
    cost="O(n^2 (F + F')), in blocks; O(n F F') against hard",
    place=(
        "Compares what is said of each pair, so equal partitions score 1; compare(a, b) asks how "
        "far apart the clusterings behind them are."
    ),
    reference="campagner2023general",
    also_called=("approx_rand", "evid_partition_distance"),
    unlike=(Unlike("index", "partition_distance", better="lower"),),
)
