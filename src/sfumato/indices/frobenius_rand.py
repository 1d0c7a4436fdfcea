"""The Frobenius Rand index of Andrews, Browne and Hvingelby, and FARI, which corrects it."""

from typing import NamedTuple

import numpy as np

from sfumato._typing import Floats, PartitionLike
from sfumato.indices.base import Index
from sfumato.indices.formulas.joined_pairs import hard_sums, memberships_of

__all__ = ["FROBENIUS_RAND", "FUZZY_ADJUSTED_RAND", "frobenius_rand", "fuzzy_adjusted_rand"]


class _Comemberships(NamedTuple):
    """Sums over all ordered pairs, objects with themselves included, of the scaled matrices."""

    n_objects: int
    sums: list[float]  # of A and B
    traces: list[float]
    both: float  # sum of A * B


def _comemberships(first: Floats, second: Floats) -> _Comemberships:
    r"""The sums of :math:`A = c\,UU^T` and B, with c such that :math:`\sum A = \sum A^2`.

    O(n k k'): entries of A and B are never written out.
    """
    sums, traces, both = list[float](), list[float](), float(np.square(first.T @ second).sum())
    for side in (first, second):
        total = float(np.square(side.sum(axis=0)).sum())
        scale = total / float(np.square(side.T @ side).sum())
        sums.append(scale * total)
        traces.append(scale * float(np.square(side).sum()))
        both *= scale
    return _Comemberships(len(first), sums, traces, both)


def frobenius_rand(a: PartitionLike, b: PartitionLike) -> float:
    r"""Agreement of two scaled matrices of comembership.

    .. math:: \frac{\sum_{ij} A_{ij} B_{ij} + (1 - A_{ij}) (1 - B_{ij}) - n}{n (n - 1)}, \qquad
              A = U U^T \frac{\sum U U^T}{\sum (U U^T)^2}

    over all ordered pairs, objects with themselves included; B likewise for the second side. The
    scaling makes every partition agree with itself fully.

    Parameters
    ----------
    a, b : Partition or anything `as_partition` takes
        Hard or fuzzy.

    Returns
    -------
    float
        1 for a single object.

    Raises
    ------
    InputError
        For partitions of different objects.
    UnsupportedError
        For other kinds of partitions.

    Notes
    -----
    O(n k k'). Reflexive. Nearly uniform memberships all look like one cluster, so their values
    crowd just below 1. Defined in :cite:`andrews2022assessments`.

    Examples
    --------
    >>> from sfumato import indices
    >>> memberships = [[0.9, 0.1], [0.8, 0.2], [0.3, 0.7]]
    >>> round(indices.frobenius_rand(memberships, ["x", "x", "y"]), 4)
    0.7391
    >>> indices.frobenius_rand(memberships, memberships)
    1.0
    """
    sides = FROBENIUS_RAND.sides(a, b)
    if (counts := hard_sums(*sides)) is not None:
        return counts.rand()
    found = _comemberships(*map(memberships_of, sides))
    n, apart = found.n_objects, sum(found.sums) - 2 * found.both
    return 1.0 if n == 1 else 1.0 - apart / (n * (n - 1))


FROBENIUS_RAND = Index(
    function=frobenius_rand,
    candidate_kinds=("hard", "fuzzy"),
    reference_kinds=("hard", "fuzzy"),
    is_reflexive=True,
    cost="O(n k k')",
    place="Compares what is stated, not what may be true: equal statements agree, however soft.",
    reference="andrews2022assessments",
    also_called=("FRI of FARI", "Frobenius index"),
)


def fuzzy_adjusted_rand(a: PartitionLike, b: PartitionLike) -> float:
    r"""The Frobenius Rand index rescaled so that chance scores 0 and equality 1.

    .. math:: \frac{S - E}{\frac12 (\sum A + \sum B) - E}, \quad S = \sum_{ij} A_{ij} B_{ij}, \quad
              E = \frac{\mathrm{tr} A\, \mathrm{tr} B}{n}
              + \frac{(\sum A - \mathrm{tr} A) (\sum B - \mathrm{tr} B)}{n (n - 1)}

    with A and B as in `frobenius_rand`; E is the mean of S when the objects of one side are
    permuted at random.

    Parameters
    ----------
    a, b : Partition or anything `as_partition` takes
        Hard or fuzzy.

    Returns
    -------
    float
        1 where both sides are constant, and for a single object.

    Raises
    ------
    InputError
        For partitions of different objects.
    UnsupportedError
        For other kinds of partitions.

    Notes
    -----
    O(n k k'). Reflexive. On hard partitions it is the adjusted Rand index. Other chance models
    than permutation are not known for it. Rounding is magnified where memberships are nearly
    uniform, since both parts of the ratio are then near 0. Defined in
    :cite:`andrews2022assessments`.

    Examples
    --------
    >>> from sfumato import indices
    >>> memberships = [[0.9, 0.1], [0.8, 0.2], [0.3, 0.7]]
    >>> round(indices.fuzzy_adjusted_rand(memberships, ["x", "x", "y"]), 4)
    0.5119
    """
    sides = FUZZY_ADJUSTED_RAND.sides(a, b)
    if (counts := hard_sums(*sides)) is not None:
        return counts.adjusted_rand()
    n, (first, second), traces, both = _comemberships(*map(memberships_of, sides))
    if n == 1:
        return 1.0
    expected = traces[0] * traces[1] / n
    expected += (first - traces[0]) * (second - traces[1]) / (n * (n - 1))
    best = (first + second) / 2
    # Each sum has the rounding of n k additions; what is smaller is 0.
    if best - expected <= 4e-16 * n * best:
        return 1.0
    return (both - expected) / (best - expected)


FUZZY_ADJUSTED_RAND = Index(
    function=fuzzy_adjusted_rand,
    candidate_kinds=("hard", "fuzzy"),
    reference_kinds=("hard", "fuzzy"),
    is_reflexive=True,
    cost="O(n k k')",
    place="Corrected for chance as the adjusted Rand index is, but no mean of it.",
    reference="andrews2022assessments",
    also_called=("FARI",),
)
