"""Find the law of a sum of independent random steps, on a line, in the plane or in space."""

from math import log
from typing import NamedTuple

import numpy as np

from sfumato import _core
from sfumato._typing import Floats, Ints
from sfumato.algorithms.deadline import look

__all__ = ["StepLaw", "law_of_line_steps", "law_of_steps", "window_widths"]

# Objects of a block, which are added one by one. Then blocks are joined by convolution.
_LEAF = 256


class StepLaw(NamedTuple):
    """Probabilities of the values in a box, and the probability that was cut off outside."""

    origin: Ints  # (d,): the smallest value of each coordinate
    law: Floats  # (w_1, ..., w_d)
    lost_mass: float


def law_of_steps(weights: Floats, steps: Ints, *, max_lost_mass: float) -> StepLaw:
    r"""Find the law of a sum of independent steps in any number of dimensions.

    .. math:: S = \sum_x Z_x, \qquad \Pr(Z_x = z_s) = w_{xs}

    Weights of shape (n, s) sum to 1 in each row; steps of shape (s, d) have the coordinates 0, 1,
    and so on. ``max_lost_mass`` is the most probability to cut off in the tails.

    Notes
    -----
    O(m s w_1 ... w_d) for the m objects that have a choice. The widths grow like the square root
    of m. Only positive numbers are added and multiplied, so the relative error is about
    (s + 1) m eps.

    Examples
    --------
    >>> coin = np.full((2, 2), 0.5)
    >>> law_of_steps(coin, np.array([[0], [1]]), max_lost_mass=0.0).law.tolist()
    [0.25, 0.5, 0.25]
    """
    growth = max(1, len(weights) * int(steps.max(axis=0).sum()))
    origin, shape, law, lost = _core.law_of_steps(
        np.ascontiguousarray(weights), steps, max_lost_mass / growth
    )
    return StepLaw(origin, law.reshape(shape), lost)


def law_of_line_steps(weights: Floats, *, max_lost_mass: float) -> StepLaw:
    """Find the law of a sum of independent steps 0, 1, ..., s - 1 on a line.

    Parameters and result are those of `law_of_steps`. Two steps give the Poisson binomial law.

    Notes
    -----
    O(n log n) times a constant that grows with the logarithm of ``1 / max_lost_mass``. The objects
    of a block are added one by one. Then blocks are joined by direct convolution, so that small
    probabilities keep their relative accuracy.

    Examples
    --------
    >>> found = law_of_line_steps(np.array([[0.5, 0.5], [0.75, 0.25]]), max_lost_mass=0.0)
    >>> found.law.tolist()
    [0.375, 0.5, 0.125]
    """
    n_objects, n_steps = weights.shape
    steps = np.arange(n_steps, dtype=np.int64)[:, None]
    drop = max_lost_mass / max(1, 2 * n_objects * n_steps)
    laws, lost = list[tuple[Ints, Floats]](), 0.0
    for start in range(0, n_objects, _LEAF):
        block = np.ascontiguousarray(weights[start : start + _LEAF])
        origin, _, law, dropped = _core.law_of_steps(block, steps, drop)
        laws.append((origin, law))
        lost += dropped
    while len(laws) > 1:
        joined = list[tuple[Ints, Floats]]()
        for (first, one), (second, other) in zip(laws[::2], laws[1::2], strict=False):
            look()
            law, cut, dropped = _trim(np.convolve(one, other), drop)
            joined.append((first + second + cut, law))
            lost += dropped
        laws = joined + laws[2 * len(joined) :]
    return StepLaw(*laws[0], lost)


def _trim(law: Floats, drop: float) -> tuple[Floats, int, float]:
    """Cut the thin tails of a law. Also gives the values cut in front and the mass cut in all."""
    kept = np.flatnonzero(law > drop)
    first, last = (int(kept[0]), int(kept[-1]) + 1) if len(kept) else (0, len(law))
    return law[first:last], first, float(law[:first].sum() + law[last:].sum())


def window_widths(
    means: Floats, variances: Floats, n_open: Ints, *, max_lost_mass: float
) -> Floats:
    r"""Upper bound of the number of values that a count of independent events takes.

    Tails of negligible probability do not count. By the inequalities of Bennett and Chernoff, the
    count exceeds its mean by d with a probability of at most exp(-r), with

    .. math:: r = v h(d / v), \quad h(u) = (1 + u) \log(1 + u) - u
        \qquad\text{or}\qquad r = m \, KL\Big(\frac{\mu + d}{m} \Big\| \frac{\mu}{m}\Big)

    ``means``, ``variances`` and the number m = ``n_open`` are those of the events of each count
    that are neither sure nor impossible. ``max_lost_mass`` is the most probability in all tails
    together. From :cite:`hoeffding1963`.

    Examples
    --------
    >>> window_widths(*map(np.array, ([50.0], [25.0], [100])), max_lost_mass=1e-13).tolist()
    [81.0]
    """
    # If nothing may be lost, tails end where probabilities fall below the smallest float.
    exponent = log(4 * max(1, int(n_open.sum())) / max(max_lost_mass, 1e-300))
    above = _tail_distance(means, variances, n_open, exponent)
    below = _tail_distance(n_open - means, variances, n_open, exponent)
    return np.minimum(n_open, np.ceil(above + below)) + 1.0


def _tail_distance(means: Floats, variances: Floats, n_open: Ints, exponent: float) -> Floats:
    """Distance d above the mean at which the rate r equals the exponent, by bisection."""
    tiny = 1e-300
    v, complements = np.maximum(variances, tiny), n_open - means
    low, high = np.zeros_like(means), np.maximum(complements, 0.0)
    for _ in range(40):
        d = (low + high) / 2
        bennett = (v + d) * np.log1p(d / v) - d
        above, below = np.maximum(means + d, tiny), np.maximum(complements - d, tiny)
        chernoff = above * np.log(above / np.maximum(means, tiny)) + below * np.log(
            below / np.maximum(complements, tiny)
        )
        is_near = np.maximum(bennett, chernoff) < exponent
        low, high = np.where(is_near, d, low), np.where(is_near, high, d)
    return high
