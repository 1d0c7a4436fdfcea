"""Which objects make a comparison uncertain."""

from collections.abc import Callable, Iterator
from typing import TypeAlias

import numpy as np

from sfumato._typing import Floats
from sfumato.algorithms.expectations import expectations
from sfumato.errors import UnsupportedError
from sfumato.partitions.base import Partition
from sfumato.partitions.fuzzy import FuzzyPartition
from sfumato.partitions.rough import RoughPartition
from sfumato.query import Query
from sfumato.results.comparison import Comparison

__all__ = ["contributions"]

Compare: TypeAlias = Callable[[Partition, Partition], Comparison]


def contributions(query: Query, compare: Compare) -> Floats:
    r"""Share of the uncertainty that goes away when the clusters of one object become known.

    Fuzzy: :math:`\mathrm{Var}(E[d \mid x]) / \mathrm{Var}(d)`, the first-order share of the
    variance, which sums to at most 1 over all objects. Rough: by how much the interval narrows at
    least, as a share of its width. 0 for objects of which nothing is open.

    Parameters
    ----------
    query : Query
        Of the hard, rough or fuzzy theory.
    compare : callable
        Compares two partitions by the same measure and engine.

    Returns
    -------
    ndarray of shape (n,)

    Notes
    -----
    One comparison for each pair of clusters that an uncertain object may have.
    """
    if query.theory == "hard":
        return np.zeros(query.n_objects)
    if query.theory == "fuzzy":
        return _of_variance(query, compare)
    if query.theory == "rough":
        return _of_width(query, compare)
    raise UnsupportedError(
        "Contributions of objects are known for rough and for fuzzy partitions: compare "
        ".pignistic() or .support() of the partitions for a view of either kind."
    )


def _of_variance(query: Query, compare: Compare) -> Floats:
    a, b = (side.pignistic().memberships for side in (query.a, query.b))
    variance = compare(FuzzyPartition(a), FuzzyPartition(b)).lower_std ** 2
    shares = np.zeros(query.n_objects)
    if variance == 0.0:
        return shares
    for x in np.flatnonzero(((a > 0).sum(axis=1) > 1) | ((b > 0).sum(axis=1) > 1)):
        means: list[float] = []
        weights: list[float] = []
        for first, second, i, j in _revealed(a, b, int(x)):
            means.append(compare(FuzzyPartition(first), FuzzyPartition(second)).lower)
            weights.append(float(a[x, i] * b[x, j]))
        values = np.array(means)
        shares[x] = expectations(values, values, np.array(weights)).lower_std ** 2 / variance
    return shares


def _of_width(query: Query, compare: Compare) -> Floats:
    a, b = (side.support().mask.astype(np.float64) for side in (query.a, query.b))
    width = compare(RoughPartition(a), RoughPartition(b)).width
    shares = np.zeros(query.n_objects)
    if width == 0.0:
        return shares
    for x in np.flatnonzero((a.sum(axis=1) > 1) | (b.sum(axis=1) > 1)):
        left = max(
            compare(RoughPartition(first), RoughPartition(second)).width
            for first, second, _, _ in _revealed(a, b, int(x))
        )
        shares[x] = max(0.0, 1.0 - left / width)
    return shares


def _revealed(a: Floats, b: Floats, x: int) -> Iterator[tuple[Floats, Floats, int, int]]:
    """The two matrices with the clusters of object x fixed, for each pair that is possible."""
    for i in np.flatnonzero(a[x]).tolist():
        for j in np.flatnonzero(b[x]).tolist():
            first, second = a.copy(), b.copy()
            first[x], second[x] = 0.0, 0.0
            first[x, i], second[x, j] = 1.0, 1.0
            yield first, second, i, j
