"""Compute how much each object adds to the variance of a pair-counting value, in closed form."""

from typing import TypeAlias

import numpy as np

from sfumato._typing import Floats, Ints

__all__ = ["Slopes", "pair_effects", "pair_variances"]

Slopes: TypeAlias = tuple[float, float, float]  # of the sums over rows, columns and cells

_NUMBERS_AT_ONCE = 1 << 20


def pair_variances(a: Floats, b: Floats, slopes: Slopes) -> Floats:
    r"""Variance of the conditional mean of a pair-counting value, given the cell of one object.

    .. math:: \mathrm{Var}\, E[\alpha A + \beta B + \gamma S \mid X_x] = 4\, \mathrm{Var}
              \bigl(\alpha R^{-x}_i + \beta C^{-x}_j + \gamma W^{-x}_{ij}\bigr)

    A, B and S are the sums of squared row sums, column sums and cells. :math:`R^{-x}`,
    :math:`C^{-x}` and :math:`W^{-x}` are the expected row sums, column sums and cells of all
    objects but x. (i, j) is the cell of x.

    Parameters
    ----------
    a, b : ndarray of shape (n, k1) and (n, k2)
        Probabilities of the clusters of each object on each side.
    slopes : (float, float, float)
        Of A, B and S.

    Notes
    -----
    O(n k1 k2). These are the terms of single objects in Hoeffding's decomposition
    :cite:`hoeffding1948class`.

    Examples
    --------
    >>> a = np.array([[0.5, 0.5], [1.0, 0.0]])
    >>> pair_variances(a, np.ones((2, 1)), (1.0, 0.0, 0.0)).tolist()
    [1.0, 0.0]
    """
    found = np.empty(len(a))
    step = max(1, _NUMBERS_AT_ONCE // (a.shape[1] * b.shape[1]))
    for start in range(0, len(a), step):
        block = np.arange(start, min(start + step, len(a)))
        weights = a[block, :, None] * b[block, None, :]
        found[block] = (weights * pair_effects(a, b, block, slopes) ** 2).sum(axis=(1, 2))
    return found


def pair_effects(a: Floats, b: Floats, objects: Ints, slopes: Slopes) -> Floats:
    """How much the mean of a pair-counting value changes if the cell of one object is known.

    Parameters are those of `pair_variances`, and ``objects``, the m objects to look at.

    Returns
    -------
    ndarray of shape (m, k1, k2)
        The mean given the cell, minus the mean.

    Examples
    --------
    >>> a = np.array([[0.5, 0.5], [1.0, 0.0]])
    >>> pair_effects(a, np.ones((2, 1)), np.array([0]), (1.0, 0.0, 0.0)).ravel().tolist()
    [1.0, -1.0]
    """
    alpha, beta, gamma = slopes
    p, q = a[objects, :, None], b[objects, None, :]
    weights = p * q
    rows, columns, cells = a.sum(axis=0)[:, None] - p, b.sum(axis=0) - q, a.T @ b - weights
    means = 2.0 * (alpha * rows + beta * columns + gamma * cells)
    means -= (weights * means).sum(axis=(1, 2), keepdims=True)
    return means
