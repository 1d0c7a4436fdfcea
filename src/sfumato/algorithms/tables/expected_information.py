"""Compute the mean mutual information of two random clusterings: what chance alone gives."""

import numpy as np

from sfumato import _core
from sfumato._typing import Ints, Values

__all__ = ["expected_information_of_sizes", "expected_mutual_information"]


def expected_mutual_information(rows: Ints, columns: Ints) -> Values:
    r"""Mean mutual information of two random clusterings with given cluster sizes, in nats.

    .. math:: \sum_{ij} E\left[\frac{x}{n} \log \frac{n x}{R_i C_j}\right], \quad
              x \sim \text{Hypergeometric}(n, R_i, C_j)

    for cluster sizes of shapes (..., k1) and (..., k2) with equal totals.

    Notes
    -----
    O(s) for every pair of distinct sizes; s is the standard deviation of the overlap of the two
    clusters. Defined in :cite:`vinh2010information`.

    Examples
    --------
    >>> round(float(expected_mutual_information(np.array([2, 2]), np.array([2, 2]))), 6)
    0.231049
    """
    shape = rows.shape[:-1]
    return _core.expected_information(
        np.ascontiguousarray(rows.reshape(-1, rows.shape[-1]), dtype=np.int64),
        np.ascontiguousarray(columns.reshape(-1, columns.shape[-1]), dtype=np.int64),
    ).reshape(shape)


def expected_information_of_sizes(sizes: Ints, columns: Ints) -> Values:
    r"""What a single cluster of each size adds to the mean mutual information.

    .. math:: \sum_j E\left[\frac{x}{n} \log \frac{n x}{r\,C_j}\right], \quad
              x \sim \text{Hypergeometric}(n, r, C_j)

    for sizes r of clusters of one clustering, of shape (s,), and all sizes of the other one, of
    shape (k2,) and sum n. The sum of this over the rows is `expected_mutual_information`. Many
    tables with the same columns have at most n + 1 different row sizes, so this is called once for
    all of them.

    Examples
    --------
    >>> found = expected_information_of_sizes(np.array([0, 2]), np.array([2, 2]))
    >>> found.round(6).tolist()
    [0.0, 0.115525]
    """
    every = np.repeat(columns[None, :], len(sizes), axis=0)
    return expected_mutual_information(every, sizes[:, None])
