"""Means of draws, as many as a stated error needs."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sfumato._arguments import is_number
from sfumato._typing import Floats
from sfumato.algorithms.sampling.concentration import bernstein_half_width
from sfumato.errors import InputError

__all__ = ["CONFIDENCE", "MOST_DRAWS", "DrawnMean", "check_tolerance", "draw_mean"]

CONFIDENCE = 0.95
MOST_DRAWS = 1 << 24
_FIRST, _BLOCK = 1 << 12, 1 << 14


class DrawnMean(NamedTuple):
    """A mean of draws, within ``half_width`` of the truth with probability 0.95."""

    mean: float
    half_width: float
    n_draws: int


def check_tolerance(name: str, tolerance: object) -> None:
    """Refuse a tolerance that is not a positive number."""
    if not (is_number(tolerance) and 0 < tolerance < np.inf):
        raise InputError(f"{name}(tolerance=...) is a positive number, not {tolerance!r}.")


def draw_mean(
    draw: Callable[[int, np.random.Generator], Floats],
    is_enough: Callable[[DrawnMean], bool],
    rng: np.random.Generator,
) -> DrawnMean:
    """Draw values in [0, 1] until their mean is known well enough, or 2^24 of them.

    The draws double from round to round; round r may fail with probability 0.05 / (r (r + 1)), so
    that all rounds together keep their promise, whichever of them is the last.
    """
    total = squares = 0.0
    n_draws, wanted, rounds = 0, _FIRST, 0
    while True:
        rounds += 1
        while n_draws < wanted:
            values = draw(min(_BLOCK, wanted - n_draws), rng)
            total, squares = total + float(values.sum()), squares + float(values @ values)
            n_draws += len(values)
        mean = total / n_draws
        variance = max(0.0, squares / n_draws - mean**2) * n_draws / (n_draws - 1)
        confidence = 1 - (1 - CONFIDENCE) / (rounds * (rounds + 1))
        half_width = bernstein_half_width(n_draws, variance, 1.0, confidence, 1)
        found = DrawnMean(mean, half_width, n_draws)
        if n_draws >= MOST_DRAWS or is_enough(found):
            return found
        wanted *= 2
