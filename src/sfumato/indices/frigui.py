"""The fuzzy Rand index of Frigui, Hwang and Rhee."""

from typing import Literal, TypeAlias

import numpy as np

from sfumato._typing import Floats, PartitionLike
from sfumato.indices.base import Index
from sfumato.indices.formulas.joined_pairs import PairSums, gram_sums, hard_sums, memberships_of
from sfumato.indices.formulas.pair_blocks import sum_over_pairs, types_of

__all__ = ["FRIGUI", "frigui"]

Of: TypeAlias = Literal["rand", "jaccard", "fowlkes_mallows"]


def frigui(a: PartitionLike, b: PartitionLike, *, index: Of = "rand") -> float:
    r"""Pairs counted by the probability that both objects are in one cluster.

    .. math:: \psi_{ij} = \sum_l u_{il} u_{jl}, \qquad
              \mathrm{Rand} = \binom{n}{2}^{-1} \sum_{i < j}
              \psi_{ij} \phi_{ij} + (1 - \psi_{ij}) (1 - \phi_{ij})

    with :math:`\phi` for the second side.

    Parameters
    ----------
    a, b : Partition or anything `as_partition` takes
        Hard, fuzzy or possibilistic. Degrees of possibility are combined in the same way, with
        the sum cut off at 1 (the bounded sum, a t-conorm), which changes nothing for memberships
        that sum to 1.
    index : {"rand", "jaccard", "fowlkes_mallows"}
        Default "rand".

    Returns
    -------
    float

    Raises
    ------
    InputError
        For an unknown option, or partitions of different objects.
    UnsupportedError
        For rough and evidential partitions.

    Notes
    -----
    O(n k k'), for possibilistic sides O(n^2 (k + k')) in blocks. Not reflexive. For hard and fuzzy
    sides the Rand index is the mean of ``compare(a, b, measure="rand")`` and one minus the mean
    conflict of :cite:`denoeux2017evaluating`. Jaccard and Fowlkes-Mallows are ratios of expected
    counts, where `compare` gives the expected ratio. Defined in :cite:`frigui2007clustering`.

    Examples
    --------
    >>> from sfumato import compare, indices
    >>> memberships, truth = [[0.9, 0.1], [0.8, 0.2], [0.3, 0.7]], ["x", "x", "y"]
    >>> round(indices.frigui(memberships, truth), 4)
    0.6733
    >>> round(compare(memberships, truth, measure="rand").mean, 4)
    0.6733
    """
    FRIGUI.check(index=index)
    sides = FRIGUI.sides(a, b)
    count = _bounded_sums if any(s.kind == "possibilistic" for s in sides) else gram_sums
    sums = hard_sums(*sides) or count(*map(memberships_of, sides))
    return float(getattr(sums, index)())


def _bounded_sums(first: Floats, second: Floats) -> PairSums:
    """The four counts where the sums of products are cut off at 1."""
    types = types_of(first, second)

    def four(rows: slice, columns: slice) -> list[Floats]:
        one = np.minimum(types.first[rows] @ types.first[columns].T, 1.0)
        other = np.minimum(types.second[rows] @ types.second[columns].T, 1.0)
        return [one * other, one * (1 - other), (1 - one) * other, (1 - one) * (1 - other)]

    return PairSums(*sum_over_pairs(types.counts, four))


FRIGUI = Index(
    function=frigui,
    candidate_kinds=("hard", "fuzzy", "possibilistic"),
    reference_kinds=("hard", "fuzzy", "possibilistic"),
    is_reflexive=False,
    cost="O(n k k'); possibilistic: O(n^2 (k+k'))",
    place="Its Rand is the mean of compare(a, b, measure='rand') for hard and fuzzy sides.",
    reference="frigui2007clustering",
    also_called=("credal_RI type c of fuzzy partitions",),
)
