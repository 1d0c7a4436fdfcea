"""Count the objects of each type at every level of two possibilistic partitions.

At a level, an object may be in the clusters whose possibility is at least that level. So its sets
of clusters grow as the level falls, and its type changes.
"""

from typing import NamedTuple

import numpy as np

from sfumato._typing import Bools, Floats, Ints
from sfumato.algorithms.tables.group import group_rows

__all__ = ["LevelTypes", "counts_at", "level_types"]


class LevelTypes(NamedTuple):
    """All types that occur at some level, and how their counts change from level to level.

    A type is a pair of sets; sets are bit masks. At level ``levels[e]``, ``changes[e]`` objects
    come to type ``types[e]``, or leave it if the number is negative. Levels are numbered from the
    highest down.
    """

    row_sets: Ints  # (t,)
    column_sets: Ints  # (t,)
    levels: Ints  # (e,)
    types: Ints  # (e,)
    changes: Ints  # (e,)


def level_types(a: Floats, b: Floats, counts: Ints, levels: Floats) -> LevelTypes:
    """Follow each object from the highest level to the lowest, and note where its type changes.

    Parameters
    ----------
    a, b : ndarray of shapes (m, k1) and (m, k2)
        Possibilities; each row has a 1.
    counts : ndarray of shape (m,)
        Objects with these rows.
    levels : ndarray of shape (l,)
        All positive entries of a and b, highest first.

    Notes
    -----
    O(m (k1 + k2)^2).

    Examples
    --------
    >>> one = level_types(np.array([[1, 0.5]]), np.ones((1, 1)), np.array([7]), np.array([1, 0.5]))
    >>> one.row_sets.tolist(), counts_at(one, np.array([0, 1])).tolist()
    ([1, 3], [[7, 0], [0, 7]])
    """
    thresholds = np.sort(np.concatenate([a, b], axis=1), axis=1)[:, ::-1]
    found: list[tuple[Ints, Ints, Ints]] = []
    previous = np.full(len(a), -1, dtype=np.int64)
    pairs: list[Ints] = []
    n_pairs = 0
    for place in range(a.shape[1] + b.shape[1]):
        threshold: Floats = thresholds[:, place]
        moved = np.flatnonzero(threshold > 0.0)
        if len(moved) == 0:
            break
        at: Ints = np.searchsorted(-levels, -threshold[moved])
        now = np.stack([_masks(side[moved] >= threshold[moved, None]) for side in (a, b)], axis=1)
        fresh, codes = np.unique(now, axis=0, return_inverse=True)
        codes = codes.ravel() + n_pairs
        pairs.append(fresh)
        n_pairs += len(fresh)
        found.append((at, codes, counts[moved]))
        if place > 0:
            found.append((at, previous[moved], -counts[moved]))
        previous[moved] = codes
    at, types, changes = (np.concatenate(part) for part in zip(*found, strict=True))
    listed = np.concatenate(pairs)
    numbers, first = group_rows(listed)
    return LevelTypes(listed[first, 0].copy(), listed[first, 1].copy(), at, numbers[types], changes)


def _masks(members: Bools) -> Ints:
    return members @ (np.int64(1) << np.arange(int(members.shape[1])))


def counts_at(found: LevelTypes, at: Ints) -> Ints:
    """Count the objects of each type at the levels ``at``, in ascending order: (len(at), t)."""
    changes = np.zeros((len(at) + 1, len(found.row_sets)), dtype=np.int64)
    np.add.at(changes, (np.searchsorted(at, found.levels), found.types), found.changes)
    return np.cumsum(changes[:-1], axis=0)
