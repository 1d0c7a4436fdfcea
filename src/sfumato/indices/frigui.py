"""The fuzzy Rand index of Frigui, Hwang and Rhee."""

from typing import Literal, TypeAlias

import numpy as np

from sfumato._typing import Floats, PartitionLike
from sfumato.indices.base import Index
from sfumato.indices.memberships import memberships_of
from sfumato.indices.pair_sums import PairSums

__all__ = ["FRIGUI", "frigui"]

Of: TypeAlias = Literal["rand", "jaccard", "fowlkes_mallows"]


def frigui(a: PartitionLike, b: PartitionLike, *, index: Of = "rand") -> float:
    """Pairs counted by the probability that both objects share a cluster."""
    FRIGUI.check(index=index)
    first, second = FRIGUI.sides(a, b)
    sums = _pair_sums(memberships_of(first), memberships_of(second))
    return float(getattr(sums, index)())


def _pair_sums(first: Floats, second: Floats) -> PairSums:
    n = len(first)
    joined_first = (np.square(first.sum(0)).sum() - np.square(first).sum()) / 2
    joined_second = (np.square(second.sum(0)).sum() - np.square(second).sum()) / 2
    own = np.square(first).sum(1) @ np.square(second).sum(1)
    both = (np.square(first.T @ second).sum() - own) / 2
    return PairSums(
        both,
        joined_first - both,
        joined_second - both,
        n * (n - 1) / 2 - joined_first - joined_second + both,
    )


FRIGUI = Index(
    name="frigui",
    function=frigui,
    candidate_kinds=("hard", "fuzzy"),
    reference_kinds=("hard", "fuzzy"),
    better="higher",
    is_reflexive=False,
    is_symmetric=True,
    cost="O(n k k')",
    place="Its Rand is the mean of compare(a, b, measure='rand').",
    reference="frigui2007clustering",
)
