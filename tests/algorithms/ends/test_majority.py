"""Choosing the class of every row: by trying all choices, and by a program where they are many."""

import numpy as np
import pytest

from literal import all_tables
from sfumato.algorithms.ends.majority import largest_majority
from sfumato.algorithms.tables.focal_model import SetTypes


# With three rows all choices of classes are tried; five rows of six classes take a program.
@pytest.mark.parametrize(("n_rows", "n_columns"), [(3, 3), (5, 6)])
@pytest.mark.parametrize("seed", range(8))
def test_the_largest_majority_is_that_of_the_best_assignment(n_rows, n_columns, seed):
    rng = np.random.default_rng(seed)
    n_types = 5
    row_sets = (1 << rng.integers(0, n_rows, (3, n_types))).sum(axis=0) % (1 << n_rows)
    row_sets[row_sets == 0] = 1
    truth_classes = rng.integers(0, n_columns, n_types)
    counts = rng.integers(0, 3, (2, n_types))
    types = SetTypes(row_sets, 1 << truth_classes, counts)
    found = largest_majority(types, (n_rows, n_columns))
    for own, table, value in zip(counts, found.tables, found.values, strict=True):
        every = all_tables(row_sets, 1 << truth_classes, own, (n_rows, n_columns))
        assert value == every.max(axis=2).sum(axis=1).max()
        assert table.sum() == own.sum()


def test_ten_rows_of_ten_classes_are_chosen_without_trying_all():
    rng = np.random.default_rng(0)
    row_sets = np.array([(1 << a) | (1 << b) for a, b in rng.integers(0, 10, (60, 2))])
    truth_classes = rng.integers(0, 10, 60)
    counts = rng.integers(1, 20, (1, 60))
    found = largest_majority(SetTypes(row_sets, 1 << truth_classes, counts), (10, 10))
    members = (row_sets[:, None] >> np.arange(10)) & 1 == 1
    for _ in range(2000):  # no choice of classes covers more
        classes = found.tables[0].argmax(axis=1)
        changed = rng.integers(0, 10, 2)
        classes[changed] = rng.integers(0, 10, 2)
        covered = (members & (classes == truth_classes[:, None])).any(axis=1)
        assert counts[0, covered].sum() <= found.values[0]
