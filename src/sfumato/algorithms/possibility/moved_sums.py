"""How far sums over counts can go when only so many objects move."""

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.families import Psi, psi_of

__all__ = ["moved_sum_ranges"]


def moved_sum_ranges(psi: Psi, counts: Ints, n_moves: Ints) -> tuple[Floats, Floats]:
    r"""Smallest and largest sum of psi when at most so many objects change their place.

    The sum of a convex function is least when objects leave the largest counts for the smallest,
    and largest when they leave the smallest for the largest.

    Parameters
    ----------
    psi : {"square", "xlogx"}
    counts : ndarray of shape (c,)
    n_moves : ndarray of shape (m,)
        Each at least 0.

    Returns
    -------
    least, most : ndarray of shape (m,)

    Notes
    -----
    O(m c log n). The least is that of fractions of objects, so it may lie a little too far out.

    Examples
    --------
    >>> least, most = moved_sum_ranges("square", np.array([3, 1]), np.array([0, 1, 9]))
    >>> least.tolist(), most.tolist()
    ([10.0, 8.0, 8.0], [10.0, 16.0, 16.0])
    """
    sizes = np.sort(counts).astype(np.float64)
    moves = n_moves.astype(np.float64)
    floors, ceilings = (_level(side, moves) for side in (sizes, -sizes[::-1]))
    mean = sizes.mean()
    floors, ceilings = np.minimum(floors, mean), np.maximum(-ceilings, mean)
    even = np.clip(sizes[None, :], floors[:, None], ceilings[:, None])
    # The smallest counts are emptied one after the other into the largest.
    before = np.concatenate([[0.0], np.cumsum(sizes[:-1])])
    left = np.clip(before[None, :] + sizes - moves[:, None], 0.0, sizes)
    left[:, -1] = sizes[-1] + np.minimum(moves, before[-1])
    return _sums(psi, even), _sums(psi, left)


def _level(sizes: Floats, moves: Floats) -> Floats:
    """The height to which the given moves fill up the smallest of ascending sizes."""
    needed = np.arange(len(sizes)) * sizes - np.concatenate([[0.0], np.cumsum(sizes[:-1])])
    n_filled = np.maximum(1, np.searchsorted(needed, moves, side="right"))
    return (moves + np.cumsum(sizes)[n_filled - 1]) / n_filled


def _sums(psi: Psi, counts: Floats) -> Floats:
    return psi_of(psi, counts).sum(axis=1)
