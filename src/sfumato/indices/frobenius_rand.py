"""The Frobenius Rand index of Andrews, Browne and Hvingelby."""

from typing import NamedTuple

import numpy as np

from sfumato._typing import Floats, PartitionLike
from sfumato.indices.base import Index
from sfumato.indices.formulas.joined_pairs import hard_sums
from sfumato.indices.formulas.memberships import memberships_of

__all__ = ["FROBENIUS_RAND", "Comemberships", "comemberships", "frobenius_rand"]


class Comemberships(NamedTuple):
    """Sums over all ordered pairs, objects with themselves included, of the scaled matrices."""

    n_objects: int
    first: float  # sum of A
    second: float  # sum of B
    both: float  # sum of A * B
    diagonals: tuple[float, float]  # traces of A and B


def comemberships(first: Floats, second: Floats) -> Comemberships:
    r"""The sums of :math:`A = c\,UU^T` and B, with c such that :math:`\sum A = \sum A^2`.

    O(n k k'): entries of A and B are never written out.
    """
    scales: list[float] = []
    totals: list[float] = []
    traces: list[float] = []
    for side in (first, second):
        total = float(np.square(side.sum(axis=0)).sum())
        scale = total / float(np.square(side.T @ side).sum())
        scales.append(scale)
        totals.append(scale * total)
        traces.append(scale * float(np.square(side).sum()))
    both = scales[0] * scales[1] * float(np.square(first.T @ second).sum())
    return Comemberships(len(first), totals[0], totals[1], both, (traces[0], traces[1]))


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
    sums = comemberships(*map(memberships_of, sides))
    n = sums.n_objects
    apart = sums.first + sums.second - 2 * sums.both
    return 1.0 if n == 1 else 1.0 - apart / (n * (n - 1))


FROBENIUS_RAND = Index(
    name="frobenius_rand",
    function=frobenius_rand,
    candidate_kinds=("hard", "fuzzy"),
    reference_kinds=("hard", "fuzzy"),
    is_reflexive=True,
    cost="O(n k k')",
    place="Compares what is stated, not what may be true: equal statements agree, however soft.",
    reference="andrews2022assessments",
    also_called=("FRI of FARI", "Frobenius index"),
)
