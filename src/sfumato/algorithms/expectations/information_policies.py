"""Bracket the mean ends of the variation of information against a certain side, without draws.

Objects draw pairs of focal sets at random. A *policy* sends each pair of sets to its cells in fixed
shares.
"""

from typing import Literal, TypeAlias

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.deadline import look
from sfumato.algorithms.expectations.information_gap import information_gap
from sfumato.algorithms.expectations.set_pairs import (
    SetPairs,
    blocks_of_types,
    open_cells,
    sums_by,
)
from sfumato.algorithms.moments.counts import expected_xlogx_of_lists
from sfumato.algorithms.tables.ragged import starts_of
from sfumato.families import xlogx

__all__ = ["MOST_STEPS", "bracket_information"]

_Laws: TypeAlias = tuple[Ints, Floats]  # (e,): an object is in a cell with some probability

MOST_STEPS = 200
_CLOSE = 1e-3  # of objects: what is left to gain by further steps
_ROUNDING = 1e-12
_LEAST_COUNT = 1e-9  # of an object: slopes stay finite


def bracket_information(pairs: SetPairs, end: Literal["least", "most"]) -> tuple[float, float]:
    r"""Bracket the mean of the least, or the most, variation of information, times n.

    It is :math:`F = \sum \psi(R) + \sum \psi(C) - 2 \sum \psi(N)`, with
    :math:`\psi(x) = x \log x`: n times the sum of both conditional entropies, so it is concave in
    the table and grows in proportion to it. Hence :math:`F(N) \le g \cdot N` for the slopes
    :math:`g = \log (R C / M^2)` of F at any table M, and

    .. math:: E \max_N F(N) \le \sum_s E n_s \max_{c \in s} g_c

    with n_s the objects that draw the pair s. Policies give the other sides: each object takes a
    cell by itself, or the objects of a draw share the cells as evenly as integers can. And
    `information_gap` says how much less than that of a policy the least can be.

    O(e) for each of at most 200 steps, with e the cells of all pairs of sets, then O(c) for c the
    open cells of all types. The second side of the pairs is certain.

    Examples
    --------
    >>> one, both = np.array([[True]]), np.array([[True, True]])
    >>> lists = [[2], [0, 1], [0], [1.0], [0, 2], [0, 1]]
    >>> free = SetPairs(*map(np.array, lists), both, one, np.array([0]), np.array([0]))
    >>> [round(float(end / np.log(2)), 6) for end in bracket_information(free, "most")]
    [1.0, 2.0]
    """
    if end == "most":
        shares, outer = _most(pairs)
        laws = _laws(pairs, shares)
        mean, error = _mean(pairs, laws)
        return max(mean - error, _split(pairs, shares, laws)), outer
    sent = _least(pairs)
    mean, error = _mean(pairs, _laws(pairs, pairs.whole_shares(sent)))
    gap = information_gap(pairs, sent, worth=mean)
    return max(0.0, mean - error - gap), mean + error


def _most(pairs: SetPairs) -> tuple[Floats, float]:
    """Shares under which the expected table varies most, and the bound by its slopes.

    F is concave, so each step takes shares in proportion to the root of their slopes' exponential.
    """
    owners, starts = pairs.cell_owners, pairs.cell_starts[:-1]
    shares, best = pairs.equal_shares, np.inf
    for _ in range(MOST_STEPS):
        look()
        slopes = _slopes(pairs, shares)[pairs.cells]
        tops = np.maximum.reduceat(slopes, starts)
        bound = float(pairs.weights @ tops)
        best = min(best, bound)
        if bound - float((pairs.weights[owners] * shares) @ slopes) < _CLOSE:
            break
        shares = shares * np.exp((slopes - tops[owners]) / 2)
        shares /= np.add.reduceat(shares, starts)[owners]
    return shares, best


def _least(pairs: SetPairs) -> Ints:
    """The cell for each pair of sets: a local optimum for the expected table, of some starts.

    As F is concave, its slopes at a table show where less is.
    """
    found: list[tuple[float, Ints]] = []
    for start in (pairs.whole_shares(pairs.most_plausible), pairs.equal_shares):
        sent, slopes = None, _slopes(pairs, start)
        for _ in range(MOST_STEPS):
            last, sent = sent, pairs.cells_of_largest(-slopes[pairs.cells])
            if last is not None and np.array_equal(last, sent):
                break
            slopes = _slopes(pairs, pairs.whole_shares(sent))
        assert sent is not None
        found.append((float(sums_by(sent, pairs.weights, len(slopes)) @ slopes), sent))
    return min(found, key=lambda each: each[0])[1]


def _slopes(pairs: SetPairs, shares: Floats) -> Floats:
    """Slopes of F at the expected table of a policy."""
    table = np.maximum(pairs.table(pairs.weights[pairs.cell_owners] * shares), _LEAST_COUNT)
    slopes = np.log(table.sum(axis=1))[:, None] + np.log(table.sum(axis=0)) - 2 * np.log(table)
    return slopes.ravel()


def _laws(pairs: SetPairs, shares: Floats) -> _Laws:
    n_cells = pairs.n_cells
    cells_of: list[Ints] = []
    laws_of: list[Floats] = []
    for block in blocks_of_types(pairs, pairs.shape[0]):
        found = open_cells(pairs, block)
        is_used = shares[found.places] > 0
        types, entries, places = (each[is_used] for each in found)
        keys, which = np.unique(types * n_cells + pairs.cells[places], return_inverse=True)
        laws = sums_by(which, pairs.masses[entries] * shares[places], len(keys))
        repeats = pairs.counts[block][keys // n_cells]
        cells_of.append(np.repeat(keys % n_cells, repeats))
        laws_of.append(np.repeat(laws, repeats))
    return np.concatenate(cells_of), np.minimum(np.concatenate(laws_of), 1.0)


def _mean(pairs: SetPairs, laws: _Laws) -> tuple[float, float]:
    """Mean of F where each object takes a cell by itself, and its error.

    Counts are of independent events.
    """
    n_columns = pairs.shape[1]
    cells, events = laws
    sums: list[float] = []
    errors: list[float] = []
    # The second side is certain: who is in a row, or in one of its cells, is one event.
    for places in (cells // n_columns, cells):
        order = np.argsort(places, kind="stable")
        found = expected_xlogx_of_lists(events[order], starts_of(np.bincount(places)))
        sums.append(float(found[0].sum()))
        errors.append(float(found[1].sum()))
    columns = np.round(sums_by(cells % n_columns, events, n_columns))
    return sums[0] + float(xlogx(columns).sum()) - 2 * sums[1], errors[0] + 2 * errors[1]


def _split(pairs: SetPairs, shares: Floats, laws: _Laws) -> float:
    r"""Lower bound of the mean of F where the objects that draw a pair share its cells evenly.

    Integers with these shares as means have variances of 1/4 at most. Then :math:`\psi` of a row
    has at least the value at its mean M, and that of a cell is above by at most the variance / M.
    """
    weights = pairs.weights[pairs.cell_owners]
    is_split = (shares > 0) & (shares < 1) & (weights > 0)
    means, squares, n_splits = (
        pairs.table(each)
        for each in (weights * shares, weights * shares**2, is_split.astype(np.float64))
    )
    squares -= sums_by(laws[0], laws[1] ** 2, pairs.n_cells).reshape(pairs.shape)
    value = sum(float(xlogx(sums).sum()) for sums in (means.sum(axis=1), means.sum(axis=0)))
    is_used = means > 0
    above = (np.maximum(squares, 0.0) + n_splits / 4)[is_used] / means[is_used]
    return (value - 2 * float(xlogx(means).sum())) * (1 - _ROUNDING) - 2 * float(above.sum())
