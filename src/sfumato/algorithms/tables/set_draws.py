"""Draw a random focal set for each object by its masses, many times at once."""

from typing import NamedTuple

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.tables.ragged import owners_of

__all__ = ["DrawnSide", "DrawnSides", "draw_sets", "sets_at"]


class DrawnSide(NamedTuple):
    """What one side says of each type of objects: sets of clusters with their masses.

    Statement ``s`` is the entries from ``starts[s]`` to ``starts[s + 1]`` of ``sets`` and
    ``weights``. Set ``g`` is the entries from ``set_starts[g]`` to ``set_starts[g + 1]`` of
    ``set_members``.
    """

    starts: Ints  # (d + 1,)
    sets: Ints  # (entries,)
    weights: Floats  # (entries,)
    statements: Ints  # (t,): what is said of each type of objects
    set_starts: Ints  # (g + 1,)
    set_members: Ints

    @property
    def sizes(self) -> Floats:
        """Number of clusters in the set of each entry."""
        return np.diff(self.set_starts)[self.sets].astype(np.float64)

    @property
    def mean_sizes(self) -> Floats:
        """Number of clusters in the set of each type of objects, on average."""
        return np.add.reduceat(self.sizes * self.weights, self.starts[:-1])[self.statements]


class DrawnSides(NamedTuple):
    """Two sides that draw independently, and the number of objects of each type."""

    rows: DrawnSide
    columns: DrawnSide
    counts: Ints  # (t,)


def draw_sets(
    starts: Ints,
    sets: Ints,
    weights: Floats,
    statements: Ints,
    n_draws: int,
    rng: np.random.Generator,
) -> Ints:
    """Draw a set for each object from what is said of it, of shape (n_draws, n).

    ``sets`` and ``weights`` list the sets of each statement and their masses, which sum to 1;
    ``statements`` says which statement holds for each object. O(n log(entries)) for each draw.
    Objects with a single set need no random number.

    Examples
    --------
    >>> lists = np.array([0, 1, 3]), np.array([7, 7, 8]), np.array([1.0, 0.5, 0.5])
    >>> drawn = draw_sets(*lists, np.array([0, 1, 0]), 100, np.random.default_rng(0))
    >>> drawn.shape, set(drawn[:, 0].tolist()), set(drawn[:, 1].tolist())
    ((100, 3), {7}, {8, 7})
    """
    n_open = int((np.diff(starts)[statements] > 1).sum())
    return sets_at(starts, sets, weights, statements, rng.random((n_draws, n_open)))


def sets_at(starts: Ints, sets: Ints, weights: Floats, statements: Ints, points: Floats) -> Ints:
    """The sets that random numbers between 0 and 1 choose, by their masses in the listed order.

    ``points`` has shape (n_draws, objects with more than one set), or (n_draws, 1) if one number
    holds for all objects.
    """
    drawn = np.repeat(sets[starts[statements]][None, :], len(points), axis=0)
    is_open = np.flatnonzero(np.diff(starts)[statements] > 1)
    if len(is_open) == 0:
        return drawn
    owners = owners_of(starts)
    sums = np.cumsum(weights)
    before = np.concatenate([[0.0], sums])[starts[:-1]]
    totals = np.add.reduceat(weights, starts[:-1])
    # Statement s owns the line from s to s + 1. Each of its sets owns a part as long as its mass.
    ends = owners + (sums - before[owners]) / totals[owners]
    own = statements[is_open]
    entries = np.searchsorted(ends, own + points, side="right")
    drawn[:, is_open] = sets[np.clip(entries, starts[own], starts[own + 1] - 1)]
    return drawn
