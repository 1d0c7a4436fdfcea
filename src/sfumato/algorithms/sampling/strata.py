"""How far a mean of draws can be from the truth when their levels are spread evenly."""

from math import ceil, inf, log, sqrt

import numpy as np

from sfumato._typing import Floats, Ints

__all__ = ["drawn_levels", "stratified_draws", "stratified_half_width"]


def stratified_half_width(
    n_draws: int,
    planned: int,
    block: int,
    *,
    spread: float,
    step: float,
    n_objects: int,
    confidence: float,
    n_means: int,
) -> float:
    r"""Half-width for means of values that are monotone in a level drawn stratum by stratum.

    .. math:: \varepsilon = \frac{1}{2 s} \sqrt{2 L} \left( \sqrt{V_p}
              + \frac{V_s}{\sqrt{V_p}} \right), \quad
              V_s = \frac{s \min(r^2, n d^2) + b r^2}{4}, \quad L = \log \frac{2 c}{1 - \gamma}

    for s draws in b blocks where p were planned, each block with as many strata as draws, values
    in a range r, and n independent objects that change a value by at most d each. Given the levels
    the draws vary by their objects only, which is McDiarmid's inequality :cite:`mcdiarmid1989`; the
    means at the levels of one block rise by r at most from the first stratum to the last, so the
    squares of what they vary by within the strata sum to at most r^2 (Hoeffding's lemma for each
    stratum). V is never more than without strata, s r^2 / 4. It holds at any number of full blocks,
    whatever decides it (`line_half_width`); at p draws it is the square root of 2 V L, over p.

    Examples
    --------
    >>> few = dict(spread=1.0, step=0.01, n_objects=100, confidence=0.95, n_means=2)
    >>> round(stratified_half_width(1000, 1000, 1000, **few), 4)
    0.0049
    """
    if spread == inf:
        return inf
    by_objects = _variance_of_objects(spread, step, n_objects)

    def variance(draws: int) -> float:
        strata = -(-draws // block) * spread**2
        return min(draws * spread**2, draws * by_objects + strata) / 4

    aim = sqrt(variance(planned))
    if aim == 0.0:
        return 0.0
    log_term = log(2 * n_means / (1.0 - confidence))
    return sqrt(2 * log_term) * (aim + variance(n_draws) / aim) / (2 * n_draws)


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
    """Draws, in blocks of that many, that make the half-width at most ``tolerance``.

    Examples
    --------
    >>> few = dict(spread=1.0, step=0.01, n_objects=100, confidence=0.95, n_means=2)
    >>> stratified_draws(0.0049, 1000, **few)
    1088
    """
    scale = log(2 * n_means / (1.0 - confidence)) / (2 * tolerance**2)
    by_objects = _variance_of_objects(spread, step, n_objects)
    # A last block that is not full counts as one more.
    linear = scale * (by_objects + spread**2 / block)
    draws = (linear + sqrt(linear**2 + 4 * scale * spread**2)) / 2
    return max(1, ceil(min(draws, scale * spread**2)))


def _variance_of_objects(spread: float, step: float, n_objects: int) -> float:
    """Four times the variance, at most, of a value given its level."""
    return spread**2 if step == inf else min(spread**2, n_objects * step**2)


def drawn_levels(levels: Floats, size: int, seed: np.random.SeedSequence) -> Ints:
    """How often each level is drawn when one comes from each of ``size`` equal strata.

    ``levels`` descend from 1; the mass of a level is the gap below it.
    """
    within = np.random.default_rng(seed).random(size)
    alphas = (np.arange(size) + 1.0 - within) / size  # in (0, 1]
    # The cut at alpha is that at the lowest level not below it.
    at = np.searchsorted(-levels, -alphas, side="right") - 1
    return np.bincount(at, minlength=len(levels)).astype(np.int64)
