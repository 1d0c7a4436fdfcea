"""The partition distance against all matchings, one by one."""

from itertools import permutations

import numpy as np
import pytest

from sfumato.measures import PartitionDistance


def largest_matching_by_trial(table):
    if table.shape[0] > table.shape[1]:
        table = table.T
    rows = range(table.shape[0])
    return max(
        sum(int(table[i, order[i]]) for i in rows)
        for order in permutations(range(table.shape[1]), table.shape[0])
    )


def test_the_best_of_all_matchings_is_found_whatever_the_shape():
    rng = np.random.default_rng(2)
    for k1, k2 in [(1, 4), (2, 3), (3, 2), (3, 5), (5, 3), (4, 4), (5, 1)]:
        tables = rng.integers(0, 9, size=(20, k1, k2))
        n = tables.sum(axis=(1, 2))
        moved = [int(n[i]) - largest_matching_by_trial(t) for i, t in enumerate(tables)]
        assert PartitionDistance().of_tables(tables).tolist() == [
            m / (size - 1) for m, size in zip(moved, n.tolist(), strict=True)
        ]
        assert PartitionDistance("n").of_tables(tables).tolist() == [
            m / size for m, size in zip(moved, n.tolist(), strict=True)
        ]


@pytest.mark.parametrize("n", [2, 5, 9])
def test_one_cluster_against_singletons_is_as_far_as_it_gets(n):
    table = np.ones((1, n), dtype=np.int64)
    assert float(PartitionDistance().of_tables(table)) == 1.0
    assert float(PartitionDistance("n").of_tables(table)) == (n - 1) / n
