"""The soft mutual information of orthopartitions, of Campagner and Ciucci."""

from typing import Literal, TypeAlias

import numpy as np

from sfumato._typing import Ints, PartitionLike
from sfumato.algorithms.tables.ragged import cross, starts_of
from sfumato.indices.base import Index
from sfumato.indices.depaolini import equal_shares
from sfumato.indices.formulas.joined_pairs import expected_sums
from sfumato.indices.formulas.logical_entropy import entropies
from sfumato.partitions import IndependentPartition, RoughPartition
from sfumato.partitions.setlist import SetList

__all__ = ["SOFT_MUTUAL_INFORMATION", "soft_mutual_information"]

Kind: TypeAlias = Literal["slmi", "sami"]


def soft_mutual_information(
    a: PartitionLike, b: PartitionLike, *, kind: Kind = "slmi", normalized: bool = True
) -> float:
    r"""What two rough partitions say about each other, in logical entropies.

    The logical entropy of a hard partition is the chance that two objects drawn with replacement
    are in different clusters. With h the entropy of a rough partition,

    .. math:: I = h(a) + h(b) - h(a \wedge b), \qquad
              I_{\text{normalized}} = \frac{I}{\min(h(a), h(b))}

    where an object of the meet :math:`a \wedge b` may be in any pair of its clusters.

    Parameters
    ----------
    a, b : Partition or anything `as_partition` takes
        Rough or hard; the lower and upper approximations of an orthopartition are the certain and
        the possible objects of a cluster.
    kind : {"slmi", "sami"}
        "slmi" (default): h is the mean entropy when every object takes one of its clusters at
        random, with equal chances. "sami": half way between the least and the largest entropy of
        the compatible hard partitions.
    normalized : bool
        Divide by the smaller entropy (default).

    Returns
    -------
    float
        From 0 to 1. Where the smaller entropy is 0 the normalized value is 1 if both are, else 0.

    Raises
    ------
    InputError
        If the partitions do not speak of the same objects, or the kind is unknown.
    UnsupportedError
        For other kinds of partitions.
    CostError
        "sami" only: if ambiguous objects connect more than 20 clusters of the meet.

    Notes
    -----
    "slmi": O(n k1 k2). "sami": O(c 2^c) for c clusters of the meet that ambiguous objects connect;
    against a hard side these are at most the clusters of the other. Both ends of the entropies
    are exact, where the published code takes greedy steps and is off for some 13% of random
    pairs. Not reflexive for an ambiguous partition. Both measure with logical entropies, not with
    Shannon's: for hard partitions they agree with each other, not with
    ``compare(measure="normalized_mutual_information")``. Defined in
    :cite:`campagner2019orthopartitions`.

    Examples
    --------
    >>> import sfumato as sf
    >>> rough = sf.RoughPartition([[1, 0], [1, 1], [1, 1], [0, 1], [0, 1]])
    >>> truth = [0, 0, 1, 1, 1]
    >>> round(sf.indices.soft_mutual_information(rough, truth), 4)
    0.7273
    >>> round(sf.indices.soft_mutual_information(rough, truth, kind="sami"), 4)
    0.7
    """
    SOFT_MUTUAL_INFORMATION.check(kind=kind)
    first, second = SOFT_MUTUAL_INFORMATION.sides(a, b)
    of_a, of_b, shared = (_shared_logical if kind == "slmi" else _shared_average)(first, second)
    if not normalized:
        return shared
    least = min(of_a, of_b)
    if least <= 0.0:
        return float(max(of_a, of_b) <= 0.0)
    return shared / least


def _shared_logical(a: IndependentPartition, b: IndependentPartition) -> tuple[float, float, float]:
    """Entropies of both sides and what they share: ordered pairs told apart, over n^2."""
    sums, scale = expected_sums(equal_shares(a), equal_shares(b)), 2 / a.n_objects**2
    of_a, of_b, shared = (scale * pairs for pairs in (*sums.parted(), sums.neither))
    return of_a, of_b, shared


def _shared_average(a: IndependentPartition, b: IndependentPartition) -> tuple[float, float, float]:
    sides = a.support(), b.support()
    of_a, of_b = (
        entropies(side.sets, np.bincount(side.codes), side.n_clusters).middle for side in sides
    )
    return of_a, of_b, of_a + of_b - entropies(*_meet(*sides)).middle


def _meet(a: RoughPartition, b: RoughPartition) -> tuple[SetList, Ints, int]:
    """The distinct sets of pairs of clusters, how many objects have each, and all pairs in use."""
    n_sets = len(b.sets.sizes)
    both, counts = np.unique(a.codes * n_sets + b.codes, return_counts=True)
    offsets, of_a, of_b = cross(a.sets.starts, both // n_sets, b.sets.starts, both % n_sets)
    pairs = a.sets.members[of_a] * b.n_clusters + b.sets.members[of_b]
    used, members = np.unique(pairs, return_inverse=True)
    return SetList(starts_of(np.diff(offsets)), members), counts, len(used)


SOFT_MUTUAL_INFORMATION = Index(
    function=soft_mutual_information,
    candidate_kinds=("hard", "rough"),
    reference_kinds=("hard", "rough"),
    is_reflexive=False,
    cost="O(n k k'); sami O(c 2^c)",
    place=(
        "One number from logical entropies, where compare(measure='mutual_information') gives the "
        "range of Shannon's."
    ),
    reference="campagner2019orthopartitions",
    also_called=("n_slmi_index", "n_sami_index"),
)
