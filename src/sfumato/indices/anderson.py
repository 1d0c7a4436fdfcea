"""The indices of Anderson, Bezdek, Popescu and Keller, on a soft contingency table."""

from typing import Literal, TypeAlias

import numpy as np

from sfumato._typing import Floats, PartitionLike
from sfumato.indices.base import Index
from sfumato.indices.formulas.joined_pairs import PairSums, hard_sums, memberships_of

__all__ = ["ANDERSON", "anderson"]

Of: TypeAlias = Literal["rand", "adjusted_rand", "jaccard", "dice", "fowlkes_mallows"]


def anderson(a: PartitionLike, b: PartitionLike, *, index: Of = "rand") -> float:
    r"""The usual expressions of a contingency table, on a table of soft counts.

    .. math:: N = \varphi\, U^T V, \qquad \varphi = n \Big/ \sum_{ij} (U^T V)_{ij}

    The factor is 1 unless a side is possibilistic. Then with :math:`S = \sum N_{ij}^2`,
    :math:`R = \sum N_{i \cdot}^2`, :math:`C = \sum N_{\cdot j}^2` the four counts are
    :math:`(S - n) / 2, (R - S) / 2, (C - S) / 2` and :math:`(n^2 + S - R - C) / 2`.

    Parameters
    ----------
    a, b : Partition or anything `as_partition` takes
        Hard, fuzzy or possibilistic.
    index : {"rand", "adjusted_rand", "jaccard", "dice", "fowlkes_mallows"}
        Default "rand".

    Returns
    -------
    float
        Not always between 0 and 1: with few objects a soft table can hold fewer than no pairs.

    Raises
    ------
    InputError
        For an unknown option, or partitions of different objects.
    UnsupportedError
        For rough and evidential partitions.

    Notes
    -----
    O(n k k'). Not reflexive. Defined in :cite:`anderson2010comparing`. For hard and fuzzy sides
    the table is the expected one, so this is the measure of the expected table, where `compare`
    gives the expected measure.

    Examples
    --------
    >>> from sfumato import indices
    >>> memberships = [[0.9, 0.1], [0.8, 0.2], [0.3, 0.7]]
    >>> round(indices.anderson(memberships, ["x", "x", "y"]), 4)
    0.52
    """
    ANDERSON.check(index=index)
    sides = ANDERSON.sides(a, b)
    sums = hard_sums(*sides) or _pair_sums(*map(memberships_of, sides))
    return float(getattr(sums, index)())


def _pair_sums(first: Floats, second: Floats) -> PairSums:
    n = len(first)
    table = first.T @ second
    table *= n / table.sum()
    squares, rows, columns = (
        float(np.square(part).sum()) for part in (table, table.sum(axis=1), table.sum(axis=0))
    )
    return PairSums(
        (squares - n) / 2,
        (rows - squares) / 2,
        (columns - squares) / 2,
        (n**2 + squares - rows - columns) / 2,
    )


ANDERSON = Index(
    function=anderson,
    candidate_kinds=("hard", "fuzzy", "possibilistic"),
    reference_kinds=("hard", "fuzzy", "possibilistic"),
    is_reflexive=False,
    cost="O(n k k')",
    place="The measure of the expected table, where compare gives the expected measure.",
    reference="anderson2010comparing",
    also_called=("soft Rand", "generalised contingency"),
)
