"""Bracket the mean ends of the pairs that disagree, by rules that send sets to cells.

Objects draw pairs of focal sets at random. A *policy* sends each pair of sets to its cells in fixed
shares.
"""

from math import inf
from typing import Literal

import numpy as np

from sfumato import _core
from sfumato._typing import Floats, Ints
from sfumato.algorithms.expectations.pair_forms import PairForm
from sfumato.algorithms.expectations.set_pairs import (
    SetPairs,
    blocks_of_types,
    expected_counts,
    open_cells,
    sums_by,
)
from sfumato.algorithms.tables.ragged import owners_of

__all__ = [
    "equal_shares",
    "expected_pairs",
    "most_against_two",
    "pushed_policy",
    "whole_policy",
]

_MOST_SWEEPS = 100
_NEGLIGIBLE = 1e-9  # objects: less is no reason to move


def pushed_policy(pairs: SetPairs, end: Literal["least", "most"]) -> Floats:
    r"""A policy under which few, or many, ordered pairs disagree.

    A *policy* gives every pair of sets a distribution over its cells. Objects draw their sets and
    then a cell by the policy. This makes a random table, and `expected_pairs` gives its mean
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
    >>> from sfumato.algorithms.expectations.pair_forms import disagreement_form
    >>> form = disagreement_form(free.shape)
    >>> [expected_pairs(free, form, pushed_policy(free, end)) for end in ("least", "most")]
    [0.0, 1.0]
    """
    weights = expected_counts(pairs)
    policies = [_climb(pairs, weights, start, end) for start in _starts(pairs, weights)]
    objects = np.repeat(weights, np.diff(pairs.cell_starts))
    best = min if end == "least" else max
    return best(policies, key=lambda shares: _squares(pairs.table(objects * shares)))


def most_against_two(pairs: SetPairs) -> float:
    r"""Upper bound of the upper expectation of the ordered pairs that disagree, for two classes.

    Against a hard side with at most two classes, :math:`F = \sum R^2 + \sum C^2 - 2 \sum N^2` is
    concave in the table. Let g be the slopes of F at any table M, and n_s the number of objects
    that draw the set s. Then

    .. math:: E \max_N F(N) \le F(M) + 2 \sum_s E n_s \max_{c \in s} g_c - 2 \sum_c g_c M_c

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
    table = pairs.table(np.repeat(weights, np.diff(pairs.cell_starts)) * shares)
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


def _squares(cells: Floats) -> float:
    """Disagreement of a table; each object also counts with itself."""
    rows, columns = cells.sum(axis=1), cells.sum(axis=0)
    return float(rows @ rows + columns @ columns - 2 * (cells**2).sum())


def equal_shares(pairs: SetPairs) -> Floats:
    """Share every pair of sets evenly among its cells: the pignistic policy."""
    sizes = np.diff(pairs.cell_starts)
    return 1.0 / np.repeat(sizes, sizes)


def _starts(pairs: SetPairs, weights: Floats) -> list[Floats]:
    """Three policies: equal shares; the most plausible cell of each pair; its first cell."""
    equal = equal_shares(pairs)
    owners = owners_of(pairs.cell_starts)
    plausible = pairs.table(weights[owners]).ravel()[pairs.cells]
    order = np.lexsort((plausible, owners))
    starts = [equal]
    for places in (order[pairs.cell_starts[1:] - 1], pairs.cell_starts[:-1]):
        shares = np.zeros(len(equal))
        shares[places] = 1.0
        starts.append(shares)
    return starts


def whole_policy(pairs: SetPairs, form: PairForm, end: Literal["least", "most"]) -> Ints:
    """The cell to which to send each pair of sets, so that few, or many, pairs of objects count.

    A local optimum of the form for the expected table, the best from two starts.

    Notes
    -----
    O(e) for each sweep, with e the cells of all pairs of sets.
    """
    weights = expected_counts(pairs)
    sign = 1.0 if end == "least" else -1.0
    starts = _starts(pairs, weights)[1:]
    found = [_send(pairs, form, weights, sign, shares) for shares in starts]
    return min(found, key=lambda sent: sign * form.of_table(sums_by(sent, weights, pairs.n_cells)))


def _send(pairs: SetPairs, form: PairForm, weights: Floats, sign: float, shares: Floats) -> Ints:
    """Send one pair of sets after the other to the cell where the form is smallest."""
    starts = pairs.cell_starts
    sent = pairs.cells[np.flatnonzero(shares)]
    signs = [sign * weight for weight in form.weights]
    sums = [sums_by(own[sent], weights, int(own.max()) + 1) for own in form.places]
    is_open = (np.diff(starts) > 1) & (weights > 0)
    for _ in range(_MOST_SWEEPS):
        is_moving = False
        for at in np.flatnonzero(is_open).tolist():
            own = sent[at]
            cells = pairs.cells[starts[at] : starts[at + 1]]
            for counts, places in zip(sums, form.places, strict=True):
                counts[places[own]] -= weights[at]
            slopes = np.zeros(len(cells))
            for weight, counts, places in zip(signs, sums, form.places, strict=True):
                slopes += weight * counts[places[cells]]
            if slopes.min() < slopes[cells == own][0] - _NEGLIGIBLE:
                sent[at], is_moving = cells[slopes.argmin()], True
            for counts, places in zip(sums, form.places, strict=True):
                counts[places[sent[at]]] += weights[at]
        if not is_moving:
            break
    return sent


def expected_pairs(pairs: SetPairs, form: PairForm, shares: Floats) -> float:
    r"""Expected form of the table of a policy: ordered pairs of objects that count.

    Let p(x) be the distribution of the place of x, for each way to sum up the cells into places.
    Then

    .. math:: \sum_{x \ne y} p(x) p(y) = \Bigl|\sum_x p(x)\Bigr|^2 - \sum_x |p(x)|^2

    Parameters
    ----------
    pairs : SetPairs
    form : PairForm
    shares : ndarray of shape (cells,)
        Share of each cell of each pair of sets. They sum to 1 for each pair.
    """
    table = np.zeros(pairs.n_cells)
    own = 0.0
    for block in blocks_of_types(pairs, sum(pairs.shape)):
        counts = pairs.counts[block]
        found = open_cells(pairs, block)
        masses = pairs.masses[found.entries] * shares[found.places]
        cells = pairs.cells[found.places]
        table += sums_by(cells, masses * counts[found.types], pairs.n_cells)
        for places, weight in zip(*form, strict=True):
            width = int(places.max()) + 1
            keys, which = np.unique(found.types * width + places[cells], return_inverse=True)
            laws = sums_by(which, masses, len(keys))
            own += weight * float(counts[keys // width] @ laws**2)
    return form.of_table(table) - own
