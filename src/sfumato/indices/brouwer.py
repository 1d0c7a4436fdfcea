"""The fuzzy indices of Brouwer, by the bonding of objects."""

from typing import Literal, TypeAlias

import numpy as np

from sfumato._typing import Floats, PartitionLike
from sfumato.indices.base import Index
from sfumato.indices.formulas.joined_pairs import gram_sums, hard_sums, memberships_of

__all__ = ["BROUWER", "brouwer"]

Of: TypeAlias = Literal["rand", "adjusted_rand", "jaccard"]


def brouwer(a: PartitionLike, b: PartitionLike, *, index: Of = "rand") -> float:
    r"""Pairs counted by the cosine of the angle between their membership vectors.

    .. math:: \psi_{ij} = \frac{u_i \cdot u_j}{|u_i| |u_j|}

    Equal rows are bonded fully, however soft. With the bonding :math:`\phi` of the second side the
    four counts are the sums over pairs i < j of :math:`\psi \phi, \psi (1 - \phi),
    (1 - \psi) \phi, (1 - \psi) (1 - \phi)`.

    Parameters
    ----------
    a, b : Partition or anything `as_partition` takes
        Hard or fuzzy.
    index : {"rand", "adjusted_rand", "jaccard"}
        Default "rand"; "adjusted_rand" is Hubert and Arabie's expression of soft counts.

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
    O(n k k') by Gram matrices. Not reflexive: a bonding strictly between 0 and 1 does not agree
    with itself fully. Defined in :cite:`brouwer2009extending`.

    Examples
    --------
    >>> from sfumato import indices
    >>> memberships = [[0.9, 0.1], [0.8, 0.2], [0.3, 0.7]]
    >>> round(indices.brouwer(memberships, ["x", "x", "y"]), 4)
    0.631
    """
    BROUWER.check(index=index)
    sides = BROUWER.sides(a, b)
    sums = hard_sums(*sides) or gram_sums(*(_unit_rows(memberships_of(side)) for side in sides))
    return float(getattr(sums, index)())


def _unit_rows(memberships: Floats) -> Floats:
    return memberships / np.linalg.norm(memberships, axis=1, keepdims=True)


BROUWER = Index(
    function=brouwer,
    candidate_kinds=("hard", "fuzzy"),
    reference_kinds=("hard", "fuzzy"),
    is_reflexive=False,
    cost="O(n k k')",
    place="As frigui, but equally soft objects count as surely together; it is no expectation.",
    reference="brouwer2009extending",
    also_called=("FRI", "FARI of Brouwer", "FJI"),
)
