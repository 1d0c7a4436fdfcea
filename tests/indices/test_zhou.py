from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings

import sfumato as sf
from indices.variants import recorded
from literal_pairs import object_masses
from sfumato.errors import InputError
from sfumato.indices import zhou
from strategies import build, fuzzy_sides, groups_of_sides, hard_sides


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize(("inputs", "expected"), recorded("zhou2005_mallows"))
def test_values_are_those_of_clue(inputs, expected, p):
    weights = inputs["alpha"], inputs["beta"]
    found = zhou(inputs["first"], inputs["second"], p=p, weights=weights)
    assert found == pytest.approx(expected[f"mallows_p{p}"], rel=0, abs=1e-12)


def rows_of(side):
    """Memberships as rows of one length, clusters without objects at the end left out."""
    masses = object_masses(side)
    k = 1 + max(i for one in masses for (i,) in one)
    return np.array([[one.get(frozenset([i]), 0.0) for i in range(k)] for one in masses])


def literal(first, second, p):
    """Try every one-to-one matching of as many clusters, empty ones added."""
    u, v = rows_of(first), rows_of(second)
    k = max(u.shape[1], v.shape[1])
    u, v = (np.pad(one, ((0, 0), (0, k - one.shape[1]))) for one in (u, v))
    costs = [(np.abs(u - v[:, list(order)]) ** p).sum() for order in permutations(range(k))]
    return min(costs) ** (1 / p)


@pytest.mark.parametrize("p", [1, 1.5, 3])
@settings(max_examples=60, deadline=None)
@given(groups_of_sides(fuzzy_sides, fuzzy_sides))
def test_values_are_those_of_the_best_matching(p, pair):
    a, b = map(build, pair)
    found = zhou(a, b, p=p)
    # The root of an error of 1e-16 in a cost of 0.
    assert found == pytest.approx(literal(*pair, p), rel=0, abs=1e-12 ** (1 / p))
    assert zhou(b, a, p=p) == pytest.approx(found, rel=0, abs=1e-12 ** (1 / p))
    assert zhou(a, a, p=p) == 0.0


@settings(max_examples=60, deadline=None)
@given(groups_of_sides(hard_sides, hard_sides))
def test_hard_partitions_get_twice_the_moved_objects(pair):
    a, b = map(build, pair)
    share = sf.compare(a, b, measure=sf.PartitionDistance("n")).mean
    n = a.n_objects
    assert zhou(a, b) == pytest.approx(2 * n * share, rel=0, abs=1e-12)
    assert zhou(a, b, normalized=True) == pytest.approx(share, rel=0, abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(groups_of_sides(fuzzy_sides, hard_sides, fuzzy_sides))
def test_it_is_a_metric_from_zero_to_one(three):
    a, b, c = map(build, three)
    assert zhou(a, c) <= zhou(a, b) + zhou(b, c) + 1e-12
    for p in (1, 2):
        assert 0 <= zhou(a, c, p=p, normalized=True) <= 1 + 1e-12


def test_unit_weights_are_the_default_where_both_sides_have_as_many_clusters():
    rng = np.random.default_rng(0)
    u, v = rng.dirichlet(np.ones(4), 30), rng.dirichlet(np.ones(4), 30)
    for p in (1, 2):
        units = zhou(u, v, p=p, weights=(np.ones(4), np.ones(4)))
        assert zhou(u, v, p=p) == pytest.approx(units, rel=0, abs=1e-12)
        quarter = zhou(u, v, p=p, weights=(np.full(4, 0.25), np.full(4, 0.25)))
        assert zhou(u, v, p=p) == pytest.approx(4 ** (1 / p) * quarter, rel=0, abs=1e-12)


def test_weights_scale_the_normalized_distance_too():
    u, v = [[1, 0], [1, 0]], [[0, 1], [0, 1]]
    assert zhou(u, v, weights=([1, 0], [1, 0]), normalized=True) == 1.0
    assert zhou(u, v, weights=([1, 0], [0, 1]), normalized=True) == 0.0


def test_tiny_weights_are_not_lost():
    u = v = np.eye(3)
    tiny = np.array([1 - 2e-9, 1e-9, 1e-9])
    equal = zhou(u, v, weights=(tiny, tiny))
    moved = zhou(u, v, weights=(tiny, np.array([1 - 1e-9, 1e-9, 0.0])))
    assert equal == pytest.approx(0, abs=1e-15)
    assert moved == pytest.approx(2e-9, rel=1e-6)


def test_blocks_of_objects_add_up(monkeypatch):
    rng = np.random.default_rng(1)
    u, v = rng.dirichlet(np.ones(3), 100), rng.dirichlet(np.ones(5), 100)
    whole = zhou(u, v)
    monkeypatch.setattr("sfumato.indices.formulas.cluster_costs.ENTRIES_AT_ONCE", 40)
    assert zhou(u, v) == pytest.approx(whole, rel=0, abs=1e-12)


def test_singletons_are_no_square_table():
    n = 100_000
    assert zhou(np.arange(n), np.zeros(n, dtype=int)) == 2 * (n - 1)


@pytest.mark.parametrize("p", [0.5, "2", float("inf"), True])
def test_wrong_exponents_are_refused(p):
    with pytest.raises(InputError, match=r"zhou\(p=...\) takes a number from 1 up"):
        zhou([0, 1], [0, 1], p=p)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, 2, 3], "takes a pair of lists"),
        (([1, 1], ["x", "y"]), "takes a pair of lists"),
        (([1, 1, 1], [1, 1]), "a has 2 clusters, but its weights have shape"),
        (([1, -1], [1, 1]), "weights of a must be finite, not negative"),
        (([1, 1], [0, 0]), "weights of b must be finite, not negative and not all 0"),
        (([1, 1], [1, 2]), "weights of a sum to 2, those of b to 3"),
    ],
)
def test_wrong_weights_are_refused(weights, message):
    with pytest.raises(InputError, match=message):
        zhou([0, 1], [0, 1], weights=weights)
