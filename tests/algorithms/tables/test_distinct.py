"""Telling values apart."""

import numpy as np

from sfumato.algorithms.tables.distinct import ROUNDING, distinct_values


def test_values_within_rounding_are_one_and_others_are_not():
    values = np.array([1.0, 1.0 + ROUNDING / 2, 1.0 + 3 * ROUNDING])
    distinct, which = distinct_values(values)
    assert distinct.tolist() == [values[0], values[2]]
    assert which.tolist() == [0, 0, 1]


def test_rounding_is_relative_for_large_values_and_absolute_near_zero():
    large = 1e6 * np.array([1.0, 1.0 + ROUNDING / 2, 1.0 + 3 * ROUNDING])
    assert distinct_values(large)[1].tolist() == [0, 0, 1]
    assert distinct_values(np.array([1e-15, 2e-15, -1e-15]))[1].tolist() == [0, 0, 0]


def test_every_value_is_found_in_sorted_order():
    values = np.random.default_rng(0).integers(0, 7, size=50) / 7
    distinct, which = distinct_values(values)
    assert np.array_equal(distinct, np.unique(values))
    assert np.array_equal(distinct[which], values)
