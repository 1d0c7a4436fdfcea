r"""Find exact lower and upper expectations for two clusters on each side: matching and pairs.

Number the clusters of both sides 0 and 1. Objects agree that have the same number on both sides.
They draw focal sets at random: let A objects surely agree and D surely differ. The others may do
either. All functions take the probabilities that each object surely agrees, surely differs, or
stays open, of shape (n,).

Matching: with T agreements it is max(T, n - T). So its ends are :math:`\max(A, D, \lceil n/2
\rceil)` and :math:`n - \min(A, D)`.

Pairs: let a objects agree. Two objects disagree, joined by one side and parted by the other, if one
of them agrees and the other does not: :math:`\varphi(a) = a (n - a)` pairs. Every a from A to n - D
is possible. As :math:`\varphi` is concave and symmetric, its ends are :math:`\varphi(\min(A, D))`
and, with M = max(A, D), :math:`\varphi(M)` if 2 M > n and :math:`\lfloor n^2 / 4 \rfloor` if not.
"""

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.laws.moment_boxes import MomentBox, join_boxes
from sfumato.algorithms.laws.step_sums import law_of_line_steps, law_of_steps

__all__ = [
    "two_cluster_disagreement_stds",
    "two_cluster_disagreements",
    "two_cluster_ends",
    "two_cluster_stds",
]

_LEAF = 128  # objects whose law is found step by step
_NUMBERS_AT_ONCE = 1 << 22


def two_cluster_ends(
    agree: Floats, differ: Floats, stay: Floats, *, max_lost_mass: float
) -> tuple[float, float]:
    r"""Means of both ends of the matching, from three laws on a line: O(n log n).

    .. math:: h + E(A - h)^+ + E(D - h)^+, \; h = \lceil n/2 \rceil
              \qquad\text{and}\qquad n - E A + E (A - D)^+

    Examples
    --------
    >>> half, none = np.array([0.5, 0.5]), np.zeros(2)
    >>> two_cluster_ends(half, none, half, max_lost_mass=0.0)
    (1.25, 2.0)
    """
    n = len(agree)
    half = (n + 1) // 2
    above_half = sum(
        _mean_above(np.stack([one + stay, other], axis=1), half, max_lost_mass)
        for one, other in ((differ, agree), (agree, differ))
    )
    ahead = _mean_above(np.stack([differ, stay, agree], axis=1), n, max_lost_mass)
    return half + above_half, n - float(agree.sum()) + ahead


def _mean_above(weights: Floats, threshold: int, max_lost_mass: float) -> float:
    """Mean of the part of a sum of random steps 0, 1, ... that exceeds a threshold."""
    law = law_of_line_steps(weights, max_lost_mass=max_lost_mass)
    excess = law.origin[0] + np.arange(len(law.law)) - threshold
    return float(np.maximum(excess, 0) @ law.law)


def two_cluster_stds(
    agree: Floats, differ: Floats, stay: Floats, *, max_lost_mass: float
) -> tuple[float, float]:
    """Standard deviations of the two ends of `two_cluster_ends`, from the joint law of A and D.

    O(m w^2) for m open objects and w values of A and of D.
    """
    n = len(agree)
    a, d, masses = _joint_law(agree, differ, stay, max_lost_mass)
    least = np.maximum(np.maximum(a, d), (n + 1) // 2)
    return _std_of(least, masses), _std_of(n - np.minimum(a, d), masses)


def _joint_law(
    agree: Floats, differ: Floats, stay: Floats, max_lost_mass: float
) -> tuple[Ints, Ints, Floats]:
    """Values of A and of D, and their joint law, of shapes (v, 1), (1, w) and (v, w)."""
    law = law_of_steps(
        np.stack([agree, differ, stay], axis=1),
        np.array([[1, 0], [0, 1], [0, 0]]),
        max_lost_mass=max_lost_mass,
    )
    a: Ints = law.origin[0] + np.arange(len(law.law))[:, None]
    d: Ints = law.origin[1] + np.arange(len(law.law[0]))[None, :]
    return a, d, law.law


def _std_of(values: Ints, masses: Floats) -> float:
    """Standard deviation of values with masses that need not sum to 1."""
    mean = float((values * masses).sum() / masses.sum())
    return float(((values - mean) ** 2 * masses).sum() / masses.sum()) ** 0.5


def two_cluster_disagreements(
    agree: Floats, differ: Floats, stay: Floats, *, max_lost_mass: float
) -> tuple[float, float, float]:
    r"""Means of the fewest and of the most pairs of objects that disagree, and their largest error.

    With T = A + D and S = A - D, :math:`\min(A, D) = (T - |S|) / 2`. So the mean of the fewest
    needs :math:`E |S|` and :math:`E\, T |S|`: the law of S with the means of T where S is known.
    The mean of the most needs the laws of A and of D where they exceed n / 2; both cannot.

    Notes
    -----
    O(n log^2 n) or less, by blocks of objects that are joined; O(n) memory.

    Examples
    --------
    >>> half, none = np.array([0.5, 0.5]), np.zeros(2)
    >>> two_cluster_disagreements(half, none, half, max_lost_mass=0.0)
    (0.0, 0.75, 0.0)
    """
    n = len(agree)
    sure = agree + differ
    total = float(sure.sum())
    total_square = total**2 + float((sure * stay).sum())
    difference = float((agree - differ).sum())
    square = difference**2 + float((sure - (agree - differ) ** 2).sum())
    law = _law_with_means(agree, differ, stay, max_lost_mass)
    first = int(law.origin[0])
    sizes = np.abs(np.arange(first, first + law.moments.shape[1], dtype=np.float64))
    mean_size = float((sizes * law.moments[0]).sum())
    mean_product = float((sizes * law.moments[1]).sum())
    fewer = (total - mean_size) / 2
    fewer_square = (total_square - 2 * mean_product + square) / 4
    most, lost = _mean_of_most(agree, differ, stay, max_lost_mass)
    noise = float(np.linalg.norm(sizes) * (n * law.noise[0] + law.noise[1]))
    error = float(n) ** 2 * (law.lost_mass + lost) + noise
    return n * fewer - fewer_square, most, error


def _mean_of_most(
    agree: Floats, differ: Floats, stay: Floats, max_lost_mass: float
) -> tuple[float, float]:
    n = len(agree)
    top = n * n // 4
    mean, lost = float(top), 0.0
    for one, other in ((agree, differ), (differ, agree)):
        law = law_of_line_steps(np.stack([other + stay, one], axis=1), max_lost_mass=max_lost_mass)
        counts = law.origin[0] + np.arange(len(law.law))
        mean += float((np.where(2 * counts > n, counts * (n - counts) - top, 0) * law.law).sum())
        lost += law.lost_mass
    return mean, lost


def _law_with_means(agree: Floats, differ: Floats, stay: Floats, max_lost_mass: float) -> MomentBox:
    """Law of S, with the means of T where it is known: of blocks of objects, then of all."""
    n_blocks = -(-len(agree) // _LEAF)
    padded = np.zeros((3, n_blocks * _LEAF))
    padded[1] = 1.0  # objects that surely stay change neither S nor T
    padded[:, : len(agree)] = differ, stay, agree
    blocks = padded.reshape(3, n_blocks, _LEAF, 1)
    step = max(1, _NUMBERS_AT_ONCE // (4 * _LEAF + 2))
    boxes = list[MomentBox]()
    for first in range(0, n_blocks, step):
        boxes += _leaves(*blocks[:, first : first + step])
    return join_boxes(boxes, max_lost_mass / (2 * n_blocks))


def _leaves(down: Floats, stay: Floats, up: Floats) -> list[MomentBox]:
    """Laws of blocks of objects; each argument has the shape (blocks, objects, 1)."""
    law, means = np.zeros((2, len(down), 2 * _LEAF + 1))
    law[:, 0] = 1.0
    for x in range(_LEAF):
        moved = down[:, x] * law
        moved[:, 2:] += up[:, x] * law[:, :-2]
        new_means = moved + down[:, x] * means
        new_means[:, 1:] += stay[:, x] * means[:, :-1]
        new_means[:, 2:] += up[:, x] * means[:, :-2]
        moved[:, 1:] += stay[:, x] * law[:, :-1]
        law, means = moved, new_means
    return [
        MomentBox(np.array([-_LEAF]), moments, np.zeros(2), 0.0)
        for moments in np.stack([law, means], axis=1)
    ]


def two_cluster_disagreement_stds(
    agree: Floats, differ: Floats, stay: Floats, *, max_lost_mass: float
) -> tuple[float, float]:
    """Standard deviations of the fewest and the most pairs, in the time of `two_cluster_stds`."""
    n = len(agree)
    a, d, masses = _joint_law(agree, differ, stay, max_lost_mass)
    fewer, more = np.minimum(a, d), np.maximum(a, d)
    most = np.where(2 * more > n, more * (n - more), n * n // 4)
    return _std_of(fewer * (n - fewer), masses), _std_of(most, masses)
