"""Count pairs of objects, and find policies under which few or many of them count.

The counts are quadratic forms in a table: weighted sums of squares of the objects in each row, in
each column, in each cell, or in places that are sums of cells. A *policy* sends pairs of focal sets
to cells.
"""

from math import inf
from typing import Literal, NamedTuple

import numpy as np

from sfumato import _core
from sfumato._typing import Floats, Ints
from sfumato.algorithms.expectations.set_pairs import (
    SetPairs,
    blocks_of_types,
    open_cells,
    sums_by,
)

__all__ = [
    "PairForm",
    "contrast_form",
    "disagreement_form",
    "expected_pairs",
    "most_against_two",
    "pushed_policy",
    "whole_policy",
]

_MOST_SWEEPS = 100
_NEGLIGIBLE = 1e-9  # objects: less is no reason to move


class PairForm(NamedTuple):
    """A weighted sum of squared counts, over several ways to sum up the cells into places.

    The weights sum to 0, so that an object counts nothing with itself.
    """

    places: tuple[Ints, ...]  # each (n_cells,): the place of each cell
    weights: tuple[float, ...]

    def of_table(self, counts: Floats) -> float:
        """The form of one table of shape (n_cells,), which need not hold integers."""
        return sum(
            weight * float((sums_by(own, counts, int(own.max()) + 1) ** 2).sum())
            for own, weight in zip(*self, strict=True)
        )

    def product(self, cells: Ints, others: Ints) -> Floats:
        """What one object in each of the cells counts with one in each of the others, once."""
        return sum(
            (
                weight * (own[cells][:, None] == own[others])
                for own, weight in zip(*self, strict=True)
            ),
            start=np.zeros((len(cells), len(others))),
        )


def disagreement_form(shape: tuple[int, int]) -> PairForm:
    """Ordered pairs that are together in just one of the two clusterings.

    Examples
    --------
    >>> disagreement_form((1, 2)).of_table(np.array([1.0, 1.0]))
    2.0
    """
    rows, columns = np.divmod(np.arange(shape[0] * shape[1]), shape[1])
    return PairForm((rows, columns, np.arange(len(rows))), (1.0, 1.0, -2.0))


def contrast_form(first_rows: Ints, second_rows: Ints, n_columns: int) -> PairForm:
    """Ordered pairs on which one candidate disagrees with the truth, less those of another.

    A row of the table is a pair of clusters: ``first_rows`` and ``second_rows`` say which. The
    pairs that are together in the truth cancel.
    """
    cells = np.arange(len(first_rows) * n_columns)
    rows, columns = np.divmod(cells, n_columns)
    first, second = first_rows[rows], second_rows[rows]
    return PairForm(
        (first, first * n_columns + columns, second, second * n_columns + columns),
        (1.0, -2.0, -1.0, 2.0),
    )


def pushed_policy(pairs: SetPairs, end: Literal["least", "most"]) -> Floats:
    r"""A policy under which few, or many, ordered pairs disagree, as a share of each cell.

    Objects draw their sets and then a cell by the policy. This makes a random table, and
    `expected_pairs` gives its mean disagreement. For given sets the disagreement lies between the
    smallest and the largest that the sets allow. So its mean lies in
    :math:`[\underline{E}, \overline{E}]`. The policy is a local optimum for the expected table, the
    best from several starts. O(e) for each sweep, with e the cells of all pairs of sets.

    Examples
    --------
    >>> one, both = np.array([[True]]), np.array([[True, True]])
    >>> lists = [[2], [0, 1], [0], [1.0], [0, 2], [0, 1]]
    >>> free = SetPairs(*map(np.array, lists), one, both, np.array([0]), np.array([0]))
    >>> form = disagreement_form(free.shape)
    >>> [expected_pairs(free, form, pushed_policy(free, end)) for end in ("least", "most")]
    [0.0, 1.0]
    """
    starts = pairs.equal_shares, *map(pairs.whole_shares, _whole_starts(pairs))
    policies = [_climb(pairs, start, end) for start in starts]
    objects = pairs.weights[pairs.cell_owners]
    best = min if end == "least" else max
    return best(policies, key=lambda shares: _squares(pairs.table(objects * shares)))


def most_against_two(pairs: SetPairs) -> float:
    r"""Upper bound of the upper expectation of the ordered pairs that disagree, for two classes.

    Against a hard side with at most two classes, :math:`F = \sum R^2 + \sum C^2 - 2 \sum N^2` is
    concave in the table. Let g be the slopes of F at any table M, and n_s the number of objects
    that draw the set s. Then

    .. math:: E \max_N F(N) \le F(M) + 2 \sum_s E n_s \max_{c \in s} g_c - 2 \sum_c g_c M_c

    Infinite if no side is hard with at most two classes. M is the expected table of the best
    policy. There the bound exceeds the mean of the policy by about n.
    """
    is_few = (pairs.has_hard_columns and pairs.shape[1] <= 2) or (
        pairs.has_hard_rows and pairs.shape[0] <= 2
    )
    if not is_few:
        return inf
    shares = _climb(pairs, pairs.equal_shares, "most")
    table = pairs.table(pairs.weights[pairs.cell_owners] * shares)
    slopes = (table.sum(axis=1)[:, None] + table.sum(axis=0) - 2 * table).ravel()
    best = np.maximum.reduceat(slopes[pairs.cells], pairs.cell_starts[:-1])
    return _squares(table) + 2 * float(pairs.weights @ best) - 2 * float(slopes @ table.ravel())


def _climb(pairs: SetPairs, start: Floats, end: Literal["least", "most"]) -> Floats:
    lists = pairs.weights, pairs.cell_starts, pairs.cells
    return _core.climb_policy(*lists, start, *pairs.shape, end == "most", _MOST_SWEEPS)


def _squares(cells: Floats) -> float:
    """Disagreement of a table; each object also counts with itself."""
    rows, columns = cells.sum(axis=1), cells.sum(axis=0)
    return float(rows @ rows + columns @ columns - 2 * (cells**2).sum())


def _whole_starts(pairs: SetPairs) -> tuple[Ints, Ints]:
    """Two cells for each pair of sets: the most plausible one, and the first."""
    return pairs.most_plausible, pairs.cells[pairs.cell_starts[:-1]]


def whole_policy(pairs: SetPairs, form: PairForm, end: Literal["least", "most"]) -> Ints:
    """The cell to which to send each pair of sets, so that few, or many, pairs of objects count.

    A local optimum of the form for the expected table, the best from two starts. O(e) for each
    sweep, with e the cells of all pairs of sets.
    """
    sign = 1.0 if end == "least" else -1.0
    found = [_send(pairs, form, sign, start) for start in _whole_starts(pairs)]

    def value(sent: Ints) -> float:
        return sign * form.of_table(sums_by(sent, pairs.weights, pairs.n_cells))

    return min(found, key=value)


def _send(pairs: SetPairs, form: PairForm, sign: float, sent: Ints) -> Ints:
    """Send one pair of sets after the other to the cell where the form is smallest."""
    starts, weights = pairs.cell_starts, pairs.weights
    ways = [
        (places, sign * weight, sums_by(places[sent], weights, int(places.max()) + 1))
        for places, weight in zip(*form, strict=True)
    ]
    is_open = (pairs.sizes > 1) & (weights > 0)
    for _ in range(_MOST_SWEEPS):
        is_moving = False
        for at in np.flatnonzero(is_open).tolist():
            own = sent[at]
            cells = pairs.cells[starts[at] : starts[at + 1]]
            slopes = np.zeros(len(cells))
            for places, sign_of_way, counts in ways:
                counts[places[own]] -= weights[at]
                slopes += sign_of_way * counts[places[cells]]
            if slopes.min() < slopes[cells == own][0] - _NEGLIGIBLE:
                sent[at], is_moving = cells[slopes.argmin()], True
            for places, _, counts in ways:
                counts[places[sent[at]]] += weights[at]
        if not is_moving:
            break
    return sent


def expected_pairs(pairs: SetPairs, form: PairForm, shares: Floats) -> float:
    r"""Expected form of the table of a policy: ordered pairs of objects that count.

    Let p(x) be the distribution of the place of x, for each way to sum up the cells into places.
    Then

    .. math:: \sum_{x \ne y} p(x) p(y) = \Bigl|\sum_x p(x)\Bigr|^2 - \sum_x |p(x)|^2
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
