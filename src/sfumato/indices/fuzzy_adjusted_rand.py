"""The fuzzy adjusted Rand index (FARI) of Andrews, Browne and Hvingelby."""

from sfumato._typing import PartitionLike
from sfumato.indices.base import Index
from sfumato.indices.formulas.joined_pairs import hard_sums
from sfumato.indices.formulas.memberships import memberships_of
from sfumato.indices.frobenius_rand import comemberships

__all__ = ["FUZZY_ADJUSTED_RAND", "fuzzy_adjusted_rand"]


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
    sums = comemberships(*map(memberships_of, sides))
    n = sums.n_objects
    if n == 1:
        return 1.0
    trace_first, trace_second = sums.diagonals
    expected = trace_first * trace_second / n
    expected += (sums.first - trace_first) * (sums.second - trace_second) / (n * (n - 1))
    best = (sums.first + sums.second) / 2
    # Each sum has the rounding of n k additions; what is smaller is 0.
    if best - expected <= 4e-16 * n * best:
        return 1.0
    return (sums.both - expected) / (best - expected)


FUZZY_ADJUSTED_RAND = Index(
    name="fuzzy_adjusted_rand",
    function=fuzzy_adjusted_rand,
    candidate_kinds=("hard", "fuzzy"),
    reference_kinds=("hard", "fuzzy"),
    is_reflexive=True,
    cost="O(n k k')",
    place="Corrected for chance as the adjusted Rand index is, but no mean of it.",
    reference="andrews2022assessments",
    also_called=("FARI",),
)
