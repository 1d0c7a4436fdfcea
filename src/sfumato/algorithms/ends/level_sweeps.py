"""Find both ends at all levels from some: as the level falls, the ends only move outward."""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np

from sfumato._typing import Bools, Floats, Ints
from sfumato.algorithms.tables.distinct import ROUNDING

__all__ = [
    "LevelEnds",
    "SolveLevels",
    "narrow_levels",
    "refine_levels",
    "some_levels",
    "spread_levels",
    "sweep_levels",
]


_WAITING_SHARE = 0.3  # of what the worst gap is worth
_REST_SHARE = 0.02  # of the error that both neighbours have: a level between may have less


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

    @property
    def widths(self) -> Floats:
        """Widths of both brackets together."""
        return (self.lows - self.low_bounds) + (self.high_bounds - self.highs)


SolveLevels: TypeAlias = Callable[[Ints], LevelEnds]


def sweep_levels(
    solve: SolveLevels, masses: Floats, *, budget: float, prices: Floats | None = None
) -> LevelEnds:
    """Find both ends at all levels; solve only at the levels where they change.

    A value attained at one level is attained at all lower levels. A bound that holds at one level
    holds at all higher levels. So if two levels have the same ends, all levels between them have
    these ends too. If the budget is used up, the levels between keep brackets.

    ``solve`` gives both ends at the levels with the given numbers, in ascending order; only at the
    first of them if time runs out. ``masses`` are those of the levels, highest level first: a wide
    bracket matters most where the mass is large. The ``budget`` is for the ``prices`` of all levels
    that are solved, 1 each where none are given; the first and the last always are solved.

    Notes
    -----
    At most l solves in O(log l) calls where all levels can be paid for. Otherwise the gaps come
    first where a solve removes most of the error for its price.

    Examples
    --------
    >>> ends = np.array([5.0, 5.0, 5.0, 5.0, 4.0])
    >>> solved = []
    >>> def solve(at):
    ...     solved.extend(at.tolist())
    ...     return LevelEnds(ends[at], ends[at], ends[at] + 1 - at * 0, ends[at] + 1 - at * 0)
    >>> sweep_levels(solve, np.ones(5), budget=5).lows.tolist(), sorted(solved)
    ([5.0, 5.0, 5.0, 5.0, 4.0], [0, 2, 3, 4])
    """
    n_levels = len(masses)
    prices = np.ones(n_levels) if prices is None else prices
    least_share = 0.0 if float(prices.sum()) <= budget else _WAITING_SHARE
    nothing = np.full(n_levels, np.inf)
    ends = LevelEnds(-nothing, nothing, -nothing, nothing)
    is_solved = np.zeros(n_levels, dtype=bool)
    todo = np.unique([0, n_levels - 1])
    while len(todo) > 0:
        found = solve(todo)
        is_late = len(found.lows) < len(todo)
        todo = todo[: len(found.lows)]
        ends = narrow_levels(ends, found, todo)
        is_solved[todo] = True
        if is_late:
            break
        todo = _middles(ends, is_solved, masses, prices, least_share)
        left = budget - float(prices[is_solved].sum())
        todo = np.sort(todo[np.cumsum(prices[todo]) <= left])
    return ends


def refine_levels(ends: LevelEnds, solve: SolveLevels, at: Ints) -> LevelEnds:
    """Solve some levels again with another solver, and keep the narrower bracket of each end."""
    found = solve(at)
    return narrow_levels(ends, found, at[: len(found.lows)])


def narrow_levels(ends: LevelEnds, found: LevelEnds, at: Ints) -> LevelEnds:
    """Keep the narrower bracket of each end at the levels ``at``, and what follows from them."""
    low_bounds, lows, highs, high_bounds = (side.copy() for side in ends)
    low_bounds[at] = np.maximum(low_bounds[at], found.low_bounds)
    lows[at] = np.minimum(lows[at], found.lows)
    highs[at] = np.maximum(highs[at], found.highs)
    high_bounds[at] = np.minimum(high_bounds[at], found.high_bounds)
    return _spread(LevelEnds(low_bounds, lows, highs, high_bounds))


def some_levels(levels: Floats, most: int) -> tuple[Ints, Floats, Floats]:
    """Of very many levels, which may be solved: their numbers, they and the gaps below them."""
    n_levels = len(levels)
    at = np.arange(n_levels)
    if n_levels > most:  # equal steps of their numbers, and of the levels
        numbers = np.linspace(0, n_levels - 1, most // 2).astype(np.int64)
        steps = np.searchsorted(-levels, np.linspace(-1.0, 0.0, most // 2)) - 1
        at = np.union1d(numbers, np.maximum(steps, 0))
    some = levels[at]
    return at, some, some - np.append(some[1:], 0.0)


def spread_levels(ends: LevelEnds, at: Ints, n_levels: int) -> LevelEnds:
    """The ends at all levels, from those at the levels ``at``, in ascending order."""
    if len(at) == n_levels:
        return ends
    nothing = np.full(n_levels, np.inf)
    known = LevelEnds(-nothing, nothing.copy(), -nothing, nothing)
    for side, own in zip(known, ends, strict=True):
        side[at] = own
    return _spread(known)


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


def _middles(
    ends: LevelEnds, is_solved: Bools, masses: Floats, prices: Floats, least_share: float
) -> Ints:
    """One level in each open gap between solved levels, that of the worst gap for its price first.

    The middle of a gap tells most if ends change evenly; where prices rise, a level above it is
    better. Where only some levels can be solved, gaps that matter far less than the worst one wait.
    """
    inside = np.flatnonzero(~is_solved)
    if len(inside) == 0:
        return inside
    solved = np.flatnonzero(is_solved)
    first, last = solved[:-1], solved[1:]
    gap = np.searchsorted(last, inside)
    above, below = inside - first[gap], last[gap] - inside
    gains = above * below / (above + below) ** 2 / prices[inside]
    starts = np.flatnonzero(np.diff(gap, prepend=-1))
    best = np.repeat(np.maximum.reduceat(gains, starts), np.diff(starts, append=len(gap)))
    at_best = np.flatnonzero(gains == best)
    middles = inside[at_best[np.diff(gap[at_best], prepend=-1) > 0]]  # the first of equals
    errors = np.zeros(len(inside))
    for widths in (ends.lows - ends.low_bounds, ends.high_bounds - ends.highs):
        rest = np.minimum(widths[first], widths[last])
        rest = np.where(np.isfinite(rest), (1.0 - _REST_SHARE) * rest, 0.0)
        errors += np.maximum(widths[inside] - rest[gap], 0.0)
    own = masses[inside]
    of_gaps = np.bincount(gap, np.multiply(errors, own, out=np.zeros_like(own), where=own > 0.0))
    worth = of_gaps[gap[starts]] / prices[middles]
    kept = np.flatnonzero(worth > least_share * worth.max())
    return middles[kept[np.argsort(-worth[kept], kind="stable")]]
