"""The rough Rand index of Depaolini, Ciucci, Calegari and Dominoni."""

from sfumato._typing import PartitionLike
from sfumato.indices.base import Index
from sfumato.indices.formulas.joined_pairs import expected_sums
from sfumato.partitions import HardPartition, IndependentPartition

__all__ = ["DEPAOLINI", "depaolini", "equal_shares"]


def depaolini(a: PartitionLike, b: PartitionLike) -> float:
    r"""Rand of two rough partitions whose objects are shared equally among their clusters.

    .. math:: \frac{2}{n (n - 1)} \sum_{x < y} s_1 s_2 + (1 - s_1) (1 - s_2), \qquad
              s(x, y) = \frac{|R(x) \cap R(y)|}{|R(x)| \, |R(y)|}

    Parameters
    ----------
    a, b : Partition or anything `as_partition` takes
        Rough or hard.

    Returns
    -------
    float
        From 0 to 1; 1 for a single object.

    Raises
    ------
    InputError
        If the partitions do not speak of the same objects.
    UnsupportedError
        For other kinds.

    Notes
    -----
    O(n k1 k2). The original was not at hand: this is the definition that the one published code
    implies, with the pairs x < y in place of its sum over all rows but the first. So understood
    it is the Rand of the pignistic partitions, ``compare(a.pignistic(), b.pignistic()).mean``:
    it treats not knowing as an even chance, where ``compare(a, b)`` gives the range. Not
    reflexive. See :cite:`depaolini2018external`.

    Examples
    --------
    >>> import sfumato as sf
    >>> rough = sf.RoughPartition([[1, 0], [1, 1], [0, 1]])
    >>> round(sf.indices.depaolini(rough, [0, 0, 1]), 4)
    0.6667
    """
    first, second = DEPAOLINI.sides(a, b)
    return expected_sums(equal_shares(first), equal_shares(second)).rand()


def equal_shares(side: IndependentPartition) -> IndependentPartition:
    """A rough partition with equal chances for the clusters of each object; hard ones stay."""
    simplest = side.simplest()
    return simplest if isinstance(simplest, HardPartition) else simplest.pignistic()


DEPAOLINI = Index(
    function=depaolini,
    candidate_kinds=("hard", "rough"),
    reference_kinds=("hard", "rough"),
    is_reflexive=False,
    cost="O(n k k')",
    place=(
        "The mean of compare on the pignistic partitions: one point inside the range that "
        "compare(a, b) gives."
    ),
    reference="depaolini2018external",
    also_called=("r_rand", "R-Rand"),
)
