"""Find both ends at all levels by bisection: as the level falls, the ends only move outward."""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np

from sfumato._typing import Bools, Floats, Ints
from sfumato.algorithms.tables.distinct import ROUNDING

__all__ = ["LevelEnds", "SolveLevels", "refine_levels", "sweep_levels"]


_WAITING_SHARE = 0.3  # of the error of the worst gap


class LevelEnds(NamedTuple):
    """Both ends at each level, highest level first.

    ``lows`` and ``highs`` are attained. They are equal to their bounds where they are exact.
    """

    low_bounds: Floats  # (l,)
    lows: Floats  # (l,)
    highs: Floats  # (l,)
    high_bounds: Floats  # (l,)

    @property
    def is_open(self) -> Bools:
        """At which levels only a bracket of an end is known."""
        return (self.low_bounds < self.lows) | (self.highs < self.high_bounds)


SolveLevels: TypeAlias = Callable[[Ints], LevelEnds]


def sweep_levels(solve: SolveLevels, masses: Floats, *, max_solves: int) -> LevelEnds:
    """Find both ends at all levels; solve only at the levels where they change.

    A value attained at one level is attained at all lower levels. A bound that holds at one level
    holds at all higher levels. So if two levels have the same ends, all levels between them have
    these ends too. If ``max_solves`` is used up, the levels between keep brackets.

    Parameters
    ----------
    solve : callable
        Gives both ends at the levels with the given numbers, in ascending order; only at the first
        of them if time runs out.
    masses : ndarray of shape (l,)
        Of the levels, highest level first. A wide bracket matters most where the mass is large.
    max_solves : int
        At least 2.

    Notes
    -----
    At most min(l, max_solves) solves in O(log l) calls.

    Examples
    --------
    >>> ends = np.array([5.0, 5.0, 5.0, 5.0, 4.0])
    >>> solved = []
    >>> def solve(at):
    ...     solved.extend(at.tolist())
    ...     return LevelEnds(ends[at], ends[at], ends[at] + 1 - at * 0, ends[at] + 1 - at * 0)
    >>> sweep_levels(solve, np.ones(5), max_solves=5).lows.tolist(), sorted(solved)
    ([5.0, 5.0, 5.0, 5.0, 4.0], [0, 2, 3, 4])
    """
    n_levels = len(masses)
    low_bounds, highs = np.full(n_levels, -np.inf), np.full(n_levels, -np.inf)
    known = LevelEnds(low_bounds, -low_bounds, highs, -highs)
    is_solved = np.zeros(n_levels, dtype=bool)
    todo = np.unique([0, n_levels - 1])
    while True:
        found = solve(todo)
        is_late = len(found.lows) < len(todo)
        todo = todo[: len(found.lows)]
        for side, ends in zip(known, found, strict=True):
            side[todo] = ends
        is_solved[todo] = True
        spread = _spread(known)
        if is_late:
            return spread
        left = max_solves - int(is_solved.sum())
        least_share = _WAITING_SHARE if max_solves < n_levels else 0.0
        todo = _middles(spread, is_solved, masses, least_share)[:left]
        if len(todo) == 0:
            return spread
        todo.sort()


def refine_levels(ends: LevelEnds, solve: SolveLevels, at: Ints) -> LevelEnds:
    """Solve some levels again with another solver, and keep the narrower bracket of each end."""
    found = solve(at)
    at = at[: len(found.lows)]
    low_bounds, lows, highs, high_bounds = (side.copy() for side in ends)
    low_bounds[at] = np.maximum(low_bounds[at], found.low_bounds)
    lows[at] = np.minimum(lows[at], found.lows)
    highs[at] = np.maximum(highs[at], found.highs)
    high_bounds[at] = np.minimum(high_bounds[at], found.high_bounds)
    return _spread(LevelEnds(low_bounds, lows, highs, high_bounds))


def _spread(known: LevelEnds) -> LevelEnds:
    """Carry attained values down to lower levels, and bounds up to higher levels."""
    lows = np.minimum.accumulate(known.lows)
    low_bounds = np.maximum.accumulate(known.low_bounds[::-1])[::-1]
    highs = np.maximum.accumulate(known.highs)
    high_bounds = np.minimum.accumulate(known.high_bounds[::-1])[::-1]
    return LevelEnds(
        np.where(_meet(low_bounds, lows), lows, low_bounds),
        lows,
        highs,
        np.where(_meet(highs, high_bounds), highs, high_bounds),
    )


def _meet(low: Floats, high: Floats) -> Bools:
    gap = high - low  # infinite where nothing is known of a side
    return np.isfinite(gap) & (gap <= ROUNDING * np.maximum(1.0, np.abs(high)))


def _middles(ends: LevelEnds, is_solved: Bools, masses: Floats, least_share: float) -> Ints:
    """The middle levels of the gaps between solved levels that are open, worst gap first.

    Where only some levels can be solved, gaps that matter far less than the worst one wait.
    """
    solved = np.flatnonzero(is_solved)
    width = (ends.lows - ends.low_bounds) + (ends.high_bounds - ends.highs)
    open_mass = np.concatenate([[0.0], np.cumsum(np.where(is_solved, 0.0, masses * width))])
    first, last = solved[:-1], solved[1:]
    error = open_mass[last] - open_mass[first + 1]
    kept = np.flatnonzero(error > least_share * error.max(initial=0.0))
    kept = kept[np.argsort(-error[kept], kind="stable")]
    return (first[kept] + last[kept]) // 2
