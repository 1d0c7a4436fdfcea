"""Where the structure of a measure gives the possibilities of its values, without tables."""

import numpy as np

from sfumato.algorithms.possibility.class_columns import fits_keys
from sfumato.families import Matching, Ratio, Separable
from sfumato.partitions.hard import HardPartition
from sfumato.partitions.possibilistic import PossibilisticPartition
from sfumato.query import Query

__all__ = ["has_profile", "profile_sides"]

_LARGEST_CLASS = 200  # for matchings: all columns of a class are held, by three counts


def profile_sides(query: Query) -> tuple[PossibilisticPartition, HardPartition] | None:
    """The possibilistic side and the hard one, if the query has such sides."""
    for soft, hard in ((query.a, query.b), (query.b, query.a)):
        if isinstance(soft, PossibilisticPartition) and isinstance(hard, HardPartition):
            return soft, hard
    return None


def has_profile(query: Query) -> bool:
    """Whether the structure of the measure gives the possibilities of its values."""
    sides = profile_sides(query)
    if sides is None:
        return False
    soft, hard = sides
    n, k, q = query.n_objects, soft.n_clusters, hard.n_clusters
    match query.measure.family(n):
        case Matching():
            return max(k, q) <= 3 and int(np.bincount(hard.codes).max()) <= _LARGEST_CLASS
        case Separable(psi="square"):
            return query.measure.symmetric and fits_keys(n, k)
        case Ratio(psi="square"):  # a truth that neither joins nor parts everything: never 0 / 0
            return query.measure.symmetric and fits_keys(n, k) and 1 < q < n and k < n
        case _:
            return False
