"""Count the expected pairs of objects on which random sets surely agree, or surely disagree."""

# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false

from typing import Any

import numpy as np

from sfumato._typing import Floats
from sfumato.algorithms.deadline import OutOfTimeError, look
from sfumato.algorithms.expectations.set_pairs import SetPairs, blocks_of_types, sums_by, table_by
from sfumato.algorithms.tables.ragged import cross, owners_of, starts_of
from sfumato.algorithms.tables.sets_apart import (
    MOST_PRODUCTS,
    SetSide,
    SurePairs,
    n_products,
    pairs_of_sets,
)

__all__ = ["sure_pairs"]

_FEW_SETS = 2048  # with more sets, a sparse matrix says which of them overlap
_MOST_OVERLAPS = 3e7  # pairs of sets of one side that share a cluster


def sure_pairs(pairs: SetPairs) -> SurePairs:
    r"""Expected ordered pairs that agree in all compatible clusterings, or disagree in all.

    On each side two objects are surely joined with probability
    :math:`s_{xy} = \sum_i m_x(\{i\}) m_y(\{i\})` and surely apart with probability
    :math:`d_{xy} = \sum_{A \cap B = \emptyset} m_x(A) m_y(B)` (the degree of conflict). The two
    sides are independent. The result is

    .. math:: \sum_{x \ne y} (s^1 s^2 + d^1 d^2), \qquad \sum_{x \ne y} (s^1 d^2 + d^1 s^2)

    (0, 0) where there are too many sets: still a valid lower bound of both.

    Notes
    -----
    Let G be the expected number of objects for each pair of sets. Let J say which two sets of the
    second side surely join, and D which two sets of the first side surely part. Then a sum over all
    ordered pairs is the sum of the entries of G * (D G J'). O(f1 f2 (f1 + f2)) at most, and O(n f)
    to take away the pairs of an object with itself. No array has n^2 entries. The degree of
    conflict between objects is that of :cite:`denoeux2017evaluating`.

    Examples
    --------
    Two objects have the same cluster on one side. Nothing is known of them on the other side:

    >>> one, both = np.array([[True]]), np.array([[True, True]])
    >>> lists = [[2], [0, 1], [0], [1.0], [0, 2], [0, 1]]
    >>> sure_pairs(SetPairs(*map(np.array, lists), one, both, np.array([0]), np.array([0])))
    SurePairs(agree=0.0, disagree=0.0)
    """
    sides = SetSide(pairs.a_sets), SetSide(pairs.b_sets)
    shape = len(pairs.a_sets), len(pairs.b_sets)
    n_overlaps = max(float((side.members.sum(axis=0) ** 2).sum()) for side in sides)
    if n_products(*shape) > MOST_PRODUCTS or n_overlaps > _MOST_OVERLAPS:
        return SurePairs(0.0, 0.0)
    counts = np.zeros(shape)
    counts[pairs.a_set, pairs.b_set] = pairs.weights
    found = pairs_of_sets(*sides, counts)
    try:
        own = _own_pairs(pairs, *sides)
    except OutOfTimeError:  # an object with itself counts once at most
        own = SurePairs(float(pairs.n_objects), float(pairs.n_objects))
    return SurePairs(
        agree=max(0.0, found.agree - own.agree),
        disagree=max(0.0, found.disagree - own.disagree),
    )


def _own_pairs(pairs: SetPairs, a: SetSide, b: SetSide) -> SurePairs:
    """Sum over each object paired with itself, to be taken away: this is not a pair."""
    agree = disagree = 0.0
    n_sets = len(pairs.a_sets), len(pairs.b_sets)
    overlaps = _overlaps(a), _overlaps(b)
    for block in blocks_of_types(pairs, max(n_sets)):
        look()
        counts = pairs.counts[block]
        first, last = pairs.starts[block.start], pairs.starts[block.start + len(counts)]
        owners = owners_of(pairs.starts[block.start :][: len(counts) + 1])
        own, masses = pairs.pairs[first:last], pairs.masses[first:last]
        (a_joined, a_apart), (b_joined, b_apart) = (
            _drawn_twice(side, shared, table_by(owners, sets[own], masses, (len(counts), n)))
            for side, shared, sets, n in zip(
                (a, b), overlaps, (pairs.a_set, pairs.b_set), n_sets, strict=True
            )
        )
        agree += float(counts @ (a_joined * b_joined + a_apart * b_apart))
        disagree += float(counts @ (a_joined * b_apart + a_apart * b_joined))
    return SurePairs(agree, disagree)


def _overlaps(side: SetSide) -> Any:
    """Which two sets share a cluster, as a matrix of zeros and ones."""
    if len(side.members) <= _FEW_SETS:
        return (side.members @ side.members.T > 0).astype(np.float64)
    from scipy import sparse

    compact: Any = sparse.csr_array(side.members)
    return (compact @ compact.T > 0).astype(np.float64)


def _drawn_twice(side: SetSide, overlaps: Any, masses: Floats) -> tuple[Floats, Floats]:
    """Probabilities that two draws of sets for one object are surely joined, or apart."""
    joined = (masses[:, side.is_single] ** 2).sum(axis=1)
    owners, sets = masses.nonzero()
    sizes = np.bincount(owners, minlength=len(masses))
    if not isinstance(overlaps, np.ndarray):
        own: Any = type(overlaps)(masses)
        sharing = (own @ overlaps * own).sum(axis=1)
    elif float(sizes @ sizes) < masses.size:  # few of many sets
        lists, starts = np.arange(len(masses)), starts_of(sizes)
        of_pairs, left, right = cross(starts, lists, starts, lists)
        mass = masses[owners, sets]
        shared = mass[left] * mass[right] * overlaps[sets[left], sets[right]]
        sharing = sums_by(owners_of(of_pairs), shared, len(masses))
    else:
        sharing = (masses @ overlaps * masses).sum(axis=1)
    return joined, np.maximum(masses.sum(axis=1) ** 2 - sharing, 0.0)
