"""Costs of matching clusters of one partition to clusters of another."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.tables.ragged import cross, owners_of

__all__ = ["ENTRIES_AT_ONCE", "ClusterCosts", "Degrees", "cheapest_matching", "cluster_costs"]

ENTRIES_AT_ONCE = 1 << 18


class Degrees(NamedTuple):
    """What is said of objects and clusters, listed where it is not "surely outside"."""

    starts: Ints  # (n + 1,): entries of each object
    clusters: Ints  # (entries,)
    values: Floats  # (entries, m): m numbers say how far the object is in the cluster
    n_clusters: int


Cost: TypeAlias = Callable[[Floats, Floats, Ints], Floats]  # of two (e, m) and e objects to (e,)


class ClusterCosts(NamedTuple):
    """Cost of every cluster when it is matched to nothing, and what a match changes."""

    alone_a: Floats  # (k1,)
    alone_b: Floats  # (k2,)
    change: Floats  # (k1, k2): cost of the pair less that of both alone

    @property
    def matched(self) -> Floats:
        """Cost of each pair, of shape (k1, k2)."""
        return self.alone_a[:, None] + self.alone_b[None, :] + self.change


def cluster_costs(a: Degrees, b: Degrees, cost: Cost) -> ClusterCosts:
    """Sum the costs of single objects for every pair of clusters.

    ``cost`` is that of what either side says of some objects and a cluster; zeros say that an
    object is surely outside, and two zeros cost 0. One evaluation for each pair of entries of an
    object: O(n k1 k2) at most, memory O(k1 k2 + block).
    """
    zero = np.zeros_like
    of_a = cost(a.values, zero(a.values), owners_of(a.starts))
    of_b = cost(zero(b.values), b.values, owners_of(b.starts))
    flat = np.zeros(a.n_clusters * b.n_clusters)
    for objects in _blocks(a, b):
        offsets, i, j = cross(a.starts, objects, b.starts, objects)
        owners = np.repeat(objects, np.diff(offsets))
        change = cost(a.values[i], b.values[j], owners) - of_a[i] - of_b[j]
        cells = a.clusters[i] * b.n_clusters + b.clusters[j]
        flat += np.bincount(cells, change, minlength=len(flat))
    return ClusterCosts(
        np.bincount(a.clusters, of_a, minlength=a.n_clusters).astype(np.float64),
        np.bincount(b.clusters, of_b, minlength=b.n_clusters).astype(np.float64),
        flat.reshape(a.n_clusters, b.n_clusters),
    )


def cheapest_matching(costs: ClusterCosts) -> float:
    """Least cost of matching clusters one to one; those in excess stay alone.

    No match may cost more than both clusters alone.
    """
    from scipy import optimize

    solver: Any = optimize  # without types
    pairs = solver.linear_sum_assignment(costs.change)
    alone = costs.alone_a.sum() + costs.alone_b.sum()
    return float(alone + costs.change[pairs].sum())


def _blocks(a: Degrees, b: Degrees) -> Iterator[Ints]:
    """Runs of objects with a bounded number of pairs of entries."""
    pairs = np.cumsum(np.diff(a.starts) * np.diff(b.starts))
    cuts = np.searchsorted(pairs, np.arange(ENTRIES_AT_ONCE, int(pairs[-1]), ENTRIES_AT_ONCE))
    ends = np.unique(np.concatenate([[0], cuts + 1, [len(pairs)]]))
    for first, last in pairwise(ends.tolist()):
        yield np.arange(first, last)
