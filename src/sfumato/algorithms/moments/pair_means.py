r"""Compute means and covariances of pair counts between two fuzzy partitions, in closed form.

The clusters of the objects are drawn independently. Object x is in row i with probability
:math:`p_i(x)` and in column j with probability :math:`q_j(x)`. Two objects share a row with
probability :math:`a_{xy} = \sum_i p_i(x) p_i(y)`, a column with probability :math:`b_{xy}`, and a
cell with probability :math:`a_{xy} b_{xy}`. The sums

.. math:: A = \sum_i R_i^2, \quad B = \sum_j C_j^2, \quad S = \sum_{ij} N_{ij}^2

count the ordered pairs that share a row, a column and a cell. Each object also counts as a pair
with itself.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sfumato import _core
from sfumato._typing import Floats
from sfumato.algorithms.deadline import look
from sfumato.algorithms.tables.rows import NUMBERS_AT_ONCE, Rows, full_rows, slice_rows

__all__ = [
    "ObjectSums",
    "TableSums",
    "covariance_cost",
    "covariance_from_sums",
    "feature_sums",
    "n_features",
    "object_sums",
    "pair_covariance",
    "pair_means",
    "pair_powers",
    "paired_blocks",
    "powers_of_features",
    "table_sums",
]

# Products of features that are summed at once: 32 MB.
_MOST_PRODUCTS = 4_000_000
# Kernels say if two objects share a row (number 0), a column (1) or a cell (2). The product of two
# kernels is again one of them. The means of the kernels are a_xy, b_xy and a_xy b_xy.
_PRODUCT_OF = np.array([[0, 2, 2], [2, 1, 2], [2, 2, 2]])
_A_POWER, _B_POWER = np.array([1, 0, 1]), np.array([0, 1, 1])


class TableSums(NamedTuple):
    """Sums of the entries of each row, column and cell; sums over x of a_xx, b_xx and a_xx b_xx."""

    rows: Floats
    columns: Floats
    cells: Floats
    own: Floats  # (3,)

    def over_pairs(self) -> Floats:
        """Sums of a_xy, b_xy and a_xy b_xy over all ordered pairs, also of x with itself."""
        return np.array([float(np.vdot(sums, sums)) for sums in self[:3]])

    def pair_means(self, n_objects: int) -> Floats:
        """What `pair_means` finds of the memberships whose sums these are."""
        return self.over_pairs() - self.own + n_objects


def table_sums(a: Rows, b: Rows) -> TableSums:
    r"""Sum over the objects: for memberships, the expected table and its margins.

    The entries may be any numbers. The cells are :math:`W_{ij} = \sum_x p_i(x) q_j(x)`.

    One multiplication for each pair of entries of an object. Objects are added in blocks of 1024,
    or of as many as there are cells if these are more. So the relative rounding error of a sum is
    at most that of (block + n / block) additions.
    """
    if not (a.is_single or b.is_single):
        rows, columns, cells, own = _core.pair_sums(a, b)
        return TableSums(rows, columns, cells, np.array(own))
    parts = zip(*(table_sums(*block) for block in _blocks(a, b)), strict=True)
    return TableSums(*(np.sum(part, axis=0) for part in parts))


def _blocks(a: Rows, b: Rows) -> Iterator[tuple[Rows, Rows]]:
    """The same few objects of both sides at a time, if one is in single precision, else all."""
    width = max((side.width for side in (a, b) if side.is_single), default=0)
    return paired_blocks(a, b, max(1, NUMBERS_AT_ONCE // width) if width else a.n_rows)


def paired_blocks(a: Rows, b: Rows, step: int) -> Iterator[tuple[Rows, Rows]]:
    """The same ``step`` objects of both sides at a time, in double precision."""
    for first in range(0, a.n_rows, step):
        look()
        last = min(first + step, a.n_rows)
        yield slice_rows(a, first, last), slice_rows(b, first, last)


class ObjectSums(NamedTuple):
    """Sums over single objects that covariances of pair counts need."""

    linear: Floats  # (9,): covariances of g_s and g_t, see `pair_covariance`
    crossed: Floats  # (9,)
    own: Floats  # (9,)
    unsure: Floats  # (): the sum of u_x
    unsure_squares: Floats  # ()

    def single_parts(self) -> Floats:
        """Covariances of the parts of single objects; rows and columns are independent."""
        found = 4 * self.linear.reshape(3, 3)
        found[0, 1] = found[1, 0] = 0.0
        return found

    def unsure_pairs(self) -> float:
        """Sum of u_x u_y over all ordered pairs of two objects."""
        return max(0.0, float(self.unsure**2 - self.unsure_squares))


def object_sums(a: Rows, b: Rows, sums: TableSums) -> ObjectSums:
    """Sum over the objects; ``sums`` are those of all objects."""
    parts = (
        _core.pair_object_sums(*block, sums.rows, sums.columns, sums.cells)
        for block in _blocks(a, b)
    )
    return ObjectSums(*(np.sum(part, axis=0) for part in zip(*parts, strict=True)))


def pair_means(a: Rows, b: Rows) -> Floats:
    r"""Expected sums of squared row sums, column sums and cells of a random table.

    .. math:: E A = \sum_{x \ne y} a_{xy} + n = \Bigl|\sum_x p(x)\Bigr|^2 - \sum_x |p(x)|^2 + n

    and likewise :math:`E B` with q(x), and :math:`E S` with the outer product of p(x) and q(x).

    O(n k1 k2), less for sparse or hard rows; memory O(k1 k2). The sum over all pairs
    :cite:`campagner2022distributional` costs O(n^2 (k1 + k2)).

    Examples
    --------
    >>> from sfumato.algorithms.tables.rows import dense_rows, hard_rows
    >>> a = dense_rows(np.array([[0.5, 0.5], [1.0, 0.0]]))
    >>> pair_means(a, hard_rows(np.array([0, 0]), 1)).tolist()
    [3.0, 4.0, 3.0]
    """
    return table_sums(a, b).pair_means(a.n_rows)


def pair_covariance(a: Rows, b: Rows) -> Floats:
    r"""Covariance matrix of the sums of squared row sums, column sums and cells.

    Let :math:`X_x` be the cell of object x. Each sum is :math:`\sum_{x,y} M(X_x, X_y)` with a
    kernel M that is 0 or 1. Hoeffding's decomposition splits it into uncorrelated parts of one and
    of two objects. So for kernels s and t

    .. math:: \mathrm{Cov} = 4 \sum_x \mathrm{Cov}(g_s(X_x), g_t(X_x))
              + 2 \sum_{x \ne y} \mathrm{tr}(M_s \Sigma_x M_t \Sigma_y),

    where :math:`g(i, j)` is the expected number of other objects that are together with x if x is
    in cell (i, j), and :math:`\Sigma_x = \mathrm{diag}(w) - w w^T` for the cell probabilities w of
    x. Multiplied out, the second sum only needs sums over pairs of :math:`a^s b^t` with powers up
    to 2.

    Notes
    -----
    O(n k1^2 k2^2 / 4), less for sparse or hard rows, or O(n^2 (k1 + k2) / 2) if that is cheaper;
    see `covariance_cost`. The second sum is a difference of larger sums, so it suffers from
    rounding. Let :math:`u_x` be the probability that x is not in its likeliest cell. The second sum
    is kept within :math:`\pm 4 ((\sum u_x)^2 - \sum u_x^2)`, so that it stays accurate when objects
    are nearly certain. See :cite:`hoeffding1948class`.

    Examples
    --------
    >>> from sfumato.algorithms.tables.rows import dense_rows, hard_rows
    >>> a = dense_rows(np.array([[0.5, 0.5], [1.0, 0.0]]))
    >>> pair_covariance(a, hard_rows(np.array([0, 0]), 1)).tolist()
    [[1.0, 0.0, 1.0], [0.0, 0.0, 0.0], [1.0, 0.0, 1.0]]
    """
    a, b = full_rows(a), full_rows(b)
    sums = table_sums(a, b)
    return covariance_from_sums(sums, object_sums(a, b, sums), pair_powers(a, b))


def pair_powers(a: Rows, b: Rows) -> Floats:
    """What `powers_of_features` finds, in the cheaper of two ways."""
    if _pair_cost(a, b) < _feature_cost(a, b):
        return np.array(_core.pair_powers_by_pairs(full_rows(a), full_rows(b))).reshape(3, 3)
    return powers_of_features(feature_sums(a, b), (a.is_hard, b.is_hard))


def covariance_from_sums(sums: TableSums, of_objects: ObjectSums, powers: Floats) -> Floats:
    """What `pair_covariance` finds, from sums over objects and F; see `powers_of_features`."""
    over_pairs = powers[np.add.outer(_A_POWER, _A_POWER), np.add.outer(_B_POWER, _B_POWER)]
    degenerate = (
        (sums.over_pairs() - sums.own)[_PRODUCT_OF]
        - 2 * of_objects.crossed.reshape(3, 3)
        + (over_pairs - of_objects.own.reshape(3, 3))
    )
    bound = 4 * of_objects.unsure_pairs()
    degenerate[0, 1] = degenerate[1, 0] = 0.0  # rows and columns are drawn independently
    return of_objects.single_parts() + 2 * np.clip(degenerate, -bound, bound)


def feature_sums(a: Rows, b: Rows) -> Floats:
    """Sum over the objects the products of features of a and of b; of shape (f, g).

    Features of a row are the constant 1, the probabilities, and the products of two of them, with
    itself too; a hard row needs no products.
    """
    return np.sum([_core.pair_feature_sums(*block) for block in _blocks(a, b)], axis=0)


def n_features(shape: tuple[int, int], are_hard: tuple[bool, bool]) -> tuple[int, int]:
    """The shape of the sums of features of a table of a shape."""
    rows, columns = map(_n_features, shape, are_hard)
    return int(rows), int(columns)


def powers_of_features(sums: Floats, are_hard: tuple[bool, bool]) -> Floats:
    """F_st, the sum over all pairs of objects of a_xy^s b_xy^t, for s and t from 0 to 2.

    ``sums`` are those of `feature_sums`, of all objects.
    """
    rows, columns = (
        _feature_weights(size, is_hard) for size, is_hard in zip(sums.shape, are_hard, strict=True)
    )
    return rows @ sums**2 @ columns.T


def _feature_weights(size: int, is_hard: bool) -> Floats:
    """How often each feature counts for each power of a_xy, of shape (3, size)."""
    found = np.zeros((3, size))
    found[0, 0] = 1.0
    if is_hard:  # a^2 = a
        found[1:, 1:] = 1.0
        return found
    width = int(np.sqrt(2 * size)) - 1  # size = 1 + k + k (k + 1) / 2
    found[1, 1 : 1 + width] = 1.0
    found[2, 1 + width :] = 2.0
    products = np.arange(width)
    found[2, 1 + width + products * (products + 3) // 2] = 1.0  # of an entry with itself
    return found


def covariance_cost(a: Rows, b: Rows) -> float:
    """About how many multiplications `pair_covariance` takes; infinite if memory forbids it."""
    return min(_feature_cost(a, b), _pair_cost(a, b))


def _feature_cost(a: Rows, b: Rows) -> float:
    if _n_features(a.width, a.is_hard) * _n_features(b.width, b.is_hard) > _MOST_PRODUCTS:
        return float("inf")
    used = _n_features(a.mean_length, a.is_hard) * _n_features(b.mean_length, b.is_hard)
    return a.n_rows * used


def _n_features(length: float, is_hard: bool) -> float:
    """Count the features: a constant, the probabilities, and their products.

    A hard row needs no products, because each of its entries equals its own square.
    """
    return 1 + length + (0 if is_hard else length * (length + 1) / 2)


def _pair_cost(a: Rows, b: Rows) -> float:
    return a.n_rows**2 / 2 * (a.mean_length + b.mean_length + 8)
