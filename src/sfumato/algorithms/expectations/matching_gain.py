"""Bound how much the best matching of a random table gains over a given one, on average.

Another matching differs from the given one by cycles: row i takes the column of row j, row j takes
that of another row, and so on. All cycles are bounded at once.
"""

from math import e, inf, sqrt
from typing import NamedTuple

import numpy as np

from sfumato import _core
from sfumato._typing import Floats, Ints
from sfumato.algorithms.expectations.set_pairs import SetPairs, open_cells, sums_by, table_by

__all__ = ["bound_improvement", "most_gain"]

_STEEPEST = 9.0  # largest t
_MOST_OBJECT_ARCS = 2e7  # objects times cells of the table
_LARGEST_LOG = 50.0
_EPS = float(np.finfo(np.float64).eps)
# Of random sets:
_MOST_NUMBERS = 1e7
_N_TILTS = 16
_STEEPEST_TILT = 6.0  # largest t


def bound_improvement(
    expected: Floats,
    n_objects: int,
    *,
    sides: tuple[Floats, Floats] | None = None,
    enough: float = 0.0,
) -> tuple[float, float]:
    r"""Bound the mean gain over the matching of row i to column i, and the chance of a gain.

    A cycle c changes the total by :math:`\Delta_c`, a sum of independent steps. An arc from i to j
    says that row i takes the column of row j. Chernoff's bound of a cycle is a product over its
    arcs. So

    .. math:: E \max_c \Delta_c^+ \le \frac{1}{e t} \sum_c \prod_{arcs} B_{ij}(t)
              \le \frac{-\log\det(I - B(t))}{e t}

    if the spectral radius of B is below 1. The sum over all matchings gives, for any t,

    .. math:: E \max_\pi \le \frac{1}{t} \log \mathrm{per}(I + B(t))
              \le \frac{1}{t} \sum_i \log\Big(1 + \sum_j B_{ij}(t)\Big)

    ``expected`` is the expected table of shape (k, l), l >= k: columns from k on have no partner.
    ``sides`` are memberships p and q, so that the table is p' q; without them the bound is less
    sharp. It stops as soon as the bound of the mean is ``enough``.

    Notes
    -----
    O(k^3) for each of 24 values of t with weights from the expected table W alone,
    B = exp(W_ij (e^t - 1) + W_jj (e^-t - 1)). Then O(n k l) for each of five values of t with
    sharper weights from the single objects.
    """
    ts = np.geomspace(6.0, 0.5 / sqrt(n_objects), 24).tolist()
    bounds = [_at(_poisson_weights(expected, t), t) for t in ts]
    means = [mean for mean, _ in bounds]
    if sides and min(means) > enough and expected.size * n_objects <= _MOST_OBJECT_ARCS:
        best = ts[means.index(min(means))]
        nearby = {min(_STEEPEST, best * factor) for factor in (0.7, 1.0, 1.5, 2.2, 3.3)}
        bounds += [_at(_core.arc_weights(*sides, t), t) for t in sorted(nearby)]
    return min(mean for mean, _ in bounds), min(1.0, *(chance for _, chance in bounds))


def _poisson_weights(expected: Floats, t: float) -> Floats:
    """Logarithms of arc weights, by 1 + z <= exp(z), in the layout of ``_core.arc_weights``.

    The diagonal is for a row that gives up its column. The columns beyond the square are free: they
    have no row. Their weights are for a row that takes a free column.
    """
    n_rows = len(expected)
    given_up = np.expm1(-t) * np.diag(expected)
    weights = np.expm1(t) * expected
    weights[:, :n_rows] += given_up
    np.fill_diagonal(weights, given_up)
    return weights


def _at(weights: Floats, t: float) -> tuple[float, float]:
    """Bound the gain at one t: by cycles and by matchings. Only cycles bound the probability."""
    n_rows, n_columns = weights.shape
    arcs = np.full((n_rows + (n_columns > n_rows),) * 2, -np.inf)
    arcs[:n_rows, :n_rows] = weights[:, :n_rows]
    np.fill_diagonal(arcs, -np.inf)
    if n_columns > n_rows:  # one more node stands for all free columns
        arcs[:n_rows, n_rows] = np.logaddexp.reduce(weights[:, n_rows:], axis=1)
        arcs[n_rows, :n_rows] = np.diag(weights)
    cycles = _sum_of_cycles(arcs)
    return min(_by_matchings(arcs[:n_rows], t), cycles / (e * t)), cycles * float(np.exp(-t))


def _by_matchings(options: Floats, t: float) -> float:
    """Bound by the sum over all matchings: each line stays, or takes one of its options."""
    lines = np.logaddexp.reduce(np.column_stack([np.zeros(len(options)), options]), axis=1)
    return float(lines.sum()) / t


def _sum_of_cycles(arcs: Floats) -> float:
    """Upper bound of the sum over all cycles of the product of their arc weights.

    ``arcs`` are the logarithms of the weights B. Divide the trace of each power of B by its
    exponent. The sum of these is -log det(I - B), if the spectral radius of B is below 1. Any
    x > 0 with B x < x proves that it is. Rows and columns are scaled by x for the determinant, so
    that no entry of I - B exceeds 1.
    """
    if arcs.max() > _LARGEST_LOG:
        return np.inf
    matrix, identity = np.exp(arcs), np.eye(len(arcs))
    try:
        x = np.linalg.solve(identity - matrix, np.ones(len(arcs)))
    except np.linalg.LinAlgError:
        return np.inf
    if not (x.min() > 0 and float((matrix @ x / x).max()) < 1 - 1e-9):
        return np.inf
    _, log_determinant = np.linalg.slogdet(identity - matrix * x / x[:, None])
    return max(0.0, -float(log_determinant)) + 8 * _EPS * len(arcs) ** 2


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
    r"""Bound the mean gain over a given matching where objects draw sets, against a hard partition.

    A matching covers an object if its set holds the row that is matched to its column. The columns
    are independent. A better matching differs by cycles, in which a column j changes from its own
    row to another row r. Let R(x) be the rows open to object x, and

    .. math:: B_{jr}(t) = \prod_{x \in j} E \exp t ([r \in R(x)] - [own \in R(x)])

    The product over a cycle is Chernoff's bound of its gain. The sum over all cycles is at most
    :math:`-\log\det(I - B)`, as in `bound_improvement`. The sum over all matchings is at most the
    product of the row sums of I + B.

    ``partners`` has the column of each row, -1 for none. Infinite if neither side is hard, or if it
    would cost too much. O(n k + k^3) for each of 16 values of t.
    """
    (n_rows, n_columns), (line, across), own = pairs.shape, pairs.lines, partners
    if pairs.has_hard_columns:
        own = np.full(n_columns, -1)
        own[partners[partners >= 0]] = np.flatnonzero(partners >= 0)
    elif pairs.has_hard_rows:
        n_rows, line, across = n_columns, across, line
    else:
        return inf
    if len(pairs.counts) * float(n_rows) > _MOST_NUMBERS:
        return inf
    switches = _switches(pairs, own, line, across, n_rows)
    flattest = 0.5 / sqrt(pairs.n_objects)
    tilts = np.geomspace(flattest, _STEEPEST_TILT, _N_TILTS).tolist()
    return min(_bound_at(switches, own, n_rows, t) for t in tilts)


def _switches(pairs: SetPairs, own: Ints, line: Ints, across: Ints, n_rows: int) -> _Switches:
    n_types, starts = len(pairs.counts), pairs.cell_starts[:-1]
    has_own = np.logical_or.reduceat(line == own[across], starts)
    found = open_cells(pairs, slice(0, n_types))
    masses = pairs.masses[found.entries]
    has = has_own[pairs.pairs[found.entries]]
    won, both = (
        table_by(found.types, line[found.places], masses * chosen, (n_types, n_rows))
        for chosen in (~has, has)
    )
    columns = across[starts[pairs.pairs[pairs.starts[:-1]]]]
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
    return min(_by_matchings(options, t), _sum_of_cycles(arcs) / (e * t))
