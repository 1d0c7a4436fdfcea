"""T-norms, against their definitions and laws."""

from functools import partial, reduce
from itertools import permutations

import numpy as np
import pytest

import oracle
from sfumato.algorithms.possibility.t_norms import (
    combine,
    combine_all,
    cost_limit,
    costs_of,
    possibilities_of,
    settled,
)

every_norm = pytest.mark.parametrize("t_norm", ["min", "product", "lukasiewicz"])
GRID = np.linspace(0, 1, 9)  # eighths, so that sums and products of two are exact


@every_norm
def test_two_possibilities_combine_as_defined(t_norm):
    left, right = (side.ravel() for side in np.meshgrid(GRID, GRID))
    expected = [oracle.T_NORMS[t_norm](x, y) for x, y in zip(left, right, strict=True)]
    assert combine(t_norm, left, right).tolist() == expected
    assert np.array_equal(combine(t_norm, left, right), combine(t_norm, right, left))


@every_norm
def test_many_possibilities_combine_as_two_by_two(t_norm):
    for seed in range(20):
        row = np.random.default_rng(seed).choice([0.5, 0.875, 1.0], size=5)
        expected = reduce(oracle.T_NORMS[t_norm], row.tolist())
        found = combine_all(t_norm, row)
        assert found == expected
        assert type(found) is float


def test_a_possibility_that_is_zero_in_exact_numbers_is_zero_in_any_order_of_its_terms():
    for order in permutations([0.4, 0.8, 0.8, 1.0, 1.0]):
        row = np.array(order)
        assert combine_all("lukasiewicz", row) == 0.0
        assert possibilities_of("lukasiewicz", costs_of("lukasiewicz", row).sum()) == 0.0
        assert reduce(partial(combine, "lukasiewicz"), row) == 0.0
    assert cost_limit("lukasiewicz", 0.1) <= 0.6 + 0.2 + 0.2


def test_what_is_more_than_rounding_is_possible():
    tiny = np.array([2.0**-39, 2.0**-41, 0.0, -1.0])
    assert settled("lukasiewicz", tiny).tolist() == [2.0**-39, 0.0, 0.0, 0.0]
    assert settled("product", tiny[:3]).tolist() == tiny[:3].tolist()
