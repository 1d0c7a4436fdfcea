"""The share of each object in the uncertainty, against its definition."""

from itertools import product

import numpy as np
import pytest

import sfumato as sf
from sfumato.measures import measures


def literal_shares_of_variance(memberships, truth, measure):
    """Var(E[d | x]) / Var(d), by listing all clusterings."""
    n, k = memberships.shape
    columns = np.unique(truth, return_inverse=True)[1]
    clusterings = np.array(list(product(range(k), repeat=n)))
    weights = memberships[np.arange(n), clusterings].prod(axis=1)
    tables = np.zeros((len(clusterings), k, columns.max() + 1), dtype=np.int64)
    for x in range(n):
        tables[np.arange(len(clusterings)), clusterings[:, x], columns[x]] += 1
    values = measures()[measure].of_tables(tables)
    mean = values @ weights
    variance = (values - mean) ** 2 @ weights
    shares = []
    for x in range(n):
        given = [
            (weights[here].sum(), values[here] @ weights[here] / weights[here].sum())
            for i in range(k)
            if weights[here := clusterings[:, x] == i].sum() > 0
        ]
        shares.append(sum(w * (m - mean) ** 2 for w, m in given) / variance)
    return np.array(shares)


@pytest.mark.parametrize("measure", ["rand", "variation_of_information", "partition_distance"])
def test_fuzzy_shares_are_first_order_shares_of_the_variance(measure):
    rng = np.random.default_rng(0)
    memberships = rng.dirichlet(np.ones(2), 6)
    memberships[2] = [1, 0]
    truth = [0, 0, 1, 1, 0, 1]
    found = sf.compare(memberships, truth, measure=measure).contributions()
    expected = literal_shares_of_variance(memberships, truth, measure)
    assert found == pytest.approx(expected, abs=1e-9)
    assert found[2] == 0.0
    assert found.sum() <= 1.0 + 1e-9


def test_rough_shares_are_what_knowing_the_object_takes_off_the_width():
    mask = np.array([[1, 0], [1, 1], [0, 1], [1, 1], [0, 1]], dtype=bool)
    truth = [0, 0, 1, 1, 1]
    whole = sf.compare(sf.RoughPartition(mask), truth)
    found = whole.contributions()
    for x in (1, 3):
        widths = []
        for i in (0, 1):
            known = mask.copy()
            known[x] = np.arange(2) == i
            widths.append(sf.compare(sf.RoughPartition(known), truth).width)
        assert found[x] == pytest.approx(1 - max(widths) / whole.width)
    assert found[[0, 2, 4]].tolist() == [0, 0, 0]


def test_hard_partitions_leave_nothing_open_and_others_are_refused():
    assert sf.compare([0, 1], [0, 0]).contributions().tolist() == [0, 0]
    evidential = sf.EvidentialPartition([[0.5, 0.5], [1, 0]], [[1, 0], [1, 1]])
    with pytest.raises(sf.UnsupportedError, match="pignistic"):
        sf.compare(evidential, [0, 1]).contributions()


@pytest.mark.parametrize("measure", ["adjusted_rand", "jaccard", "normalized_mutual_information"])
def test_shares_of_many_objects_come_from_draws_and_agree_with_exact_ones(measure):
    rng = np.random.default_rng(3)
    truth = np.arange(60) % 2
    memberships = rng.dirichlet([2, 2], 6)[rng.integers(0, 6, 60)]
    memberships[np.arange(60), truth] += 1.0
    memberships /= memberships.sum(axis=1, keepdims=True)
    exact = sf.compare(memberships, truth, measure=measure, engine="exact").contributions()
    drawn = sf.compare(
        memberships, truth, measure=measure, engine=sf.Sampled(n_samples=100_000), rng=0
    ).contributions()
    assert np.abs(exact - drawn).max() < 0.03 * exact.max()
    assert (drawn != exact).any()


def test_objects_with_equal_statements_have_equal_shares():
    rng = np.random.default_rng(1)
    a, b = rng.dirichlet([1, 1, 1], 50), rng.dirichlet([1, 1, 1], 50)
    a[10], b[10] = a[20], b[20]
    a[30], b[30] = [0, 1, 0], [0, 0, 1]
    found = sf.compare(a, b, measure="adjusted_rand", rng=0).contributions()
    assert found[10] == found[20] > 0
    assert found[30] == 0.0


def test_a_seed_gives_one_list_of_shares():
    rng = np.random.default_rng(1)
    a, b = rng.dirichlet([1, 1, 1], 50), rng.dirichlet([1, 1, 1], 50)
    first, second = (sf.compare(a, b, measure="jaccard", rng=5).contributions() for _ in range(2))
    assert (first == second).all()


def test_draws_over_too_many_cells_are_refused():
    rng = np.random.default_rng(1)
    a, b = rng.dirichlet(np.ones(80), 10), rng.dirichlet(np.ones(80), 10)
    with pytest.raises(sf.CostError, match="merge or drop small clusters"):
        sf.compare(a, b, measure="jaccard", rng=0).contributions()


@pytest.mark.parametrize(
    "measure", ["rand", "adjusted_rand", "jaccard", "partition_distance", "completeness", "purity"]
)
@pytest.mark.parametrize("is_rough_truth", [False, True])
def test_shares_of_width_are_those_of_comparisons_one_by_one(measure, is_rough_truth):
    rng = np.random.default_rng(2)
    n, k = 9, 2
    mask = rng.random((n, k)) < 0.4
    mask[np.arange(n), np.arange(n) % k] = True
    truth = np.eye(k, dtype=bool)[(np.arange(n) // 2) % k]
    if is_rough_truth:
        truth[[2, 5, 6]] = True
    a, b = sf.RoughPartition(mask), sf.RoughPartition(truth)
    whole = sf.compare(a, b, measure=measure)
    found = whole.contributions()
    for x in range(n):
        widths = []
        for i, j in product(np.flatnonzero(mask[x]), np.flatnonzero(truth[x])):
            first, second = mask.copy(), truth.copy()
            first[x], second[x] = np.arange(k) == i, np.arange(k) == j
            sides = sf.RoughPartition(first), sf.RoughPartition(second)
            widths.append(sf.compare(*sides, measure=measure).width)
        assert found[x] == pytest.approx(max(0.0, 1 - max(widths) / whole.width), abs=1e-9)
