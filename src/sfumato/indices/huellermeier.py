"""The degree of concordance of Hüllermeier, Rifqi, Henzgen and Senge."""

from typing import Literal, TypeAlias

import numpy as np

from sfumato._typing import Floats, Ints, PartitionLike
from sfumato.indices.base import Index, Unlike
from sfumato.indices.formulas.joined_pairs import PairSums, hard_sums, memberships_of
from sfumato.indices.formulas.pair_blocks import sum_of_gaps, sum_over_pairs, types_of
from sfumato.partitions import HardPartition, IndependentPartition

__all__ = ["HUELLERMEIER", "half_distances", "huellermeier", "mean_distance", "mean_gap"]

Of: TypeAlias = Literal["rand", "jaccard", "dice", "fowlkes_mallows", "adjusted_rand"]


def huellermeier(a: PartitionLike, b: PartitionLike, *, index: Of = "rand") -> float:
    r"""Agreement of two sides on how alike two objects are.

    .. math:: E_{ij} = 1 - \tfrac12 \sum_l |u_{il} - u_{jl}|, \qquad
              \mathrm{NDC} = 1 - \binom{n}{2}^{-1} \sum_{i < j} |E_{ij} - F_{ij}|

    with F for the second side. The relatives take the concordance :math:`c = 1 - |E - F|` apart:
    joined by both :math:`c E F`, by neither :math:`c (1 - E F)`, by one only
    :math:`\max(E - F, 0)` and :math:`\max(F - E, 0)`; for every pair these add up to 1.

    Parameters
    ----------
    a, b : Partition or anything `as_partition` takes
        Hard or fuzzy.
    index : {"rand", "jaccard", "dice", "fowlkes_mallows", "adjusted_rand"}
        Default "rand", the normalised degree of concordance. "adjusted_rand" is Hubert and
        Arabie's expression of the soft counts; `adjusted_concordance` corrects for chance.

    Returns
    -------
    float

    Raises
    ------
    InputError
        For an unknown option, or partitions of different objects.
    UnsupportedError
        For other kinds of partitions.

    Notes
    -----
    "rand" against a hard side O(n k log n) by sorting, else O(n^2 (k + k')) in blocks. Reflexive,
    and 1 - NDC is a pseudo-metric: it compares what is stated, so that two equally soft statements
    agree fully. Defined in :cite:`hullermeier2011comparing`.

    Examples
    --------
    >>> from sfumato import indices
    >>> memberships = [[0.9, 0.1], [0.8, 0.2], [0.3, 0.7]]
    >>> round(indices.huellermeier(memberships, ["x", "x", "y"]), 4)
    0.6667
    >>> indices.huellermeier(memberships, memberships)
    1.0
    """
    HUELLERMEIER.check(index=index)
    first, second = HUELLERMEIER.sides(a, b)
    sums = hard_sums(first, second)
    if index == "rand" and sums is None:
        return 1.0 - mean_gap(first, second)
    sums = sums or _pair_sums(memberships_of(first), memberships_of(second))
    return float(getattr(sums, index)())


def half_distances(rows: Floats, columns: Floats) -> Floats:
    """Half the L1 distances between the rows of two matrices."""
    from scipy.spatial.distance import cdist

    return cdist(rows, columns, "cityblock") / 2


def mean_gap(first: IndependentPartition, second: IndependentPartition) -> float:
    """Mean over pairs of the difference of the two sides' distances; 0 where there is no pair."""
    n_pairs = first.n_objects * (first.n_objects - 1) / 2
    if n_pairs == 0:
        return 0.0
    if (sums := hard_sums(first, second)) is not None:
        return (sums.first + sums.second) / n_pairs
    hard, other = second.simplest(), first
    if not isinstance(hard, HardPartition):
        hard, other = first.simplest(), second
    if isinstance(hard, HardPartition):
        return _sum_against_hard(memberships_of(other), hard.codes) / n_pairs
    return sum_of_gaps(memberships_of(first), memberships_of(second), half_distances) / n_pairs


def mean_distance(memberships: Floats) -> float:
    """Mean over pairs of half the L1 distance of two rows; O(n k log n)."""
    n = len(memberships)
    return _sum_of_distances(memberships) / (n * (n - 1) / 2)


def _sum_of_distances(memberships: Floats) -> float:
    """Sum over pairs of half the L1 distance; in a sorted column, each value adds by its rank."""
    n = len(memberships)
    return float(np.arange(1.0 - n, n, 2.0) @ np.sort(memberships, axis=0).sum(axis=1)) / 2


def _sum_against_hard(memberships: Floats, codes: Ints) -> float:
    """Sum over pairs of d where the hard side joins the two objects, and of 1 - d elsewhere."""
    n, sizes = len(codes), np.bincount(codes)
    ends = np.cumsum(sizes)
    ordered = memberships[np.argsort(codes, kind="stable")]
    inside = sum(
        _sum_of_distances(ordered[end - size : end]) for size, end in zip(sizes, ends, strict=True)
    )
    apart = (n * (n - 1) - float((sizes * (sizes - 1.0)).sum())) / 2
    return apart - _sum_of_distances(memberships) + 2 * inside


def _pair_sums(first: Floats, second: Floats) -> PairSums:
    types = types_of(first, second)

    def four(rows: slice, columns: slice) -> list[Floats]:
        one = 1 - half_distances(types.first[rows], types.first[columns])
        other = 1 - half_distances(types.second[rows], types.second[columns])
        excess = one - other
        concordance, shared = 1 - np.abs(excess), one * other
        return [
            concordance * shared,
            np.maximum(excess, 0),
            np.maximum(-excess, 0),
            concordance * (1 - shared),
        ]

    return PairSums(*sum_over_pairs(types.counts, four))


HUELLERMEIER = Index(
    function=huellermeier,
    candidate_kinds=("hard", "fuzzy"),
    reference_kinds=("hard", "fuzzy"),
    is_reflexive=True,
    cost="rand against hard: O(n k log n); else O(n^2 (k+k'))",
    place="Compares what is stated, not what may be true: equal statements agree, however soft.",
    reference="hullermeier2011comparing",
    also_called=("NDC",),
    unlike=(Unlike("index", "fowlkes_mallows", is_reflexive=False),),  # 0 where no pair is joined
)
