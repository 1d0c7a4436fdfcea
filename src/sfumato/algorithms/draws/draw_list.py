"""Draws of clusterings as a list: clusters numbered alike, equal draws once, tables of pairs."""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sfumato import _core
from sfumato._typing import Codes, Floats, Ints, Tables
from sfumato.algorithms.tables.group import group_rows

__all__ = ["DrawCodes", "DrawList", "distinct_draws", "pair_tables", "relabelled"]

DrawCodes: TypeAlias = NDArray[np.int32]  # (s, n): the cluster of each object in each draw


class DrawList(NamedTuple):
    """Draws with their probabilities; clusters are numbered by first appearance in each draw."""

    codes: DrawCodes  # (s, n)
    weights: Floats  # (s,), of sum 1
    sizes: Ints  # (s,): clusters of each draw

    @property
    def n_clusters(self) -> int:
        """The most that a draw has."""
        return int(self.sizes.max())


def relabelled(labels: Ints, n_labels: int) -> tuple[DrawCodes, Ints]:
    """Number the clusters of each draw by first appearance, and count them; O(s n).

    ``labels`` of shape (s, n) are integers from 0 to ``n_labels`` - 1.

    Examples
    --------
    >>> codes, sizes = relabelled(np.array([[2, 2, 0], [0, 1, 2]]), 3)
    >>> codes.tolist(), sizes.tolist()
    ([[0, 0, 1], [0, 1, 2]], [2, 3])
    """
    return _core.relabel_draws(np.ascontiguousarray(labels), n_labels)


def distinct_draws(codes: DrawCodes, weights: Floats, sizes: Ints) -> DrawList:
    """List the draws that differ, with the sums of their weights; O(s n).

    Draws without weight are left out.
    """
    kept = np.flatnonzero(weights)
    group, first = group_rows(codes[kept])
    at = kept[first]
    sums = np.bincount(group, weights[kept]).astype(np.float64)
    return DrawList(codes[at], sums / sums.sum(), sizes[at])


def pair_tables(
    rows: DrawCodes, columns: DrawCodes, first: Codes, second: Codes, shape: tuple[int, int]
) -> Tables:
    """Tables of shape (p, k1, k2) of pairs of draws: ``rows[first[i]]``, ``columns[second[i]]``.

    O(n + k1 k2) per pair.

    Examples
    --------
    >>> codes = np.array([[0, 0, 1], [0, 1, 2]], dtype=np.int32)
    >>> pair_tables(codes, codes, np.array([0]), np.array([1]), (2, 3)).tolist()
    [[[1, 1, 0], [0, 0, 1]]]
    """
    return _core.pair_tables(rows, columns, first, second, *shape)
