"""Find limits for the sizes of random clusters. With high probability all of them hold."""

from math import log
from typing import NamedTuple, TypeAlias

import numpy as np

from sfumato._typing import Bools, Floats, Ints
from sfumato.algorithms.tables.rows import Rows, count_codes, slice_rows

__all__ = [
    "Memberships",
    "SizeLimits",
    "SizeSums",
    "likely_sizes",
    "size_limits",
    "size_sums",
    "sure_sizes",
]

SizeSums: TypeAlias = Floats  # (6, k); see `size_sums`

_NUMBERS_AT_ONCE = 1 << 20


class Memberships(NamedTuple):
    """Belief and plausibility that an object of a type is in a cluster.

    Each entry is one type and one cluster. An object is never in a cluster that is not listed.
    """

    clusters: Ints  # (m,)
    counts: Ints  # (m,): objects of the type
    belief: Floats  # (m,)
    plausibility: Floats  # (m,)
    n_clusters: int


class SizeLimits(NamedTuple):
    """The least and the most objects in each cluster."""

    least: Floats  # (k,)
    most: Floats  # (k,)


def likely_sizes(memberships: Memberships, risk: float) -> SizeLimits:
    r"""Limits that hold for all cluster sizes at once, when objects choose independently.

    A cluster holds at least the objects that must be in it and at most those that may be. Both
    numbers are sums of independent zeros and ones. Let v be the variance of such a sum. It exceeds
    its mean, or falls below it, by

    .. math:: \frac{L}{3} + \sqrt{\frac{L^2}{9} + 2 v L}, \qquad L = \log \frac{2 k}{\text{risk}}

    with a probability of at most risk / (2 k). This is Bernstein's inequality;
    :cite:`freedman1975tail` proves a more general form. The risk is the probability that some size
    is outside its limits. O(m + k).

    Examples
    --------
    >>> half = np.array([0.5, 0.5])
    >>> tosses = Memberships(np.array([0, 1]), np.array([1000, 1000]), half, half, 2)
    >>> limits = likely_sizes(tosses, 1e-6)
    >>> limits.least.round().tolist(), limits.most.round().tolist()
    ([408.0, 408.0], [592.0, 592.0])
    """
    return size_limits(size_sums(memberships), risk)


def size_sums(memberships: Memberships) -> SizeSums:
    """What limits of sizes need of the objects; it adds up over them: of shape (6, k).

    For each cluster: objects that must and that may be in it, sums of beliefs and of
    plausibilities, and of their variances p (1 - p).
    """
    clusters, counts, belief, plausibility, n_clusters = memberships
    # Sums of masses may be above 1 by rounding.
    belief, plausibility = np.minimum(belief, 1.0), np.minimum(plausibility, 1.0)

    def total(each: Floats | Bools) -> Floats:
        return np.bincount(clusters, counts * each, minlength=n_clusters).astype(np.float64)

    return np.stack(
        [
            total(belief >= 1.0),
            total(plausibility > 0.0),
            total(belief),
            total(plausibility),
            total(belief * (1.0 - belief)),
            total(plausibility * (1.0 - plausibility)),
        ]
    )


def size_limits(sums: SizeSums, risk: float) -> SizeLimits:
    """Limits that all hold but for a risk, from `size_sums`; surely if it is 0."""
    certain, possible, belief, plausibility, *variances = sums
    if risk == 0.0:
        return SizeLimits(certain, possible)
    log_term = log(2 * len(certain)) - log(risk)
    below, above = (
        log_term / 3 + np.sqrt((log_term / 3) ** 2 + 2 * np.maximum(variance, 0.0) * log_term)
        for variance in variances
    )
    return SizeLimits(
        np.maximum(certain, belief - below), np.minimum(possible, plausibility + above)
    )


def sure_sizes(rows: Rows) -> SizeLimits:
    """Limits that no clustering leaves: objects that must be in a cluster, and that may be.

    O(entries).

    Examples
    --------
    >>> from sfumato.algorithms.tables.rows import dense_rows
    >>> least, most = sure_sizes(dense_rows(np.array([[0.5, 0.5], [1.0, 0.0]])))
    >>> least.tolist(), most.tolist()
    ([1.0, 0.0], [2.0, 1.0])
    """
    width = rows.width
    if not len(rows.values):
        sizes = count_codes(rows.columns, width).astype(np.float64)
        return SizeLimits(sizes, sizes)
    if rows.is_sparse:
        positive = rows.values > 0.0
        single = np.add.reduceat(positive.astype(np.int64), rows.starts[:-1]) == 1
        sure = positive & np.repeat(single, np.diff(rows.starts))
        least, most = (
            np.bincount(rows.columns, chosen, minlength=width).astype(np.float64)
            for chosen in (sure, positive)
        )
        return SizeLimits(least, most)
    least, most = np.zeros((2, width))
    step = max(1, _NUMBERS_AT_ONCE // width)
    for first in range(0, rows.n_rows, step):
        positive = slice_rows(rows, first, first + step).values.reshape(-1, width) > 0.0
        most += np.count_nonzero(positive, axis=0)
        least += np.count_nonzero(positive[np.count_nonzero(positive, axis=1) == 1], axis=0)
    return SizeLimits(least, most)
