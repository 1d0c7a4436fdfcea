"""Bound the mean gain of the best matching over a given one, for random sets and a hard side.

Objects draw focal sets. A matching covers an object if the set of the object holds the row that is
matched to its column.
"""

from math import e, inf, sqrt
from typing import NamedTuple

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.expectations.matching_arcs import sum_of_cycles
from sfumato.algorithms.expectations.set_pairs import SetPairs, open_cells, sums_by

__all__ = ["most_gain"]

_MOST_NUMBERS = 1e7
_N_TILTS = 16
_STEEPEST = 6.0  # largest t


class _Switches(NamedTuple):
    """For each type, the chances that an object is won or lost if its column changes its row.

    The *own* row is the row that the given matching has for the column of the type.
    """

    columns: Ints  # (t,): column of the type
    counts: Ints  # (t,): objects of the type
    won: Floats  # (t, k): the set drawn holds this row, but not the own row
    lost: Floats  # (t, k): the set drawn holds the own row, but not this row
    given_up: Floats  # (t,): the set drawn holds the own row


def most_gain(pairs: SetPairs, partners: Ints) -> float:
    r"""Bound the mean gain of the best matching over a given one, against a hard partition.

    Against a hard partition the columns are independent. A better matching differs by cycles, in
    which a column j changes from its own row to another row r. Let R(x) be the rows open to object
    x, and

    .. math:: B_{jr}(t) = \prod_{x \in j} E \exp t ([r \in R(x)] - [own \in R(x)])

    The product over a cycle is Chernoff's bound of its gain. The sum over all cycles is at most
    :math:`-\log\det(I - B)`, as in `bound_improvement`. The sum over all matchings is at most the
    product of the row sums of I + B.

    Parameters
    ----------
    pairs : SetPairs
    partners : ndarray of shape (n_rows,)
        The column of each row, -1 for none.

    Returns
    -------
    float
        Infinite if neither side is hard, or if it would cost too much.

    Notes
    -----
    O(n k + k^3) for each of 16 values of t.
    """
    n_rows, n_columns = pairs.shape
    if pairs.has_hard_columns:
        own = np.full(n_columns, -1)
        own[partners[partners >= 0]] = np.flatnonzero(partners >= 0)
        line = pairs.cells // n_columns
        across = pairs.cells % n_columns
    elif pairs.has_hard_rows:
        own, line, across = partners, pairs.cells % n_columns, pairs.cells // n_columns
        n_rows = n_columns
    else:
        return inf
    if len(pairs.counts) * float(n_rows) > _MOST_NUMBERS:
        return inf
    switches = _switches(pairs, own, line, across, n_rows)
    flattest = 0.5 / sqrt(pairs.n_objects)
    tilts = np.geomspace(flattest, _STEEPEST, _N_TILTS).tolist()
    return min(_bound_at(switches, own, n_rows, t) for t in tilts)


def _switches(pairs: SetPairs, own: Ints, line: Ints, across: Ints, n_rows: int) -> _Switches:
    n_types = len(pairs.counts)
    column_of_pair = across[pairs.cell_starts[:-1]]
    has_own = np.logical_or.reduceat(line == own[across], pairs.cell_starts[:-1])
    found = open_cells(pairs, slice(0, n_types))
    masses = pairs.masses[found.entries]
    has = has_own[pairs.pairs[found.entries]]
    keys = found.types * n_rows + line[found.places]
    won, both = (
        sums_by(keys, masses * chosen, n_types * n_rows).reshape(n_types, n_rows)
        for chosen in (~has, has)
    )
    columns = column_of_pair[pairs.pairs[pairs.starts[:-1]]]
    rows = own[columns]
    given_up = np.where(rows >= 0, both[np.arange(n_types), np.maximum(rows, 0)], 0.0)
    lost = np.maximum(given_up[:, None] - both, 0.0)
    return _Switches(columns, pairs.counts, won, lost, given_up)


def _bound_at(switches: _Switches, own: Ints, n_rows: int, t: float) -> float:
    """The smaller of the two bounds at one t."""
    up, down = np.expm1(t), np.expm1(-t)
    n_columns = len(own)
    weights = np.zeros((n_columns, n_rows))
    factors = np.log1p(up * switches.won + down * switches.lost)
    np.add.at(weights, switches.columns, switches.counts[:, None] * factors)
    given_up = sums_by(
        switches.columns, switches.counts * np.log1p(down * switches.given_up), n_columns
    )
    matched = np.flatnonzero(own >= 0)
    rows = own[matched]
    free_rows = np.setdiff1d(np.arange(n_rows), rows)
    free_columns = np.flatnonzero(own < 0)

    size = len(matched)
    arcs = np.full((size + 1, size + 1), -np.inf)
    arcs[:size, :size] = weights[np.ix_(matched, rows)]
    if len(free_rows):  # one more node for all free rows: a column takes one; leaving costs nothing
        arcs[:size, size] = np.logaddexp.reduce(weights[np.ix_(matched, free_rows)], axis=1)
        arcs[size, :size] = 0.0
    if len(free_columns):  # one more node for all free columns: one takes a row; a row is given up
        arcs[:size, size] = given_up[matched]
        arcs[size, :size] = np.logaddexp.reduce(weights[np.ix_(free_columns, rows)], axis=0)
    np.fill_diagonal(arcs, -np.inf)

    options = weights.copy()
    options[matched, rows] = given_up[matched] if len(free_columns) else -np.inf
    stay = np.zeros((n_columns, 1))
    by_matchings = float(np.logaddexp.reduce(np.hstack([stay, options]), axis=1).sum()) / t
    return min(by_matchings, sum_of_cycles(arcs) / (e * t))
