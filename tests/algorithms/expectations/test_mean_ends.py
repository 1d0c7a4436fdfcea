"""Lower and upper expectations of a mass function over sets."""

import numpy as np
import pytest

from sfumato.algorithms.expectations.mean_ends import Expectations, expectations


def test_the_ends_have_the_mean_and_spread_of_least_and_largest_values():
    rng = np.random.default_rng(0)
    lows = rng.random(9)
    highs, masses = lows + rng.random(9), rng.dirichlet(np.ones(9))
    found = expectations(lows, highs, masses)
    assert found.lower == pytest.approx(np.average(lows, weights=masses), rel=1e-14)
    assert found.upper == pytest.approx(np.average(highs, weights=masses), rel=1e-14)
    spread = np.average((highs - found.upper) ** 2, weights=masses) ** 0.5
    assert found.upper_std == pytest.approx(spread, rel=1e-13)


def test_masses_need_not_sum_to_one():
    values, masses = np.array([0.0, 1.0, 0.5]), np.array([1.0, 2.0, 1.0])
    assert expectations(values, values, masses) == expectations(values, values, masses / 4)


def test_the_mean_of_equal_values_is_that_value_to_the_last_bit():
    values, masses = np.full(7, 0.1), np.random.default_rng(1).dirichlet(np.ones(7))
    assert expectations(values, values, masses) == Expectations(0.1, 0.1, 0.0, 0.0)


def test_numbers_leave_as_python_floats():
    found = expectations(np.array([0.0, 1.0]), np.array([1.0, 1.0]), np.ones(2))
    assert [type(number) for number in found] == [float] * 4


def test_one_huge_value_of_small_mass_does_not_drown_the_mean():
    values, masses = np.array([1e15, 0.0, 0.5]), np.array([1e-15, 0.5, 0.5 - 1e-15])
    assert expectations(values, values, masses).lower == pytest.approx(1.25, rel=1e-14)
