"""Theorem 6 of docs/theory.md: how far a fixed policy is from both ends of pair disagreement."""

from itertools import permutations, product

import numpy as np
import pytest

from literal import all_tables

K = 3
ORDERS = list(permutations(range(K)))
SETS = [s for s in product([0, 1], repeat=K) if any(s)]


def disagreement(tables):
    """Sum of squares of the rows less twice that of the cells, for tables of shape (..., K, l)."""
    return (tables.sum(axis=-1) ** 2).sum(axis=-1) - 2 * (tables**2).sum(axis=(-2, -1))


def column_of(counts, order):
    """Objects of a class by cluster, if each goes to the first cluster of the order in its set."""
    column = np.zeros(K, dtype=np.int64)
    for members, count in zip(SETS, counts, strict=True):
        column[next(i for i in order if members[i])] += count
    return column


def weights_for_far(rng, n_classes):
    shares = rng.dirichlet(np.full(n_classes, 3.0))
    return np.maximum(1 / shares - 2, 0.0)  # sum of 1 / (2 + kappa) at most 1


def weights_for_near(rng, n_classes):
    above = rng.uniform(0.5, 8.0, n_classes)
    one = rng.integers(n_classes)
    above[one] = -1 / (1 + (1 / np.delete(above, one)).sum())
    kappa = 2 + above
    assert np.linalg.eigvalsh(np.diag(kappa - 2) + 1).min() >= -1e-12
    return kappa


@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_policy_is_no_farther_from_the_ends_than_its_classes_say(n_classes):
    rng = np.random.default_rng(n_classes)
    slack = []
    for _ in range(60):
        counts = rng.integers(0, 2, size=(n_classes, len(SETS))) * (
            rng.random((n_classes, len(SETS))) < 0.6
        )
        counts[:, 0] += 1
        masks = [sum(bit << i for i, bit in enumerate(s)) for s in SETS] * n_classes
        classes = np.repeat(1 << np.arange(n_classes), len(SETS))
        tables = all_tables(masks, classes, counts.ravel(), (K, n_classes))
        values = disagreement(tables.reshape(-1, K, n_classes))
        policy = [ORDERS[at] for at in rng.integers(len(ORDERS), size=n_classes)]
        columns = [column_of(own, order) for own, order in zip(counts, policy, strict=True)]
        fixed = np.stack(columns, axis=1)
        value, rows = disagreement(fixed), fixed.sum(axis=1)
        far, near = weights_for_far(rng, n_classes), weights_for_near(rng, n_classes)
        above = below = 0.0
        for j, own in enumerate(counts):
            moves = np.array([column_of(own, order) for order in ORDERS]) - fixed[:, j]
            slope = 2 * moves @ (rows - 2 * fixed[:, j])
            square = (moves**2).sum(axis=1)
            above += (slope + far[j] * square).max()
            below += (-slope + near[j] * square).max()
        assert values.max() - value <= above + 1e-9
        assert value - values.min() <= below + 1e-9
        slack.append(min(above - (values.max() - value), below - (value - values.min())))
    assert min(slack) < 1e-6  # the bounds are attained now and then
