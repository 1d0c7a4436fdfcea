"""Compute entropies and mutual information from counts, in nats.

Each count takes one logarithm, of a quotient. So equal counts give exactly 0, and there are no
large sums that nearly cancel. Products of counts are in float64, where they cannot overflow.
Counts of zero add nothing.
"""

import numpy as np

from sfumato._typing import Floats, Ints, Values

__all__ = ["conditional_entropy", "entropy", "mutual_information"]


def _sum_of_logs(weights: Floats, above: Floats, below: Floats) -> Floats:
    # Sum of w log(above / below) over the last axis. A weight of 0 takes no logarithm.
    counts = weights > 0
    ratio = np.where(counts, above, 1.0) / np.where(counts, below, 1.0)
    return np.asarray((weights * np.log(ratio)).sum(axis=-1))


def entropy(sizes: Ints, n_objects: Ints) -> Values:
    r"""Uncertainty about the group of an object drawn at random.

    .. math:: H = \sum_g \frac{x_g}{n} \log \frac{n}{x_g}

    over the last axis of ``sizes``. 0 exactly when one group holds everything.

    Examples
    --------
    >>> float(entropy(np.array([3, 0]), np.array(3)))
    0.0
    >>> round(float(entropy(np.array([2, 2]), np.array(4))), 6)
    0.693147
    """
    x, n = sizes.astype(np.float64), n_objects.astype(np.float64)
    return np.asarray(_sum_of_logs(x, n[..., None], x) / n)


def conditional_entropy(cells: Ints, groups: Ints, n_objects: Ints) -> Values:
    r"""Uncertainty about the cell of an object whose group is known.

    .. math:: \sum_c \frac{N_c}{n} \log \frac{G_c}{N_c}

    over the last axis of ``cells``; ``groups`` are the sizes of the groups that these are part of.
    0 exactly when every group is one cell.

    Examples
    --------
    >>> float(conditional_entropy(np.array([2, 3]), np.array([2, 3]), np.array(5)))
    0.0
    """
    x, n = cells.astype(np.float64), n_objects.astype(np.float64)
    return np.asarray(_sum_of_logs(x, groups.astype(np.float64), x) / n)


def mutual_information(cells: Ints, rows: Ints, columns: Ints, n_objects: Ints) -> Values:
    r"""Information that the row of an object gives about its column.

    .. math:: \sum_c \frac{N_c}{n} \log \frac{n N_c}{R_c C_c}

    over the last axis of ``cells``; ``rows`` and ``columns`` are the sums that belong to each cell.
    Exactly 0 where rows and columns are independent; never negative.

    Examples
    --------
    >>> float(mutual_information(np.array([1, 2]), np.array([3, 3]), np.array([1, 2]), np.array(3)))
    0.0
    """
    x, n = cells.astype(np.float64), n_objects.astype(np.float64)
    margins = rows.astype(np.float64) * columns
    return np.asarray(np.maximum(_sum_of_logs(x, x * n[..., None], margins) / n, 0.0))
