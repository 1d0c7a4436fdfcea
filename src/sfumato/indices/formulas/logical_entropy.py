r"""Logical entropies of a rough partition: the least and the most that it allows.

The logical entropy :math:`1 - \sum_c b_c^2 / n^2` of a hard partition with cluster sizes b is the
chance that two objects drawn with replacement are in different clusters.
"""

from typing import Any, NamedTuple

import numpy as np

from sfumato._typing import Ints
from sfumato.algorithms.tables.ragged import gather
from sfumato.errors import CostError
from sfumato.partitions.setlist import SetList

__all__ = ["Entropies", "entropies"]

_MOST_CLUSTERS = 20  # that ambiguous objects connect: 2^20 sets of them are looked at


class Entropies(NamedTuple):
    """Least and largest logical entropy of the compatible hard partitions."""

    lower: float
    upper: float

    @property
    def middle(self) -> float:
        """Half way between the two."""
        return (self.lower + self.upper) / 2


def entropies(sets: SetList, counts: Ints, n_clusters: int) -> Entropies:
    """Ends of the logical entropy over all ways to put each object into a cluster of its set.

    ``counts`` objects have each of the distinct sets, of which none is empty.

    Notes
    -----
    Clusters that no ambiguous object connects are solved apart, each group of c in O(c 2^c). The
    sizes that can occur are the integer points of a base polytope
    :cite:`edmonds1970submodular`: a sum of squares is largest at one of its vertices, which are
    found by taking clusters one after the other, each with all that is left for it; it is
    smallest where the densest groups of clusters share evenly what cannot go elsewhere
    :cite:`fujishige1980`.

    >>> sets = SetList.from_mask(np.array([[True, False], [True, True]]))
    >>> entropies(sets, np.array([1, 1]), 2)
    Entropies(lower=0.0, upper=0.5)
    """
    n_objects = int(counts.sum())
    largest = smallest = 0
    for clusters, which in _groups(sets, n_clusters):
        inside = _forced(sets, counts, clusters, which)
        largest += _largest_squares(inside)
        smallest += _smallest_squares(inside)
    return Entropies(1.0 - largest / n_objects**2, 1.0 - smallest / n_objects**2)


def _groups(sets: SetList, n_clusters: int) -> list[tuple[Ints, Ints]]:
    """Clusters that are connected by sets, and the sets of each group."""
    from scipy.sparse import coo_array, csgraph

    solver: Any = csgraph  # without types
    first = sets.members[sets.starts[:-1]]
    anchors = np.repeat(first, sets.sizes)
    links = coo_array((np.ones(len(anchors)), (anchors, sets.members)), shape=(n_clusters,) * 2)
    group_of: Ints = solver.connected_components(links, directed=False)[1]
    parts: list[list[Ints]] = []
    for groups in (group_of, group_of[first]):
        order = np.argsort(groups, kind="stable")
        starts = np.searchsorted(groups[order], np.arange(1, int(group_of.max()) + 1))
        parts.append(np.split(order, starts))
    return list(zip(*parts, strict=True))


def _forced(sets: SetList, counts: Ints, clusters: Ints, which: Ints) -> Ints:
    """Objects that must be inside each set of clusters, of shape (2^c,)."""
    if len(clusters) > _MOST_CLUSTERS:
        raise CostError(
            f"Ambiguous objects connect {len(clusters)} clusters, so that 2^{len(clusters)} sets "
            f"of them would be searched (at most 2^{_MOST_CLUSTERS}): use kind='slmi', a formula."
        )
    starts, entries = gather(sets.starts, which)
    bits = np.left_shift(1, np.searchsorted(clusters, sets.members[entries]))
    masks = np.add.reduceat(bits, starts[:-1]) if len(which) else bits
    inside = np.bincount(masks, counts[which], minlength=1 << len(clusters)).astype(np.int64)
    for cluster in range(len(clusters)):  # sums over subsets, one cluster after the other
        halves = inside.reshape(-1, 2, 1 << cluster)
        halves[:, 1] += halves[:, 0]
    return inside


def _largest_squares(inside: Ints) -> int:
    """Best order of clusters, each taking all objects that are left for it."""
    sets = np.arange(len(inside))  # of clusters, as bit masks
    sizes = np.bitwise_count(sets)
    best = np.zeros(len(inside), dtype=np.int64)  # by the clusters that have not had their turn
    for size in range(1, int(sizes[-1]) + 1):
        here = sets[sizes == size]
        for cluster in range(int(sizes[-1])):
            with_it = here[(here >> cluster & 1) == 1]
            without = with_it ^ (1 << cluster)
            taken = inside[with_it] - inside[without]
            best[with_it] = np.maximum(best[with_it], best[without] + taken**2)
    return int(best[-1])


def _smallest_squares(inside: Ints) -> int:
    """Split off the densest group of clusters, share its objects evenly, and go on."""
    sets = np.arange(len(inside))  # of clusters, as bit masks
    sizes = np.bitwise_count(sets)
    done, total = 0, 0
    while done < sets[-1]:
        left = sets[(sets & done == 0) & (sets > 0)]
        own = inside[left | done] - inside[done]
        at = int(np.argmax(own / sizes[left]))
        n_clusters = int(sizes[left[at]])
        each, more = divmod(int(own[at]), n_clusters)
        total += (n_clusters - more) * each**2 + more * (each + 1) ** 2
        done |= int(left[at])
    return total
