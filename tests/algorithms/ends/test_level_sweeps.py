"""Ends found by bisection over the levels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.algorithms.ends.level_sweeps import LevelEnds, refine_levels, sweep_levels


def ends_of(rng, n_levels):
    lows = -np.cumsum(rng.integers(0, 3, size=n_levels) * (rng.random(n_levels) < 0.3))
    highs = np.cumsum(rng.integers(0, 3, size=n_levels) * (rng.random(n_levels) < 0.3))
    return lows.astype(float), highs.astype(float)


@given(st.integers(0, 2**32 - 1))
def test_bisection_finds_the_ends_at_every_level(seed):
    rng = np.random.default_rng(seed)
    n_levels = int(rng.integers(1, 60))
    lows, highs = ends_of(rng, n_levels)
    solved = []

    def solve(at):
        assert (np.diff(at) > 0).all()
        solved.extend(at.tolist())
        return LevelEnds(lows[at], lows[at], highs[at], highs[at])

    found = sweep_levels(solve, np.ones(n_levels), max_solves=n_levels)
    assert found.lows.tolist() == found.low_bounds.tolist() == lows.tolist()
    assert found.highs.tolist() == found.high_bounds.tolist() == highs.tolist()
    assert len(set(solved)) == len(solved) <= n_levels


@given(st.integers(0, 2**32 - 1), st.integers(2, 12))
def test_brackets_hold_the_ends_where_solves_run_out_or_do_not_close(seed, max_solves):
    rng = np.random.default_rng(seed)
    n_levels = int(rng.integers(2, 60))
    lows, highs = ends_of(rng, n_levels)
    slack = rng.integers(0, 2, size=(4, n_levels))
    count = []

    def solve(at):
        count.append(len(at))
        return LevelEnds(
            lows[at] - slack[0, at],
            lows[at] + slack[1, at],
            highs[at] - slack[2, at],
            highs[at] + slack[3, at],
        )

    found = sweep_levels(solve, rng.random(n_levels), max_solves=max_solves)
    assert sum(count) <= max_solves
    refined = refine_levels(
        found, lambda at: LevelEnds(lows[at], lows[at], highs[at], highs[at]), np.arange(n_levels)
    )
    for ends in (found, refined):
        assert (ends.low_bounds <= lows).all()
        assert (lows <= ends.lows).all()
        assert (ends.highs <= highs).all()
        assert (highs <= ends.high_bounds).all()
    assert not refined.is_open.any()


def test_half_of_the_levels_suffice_where_the_ends_change_once():
    lows = np.where(np.arange(1024) < 300, 0.0, -1.0)
    solved = []

    def solve(at):
        solved.extend(at.tolist())
        return LevelEnds(lows[at], lows[at], 0 * lows[at], 0 * lows[at])

    found = sweep_levels(solve, np.ones(1024), max_solves=1024)
    assert found.lows == pytest.approx(lows, abs=0)
    assert len(solved) <= 2 + 10


def test_nothing_is_known_of_a_level_that_time_leaves_out():
    def solve(at):
        return LevelEnds(*(np.full(1, end) for end in (0.2, 0.3, 0.4, 0.5)))  # the first alone

    found = sweep_levels(solve, np.ones(3), max_solves=3)
    assert found.low_bounds.tolist() == [0.2, -np.inf, -np.inf]
    assert found.lows.tolist() == [0.3, 0.3, 0.3]
    assert found.highs.tolist() == [0.4, 0.4, 0.4]
    assert found.high_bounds.tolist() == [0.5, np.inf, np.inf]
