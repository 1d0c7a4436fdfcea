"""Pairs counted by inner products of rows, from Gram matrices alone."""

import numpy as np

from sfumato._typing import Floats
from sfumato.indices.formulas.pair_table import PairSums

__all__ = ["gram_sums", "sum_of_products"]


def sum_of_products(rows: Floats) -> float:
    """Sum over pairs i < j of the inner product of two rows; O(n k)."""
    return float(np.square(rows.sum(axis=0)).sum() - np.square(rows).sum()) / 2


def gram_sums(first: Floats, second: Floats) -> PairSums:
    r"""Sums over pairs i < j of products of :math:`\psi_{ij} = u_i \cdot u_j` of two sides.

    .. math:: \sum_{i < j} \psi_{ij} \phi_{ij}
              = \tfrac12 \left( \|U^T V\|_F^2 - \sum_i |u_i|^2 |v_i|^2 \right)

    Notes
    -----
    O(n k k'); no pair is looked at.
    """
    if len(first) == 1:  # nothing but rounding would be left
        return PairSums(0.0, 0.0, 0.0, 0.0)
    n_pairs = len(first) * (len(first) - 1) / 2
    own = np.square(first).sum(axis=1) @ np.square(second).sum(axis=1)
    both = float(np.square(first.T @ second).sum() - own) / 2
    of_first, of_second = sum_of_products(first), sum_of_products(second)
    return PairSums(both, of_first - both, of_second - both, n_pairs - of_first - of_second + both)
