"""Bound how much the best matching can gain over a given one, in a random table.

Another matching differs from the given one by cycles: row i takes the column of row j, row j takes
that of another row, and so on. All cycles are bounded at once.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np

from sfumato import _core
from sfumato._typing import Floats

__all__ = ["ImprovementBound", "bound_improvement", "sum_of_cycles"]

_STEEPEST = 9.0  # largest t
_MOST_OBJECT_ARCS = 2e7  # objects times cells of the table
_LARGEST_LOG = 50.0
_EPS = float(np.finfo(np.float64).eps)


class ImprovementBound(NamedTuple):
    """Upper bounds of the mean improvement and of the probability that there is one."""

    mean: float
    probability: float


def bound_improvement(
    expected: Floats,
    n_objects: int,
    *,
    sides: tuple[Floats, Floats] | None = None,
    enough: float = 0.0,
) -> ImprovementBound:
    r"""Bound what the best matching gains over the matching of row i to column i.

    Another matching differs by cycles. A cycle c changes the total by :math:`\Delta_c`, a sum of
    independent steps. An arc from i to j says that row i takes the column of row j. Chernoff's
    bound of a cycle is a product over its arcs. So

    .. math:: E \max_c \Delta_c^+ \le \frac{1}{e t} \sum_c \prod_{arcs} B_{ij}(t)
              \le \frac{-\log\det(I - B(t))}{e t}

    if the spectral radius of B is below 1. The sum over all matchings gives, for any t,

    .. math:: E \max_\pi \le \frac{1}{t} \log \mathrm{per}(I + B(t))
              \le \frac{1}{t} \sum_i \log\Big(1 + \sum_j B_{ij}(t)\Big)

    Parameters
    ----------
    expected : ndarray of shape (k, l), l >= k
        The expected table. Columns from k on have no partner.
    n_objects : int
    sides : ndarrays of shapes (n, k) and (n, l), optional
        Memberships p and q, so that the table is p' q; without them the bound is less sharp.
    enough : float
        Stop as soon as the bound of the mean is at most this.

    Notes
    -----
    O(k^3) for each of 24 values of t with weights from the expected table W alone,
    B = exp(W_ij (e^t - 1) + W_jj (e^-t - 1)). Then O(n k l) for each of five values of t with
    sharper weights from the single objects.
    """
    ts = np.geomspace(6.0, 0.5 / sqrt(n_objects), 24).tolist()
    bounds = [_at(_poisson_weights(expected, t), t) for t in ts]
    means = [bound.mean for bound in bounds]
    if sides and min(means) > enough and expected.size * n_objects <= _MOST_OBJECT_ARCS:
        best = ts[means.index(min(means))]
        nearby = {min(_STEEPEST, best * factor) for factor in (0.7, 1.0, 1.5, 2.2, 3.3)}
        bounds += [_at(_core.arc_weights(*sides, t), t) for t in sorted(nearby)]
    probability = min(1.0, *(bound.probability for bound in bounds))
    return ImprovementBound(min(bound.mean for bound in bounds), probability)


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


def _at(weights: Floats, t: float) -> ImprovementBound:
    """Bound the gain at one t: by cycles and by matchings. Only cycles bound the probability."""
    n_rows, n_columns = weights.shape
    arcs = np.full((n_rows + (n_columns > n_rows),) * 2, -np.inf)
    arcs[:n_rows, :n_rows] = weights[:, :n_rows]
    np.fill_diagonal(arcs, -np.inf)
    if n_columns > n_rows:  # one more node stands for all free columns
        arcs[:n_rows, n_rows] = np.logaddexp.reduce(weights[:, n_rows:], axis=1)
        arcs[n_rows, :n_rows] = np.diag(weights)
    rows = np.logaddexp.reduce(np.column_stack([np.zeros(n_rows), arcs[:n_rows]]), axis=1)
    by_matchings = float(rows.sum()) / t
    cycles = sum_of_cycles(arcs)
    return ImprovementBound(min(by_matchings, cycles / (np.e * t)), cycles * float(np.exp(-t)))


def sum_of_cycles(arcs: Floats) -> float:
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
