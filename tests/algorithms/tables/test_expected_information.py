"""Expected mutual information, against fractions and scikit-learn."""

from math import log

import numpy as np
import pytest
from sklearn.metrics.cluster import expected_mutual_information as by_sklearn

from oracle import expected_information
from sfumato.algorithms.tables.expected_information import expected_mutual_information


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        ([1], [1]),
        ([4], [2, 2]),
        ([3, 2, 2], [1, 6]),
        ([50, 50, 50], [50, 47, 53]),
        ([1] * 20, [5] * 4),
        ([7, 7, 7, 2, 2, 1], [13, 13]),
        ([300, 1], [150, 151]),
    ],
)
def test_it_equals_the_sum_over_exact_probabilities(rows, columns):
    found = expected_mutual_information(np.array(rows), np.array(columns))
    # One cluster gives 0, up to the rounding of terms of order log n.
    assert float(found) == pytest.approx(
        expected_information(tuple(rows), tuple(columns)), rel=1e-12, abs=1e-14
    )


@pytest.mark.parametrize(("n_objects", "k1", "k2"), [(200, 3, 4), (1000, 10, 7), (20_000, 3, 3)])
def test_it_equals_scikit_learn(n_objects, k1, k2):
    rng = np.random.default_rng(n_objects)
    a, b = rng.integers(k1, size=n_objects), rng.integers(k2, size=n_objects)
    table = np.bincount(a * k2 + b, minlength=k1 * k2).reshape(k1, k2)
    expected = by_sklearn(table.astype(np.int64), n_objects)
    found = float(expected_mutual_information(table.sum(axis=1), table.sum(axis=0)))
    # scikit-learn goes through log factorials of n, which lose digits where the result is small.
    assert found == pytest.approx(expected, rel=1e-7)


def test_empty_clusters_count_nothing_and_batches_are_independent():
    rows, columns = np.array([[3, 2, 0], [1, 1, 3]]), np.array([[4, 1], [2, 3]])
    found = expected_mutual_information(rows, columns)
    assert found.shape == (2,)
    assert found[0] == expected_mutual_information(np.array([3, 2]), np.array([4, 1]))
    assert found[1] == expected_mutual_information(rows[1], columns[1])


def test_a_hundred_thousand_singletons_cost_no_more_than_one():
    # Two clusterings into singletons always share log n nats.
    ones = np.ones(100_000, dtype=np.int64)
    assert float(expected_mutual_information(ones, ones)) == pytest.approx(log(1e5), rel=1e-12)
