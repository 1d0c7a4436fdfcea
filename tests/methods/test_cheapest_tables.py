"""Product and Lukasiewicz against rough and possibilistic sides: the cheapest tables."""

import numpy as np
import pytest

import sfumato as sf
from brackets import assert_held, assert_overlap, assert_same_law, assert_within
from by_method import answer
from strategies import SHARE, random_degrees, random_rough

MEASURES = (
    "rand",
    "partition_distance",
    "adjusted_rand",
    "variation_of_information",
    "normalized_mutual_information",
)
every_norm = pytest.mark.parametrize("t_norm", ["product", "lukasiewicz"])
every_measure = pytest.mark.parametrize("measure", MEASURES)


def memberships(seed, n_objects=30, n_clusters=3, power=6):
    rng, labels = np.random.default_rng(seed), np.arange(n_objects) % n_clusters
    return random_degrees(rng, n_objects, n_clusters, labels=labels, power=power)


def possibilistic(seed, t_norm, **sizes):
    return sf.PossibilisticPartition(memberships(seed, **sizes), t_norm=t_norm)


def rough(seed, n_objects=30, n_clusters=3):
    rng, labels = np.random.default_rng(100 + seed), np.arange(n_objects) % n_clusters
    return random_rough(rng, n_objects, n_clusters, 0.2, labels=labels, n_open=1)


@every_norm
@every_measure
def test_a_larger_budget_only_narrows_the_brackets_of_what_is_listed(t_norm, measure):
    a, b = possibilistic(0, t_norm), possibilistic(1, t_norm)
    sharp = answer("cheapest_tables", a, b, measure, max_tables=50_000)
    for max_tables in (1, 10, 100, 1000):
        found = answer("cheapest_tables", a, b, measure, max_tables=max_tables)
        assert found.guarantee == ("certified" if found.error > 0 else "exact")
        assert_overlap(found, sharp)  # the true ends lie in both
        assert found.error >= sharp.error - 1e-12
    assert sharp.error < 0.01


@every_norm
@every_measure
@pytest.mark.parametrize("partner", ["rough", "possibilistic"])
def test_swapping_sides_changes_nothing(t_norm, measure, partner):
    a = possibilistic(2, t_norm, n_objects=10)
    b = rough(2, 10) if partner == "rough" else possibilistic(3, t_norm, n_objects=10)
    first, second = (answer("cheapest_tables", *sides, measure) for sides in ((a, b), (b, a)))
    assert first.lower_bracket == pytest.approx(second.lower_bracket, abs=1e-9)
    assert first.upper_bracket == pytest.approx(second.upper_bracket, abs=1e-9)


@every_measure
@pytest.mark.parametrize("partner", ["hard", "rough", "possibilistic"])
def test_intervals_are_nested_as_the_t_norms_are(measure, partner):
    for seed in range(3):
        others = {"hard": rough(seed, 9).harden(), "rough": rough(seed, 9)}
        ends = {}
        for t_norm in ("lukasiewicz", "product", "min"):
            a = possibilistic(seed, t_norm, n_objects=9)
            b = others.get(partner, a)
            ends[t_norm] = sf.compare(a, b, measure=measure)
        for inner, outer in (("lukasiewicz", "product"), ("product", "min")):
            assert ends[outer].lower_bracket[0] <= ends[inner].lower_bracket[1] + 1e-12
            assert ends[inner].upper_bracket[0] <= ends[outer].upper_bracket[1] + 1e-12


@every_norm
@every_measure
def test_against_a_rough_side_the_ends_are_those_of_all_tables(t_norm, measure):
    for seed in range(3):
        a, b = possibilistic(seed, t_norm, n_objects=8), rough(seed, 8)
        found = answer("cheapest_tables", a, b, measure, max_nodes=10**6)
        listed = answer("enumerate_tables", a, b, measure)
        assert found.lower_bracket == pytest.approx((listed.lower, listed.lower), abs=1e-9)
        assert found.upper_bracket == pytest.approx((listed.upper, listed.upper), abs=1e-9)


def test_a_range_that_stays_open_is_not_called_exact():
    for seed in range(8):
        a = possibilistic(seed, "lukasiewicz", n_objects=24, n_clusters=2, power=1)
        b = rough(seed, 24, 2)
        for measure in ("dice", "rand"):
            found = answer("cheapest_tables", a, b, measure, "range", max_nodes=0)
            assert_within(answer("enumerate_tables", a, b, measure, "range"), found)


@every_norm
def test_without_nodes_to_search_the_brackets_still_hold(t_norm):
    for seed in range(2):
        a, b = possibilistic(seed, t_norm, n_objects=8), rough(seed, 8)
        for measure in MEASURES:
            found = answer("cheapest_tables", a, b, measure, max_nodes=0)
            assert_within(answer("enumerate_tables", a, b, measure), found)


@every_norm
def test_the_whole_list_is_that_of_all_tables(t_norm):
    for measure in (*MEASURES, SHARE):
        a = possibilistic(5, t_norm, n_objects=6)
        b = possibilistic(6, t_norm, n_objects=6, n_clusters=2)
        found, listed = (
            answer(method, a, b, measure, "distribution", max_lost_mass=0.0)
            for method in ("cheapest_tables", "enumerate_tables")
        )
        assert found.is_exact
        assert_same_law(found, listed)


@every_norm
def test_hundred_and_fifty_objects_with_two_soft_sides_are_known_closely(t_norm):
    a = possibilistic(0, t_norm, n_objects=150, power=20)
    b = possibilistic(1, t_norm, n_objects=150, power=20)
    for measure in MEASURES:
        found = sf.compare(a, b, measure=measure, engine=sf.Auto(max_tables=50_000))
        assert found.method == "cheapest_tables"
        assert found.error < 0.02
        assert found.is_exact or any("may be left out" in note for note in found.notes)


def test_lukasiewicz_is_exact_for_many_objects():
    a, b = (possibilistic(seed, "lukasiewicz", n_objects=150) for seed in (0, 1))
    for measure in MEASURES:
        found = sf.compare(a, b, measure=measure, engine="exact")
        assert (found.method, found.guarantee) == ("cheapest_tables", "exact")


def test_where_too_little_would_be_listed_clusterings_are_drawn():
    a, b = (possibilistic(seed, "product", n_objects=300, power=1) for seed in (0, 1))
    assert sf.compare(a, b, measure=SHARE, rng=0).method == "sample"
    assert answer("cheapest_tables", a, b, "rand", "distribution") is None
    assert sf.compare(a, b).method == "cheapest_tables"


def test_a_cut_off_that_was_asked_for_is_kept():
    a, b = (possibilistic(seed, "product", n_objects=12) for seed in (0, 1))
    found = answer("cheapest_tables", a, b, "rand", "distribution", max_lost_mass=0.05)
    whole = answer("cheapest_tables", a, b, "rand", "distribution")
    assert found.guarantee == "certified"
    assert 0.0 < found.distribution.lost_mass <= 0.05
    assert found.distribution.possibilities.min() >= found.distribution.lost_mass
    assert_held(found, whole)


@pytest.mark.parametrize("measure", ["homogeneity", "rand"])  # by a list, and by a profile
def test_the_spread_does_not_forget_what_was_left_out(measure):
    # The most possible table has one value; another one has a possibility of 0.767.
    a = sf.PossibilisticPartition([[0.767, 1.0]] * 5, t_norm="product")
    truth = [0, 0, 1, 0, 0]
    found = answer("cheapest_tables", a, truth, measure, max_tables=1, max_lost_mass=0.8)
    whole = answer("enumerate_tables", a, truth, measure)
    assert any("outer ends" in note for note in found.notes)
    for bracket, std, true_std in (
        (found.lower_bracket, found.lower_std, whole.lower_std),
        (found.upper_bracket, found.upper_std, whole.upper_std),
    ):
        if bracket[0] == bracket[1]:
            assert std == pytest.approx(true_std, abs=1e-12)
    assert found.upper_std > 0.1
