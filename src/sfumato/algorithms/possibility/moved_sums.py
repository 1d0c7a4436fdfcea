"""Bracket a sum of psi over counts when only a limited number of objects can move."""

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.families import Psi, psi_of

__all__ = ["moved_sum_ranges"]


def moved_sum_ranges(psi: Psi, counts: Ints, n_moves: Ints) -> tuple[Floats, Floats]:
    r"""Bracket the sum of psi over counts when at most ``n_moves`` objects change their place.

    psi is convex. So the sum is smallest when objects move from the largest counts to the smallest,
    and largest when they move from the smallest counts to the largest.

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
    O(m c log n). For ``least`` objects may be split, so it may be a little too small.

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
    # Empty the smallest counts one after the other; their objects go to the largest count.
    before = np.concatenate([[0.0], np.cumsum(sizes[:-1])])
    left = np.clip(before[None, :] + sizes - moves[:, None], 0.0, sizes)
    left[:, -1] = sizes[-1] + np.minimum(moves, before[-1])
    return _sums(psi, even), _sums(psi, left)


def _level(sizes: Floats, moves: Floats) -> Floats:
    """Level up to which the given number of moves can fill the smallest sizes. Sizes ascend."""
    needed = np.arange(len(sizes)) * sizes - np.concatenate([[0.0], np.cumsum(sizes[:-1])])
    n_filled = np.maximum(1, np.searchsorted(needed, moves, side="right"))
    return (moves + np.cumsum(sizes)[n_filled - 1]) / n_filled


def _sums(psi: Psi, counts: Floats) -> Floats:
    return psi_of(psi, counts).sum(axis=1)
