"""The largest matching, against SciPy's assignment."""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from sfumato.algorithms.tables.largest_matching import largest_matching


def by_scipy(table) -> int:
    return int(table[linear_sum_assignment(table, maximize=True)].sum())


@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (5, 1), (2, 3), (4, 4), (7, 5), (12, 20)])
@pytest.mark.parametrize("largest", [1, 3, 10**6])
def test_it_equals_the_assignment_of_scipy(shape, largest):
    tables = np.random.default_rng(largest).integers(0, largest + 1, size=(40, *shape))
    assert largest_matching(tables).tolist() == [by_scipy(table) for table in tables]


def test_any_batch_shape_comes_back():
    tables = np.random.default_rng(1).integers(0, 9, size=(2, 3, 4, 5))
    found = largest_matching(tables)
    assert found.shape == (2, 3)
    assert found[1, 2] == by_scipy(tables[1, 2])
    assert largest_matching(tables[0, 0]).shape == ()


def test_counts_beyond_the_exact_range_of_floats_are_matched_exactly():
    big = 2**60
    assert int(largest_matching(np.array([[big, big + 1], [1, 0]]))) == big + 2
    assert int(largest_matching(np.array([[big, 0], [0, 1]]))) == big + 1


def test_tables_that_are_not_contiguous_are_read_as_they_stand():
    table = np.random.default_rng(2).integers(0, 9, size=(4, 6))
    assert int(largest_matching(table.T)) == int(largest_matching(table)) == by_scipy(table)
