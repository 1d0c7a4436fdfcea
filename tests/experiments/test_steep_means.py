"""The authors' reading of fuzzy c-means is at rest, and a larger power makes it harder."""

import numpy as np
from sklearn.datasets import load_iris

from sfumato.experiments.iris_fits import steep_memberships

FEATURES = load_iris().data
START = FEATURES[[0, 60, 120]]


def test_memberships_are_those_of_centres_at_rest():
    found = steep_memberships(FEATURES, START, 5)
    weights = found**5
    centers = [np.average(FEATURES, axis=0, weights=column) for column in weights.T]
    for flower, row in zip(FEATURES, found, strict=True):
        distances = np.array([np.sqrt(((flower - center) ** 2).sum()) for center in centers])
        powers = 1 / (distances / distances.sum() + 1e-3) ** 5
        np.testing.assert_allclose(row, powers / powers.sum(), atol=1e-9)


def test_a_larger_power_is_harder():
    largest = [steep_memberships(FEATURES, START, power).max(axis=1).mean() for power in (2, 5, 9)]
    assert largest == sorted(largest)
