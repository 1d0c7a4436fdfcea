"""The Brier score of the probability that two objects share a cluster."""

from sfumato._typing import Floats, PartitionLike
from sfumato.indices.base import Index
from sfumato.indices.formulas.joined_pairs import expected_sums
from sfumato.indices.formulas.pair_intervals import Odds, ScoreInterval, score_interval

__all__ = ["PAIR_BRIER", "brier", "pair_brier", "pair_brier_interval"]


def pair_brier(a: PartitionLike, b: PartitionLike) -> float:
    r"""Mean squared error of the probability that two objects share a cluster.

    With :math:`p_{xy} = \sum_i u_{xi} u_{yi}` the probability that a puts x and y together, and
    :math:`t_{xy}` 1 if they are together in b and 0 if not,

    .. math:: \frac{2}{n (n - 1)} \sum_{x < y} (p_{xy} - t_{xy})^2

    A fuzzy b is the law of an unknown truth: the mean of the score over it,
    :math:`p^2 - 2 p q + q` for each pair.

    Parameters
    ----------
    a, b : Partition or anything `as_partition` takes
        Fuzzy or hard: what is stated, and the truth. For other kinds see `pair_brier_interval`.

    Returns
    -------
    float
        From 0 (best) to 1; 0 for a single object.

    Raises
    ------
    InputError
        If the partitions do not speak of the same objects.
    UnsupportedError
        For other kinds of partitions.

    Notes
    -----
    O(n (k1^2 + k1 k2)), from sums over single objects. A *proper* score: if the truth is drawn from
    the memberships P, no other memberships score better on average than P itself. A mean over
    clusterings drawn from the memberships, as ``compare`` reports it, rewards memberships that are
    sharper than what is known. Not reflexive: a fuzzy partition does not know its own draws. Of a
    hard partition it is 1 - Rand. See :cite:`brier1950verification,gneiting2007strictly`.

    Examples
    --------
    >>> import sfumato as sf
    >>> round(sf.indices.pair_brier([[0.9, 0.1], [0.8, 0.2], [0.1, 0.9]], ["x", "x", "y"]), 4)
    0.0559
    >>> sf.indices.pair_brier([0, 0, 1, 1], [0, 0, 0, 1])  # 1 - Rand
    0.5
    """
    first, second = PAIR_BRIER.sides(a, b)
    n = first.n_objects
    if n < 2:
        return 0.0
    squares = expected_sums(first, first).both
    sums = expected_sums(first, second)
    return max(0.0, squares - sums.both + sums.second) / (n * (n - 1) / 2)


def pair_brier_interval(a: PartitionLike, b: PartitionLike) -> ScoreInterval:
    """Between what and what `pair_brier` lies, for partitions of any kind.

    A rough, possibilistic or evidential partition leaves open with what probability two objects
    share a cluster: anything between the belief and the plausibility of it. The interval holds
    the score of every fuzzy or hard partition compatible with a against every one compatible with
    b.

    Parameters
    ----------
    a, b : Partition or anything `as_partition` takes
        What is stated, and the truth. Possibilistic partitions are read object by object. Mass on
        the empty set is conditioned away.

    Returns
    -------
    ScoreInterval
        With ``lower`` and ``upper``; equal, up to rounding, if both sides are fuzzy or hard.

    Notes
    -----
    O(t^2 (F + F')) for t distinct statements, at most n; in blocks, no n x n array. The bounds are
    safe but not always attained: they take each pair by itself, and no compatible partition need
    be at the end for all pairs at once.

    Examples
    --------
    >>> import sfumato as sf
    >>> rough = sf.RoughPartition([[1, 0], [1, 1], [0, 1]])
    >>> lower, upper = sf.indices.pair_brier_interval(rough, [0, 0, 1])
    >>> round(lower, 4), round(upper, 4)
    (0.0, 0.6667)
    """
    return score_interval("pair_brier_interval", a, b, brier)


def brier(stated: Odds, true: Odds) -> Floats:
    """Scores of single pairs, written so that nothing cancels."""
    return true.same * stated.different**2 + true.different * stated.same**2


PAIR_BRIER = Index(
    function=pair_brier,
    candidate_kinds=("hard", "fuzzy"),
    reference_kinds=("hard", "fuzzy"),
    better="lower",
    is_reflexive=False,
    is_symmetric=False,
    cost="O(n k (k + k'))",
    place=(
        "A proper score: best when memberships are stated as they are, where the mean of "
        "compare(a, b) is better for sharper ones."
    ),
    instead="sfumato.indices.pair_brier_interval",
    reference="brier1950verification",
)
