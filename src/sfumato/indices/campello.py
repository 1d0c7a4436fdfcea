"""The fuzzy Rand index of Campello and its relatives."""

from collections.abc import Iterator
from math import log2
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from sfumato._typing import Bools, Floats, Ints, PartitionLike
from sfumato.indices.base import Index, Unlike
from sfumato.indices.formulas.joined_pairs import PairSums, hard_sums, memberships_of
from sfumato.indices.formulas.pair_blocks import Types, sum_over_pairs, types_of

__all__ = ["CAMPELLO", "blocked_sums", "campello", "swept_sums"]

Of: TypeAlias = Literal[
    "rand", "jaccard", "fowlkes_mallows", "adjusted_rand", "hubert", "minkowski"
]
Norm: TypeAlias = Literal["min", "product"]

# The sweep adds and subtracts a term per set of clusters, each up to the number of pairs: with
# 2**16 of them rounding stays below 1e-11 of the sums.
_MOST_SETS = 1 << 16
# In units of one pair and one cluster in a block: an object in a sort, and a set of clusters.
_SORT_COST, _SET_COST = 1.0, 3e3


def campello(
    a: PartitionLike, b: PartitionLike, *, index: Of = "rand", t_norm: Norm = "min"
) -> float:
    r"""Pairs counted by how far objects are in one cluster, and how far in two.

    .. math:: V_{ij} = \max_l t(u_{il}, u_{jl}), \quad X_{ij} = \max_{l \ne m} t(u_{il}, u_{jm})

    and :math:`Y, Z` likewise for the second side; the four counts are the sums over pairs i < j of
    :math:`t(V, Y), t(V, Z), t(X, Y), t(X, Z)`, and the index is the usual expression of them.

    Parameters
    ----------
    a, b : Partition or anything `as_partition` takes
        Candidate and reference: hard, fuzzy or possibilistic. The author defines the index
        against a hard reference; a soft reference is the obvious extension of the same formula.
    index : {"rand", "jaccard", "fowlkes_mallows", "adjusted_rand", "hubert", "minkowski"}
        Default "rand". "adjusted_rand" is Hubert and Arabie's expression of soft counts, not a
        correction for chance. "minkowski" is a distance: 0 is best.
    t_norm : {"min", "product"}
        Default "min".

    Returns
    -------
    float

    Raises
    ------
    InputError
        For an unknown option, or partitions of different objects.
    UnsupportedError
        For rough and evidential partitions.

    Notes
    -----
    With min O(n 2^(k + k') log n) by sorting, less where memberships are 0, as in a hard
    reference; with product, or many clusters, O(n^2 (k + k')) in blocks. Not reflexive: a fuzzy
    partition scores below 1 against itself. 0/0 is 1 where the sides do not disagree. Defined in
    :cite:`campello2007fuzzy`.

    Examples
    --------
    >>> from sfumato import indices
    >>> memberships = [[0.9, 0.1], [0.8, 0.2], [0.3, 0.7]]
    >>> round(indices.campello(memberships, ["x", "x", "y"]), 4)
    0.7333
    """
    CAMPELLO.check(index=index, t_norm=t_norm)
    first, second = CAMPELLO.sides(a, b)
    sums = hard_sums(first, second) or _pair_sums(
        memberships_of(first), memberships_of(second), t_norm
    )
    return float(getattr(sums, index)())


def _pair_sums(first: Floats, second: Floats, t_norm: Norm) -> PairSums:
    types = types_of(first, second)
    if t_norm == "min" and _sweep_is_cheaper(types):
        return swept_sums(first, second)
    return blocked_sums(types, t_norm)


class _Top(NamedTuple):
    """The largest degree of every object, the next one, and the cluster of the largest."""

    degrees: Floats
    next_degrees: Floats
    clusters: Ints


def _top(memberships: Floats) -> _Top:
    clusters = np.argmax(memberships, axis=1)
    every = np.arange(len(memberships))
    others = memberships.copy()
    others[every, clusters] = 0.0
    return _Top(memberships[every, clusters], others.max(axis=1), clusters)


def _sweep_is_cheaper(types: Types) -> bool:
    """Whether sorting for every set of clusters costs less than looking at all pairs of types."""
    n_objects, n_types = int(types.counts.sum()), len(types.counts)
    sizes = [np.count_nonzero(side, axis=1) for side in (types.first, types.second)]
    exponents = np.minimum(sizes[0] + sizes[1], 1000)  # beyond, floats end
    per_object = float((types.counts @ 2.0**exponents) / n_objects)
    if per_object > _MOST_SETS:
        return False
    widths = types.first.shape[1] + types.second.shape[1]
    n_sets = min(2.0 ** min(widths, 1000), n_objects * per_object)
    sweep = per_object * n_objects * log2(n_objects + 1) * _SORT_COST + n_sets * _SET_COST
    return sweep < n_types**2 * widths


def swept_sums(first: Floats, second: Floats) -> PairSums:
    r"""The four counts with min, by sorting.

    At a level :math:`\alpha` object i has the clusters :math:`A_i = \{l : u_{il} \ge \alpha\}`.
    V is at least :math:`\alpha` where :math:`A_i` and :math:`A_j` meet, X where both are there and
    are not one and the same cluster. Whether sets meet is a signed sum over the sets S that both
    contain; that object i contains S holds up to the level :math:`w_i = \min_{l \in S} u_{il}`. So
    every count is a signed sum of :math:`\sum_{i < j} \min(w_i, w_j)`, which takes one sort.
    """
    tops = _top(first), _top(second)
    every = np.arange(len(first))
    joined = np.ones(len(first))
    both = one = other = 0.0
    is_hard = bool((tops[1].degrees == 1.0).all() and (tops[1].next_degrees == 0.0).all())
    for sign, degrees, objects in _sets(first.T, joined, every):
        order = np.argsort(degrees)  # so that against a hard side nothing is left to sort
        degrees, objects = degrees[order], objects[order]
        if is_hard:
            groups = _groups(tops[1].clusters[objects])
            alike = sum(_sum_of_minima(degrees[group]) for group in groups)
            both += sign * alike
            one += sign * (_sum_of_minima(degrees) - alike)
            continue
        both += sign * sum(
            inner * _sum_of_minima(shared) for inner, shared, _ in _sets(second.T, degrees, objects)
        )
        one += sign * _apart(tops[1], degrees, objects)
    for sign, degrees, objects in _sets(second.T, joined, every):
        other += sign * _apart(tops[0], degrees, objects)
    return PairSums(both, one, other, _apart_in_both(*tops))


def _sets(
    columns: Floats, degrees: Floats, objects: Ints, sign: int = 1
) -> Iterator[tuple[int, Floats, Ints]]:
    """All sets of clusters that an object has: sign, its levels and the objects."""
    for at in range(len(columns)):
        levels = np.minimum(degrees, columns[at][objects])
        is_there = levels > 0
        if not is_there.any():
            continue
        inner, left = levels[is_there], objects[is_there]
        yield sign, inner, left
        yield from _sets(columns[at + 1 :], inner, left, -sign)


def _apart(top: _Top, degrees: Floats, objects: Ints) -> float:
    """Sum over pairs of min(w_i, w_j, X_ij): up to which level both are there, but not alike."""
    upto = np.minimum(degrees, top.degrees[objects])
    alone_from = np.minimum(degrees, top.next_degrees[objects])
    clusters = top.clusters[objects]
    return _sum_of_minima(upto) - sum(
        _sum_of_overlaps(alone_from[group], upto[group]) for group in _groups(clusters)
    )


def _apart_in_both(first: _Top, second: _Top) -> float:
    """Sum over pairs of min(X_ij, Z_ij)."""
    every = np.arange(len(first.degrees))
    alone_from = np.maximum(first.next_degrees, second.next_degrees)
    upto = np.maximum(np.minimum(first.degrees, second.degrees), alone_from)
    cells = first.clusters * (int(second.clusters.max()) + 1) + second.clusters
    alike = sum(_sum_of_overlaps(alone_from[group], upto[group]) for group in _groups(cells))
    return (
        _apart(first, second.degrees, every)
        + _apart(second, first.degrees, every)
        - _sum_of_minima(np.minimum(first.degrees, second.degrees))
        + alike
    )


def _groups(clusters: Ints) -> Iterator[Bools]:
    return (clusters == cluster for cluster in np.flatnonzero(np.bincount(clusters)))


def _sum_of_minima(levels: Floats) -> float:
    """Sum over pairs i < j of min(w_i, w_j)."""
    if (levels[1:] < levels[:-1]).any():
        levels = np.sort(levels)
    return float(levels @ np.arange(len(levels) - 1, -1, -1.0))


def _sum_of_overlaps(lower: Floats, upper: Floats) -> float:
    """Sum over pairs i < j of the length that two intervals [lower, upper] share."""
    if not lower.any():  # as for a hard side
        return _sum_of_minima(upper)
    crossing = _sum_of_minima(np.concatenate((lower, upper)))
    return float(2 * (_sum_of_minima(upper) + _sum_of_minima(lower)) - crossing + lower.sum())


def blocked_sums(types: Types, t_norm: Norm) -> PairSums:
    """The four counts with either t-norm, all pairs of types in blocks."""
    norm = np.minimum if t_norm == "min" else np.multiply
    tops = _top(types.first), _top(types.second)

    def joined(memberships: Floats, rows: slice, columns: slice) -> Floats:
        shared = norm(memberships[rows, :1], memberships[columns, 0])
        for cluster in range(1, memberships.shape[1]):
            own = norm(memberships[rows, cluster, None], memberships[columns, cluster])
            np.maximum(shared, own, out=shared)
        return shared

    def apart(top: _Top, rows: slice, columns: slice) -> Floats:
        # The two largest degrees will do, unless both stand for the same cluster.
        level, after = top.degrees, top.next_degrees
        best = norm(level[rows, None], level[columns])
        alike = np.maximum(
            norm(level[rows, None], after[columns]), norm(after[rows, None], level[columns])
        )
        return np.where(top.clusters[rows, None] == top.clusters[columns], alike, best)

    def four(rows: slice, columns: slice) -> list[Floats]:
        same = joined(types.first, rows, columns), joined(types.second, rows, columns)
        differ = apart(tops[0], rows, columns), apart(tops[1], rows, columns)
        return [
            norm(of_first, of_second)
            for of_first in (same[0], differ[0])
            for of_second in (same[1], differ[1])
        ]

    return PairSums(*sum_over_pairs(types.counts, four))


CAMPELLO = Index(
    function=campello,
    candidate_kinds=("hard", "fuzzy", "possibilistic"),
    reference_kinds=("hard", "fuzzy", "possibilistic"),
    is_reflexive=False,
    cost="min: O(n 2^(k+k') log n); product: O(n^2 (k+k'))",
    place="Degrees of fuzzy sets, not probabilities: it is no expectation of a measure.",
    reference="campello2007fuzzy",
    also_called=("RI.F", "ARI.F", "JACCARD.F"),
    unlike=(Unlike("index", "minkowski", better="lower", is_symmetric=False),),
)
