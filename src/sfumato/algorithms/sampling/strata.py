"""Draws at levels that are spread evenly, and how far their mean can be from the truth.

These are the rough cuts of a possibilistic partition that is read with min.
"""

from collections.abc import Callable
from itertools import count
from math import ceil, inf, log, sqrt
from typing import NamedTuple, TypeVar

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.deadline import Deadline, OutOfTimeError

__all__ = ["Strata", "at_random_levels", "joined"]

_N_MEANS = 2
T = TypeVar("T", bound=tuple[Floats, ...])


class Strata(NamedTuple):
    r"""Values that are monotone in a level drawn stratum by stratum; both ends have means.

    Examples
    --------
    >>> strata = Strata(1000, spread=1.0, step=0.01, n_objects=100, confidence=0.95)
    >>> round(strata.half_width(1000, 1000), 4), strata.draws_for(0.0049)
    (0.0049, 1088)
    """

    block: int  # draws of a block, and its strata
    spread: float  # of the values, r
    step: float  # by which an object changes a value at most, d
    n_objects: int  # that choose independently, given the level
    confidence: float

    def half_width(self, n_draws: int, planned: int) -> float:
        r"""Error of the means of so many draws, where some number was planned.

        .. math:: \varepsilon = \frac{1}{2 s} \sqrt{2 L} \left( \sqrt{V_p}
                  + \frac{V_s}{\sqrt{V_p}} \right), \quad
                  V_s = \frac{s \min(r^2, n d^2) + b r^2}{4}, \quad L = \log \frac{4}{1 - \gamma}

        for s draws in b blocks where p were planned. Given the levels the draws vary by their
        objects only, which is McDiarmid's inequality :cite:`mcdiarmid1989`; the means at the levels
        of one block rise by r at most from the first stratum to the last, so the squares of what
        they vary by within the strata sum to at most r^2 (Hoeffding's lemma for each stratum). V is
        never more than without strata, s r^2 / 4. It holds at any number of full blocks, whatever
        decides it (`line_half_width`); at p draws it is the square root of 2 V L, over p.
        """
        if self.spread == inf:
            return inf
        aim = sqrt(self._variance(planned))
        if aim == 0.0:
            return 0.0
        return sqrt(2 * self._log_term) * (aim + self._variance(n_draws) / aim) / (2 * n_draws)

    def draws_for(self, tolerance: float) -> int:
        """Draws whose error is at most the tolerance."""
        scale = self._log_term / (2 * tolerance**2)
        # A last block that is not full counts as one more.
        linear = scale * (self._by_objects + self.spread**2 / self.block)
        draws = (linear + sqrt(linear**2 + 4 * scale * self.spread**2)) / 2
        return max(1, ceil(min(draws, scale * self.spread**2)))

    @property
    def _log_term(self) -> float:
        return log(2 * _N_MEANS / (1.0 - self.confidence))

    def _variance(self, n_draws: int) -> float:
        strata = -(-n_draws // self.block) * self.spread**2
        return min(n_draws * self.spread**2, n_draws * self._by_objects + strata) / 4

    @property
    def _by_objects(self) -> float:
        """Four times the variance, at most, of a value given its level."""
        most = self.spread**2
        return most if self.step == inf else min(most, self.n_objects * self.step**2)


def _drawn_levels(levels: Floats, size: int, seed: np.random.SeedSequence) -> Ints:
    """How often each level is drawn when one comes from each of ``size`` equal strata.

    ``levels`` descend from 1; the mass of a level is the gap below it.
    """
    within = np.random.default_rng(seed).random(size)
    alphas = (np.arange(size) + 1.0 - within) / size  # in (0, 1]
    # The cut at alpha is that at the lowest level not below it.
    at = np.searchsorted(-levels, -alphas, side="right") - 1
    return np.bincount(at, minlength=len(levels)).astype(np.int64)


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
        drawn = _drawn_levels(levels, size, level_seed)
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
    """The draws of all parts, side by side; `OutOfTimeError` if time was over before the first."""
    if not parts:
        raise OutOfTimeError
    arrays = (np.concatenate(side) for side in zip(*parts, strict=True))
    return type(parts[0])(arrays)
