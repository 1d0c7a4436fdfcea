"""Objects whose sets of clusters grow as the level falls, counted by type at any level."""

from typing import NamedTuple

import numpy as np

from sfumato._typing import Bools, Floats, Ints

__all__ = ["LevelTypes", "counts_at", "level_types"]


class LevelTypes(NamedTuple):
    """All pairs of sets that occur at some level, and how the counts change from level to level.

    Sets are bit masks. ``changes[e]`` objects come to type ``types[e]`` (or leave it, if negative)
    at level ``levels[e]``; levels are numbered from the highest down.
    """

    row_sets: Ints  # (t,)
    column_sets: Ints  # (t,)
    levels: Ints  # (e,)
    types: Ints  # (e,)
    changes: Ints  # (e,)


def level_types(a: Floats, b: Floats, counts: Ints, levels: Floats) -> LevelTypes:
    """Follow each object down the levels.

    Parameters
    ----------
    a, b : ndarray of shapes (m, k1) and (m, k2)
        Possibilities, each row with a 1; at a level the sets are those of at least that value.
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
    previous: Ints | None = None
    pairs = np.empty((0, 2), dtype=np.int64)
    for place in range(a.shape[1] + b.shape[1]):
        threshold: Floats = thresholds[:, place]
        moved = np.flatnonzero(threshold > 0.0)
        if len(moved) == 0:
            break
        at: Ints = np.searchsorted(-levels, -threshold[moved])
        now = np.stack([_masks(side[moved] >= threshold[moved, None]) for side in (a, b)], axis=1)
        pairs, codes = _recode(pairs, now)
        found.append((at, codes, counts[moved]))
        if previous is not None:
            found.append((at, previous[moved], -counts[moved]))
        else:
            previous = np.empty(len(a), dtype=np.int64)
        previous[moved] = codes
    at, types, changes = (np.concatenate(part) for part in zip(*found, strict=True))
    return LevelTypes(pairs[:, 0].copy(), pairs[:, 1].copy(), at, types, changes)


def _masks(members: Bools) -> Ints:
    return members @ (np.int64(1) << np.arange(int(members.shape[1])))


def _recode(known: Ints, rows: Ints) -> tuple[Ints, Ints]:
    """Known pairs and those that are new, and the number of each row among them."""
    fresh, codes = np.unique(rows, axis=0, return_inverse=True)
    numbers = {tuple(pair): number for number, pair in enumerate(known.tolist())}
    for pair in fresh.tolist():
        numbers.setdefault(tuple(pair), len(numbers))
    renumbered = np.array([numbers[tuple(pair)] for pair in fresh.tolist()], dtype=np.int64)
    return np.array(list(numbers), dtype=np.int64), renumbered[codes.ravel()]


def counts_at(found: LevelTypes, at: Ints) -> Ints:
    """Objects of each type at the levels ``at``, which ascend: shape (len(at), t)."""
    changes = np.zeros((len(at) + 1, len(found.row_sets)), dtype=np.int64)
    np.add.at(changes, (np.searchsorted(at, found.levels), found.types), found.changes)
    return np.cumsum(changes[:-1], axis=0)
