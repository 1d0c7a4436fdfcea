"""Exact rough intervals against all compatible clusterings, and the laws they obey."""

from itertools import islice

import numpy as np
import pytest
from scipy.sparse import csr_array

import sfumato as sf
from literal import all_tables, bit_masks
from sfumato.measures import measures
from strategies import random_rough

MOST_CLUSTERINGS = 20_000
INSTANCES = 200  # of each kind of truth
CUT_SHORT = 150  # of each kind of truth
TOLERANCE = 1e-12
SOLVED_AGAINST_HARD = [name for name in measures() if name != "adjusted_mutual_information"]
SOLVED_BOTH_ROUGH = [
    "jaccard",
    "dice",
    "rand",
    "variation_of_information",
    "normalized_variation_of_information",
    "partition_distance",
]


def close(expected):
    return pytest.approx(expected, abs=TOLERANCE, rel=0)


def tables_of(a, b):
    """The table of every pair of compatible clusterings."""
    shape = a.n_clusters, b.n_clusters
    return all_tables(bit_masks(a.mask), bit_masks(b.mask), [1] * a.n_objects, shape)


def instances(seed, *, hard_truth):
    rng = np.random.default_rng(seed)
    while True:
        n, k1, k2 = int(rng.integers(2, 9)), int(rng.integers(1, 5)), int(rng.integers(1, 5))
        a = random_rough(rng, n, k1, rng.choice([0.2, 0.5, 0.9]))
        b = random_rough(rng, n, k2, 0.0 if hard_truth else rng.choice([0.2, 0.5]))
        if not hard_truth and rng.random() < 0.2:
            a, b = b, a
        if a.n_compatible * b.n_compatible <= MOST_CLUSTERINGS:
            yield a, b


def check_witnesses(found, measure, a, b):
    for end, pair in ((found.lower, found.lower_witness), (found.upper, found.upper_witness)):
        assert a.is_compatible(pair[0])
        assert b.is_compatible(pair[1])
        assert sf.compare(*pair, measure=measure).mean == close(end)


@pytest.mark.parametrize(
    ("hard_truth", "names"),
    [(True, SOLVED_AGAINST_HARD), (False, SOLVED_BOTH_ROUGH)],
    ids=["hard truth", "two rough sides"],
)
def test_solved_intervals_are_those_of_all_clusterings(hard_truth, names):
    solved = 0
    for at, (a, b) in enumerate(islice(instances(7, hard_truth=hard_truth), INSTANCES)):
        tables = tables_of(a, b)
        for name in {names[at % len(names)], names[(at * 5 + 2) % len(names)]}:
            values = measures()[name].of_tables(tables)
            found = sf.compare(a, b, measure=name, engine=sf.Auto(max_tables=2))
            if found.guarantee == "exact":
                solved += found.method == "rough_ends"
                assert (found.lower, found.upper) == close((values.min(), values.max()))
                if name == names[at % len(names)]:
                    check_witnesses(found, name, a, b)
            else:  # 0/0 is within reach: a bracket, never a guess
                assert found.guarantee == "certified"
                assert found.lower <= values.min() <= found.lower_bracket[1] + TOLERANCE
                assert found.upper >= values.max() >= found.upper_bracket[0] - TOLERANCE
    assert solved > INSTANCES / 2


@pytest.mark.parametrize("hard_truth", [True, False])
def test_a_search_cut_short_leaves_brackets_that_hold_the_ends(hard_truth):
    names = SOLVED_AGAINST_HARD if hard_truth else list(measures())
    for at, (a, b) in enumerate(islice(instances(11, hard_truth=hard_truth), CUT_SHORT)):
        name = names[at % len(names)]
        values = measures()[name].of_tables(tables_of(a, b))
        nodes = (0, 1, 3)[at % 3]
        found = sf.compare(a, b, measure=name, engine=sf.Auto(max_nodes=nodes, max_tables=2), rng=0)
        brackets = found.lower_bracket, found.upper_bracket
        for (low, high), end in zip(brackets, (values.min(), values.max()), strict=True):
            assert low - TOLERANCE <= end <= high + TOLERANCE


@pytest.mark.parametrize("name", ["rand", "variation_of_information", "partition_distance"])
def test_larger_intervals_are_those_of_all_tables(name):
    """An independent way at n = 60 to 300: a dynamic program over all tables."""
    rng = np.random.default_rng(3)
    for n in (60, 120, 300):
        truth = np.sort(rng.integers(0, 3, n))
        mask = truth[:, None] == np.arange(3)
        mask[rng.choice(n, 14, replace=False)] = True
        a = sf.RoughPartition(mask)
        solved = sf.compare(a, truth, measure=name, engine=sf.Exact(max_tables=2))
        listed = sf.compare(
            a, truth, measure=name, quantity="distribution", engine=sf.Exact(max_tables=10**7)
        )
        assert solved.method == "rough_ends"
        assert listed.method == "enumerate_tables"
        assert (solved.lower, solved.upper) == close((listed.lower, listed.upper))


def test_an_exact_search_without_nodes_raises_and_the_others_give_the_bracket():
    rng = np.random.default_rng(0)
    a, b = random_rough(rng, 30, 4, 0.9), random_rough(rng, 30, 4, 0.9)
    with pytest.raises(sf.CostError, match="max_"):
        sf.compare(a, b, engine=sf.Exact(max_nodes=0, max_tables=10))
    for engine in (sf.Auto(max_nodes=0, max_tables=10), sf.Bounds()):
        found = sf.compare(a, b, engine=engine)
        assert found.guarantee == "certified"
        assert found.lower <= found.lower_bracket[1] <= found.upper_bracket[0] <= found.upper


def test_brackets_of_many_clusters_and_objects_may_close():
    rng = np.random.default_rng(0)
    n, k = 20_000, 1000
    codes = rng.integers(0, k, n)
    doubtful = np.flatnonzero(rng.random(n) < 0.02)
    rows = np.concatenate([np.arange(n), doubtful])
    columns = np.concatenate([codes, (codes[doubtful] + 1) % k])
    mask = csr_array((np.ones(len(rows), dtype=bool), (rows, columns)), shape=(n, k))
    found = sf.compare(sf.RoughPartition(mask), codes, measure="partition_distance")
    assert found.guarantee == "exact"
    # Every doubtful object may be right, and all may be wrong.
    assert found.lower == 0.0
    assert found.upper == pytest.approx(len(doubtful) / (n - 1), abs=1e-12)


def test_the_set_of_values_is_listed_where_affordable_and_bounded_elsewhere():
    rng = np.random.default_rng(1)
    small, truth = random_rough(rng, 12, 2, 0.3), random_rough(rng, 12, 2, 0.0)
    listed = sf.compare(small, truth, quantity="distribution")
    values = np.unique(measures()["rand"].of_tables(tables_of(small, truth)))
    assert listed.distribution.values == pytest.approx(values, abs=TOLERANCE)
    large, truth = random_rough(rng, 400, 3, 0.9), random_rough(rng, 400, 3, 0.0)
    bounded = sf.compare(large, truth, quantity="distribution")
    assert bounded.guarantee == "certified"
    assert "Only" in " ".join(bounded.notes)
    exact = sf.compare(large, truth)
    assert (bounded.lower, bounded.upper) == (exact.lower, exact.upper)


@pytest.mark.parametrize("name", SOLVED_AGAINST_HARD)
def test_reordering_and_relabelling_change_nothing(name):
    rng = np.random.default_rng(5)
    for _ in range(20):
        a, b = random_rough(rng, 40, 3, 0.3), random_rough(rng, 40, 3, 0.0)
        order, columns = rng.permutation(40), rng.permutation(3)
        engine = sf.Auto(max_tables=2)
        turned = sf.RoughPartition(a.mask[order][:, columns]), sf.RoughPartition(b.mask[order])
        one, other = (sf.compare(*sides, measure=name, engine=engine) for sides in ((a, b), turned))
        assert (one.lower, one.upper) == pytest.approx((other.lower, other.upper), abs=1e-11)
