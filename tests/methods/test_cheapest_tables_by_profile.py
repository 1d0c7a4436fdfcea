"""Product and Lukasiewicz against a hard truth: by costs, with a stated cut-off."""

import numpy as np
import pytest

import sfumato as sf
from brackets import assert_held, assert_same_law
from by_method import answer, planned
from strategies import random_degrees

PAIR_MEASURES = ("rand", "adjusted_rand", "jaccard", "dice", "fowlkes_mallows")
MEASURES = (*PAIR_MEASURES, "partition_distance")
every_norm = pytest.mark.parametrize("t_norm", ["product", "lukasiewicz"])
every_measure = pytest.mark.parametrize("measure", MEASURES)


def memberships(seed, n_objects, n_clusters=3):
    return random_degrees(np.random.default_rng(seed), n_objects, n_clusters, power=2)


def possibilistic(seed, n_objects, t_norm, n_clusters=3):
    return sf.PossibilisticPartition(memberships(seed, n_objects, n_clusters), t_norm=t_norm)


def truth(seed, n_objects, n_classes=3):
    return np.random.default_rng(1000 + seed).integers(n_classes, size=n_objects)


def profiled(*question, **budget):
    """The answer by the profile of costs, or None where there is none."""
    plan = planned("cheapest_tables", *question, **budget)
    if plan is None or not plan.why.startswith("costs add over the classes of a hard truth"):
        return None
    return answer("cheapest_tables", *question, **budget)


def check_profile(measure, t_norm, seed, n, k, q):
    """The profile from either side, against the list of all tables."""
    a, b = possibilistic(seed, n, t_norm, k), truth(seed, n, q)
    listed = sf.compare(a, b, measure=measure, quantity="distribution", engine="exact")
    for sides in ((a, b), (b, a)):
        found = profiled(*sides, measure, "distribution")
        if found is None:  # every class must have come up for k = 1 to be possibilistic
            assert k == 1
            continue
        assert found.guarantee == "exact"
        assert_same_law(found, listed)
        assert (found.lower, found.upper) == pytest.approx((listed.lower, listed.upper), abs=1e-12)


@every_norm
@every_measure
def test_the_profile_is_that_of_all_tables(t_norm, measure):
    for seed in range(6):
        check_profile(measure, t_norm, seed, 8 + seed % 3, 2 + seed % 2, 2 + seed // 3)
    if measure != "partition_distance":  # four clusters against two classes
        check_profile(measure, t_norm, 3, 9, 4, 2)


@every_norm
def test_the_far_end_of_the_partition_distance_counts_missing_clusters_and_classes(t_norm):
    for k, q in ((1, 3), (2, 1), (2, 3), (3, 1), (3, 2)):
        for seed in range(4):
            check_profile("partition_distance", t_norm, seed, 7, k, q)


def test_product_lies_within_the_object_wise_reading():
    for seed in range(12):
        rows, b = memberships(seed, 5), truth(seed, 5)
        for measure in ("rand", "partition_distance"):
            joint = sf.compare(
                sf.PossibilisticPartition(rows, t_norm="product"), b, measure=measure
            )
            apart = sf.compare(sf.PossibilisticPartition(rows), b, measure=measure, engine="exact")
            assert joint.is_exact
            assert apart.lower - 1e-12 <= joint.lower <= joint.upper <= apart.upper + 1e-12


@every_measure
@pytest.mark.parametrize("cut_off", [1e-6, 1e-3, 0.1, 0.6])
def test_with_a_cut_off_the_brackets_hold_the_exact_ends(measure, cut_off):
    for seed in range(2):
        a, b = possibilistic(seed, 25, "product"), truth(seed, 25)
        exact = profiled(a, b, measure)
        found = profiled(a, b, measure, max_lost_mass=cut_off)
        assert exact.guarantee == "exact"
        # Where a cut by min has the same ends nothing is open.
        assert found.guarantee == ("certified" if found.error > 0 else "exact")
        assert_held(found, exact)
        spread = 1.5 if measure == "adjusted_rand" else 1.0
        assert found.error <= cut_off * spread
        assert any("may be left out" in note for note in found.notes)


@every_norm
@every_measure
@pytest.mark.parametrize("max_tables", [1, 20, 400])
def test_with_a_small_budget_the_brackets_hold_the_exact_ends(t_norm, measure, max_tables):
    for seed in range(2):
        a, b = possibilistic(seed, 40, t_norm), truth(seed, 40)
        exact = profiled(a, b, measure)
        found = profiled(a, b, measure, max_tables=max_tables)
        assert exact.guarantee == "exact"
        assert_held(found, exact)


def test_a_budget_that_is_too_small_shows():
    a, b = possibilistic(0, 60, "product"), truth(0, 60)
    found = profiled(a, b, max_tables=1)
    assert found.guarantee == "certified"
    assert 0.0 < found.error < 1.0
    with pytest.raises(sf.CostError, match="max_tables"):
        sf.compare(a, b, engine=sf.Exact(max_tables=1))


def test_what_has_another_structure_is_left_to_other_methods():
    a = possibilistic(0, 6, "product")
    assert profiled(a, truth(0, 6), "mutual_information") is None
    assert profiled(a, possibilistic(1, 6, "product")) is None
    assert profiled(a.with_t_norm("min"), truth(0, 6)) is None
    wide = possibilistic(0, 6, "product", 4)
    assert profiled(wide, truth(0, 6), "partition_distance") is None


def test_the_range_by_lukasiewicz_is_that_of_positive_possibilities():
    # Two objects that may both move, but not together: 0.5 + 0.5 - 1 = 0.
    a = sf.PossibilisticPartition([[1, 0.5], [1, 0.5], [0, 1]], t_norm="lukasiewicz")
    found = profiled(a, [0, 0, 1], "partition_distance", "range")
    assert (found.lower, found.upper) == (0.0, 0.5)
    assert profiled(
        a.with_t_norm("product"), [0, 0, 1], "partition_distance"
    ).upper == pytest.approx(0.5 * 0.5)
