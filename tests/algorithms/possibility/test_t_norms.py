"""T-norms, against their definitions and laws."""

from functools import reduce

import numpy as np
import pytest

import oracle
from sfumato.algorithms.possibility.t_norms import combine, combine_all

every_norm = pytest.mark.parametrize("t_norm", ["min", "product", "lukasiewicz"])
GRID = np.linspace(0, 1, 9)  # eighths, so that sums and products of two are exact


@every_norm
def test_two_possibilities_combine_as_defined(t_norm):
    left, right = (side.ravel() for side in np.meshgrid(GRID, GRID))
    expected = [oracle.T_NORMS[t_norm](x, y) for x, y in zip(left, right, strict=True)]
    assert combine(t_norm, left, right).tolist() == expected
    assert np.array_equal(combine(t_norm, left, right), combine(t_norm, right, left))


@every_norm
def test_one_is_neutral_and_zero_absorbs(t_norm):
    assert np.array_equal(combine(t_norm, GRID, np.ones(9)), GRID)
    assert not combine(t_norm, GRID, np.zeros(9)).any()


@every_norm
def test_many_possibilities_combine_as_two_by_two(t_norm):
    for seed in range(20):
        row = np.random.default_rng(seed).choice([0.5, 0.875, 1.0], size=5)
        expected = reduce(oracle.T_NORMS[t_norm], row.tolist())
        found = combine_all(t_norm, row)
        assert found == expected
        assert type(found) is float
