"""Store lists of lists flat: list ``i`` is the entries ``starts[i]`` to ``starts[i + 1]``."""

import numpy as np

from sfumato._typing import Ints

__all__ = ["cross", "gather", "owners_of", "starts_of"]


def starts_of(sizes: Ints) -> Ints:
    """Say where each list starts, for consecutive lists of the given sizes.

    Examples
    --------
    >>> starts_of(np.array([2, 0, 3])).tolist()
    [0, 2, 2, 5]
    """
    starts = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, out=starts[1:])
    return starts


def owners_of(starts: Ints) -> Ints:
    """The list that each entry belongs to.

    Examples
    --------
    >>> owners_of(np.array([0, 2, 2, 5])).tolist()
    [0, 0, 2, 2, 2]
    """
    return np.repeat(np.arange(len(starts) - 1), np.diff(starts))


def gather(starts: Ints, lists: Ints) -> tuple[Ints, Ints]:
    """Put the chosen lists one after the other: where each starts, and positions of its entries.

    Examples
    --------
    >>> offsets, entries = gather(np.array([0, 2, 5]), np.array([1, 0]))
    >>> offsets.tolist(), entries.tolist()
    ([0, 3, 5], [2, 3, 4, 0, 1])
    """
    sizes = starts[lists + 1] - starts[lists]
    offsets = starts_of(sizes)
    entries = np.arange(int(offsets[-1])) + np.repeat(starts[lists] - offsets[:-1], sizes)
    return offsets, entries


def cross(a_starts: Ints, a_lists: Ints, b_starts: Ints, b_lists: Ints) -> tuple[Ints, Ints, Ints]:
    """Pair every entry of list ``a_lists[i]`` with every entry of list ``b_lists[i]``, for all i.

    Where the pairs of each i start, and the positions of both entries of each pair.

    Examples
    --------
    >>> one, two = np.array([0, 2]), np.array([0, 3])
    >>> offsets, a, b = cross(one, np.array([0]), two, np.array([0]))
    >>> a.tolist(), b.tolist()
    ([0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2])
    """
    a_sizes = a_starts[a_lists + 1] - a_starts[a_lists]
    b_sizes = b_starts[b_lists + 1] - b_starts[b_lists]
    sizes = a_sizes * b_sizes
    offsets = starts_of(sizes)
    within = np.arange(int(offsets[-1])) - np.repeat(offsets[:-1], sizes)
    divisor = np.repeat(b_sizes, sizes)
    a_entries = np.repeat(a_starts[a_lists], sizes) + within // divisor
    b_entries = np.repeat(b_starts[b_lists], sizes) + within % divisor
    return offsets, a_entries, b_entries
