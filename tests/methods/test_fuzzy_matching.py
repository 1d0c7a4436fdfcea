"""The partition distance of fuzzy partitions: which method answers, and that it is right."""

import numpy as np
import pytest

import oracle
import sfumato as sf
from by_method import answer, planned
from literal import law_of_matchings, mean_and_variance
from strategies import memberships_around, one_hot, random_memberships

TOLERANCE = 1e-12


def partitions(a, b):
    return tuple(sf.FuzzyPartition(side) if np.ndim(side) == 2 else side for side in (a, b))


def law(a, b, measure="partition_distance", quantity="expectation"):
    return answer("fuzzy_law", *partitions(a, b), measure, quantity, engine=sf.Exact())


def bracket(a, b, measure="partition_distance"):
    return answer("matching_bracket", *partitions(a, b), measure, engine=sf.Bounds())


def plan(method, a, b, measure="partition_distance", quantity="expectation", **options):
    return planned(method, *partitions(a, b), measure, quantity, **options)


def test_the_law_equals_enumeration_in_units_of_the_measure():
    rng = np.random.default_rng(0)
    compared = 0
    while compared < 300:
        k1, k2, n = rng.integers(1, 4), rng.integers(1, 4), rng.integers(2, 6)
        a = random_memberships(rng, n, k1)
        b = one_hot(rng, n, k2) if compared % 2 else random_memberships(rng, n, k2)
        sides = (b, a) if compared % 4 == 1 else (a, b)  # a hard one may be the first
        found = law(*sides, quantity="distribution")
        if found is None:  # two hard partitions
            continue
        literal = law_of_matchings(a, b)
        mean, variance = mean_and_variance(literal)
        assert found.mean == pytest.approx((n - mean) / (n - 1), abs=TOLERANCE)
        assert found.std**2 == pytest.approx(variance / (n - 1) ** 2, abs=TOLERANCE)
        assert found.is_exact
        totals = np.flatnonzero(literal)[::-1]
        assert found.distribution.values == pytest.approx((n - totals) / (n - 1), abs=TOLERANCE)
        assert found.distribution.probabilities == pytest.approx(literal[totals], abs=TOLERANCE)
        assert 0 <= found.distribution.lost_mass <= 1e-12
        compared += 1


@pytest.mark.parametrize("normalizer", ["n-1", "n"])
def test_either_normalizer_equals_the_definition(normalizer):
    rng = np.random.default_rng(1)
    for _ in range(10):
        a, b = random_memberships(rng, 4, 3, sparse=0.0), random_memberships(rng, 4, 2, sparse=0.0)
        plain = (("fuzzy", tuple(map(tuple, side.tolist()))) for side in (a, b))
        expected = oracle.compare_literally(*plain, ("partition_distance", normalizer))
        measure = sf.PartitionDistance(normalizer)
        found = law(a, b, measure)
        assert found.mean == pytest.approx(expected.lower, abs=TOLERANCE)
        assert found.std == pytest.approx(expected.lower_std, abs=1e-9)
        low, high = bracket(a, b, measure).lower_bracket
        assert low - TOLERANCE <= expected.lower <= high + TOLERANCE


def test_brackets_hold_the_mean_whatever_the_memberships():
    rng = np.random.default_rng(2)
    for at in range(400):
        k1, k2 = rng.integers(1, 4, size=2)
        n = int(rng.integers(2, 5))
        a, b = random_memberships(rng, n, k1), random_memberships(rng, n, k2)
        if at % 3 == 0:
            a[:], b[:] = 1 / k1, 1 / k2
        elif at % 3 == 1:
            b = one_hot(rng, n, k2)
        found = bracket(*((b, a) if at % 2 else (a, b)))
        if found is None:
            continue
        mean, _ = mean_and_variance(law_of_matchings(a, b))
        low, high = found.lower_bracket
        assert low - TOLERANCE <= (n - mean) / (n - 1) <= high + TOLERANCE
        assert found.lower_bracket == found.upper_bracket
        if high - low > 2e-3:  # wider than the tolerance: a range, and no estimate
            assert (found.mean, found.lower, found.upper) == (None, low, high)
        else:
            assert found.mean == pytest.approx((low + high) / 2)
            assert found.error == pytest.approx((high - low) / 2, abs=1e-15)
        assert 0 <= low <= high <= 1


@pytest.mark.parametrize("quantity", ["expectation", "distribution"])
def test_many_objects_and_clusters_are_exact_at_once(quantity):
    rng = np.random.default_rng(4)
    labels = np.arange(3000) % 10
    a, b = (memberships_around(rng, labels, 10) for _ in range(2))
    found = sf.compare(a, b, measure="partition_distance", quantity=quantity)
    assert (found.method, found.guarantee, found.error) == ("matching_bracket", "exact", 0.0)
    matched = (a * b).sum(axis=1)
    assert found.mean == pytest.approx((3000 - matched.sum()) / 2999, abs=TOLERANCE)
    assert found.std == pytest.approx(np.sqrt((matched * (1 - matched)).sum()) / 2999, rel=1e-9)
    if quantity == "distribution":
        assert found.distribution.lower == pytest.approx(found.mean, abs=TOLERANCE)
        assert found.distribution.lower_std == pytest.approx(found.std, rel=1e-9)
        assert found.distribution.lost_mass < 1e-12


def test_a_narrow_bracket_is_certified_and_a_wide_one_is_left_to_sampling():
    rng = np.random.default_rng(5)
    labels = np.arange(60) % 4
    a, b = (memberships_around(rng, labels, 4, share=0.55) for _ in range(2))
    found = sf.compare(a, b, measure="partition_distance", rng=0)
    assert (found.method, found.guarantee) == ("matching_bracket", "certified")
    assert 0 < found.error <= 1e-3
    assert found.std is not None
    sampled = sf.compare(
        a, b, measure="partition_distance", rng=0, engine=sf.Sampled(n_samples=20_000)
    )
    assert found.mean == pytest.approx(sampled.mean, abs=3e-3)
    narrower = sf.Auto(tolerance=found.error / 2)
    assert plan("matching_bracket", a, b, engine=narrower) is None
    uniform = np.full((60, 4), 0.25)
    assert plan("matching_bracket", uniform, uniform) is None
    wide = bracket(uniform, uniform)
    assert wide.guarantee == "certified"
    assert wide.error > 1e-2
    assert any("standard deviation" in note for note in wide.notes)


def test_two_clusters_have_an_exact_law_at_any_size():
    rng = np.random.default_rng(6)
    a, b = rng.dirichlet([1, 1], 20_000), rng.dirichlet([1, 1], 20_000)
    found = sf.compare(a, b, measure="partition_distance", quantity="distribution")
    assert (found.method, found.guarantee) == ("fuzzy_law", "exact")
    low, high = bracket(a, b).lower_bracket
    assert low - TOLERANCE <= found.mean <= high + TOLERANCE
    assert high - low < TOLERANCE


def test_what_is_not_theirs_is_left_alone():
    rng = np.random.default_rng(8)
    a, b = random_memberships(rng, 6, 2, sparse=0.0), random_memberships(rng, 6, 2, sparse=0.0)
    for method, other in (("fuzzy_law", "jaccard"), ("matching_bracket", "rand")):
        assert plan(method, a, b, other) is None
        assert plan(method, a, b, quantity="range") is None
        assert plan(method, a.argmax(1), b.argmax(1)) is None
        assert plan(method, a[:1], b[:1]) is None  # one object: no structure
    uniform = np.full((6, 4), 0.25)
    assert plan("fuzzy_law", uniform, uniform) is None


def test_a_stated_std_is_possible_and_as_near_as_the_note_says():
    rng = np.random.default_rng(14)
    for _ in range(50):
        a, b = (random_memberships(rng, 3, 3) for _ in range(2))
        found = bracket(a, b)
        true = np.sqrt(mean_and_variance(law_of_matchings(a, b))[1]) / 2
        assert 0.0 <= found.std <= 0.5  # distances lie in [0, 1]
        said = [float(note.rstrip(".").split()[-1]) for note in found.notes if "deviation" in note]
        assert abs(found.std - true) <= 1.05 * max(said, default=1e-9)  # two digits are printed
