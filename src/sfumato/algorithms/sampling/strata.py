"""Draw levels evenly spread (in strata), and bound the error of a mean over such draws."""

from math import ceil, inf, log, sqrt

import numpy as np

from sfumato._typing import Floats, Ints

__all__ = ["drawn_levels", "stratified_draws", "stratified_half_width"]


def stratified_half_width(
    n_draws: int,
    n_blocks: int,
    *,
    spread: float,
    step: float,
    n_objects: int,
    confidence: float,
    n_means: int,
) -> float:
    r"""Bound the error of means of values that are monotone in a level drawn from strata.

    .. math:: \varepsilon = \sqrt{2 \sigma^2 \log(2 c / (1 - \gamma))}, \qquad
              \sigma^2 = \frac{\min(r^2, n d^2)}{4 s} + \frac{b r^2}{4 s^2}

    for s draws in b blocks. Each block has as many strata as draws. The values lie in a range of
    length r. There are n independent objects, and each changes a value by at most d.

    The first term: given the levels, draws vary only by their objects (McDiarmid's inequality,
    :cite:`mcdiarmid1989`). The second term: from the first stratum of a block to the last the mean
    rises by at most r in all. So the squares of its rises within the strata sum to at most r^2
    (Hoeffding's lemma for each stratum). The half-width never exceeds that of Hoeffding without
    strata.

    Examples
    --------
    >>> few = dict(spread=1.0, step=0.01, n_objects=100, confidence=0.95, n_means=2)
    >>> round(stratified_half_width(1000, 1, **few), 4)
    0.0049
    """
    if spread == inf:
        return inf
    by_objects = _variance_of_objects(spread, step, n_objects)
    plain = spread**2 / (4 * n_draws)
    variance = min(plain, by_objects / (4 * n_draws) + n_blocks * spread**2 / (4 * n_draws**2))
    return sqrt(2 * variance * log(2 * n_means / (1.0 - confidence)))


def stratified_draws(
    tolerance: float,
    block: int,
    *,
    spread: float,
    step: float,
    n_objects: int,
    confidence: float,
    n_means: int,
) -> int:
    """Number of draws, in blocks of ``block``, that makes the half-width at most ``tolerance``.

    Examples
    --------
    >>> few = dict(spread=1.0, step=0.01, n_objects=100, confidence=0.95, n_means=2)
    >>> stratified_draws(0.0049, 1000, **few)
    1088
    """
    scale = log(2 * n_means / (1.0 - confidence)) / (2 * tolerance**2)
    by_objects = _variance_of_objects(spread, step, n_objects)
    # If the last block is not full, it still counts as a block.
    linear = scale * (by_objects + spread**2 / block)
    draws = (linear + sqrt(linear**2 + 4 * scale * spread**2)) / 2
    return max(1, ceil(min(draws, scale * spread**2)))


def _variance_of_objects(spread: float, step: float, n_objects: int) -> float:
    """Upper bound of four times the variance of a value, given its level."""
    return spread**2 if step == inf else min(spread**2, n_objects * step**2)


def drawn_levels(levels: Floats, size: int, seed: np.random.SeedSequence) -> Ints:
    """Draw one level from each of ``size`` equal strata, and count how often each level is drawn.

    ``levels`` descend from 1. The mass of a level is its distance to the next lower level, or to 0.
    """
    within = np.random.default_rng(seed).random(size)
    alphas = (np.arange(size) + 1.0 - within) / size  # in (0, 1]
    # The cut at alpha is the cut at the lowest level that is at least alpha.
    at = np.searchsorted(-levels, -alphas, side="right") - 1
    return np.bincount(at, minlength=len(levels)).astype(np.int64)
