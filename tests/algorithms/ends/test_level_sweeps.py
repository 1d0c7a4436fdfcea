"""Ends found by bisection over the levels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.algorithms.ends.level_sweeps import (
    LevelEnds,
    refine_levels,
    spread_levels,
    sweep_levels,
)


def ends_of(rng, n_levels):
    lows = -np.cumsum(rng.integers(0, 3, size=n_levels) * (rng.random(n_levels) < 0.3))
    highs = np.cumsum(rng.integers(0, 3, size=n_levels) * (rng.random(n_levels) < 0.3))
    return lows.astype(float), highs.astype(float)


def watched(lows, highs=None, gaps=0.0):
    """A solver with these ends, lows known within a gap; and the levels that it solved."""
    highs, gaps, solved = np.zeros_like(lows) if highs is None else highs, gaps + 0 * lows, []

    def solve(at):
        assert (np.diff(at) > 0).all()
        solved.extend(at.tolist())
        return LevelEnds(lows[at] - gaps[at], lows[at], highs[at], highs[at])

    return solve, solved


@given(st.integers(0, 2**32 - 1))
def test_bisection_finds_the_ends_at_every_level(seed):
    rng = np.random.default_rng(seed)
    n_levels = int(rng.integers(1, 60))
    lows, highs = ends_of(rng, n_levels)
    solve, solved = watched(lows, highs)
    found = sweep_levels(solve, np.ones(n_levels), budget=n_levels)
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

    found = sweep_levels(solve, rng.random(n_levels), budget=max_solves)
    assert sum(count) <= max_solves
    refined = refine_levels(found, watched(lows, highs)[0], np.arange(n_levels))
    for ends in (found, refined):
        assert (ends.low_bounds <= lows).all()
        assert (lows <= ends.lows).all()
        assert (ends.highs <= highs).all()
        assert (highs <= ends.high_bounds).all()
    assert not refined.is_open.any()


def test_half_of_the_levels_suffice_where_the_ends_change_once():
    lows = np.where(np.arange(1024) < 300, 0.0, -1.0)
    solve, solved = watched(lows)
    found = sweep_levels(solve, np.ones(1024), budget=1024)
    assert found.lows == pytest.approx(lows, abs=0)
    assert len(solved) <= 2 + 10


def test_nothing_is_known_of_a_level_that_time_leaves_out():
    def solve(at):
        return LevelEnds(*(np.full(1, end) for end in (0.2, 0.3, 0.4, 0.5)))  # the first alone

    found = sweep_levels(solve, np.ones(3), budget=3)
    assert found.low_bounds.tolist() == [0.2, -np.inf, -np.inf]
    assert found.lows.tolist() == [0.3, 0.3, 0.3]
    assert found.highs.tolist() == [0.4, 0.4, 0.4]
    assert found.high_bounds.tolist() == [0.5, np.inf, np.inf]


def test_dear_levels_are_solved_last_and_the_budget_is_kept():
    ends = np.linspace(0.0, -1.0, 201)
    prices = np.where(np.arange(201) < 100, 1.0, 50.0)
    solve, solved = watched(ends)
    found = sweep_levels(solve, np.full(201, 1 / 201), budget=300.0, prices=prices)
    assert prices[solved].sum() <= 300.0
    assert sum(prices[solved] == 1.0) > 4 * sum(prices[solved] == 50.0)
    assert (found.low_bounds <= ends).all()
    assert (ends <= found.lows).all()


def test_where_prices_rise_the_first_level_in_a_gap_is_above_its_middle():
    ends, prices = np.linspace(0.0, -1.0, 201), 1.1 ** np.arange(201)
    solved = []

    def solve(at):
        solved.extend(at.tolist())
        return LevelEnds(ends[at], ends[at], 0 * ends[at], 0 * ends[at])

    sweep_levels(solve, np.full(201, 1 / 201), budget=1.01 * prices[-1], prices=prices)
    assert solved[:2] == [0, 200]
    assert 5 < solved[2] < 20  # 1 / log(1.1) is best if a gap has no end


def test_levels_that_no_search_closes_wait_for_those_where_the_ends_change():
    ends = np.concatenate([np.linspace(0.0, -1.0, 500), np.full(500, -1.0)])
    gaps = np.where(np.arange(1000) < 500, 0.0, 0.5)  # wide, but another level has the same
    solve, solved = watched(ends, gaps=gaps)
    sweep_levels(solve, np.full(1000, 1e-3), budget=60)
    assert np.mean(np.array(solved) < 500) > 0.6


def test_ends_at_some_levels_bound_those_at_all_levels():
    some = LevelEnds(*(np.array(side) for side in ([0.3, 0.1], [0.4, 0.2], [0.5, 0.7], [0.6, 0.8])))
    found = spread_levels(some, np.array([0, 2]), 4)
    assert found.low_bounds.tolist() == [0.3, 0.1, 0.1, -np.inf]
    assert found.lows.tolist() == [0.4, 0.4, 0.2, 0.2]
    assert found.highs.tolist() == [0.5, 0.5, 0.7, 0.7]
    assert found.high_bounds.tolist() == [0.6, 0.8, 0.8, np.inf]
    assert spread_levels(some, np.arange(2), 2) is some
