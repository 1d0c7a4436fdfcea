"""Draws at random levels: the rough cuts of a possibilistic partition that is read with min."""

from collections.abc import Callable
from itertools import count
from typing import TypeVar

import numpy as np

from sfumato._typing import Floats
from sfumato.algorithms.deadline import Deadline, OutOfTimeError
from sfumato.algorithms.sampling.strata import drawn_levels

__all__ = ["at_random_levels", "joined"]

T = TypeVar("T", bound=tuple[Floats, ...])


def at_random_levels(
    levels: Floats, draw: Callable[[float, int, np.random.SeedSequence], T], deadline: Deadline
) -> Callable[[int, np.random.SeedSequence], T | None]:
    """Draw one level from each of as many strata of equal mass as there are draws in a block.

    ``draw(level, size, seed)`` draws at one level. Any full blocks are a fair sample, so one that
    the deadline cuts short gives None; the first is finished, however late it is.
    """
    n_begun = count()

    def block(size: int, seed: np.random.SeedSequence) -> T | None:
        level_seed, draw_seed = seed.spawn(2)
        drawn = drawn_levels(levels, size, level_seed)
        numbers = np.flatnonzero(drawn).tolist()
        is_first = next(n_begun) == 0
        parts: list[T] = []
        for at, child in zip(numbers, draw_seed.spawn(len(numbers)), strict=True):
            if deadline.is_called_off or (not is_first and deadline.is_over):
                return None
            parts.append(draw(float(levels[at]), int(drawn[at]), child))
        return joined(parts)

    return block


def joined(parts: list[T]) -> T:
    """The draws of all parts, side by side.

    Raises
    ------
    OutOfTimeError
        If the time was over before the first part.
    """
    if not parts:
        raise OutOfTimeError
    arrays = (np.concatenate(side) for side in zip(*parts, strict=True))
    return type(parts[0])(arrays)
