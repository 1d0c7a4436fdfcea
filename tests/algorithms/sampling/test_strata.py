"""The error of means over evenly spread levels."""

from math import inf

import numpy as np
import pytest

from sfumato.algorithms.sampling.concentration import hoeffding_half_width
from sfumato.algorithms.sampling.strata import Strata

CASE = {"spread": 1.0, "confidence": 0.95}


def test_without_a_known_step_it_is_hoeffdings():
    found = Strata(500, step=inf, n_objects=10, **CASE).half_width(500, 500)
    assert found == pytest.approx(hoeffding_half_width(500, 1.0, 0.95, 2), rel=1e-12)


def test_without_objects_only_the_strata_vary():
    # s strata: each varies by at most its share, and the shares sum to 1.
    found = Strata(100, step=0.01, n_objects=0, **CASE).half_width(100, 100)
    assert found == pytest.approx(hoeffding_half_width(100 * 100, 1.0, 0.95, 2), rel=1e-12)


@pytest.mark.parametrize("step", [inf, 0.1, 0.005])
@pytest.mark.parametrize("tolerance", [0.1, 0.01, 0.002])
def test_as_many_draws_as_it_says_are_enough(step, tolerance):
    draws = Strata(256, step=step, n_objects=150, **CASE).draws_for(tolerance)
    found = Strata(256, step=step, n_objects=150, **CASE).half_width(draws, draws)
    assert found <= tolerance * (1 + 1e-12)
    if draws > 300:  # and not twice as many
        half = draws // 2
        assert Strata(256, step=step, n_objects=150, **CASE).half_width(half, half) > tolerance


def test_an_infinite_range_has_no_error():
    case = {**CASE, "spread": inf}
    assert Strata(100, step=0.1, n_objects=5, **case).half_width(100, 100) == inf


def test_the_bound_holds_more_often_than_it_promises():
    # A value that is 1 above a level and 0 below: the strata leave one draw to chance.
    rng = np.random.default_rng(0)
    width = Strata(20, step=0.0, n_objects=0, **CASE).half_width(20, 20)
    alphas = (np.arange(20) + rng.random((4000, 20))) / 20
    errors = np.abs((alphas > 0.3217).mean(axis=1) - (1 - 0.3217))
    assert (errors > width).mean() <= 0.05
    assert errors.max() > 0.2 * width


def test_fewer_blocks_than_planned_cost_what_ville_asks_for():
    # Without objects V grows with the blocks alone: of 8 planned 2 are made.
    case = {**CASE, "step": 0.0, "n_objects": 0}
    planned = Strata(100, **case).half_width(800, 800)
    assert Strata(100, **case).half_width(200, 800) == pytest.approx(
        planned * (800 / 200) * (1 + 2 / 8) / 2, rel=1e-12
    )
