"""Means and covariances of the pair sums against the definition, enumerated."""

from fractions import Fraction
from itertools import product
from math import prod

import numpy as np
import pytest

from literal import law_of_tables, three_sums
from sfumato import _core
from sfumato.algorithms.moments.pair_means import (
    covariance_cost,
    feature_sums,
    pair_covariance,
    pair_means,
    powers_of_features,
)
from sfumato.algorithms.tables.rows import dense_rows, hard_rows, sparse_rows
from strategies import one_hot, random_memberships

MOST_CLUSTERINGS = 4_000


def forms(memberships):
    yield dense_rows(memberships)
    yield sparse_rows(dense_rows(memberships))
    if ((memberships == 0) | (memberships == 1)).all():
        yield hard_rows(np.argmax(memberships, axis=1), memberships.shape[1])


@pytest.mark.parametrize("seed", range(10))
def test_moments_equal_those_of_the_enumerated_definition(seed):
    rng = np.random.default_rng(seed)
    done = 0
    while done < 120:
        n, k1, k2 = (int(v) for v in rng.integers(1, (7, 4, 4)))
        if (k1 * k2) ** n > MOST_CLUSTERINGS:
            continue
        done += 1
        p = random_memberships(rng, n, k1)
        q = one_hot(rng, n, k2) if rng.random() < 0.3 else random_memberships(rng, n, k2)
        tables, probabilities = law_of_tables(p, q)
        sums = three_sums(tables, "square")
        mean = sums @ probabilities
        centred = sums - mean[:, None]
        covariance = (centred * probabilities) @ centred.T
        for a, b in product(forms(p), forms(q)):
            np.testing.assert_allclose(pair_means(a, b), mean, rtol=0, atol=1e-12)
            np.testing.assert_allclose(pair_covariance(a, b), covariance, rtol=1e-13, atol=1e-12)


@pytest.mark.parametrize("n", [1, 2, 7, 40])
def test_both_ways_to_sum_powers_over_pairs_agree(n):
    rng = np.random.default_rng(n)
    p, q = random_memberships(rng, n, 5), one_hot(rng, n, 3)
    a, b = p @ p.T, q @ q.T
    expected = [float((a**s * b**t).sum()) for s in range(3) for t in range(3)]
    for one, other in product(forms(p), forms(q)):
        are_hard = len(one.values) == 0, len(other.values) == 0
        found = powers_of_features(feature_sums(one, other), are_hard)
        np.testing.assert_allclose(found.ravel(), expected, rtol=1e-13)
        np.testing.assert_allclose(_core.pair_powers_by_pairs(one, other), expected, rtol=1e-13)
        swapped = powers_of_features(feature_sums(other, one), are_hard[::-1])
        np.testing.assert_allclose(swapped.T.ravel(), expected, rtol=1e-13)


def test_certain_memberships_have_the_sums_of_their_table_and_no_spread():
    rng = np.random.default_rng(0)
    i, j = rng.integers(0, 4, 1000), rng.integers(0, 3, 1000)
    table = np.zeros((4, 3), dtype=int)
    np.add.at(table, (i, j), 1)
    expected = [(table.sum(axis=1) ** 2).sum(), (table.sum(axis=0) ** 2).sum(), (table**2).sum()]
    for a, b in product(forms(np.eye(4)[i]), forms(np.eye(3)[j])):
        assert pair_means(a, b).tolist() == expected
        assert pair_covariance(a, b).tolist() == np.zeros((3, 3)).tolist()


@pytest.mark.parametrize("doubt", [1e-6, 1e-13, 1e-300])
def test_nearly_certain_objects_keep_their_small_variance(doubt):
    codes = [0, 0, 1, 1, 2, 0]
    p = np.eye(3)[codes] * (1 - doubt)
    p[np.arange(6), np.roll(codes, 1)] += doubt
    q = np.eye(2)[[0, 1, 0, 1, 1, 0]]
    exact = [[Fraction(value) for value in row] for row in p]
    masses, sums = [], []
    for rows in product(range(3), repeat=6):
        table = np.zeros((3, 2), dtype=int)
        np.add.at(table, (list(rows), np.argmax(q, axis=1)), 1)
        masses.append(prod(row[i] for row, i in zip(exact, rows, strict=True)))
        margins = table.sum(axis=1), table.sum(axis=0), table.ravel()
        sums.append([int((part**2).sum()) for part in margins])
    masses, sums = np.array(masses, dtype=object), np.array(sums, dtype=object)
    mean = masses @ sums / masses.sum()
    expected = (masses @ (sums - mean) ** 2 / masses.sum()).astype(float)
    found = np.diag(pair_covariance(dense_rows(p), dense_rows(q)))
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=0)


def test_the_cost_counts_multiplications_and_refuses_what_does_not_fit():
    few, many = np.full((10, 3), 1 / 3), np.full((2000, 90), 1 / 90)
    assert covariance_cost(dense_rows(few), dense_rows(few)) == 50 * 14  # by pairs
    assert covariance_cost(dense_rows(many), dense_rows(many)) == 2000**2 / 2 * 188
    tall = dense_rows(np.full((1000, 3), 1 / 3))
    assert covariance_cost(tall, hard_rows(np.zeros(1000, dtype=np.int64), 4)) == 1000 * 10 * 2
