"""Bracket the mean ends of the pairs that disagree, by rules that send sets to cells.

Objects draw pairs of focal sets at random. A *policy* sends each pair of sets to its cells in fixed
shares.
"""

from math import inf
from typing import Literal

import numpy as np

from sfumato import _core
from sfumato._typing import Floats
from sfumato.algorithms.expectations.set_pairs import (
    SetPairs,
    blocks_of_types,
    expected_counts,
    open_cells,
    sums_by,
)

__all__ = ["disagreeing_pairs", "equal_shares", "most_against_two", "pushed_policy"]

_MOST_SWEEPS = 100


def pushed_policy(pairs: SetPairs, end: Literal["least", "most"]) -> Floats:
    r"""A policy under which few, or many, ordered pairs disagree.

    A *policy* gives every pair of sets a distribution over its cells. Objects draw their sets and
    then a cell by the policy. This makes a random table, and `disagreeing_pairs` gives its mean
    disagreement. For given sets the disagreement lies between the smallest and the largest that the
    sets allow. So its mean lies in :math:`[\underline{E}, \overline{E}]`.

    Parameters
    ----------
    pairs : SetPairs
    end : {"least", "most"}
        Which end to push to. The policy is a local optimum for the expected table, the best from
        several starts.

    Returns
    -------
    ndarray of shape (cells,)
        Share of each cell of each pair of sets.

    Notes
    -----
    O(e) for each sweep, with e the cells of all pairs of sets.

    Examples
    --------
    >>> from sfumato.algorithms.expectations.set_pairs import SetPairs
    >>> one, both = np.array([[True]]), np.array([[True, True]])
    >>> lists = [[2], [0, 1], [0], [1.0], [0, 2], [0, 1]]
    >>> free = SetPairs(*map(np.array, lists), one, both, np.array([0]), np.array([0]))
    >>> [disagreeing_pairs(free, pushed_policy(free, end)) for end in ("least", "most")]
    [0.0, 1.0]
    """
    weights = expected_counts(pairs)
    policies = [_climb(pairs, weights, start, end) for start in _starts(pairs, weights)]
    best = min if end == "least" else max
    return best(policies, key=lambda own: _of_table(pairs, weights, own))


def most_against_two(pairs: SetPairs) -> float:
    r"""Upper bound of the upper expectation of the ordered pairs that disagree, for two classes.

    Against a hard side with at most two classes, :math:`F = \sum R^2 + \sum C^2 - 2 \sum N^2` is
    concave in the table. Let g be the slopes of F at any table M, and n_s the number of objects
    that draw the set s. Then

    .. math:: E \max_N F(N) \le F(M) + 2 \sum_s E n_s \max_{c \in s} g_c - 2 \sum_c g_c M_c

    Parameters
    ----------
    pairs : SetPairs

    Returns
    -------
    float
        Infinite if no side is hard with at most two classes. M is the expected table of the best
        policy. There the bound exceeds the mean of the policy by about n.
    """
    is_few = (pairs.has_hard_columns and pairs.shape[1] <= 2) or (
        pairs.has_hard_rows and pairs.shape[0] <= 2
    )
    if not is_few:
        return inf
    weights = expected_counts(pairs)
    shares = _climb(pairs, weights, equal_shares(pairs), "most")
    table = _table(pairs, weights, shares)
    slopes = (table.sum(axis=1)[:, None] + table.sum(axis=0) - 2 * table).ravel()
    best = np.maximum.reduceat(slopes[pairs.cells], pairs.cell_starts[:-1])
    return _squares(table) + 2 * float(weights @ best) - 2 * float(slopes @ table.ravel())


def _climb(
    pairs: SetPairs, weights: Floats, start: Floats, end: Literal["least", "most"]
) -> Floats:
    return _core.climb_policy(
        weights,
        pairs.cell_starts,
        pairs.cells,
        start,
        *pairs.shape,
        end == "most",
        _MOST_SWEEPS,
    )


def _of_table(pairs: SetPairs, weights: Floats, shares: Floats) -> float:
    """Disagreement of the expected table of a policy; each object also counts with itself."""
    return _squares(_table(pairs, weights, shares))


def _table(pairs: SetPairs, weights: Floats, shares: Floats) -> Floats:
    objects = np.repeat(weights, np.diff(pairs.cell_starts)) * shares
    return sums_by(pairs.cells, objects, pairs.shape[0] * pairs.shape[1]).reshape(pairs.shape)


def _squares(cells: Floats) -> float:
    rows, columns = cells.sum(axis=1), cells.sum(axis=0)
    return float(rows @ rows + columns @ columns - 2 * (cells**2).sum())


def equal_shares(pairs: SetPairs) -> Floats:
    """Share every pair of sets evenly among its cells: the pignistic policy."""
    sizes = np.diff(pairs.cell_starts)
    return 1.0 / np.repeat(sizes, sizes)


def _starts(pairs: SetPairs, weights: Floats) -> list[Floats]:
    """Three policies: equal shares; the most plausible cell of each pair; its first cell."""
    equal = equal_shares(pairs)
    sizes = np.diff(pairs.cell_starts)
    owners = np.repeat(np.arange(len(sizes)), sizes)
    plausible = sums_by(pairs.cells, weights[owners], pairs.shape[0] * pairs.shape[1])[pairs.cells]
    order = np.lexsort((plausible, owners))
    starts = [equal]
    for places in (order[pairs.cell_starts[1:] - 1], pairs.cell_starts[:-1]):
        shares = np.zeros(len(equal))
        shares[places] = 1.0
        starts.append(shares)
    return starts


def disagreeing_pairs(pairs: SetPairs, shares: Floats) -> float:
    r"""Expected ordered pairs of objects that disagree under a policy.

    Let p(x) be the distribution of the cell of x, or of its row, or of its column. Then

    .. math:: \sum_{x \ne y} p(x) p(y) = \Bigl|\sum_x p(x)\Bigr|^2 - \sum_x |p(x)|^2

    Parameters
    ----------
    pairs : SetPairs
    shares : ndarray of shape (cells,)
        Share of each cell of each pair of sets. They sum to 1 for each pair.
    """
    n_rows, n_columns = pairs.shape
    n_cells = n_rows * n_columns
    table = np.zeros(n_cells)
    own = 0.0
    for block in blocks_of_types(pairs, n_rows + n_columns):
        counts = pairs.counts[block]
        found = open_cells(pairs, block)
        masses = pairs.masses[found.entries] * shares[found.places]
        cells = pairs.cells[found.places]
        table += sums_by(cells, masses * counts[found.types], n_cells)
        for places, width, sign in (
            (cells // n_columns, n_rows, 1.0),
            (cells % n_columns, n_columns, 1.0),
            (cells, n_cells, -2.0),
        ):
            keys, which = np.unique(found.types * width + places, return_inverse=True)
            laws = sums_by(which, masses, len(keys))
            own += sign * float(counts[keys // width] @ laws**2)
    return _squares(table.reshape(n_rows, n_columns)) - own
