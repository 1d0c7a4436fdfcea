"""The share of each object in the uncertainty, against its definition."""

from functools import cache
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


def test_hard_partitions_leave_nothing_open():
    assert sf.compare([0, 1], [0, 0]).contributions().tolist() == [0, 0]


SETS = [(0,), (1,), (0, 1)]


def literal_width(sets, truth, measure):
    """Largest minus smallest value over the clusterings in the sets of the objects."""
    values = [value_of(clustering, tuple(truth), measure) for clustering in product(*sets)]
    return max(values) - min(values)


@cache
def value_of(clustering, truth, measure):
    return float(sf.compare(clustering, truth, measure=measure))


def literal_shares_of_expected_width(masses, truth, measure):
    """One less the upper expectation of the mean width that is left, by listing all sets."""
    n = len(masses)
    listed = [
        (np.prod([masses[x, s] for x, s in enumerate(chosen)]), [SETS[s] for s in chosen])
        for chosen in product(range(3), repeat=n)
    ]
    listed = [(weight, sets) for weight, sets in listed if weight > 0]
    whole = sum(weight * literal_width(sets, truth, measure) for weight, sets in listed)
    shares = []
    for x in range(n):
        left = [
            sum(
                weight * literal_width([*sets[:x], (i,), *sets[x + 1 :]], truth, measure)
                for weight, sets in listed
            )
            for i in range(2)
        ]
        worst = sum(masses[x, s] * max(left[i] for i in SETS[s]) for s in range(3))
        shares.append(max(0.0, 1 - worst / whole))
    return np.array(shares)


MASSES = np.array([[0.5, 0.25, 0.25], [0, 0, 1], [0.125, 0.5, 0.375], [1, 0, 0], [0, 0.5, 0.5]])
EVIDENTIAL = sf.EvidentialPartition(MASSES, [[1, 0], [0, 1], [1, 1]])
TRUTH = [0, 0, 1, 0, 1]


@pytest.mark.parametrize("measure", ["rand", "partition_distance"])
def test_evidential_shares_are_those_of_the_expected_width(measure):
    expected = literal_shares_of_expected_width(MASSES, TRUTH, measure)
    assert expected.max() > 0.1
    exact = sf.compare(EVIDENTIAL, TRUTH, measure=measure, engine="exact").contributions()
    assert exact == pytest.approx(expected, abs=1e-12)
    assert exact[3] == 0
    drawn = sf.compare(EVIDENTIAL, TRUTH, measure=measure, engine=sf.Sampled(), rng=0)
    assert drawn.contributions() == pytest.approx(expected, abs=0.03)  # 256 draws


def test_evidential_shares_of_two_soft_sides_and_turned_sides():
    other = sf.EvidentialPartition(MASSES[::-1], [[1, 0], [0, 1], [1, 1]])
    exact = sf.compare(EVIDENTIAL, other, engine="exact").contributions()
    drawn = [
        sf.compare(EVIDENTIAL, other, engine=sf.Sampled(n_samples=10), rng=seed).contributions()
        for seed in range(30)  # of 32 draws or more each
    ]
    assert np.mean(drawn, axis=0) == pytest.approx(exact, abs=0.2 * exact.max())
    assert np.abs(np.mean(drawn, axis=0) - exact).mean() < 0.1 * exact.max()
    turned = sf.compare(TRUTH, EVIDENTIAL, engine="exact").contributions()
    upright = sf.compare(EVIDENTIAL, TRUTH, engine="exact").contributions()
    assert turned == pytest.approx(upright, abs=1e-12)


POSSIBLE = np.array([[1, 0.25], [1, 0.5], [0.75, 1], [0.5, 1], [0, 1]])


def test_shares_by_min_are_means_over_levels():
    """By hand: every level is a rough comparison, and so is every level with an object known."""
    levels = [(0.25, 0.0), (0.5, 0.25), (0.75, 0.5), (1.0, 0.75)]

    def width(known):
        total = 0.0
        for high, low in levels:
            sets = [tuple(np.flatnonzero(row >= high)) for row in POSSIBLE]
            total += (high - low) * literal_width(
                [known.get(x, each) for x, each in enumerate(sets)], TRUTH, "rand"
            )
        return total

    whole = width({})
    expected = []
    for x, row in enumerate(POSSIBLE):
        left = [width({x: (i,)}) for i in range(2)]
        worst = sum(
            (high - low) * max(left[i] for i in np.flatnonzero(row >= high)) for high, low in levels
        )
        expected.append(max(0.0, 1 - worst / whole))
    assert max(expected) > 0
    partition = sf.PossibilisticPartition(POSSIBLE, t_norm="min")
    for engine in (sf.Exact(), sf.Auto(), sf.Sampled()):  # levels are few, so all are exact
        found = sf.compare(partition, TRUTH, engine=engine, rng=0).contributions()
        assert found == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("t_norm", ["product", "lukasiewicz"])
def test_shares_by_other_t_norms_repeat_the_comparison(t_norm):
    partition = sf.PossibilisticPartition(POSSIBLE, t_norm=t_norm)
    whole = sf.compare(partition, TRUTH, engine="exact")
    found = whole.contributions()
    widths = []
    for i in range(2):
        known = POSSIBLE.copy()
        known[2] = np.arange(2) == i
        side = sf.PossibilisticPartition(known, t_norm=t_norm)
        widths.append(sf.compare(side, TRUTH, engine="exact").width)
    worst = 0.25 * widths[1] + 0.75 * max(widths)  # object 2 is 0.75 and 1 possible
    assert found[2] == pytest.approx(max(0, 1 - worst / whole.width))


def test_possibilities_read_object_by_object_have_evidential_shares():
    plain = sf.PossibilisticPartition(POSSIBLE)
    masses = plain.to_evidential()
    found = [sf.compare(side, TRUTH, engine="exact").contributions() for side in (plain, masses)]
    assert found[0].tolist() == found[1].tolist()
    against_fuzzy = sf.compare(
        sf.PossibilisticPartition(POSSIBLE, t_norm="min"), [[0.5, 0.5], *[[1, 0]] * 4], rng=0
    )
    assert against_fuzzy.contributions().shape == (5,)


def test_drawn_shares_of_a_rough_comparison_are_the_guaranteed_ones():
    from sfumato.contributions.expected_width import shares_of_expected_width
    from sfumato.question.query import Query

    rough = sf.RoughPartition([[1, 0], [1, 1], [0, 1], [1, 1], [0, 1]])
    whole = sf.compare(rough, TRUTH)
    query = Query.of(rough, sf.HardPartition(TRUTH), sf.Rand(), "expectation")
    found = shares_of_expected_width(
        query, whole, sf.Sampled().policy(), lambda a, b: None, rng=np.random.default_rng(0)
    )
    assert found == pytest.approx(whole.contributions(), abs=1e-12)


def test_too_many_comparisons_are_refused():
    rng = np.random.default_rng(0)
    partition = sf.PossibilisticPartition(
        np.column_stack([np.ones(4000), rng.random(4000)]), t_norm="product"
    )
    found = sf.compare(partition, np.arange(4000) % 2)
    with pytest.raises(sf.CostError, match="Shares of the width would take 8,000 comparisons"):
        found.contributions()


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


def test_objects_with_equal_statements_have_equal_shares_and_a_seed_gives_one_list():
    rng = np.random.default_rng(1)
    a, b = rng.dirichlet([1, 1, 1], 50), rng.dirichlet([1, 1, 1], 50)
    a[10], b[10] = a[20], b[20]
    a[30], b[30] = [0, 1, 0], [0, 0, 1]
    found, again = (sf.compare(a, b, measure="jaccard", rng=5).contributions() for _ in range(2))
    assert found[10] == found[20] > 0
    assert found[30] == 0.0
    assert (found == again).all()


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
