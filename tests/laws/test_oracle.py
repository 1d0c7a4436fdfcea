"""The oracle itself: worked examples by hand, and its measures against scikit-learn."""

from math import log

import numpy as np
import pytest
from sklearn import metrics

import oracle
from oracle import compare_literally

SKLEARN = {
    "rand": metrics.rand_score,
    "adjusted_rand": metrics.adjusted_rand_score,
    "fowlkes_mallows": metrics.fowlkes_mallows_score,
    "mutual_information": metrics.mutual_info_score,
    "normalized_mutual_information": metrics.normalized_mutual_info_score,
    "adjusted_mutual_information": metrics.adjusted_mutual_info_score,
    "homogeneity": metrics.homogeneity_score,
    "completeness": metrics.completeness_score,
    "v_measure": metrics.v_measure_score,
}


def sets(*members):
    return ("rough", tuple(frozenset(s) for s in members))


@pytest.mark.parametrize("name", SKLEARN)
def test_measures_equal_scikit_learn_on_random_labels(name):
    rng = np.random.default_rng(1)
    for _ in range(60):
        n = int(rng.integers(2, 12))
        a, b = (tuple(rng.integers(rng.integers(1, 5), size=n).tolist()) for _ in range(2))
        expected = SKLEARN[name](b, a)  # scikit-learn takes the truth first
        # 1e-10: scikit-learn sums the expected information from log-gammas.
        assert oracle.MEASURES[name](a, b) == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("average", ["arithmetic", "geometric", "min", "max"])
@pytest.mark.parametrize("name", ["normalized_mutual_information", "adjusted_mutual_information"])
def test_every_average_equals_scikit_learn(name, average):
    rng = np.random.default_rng(2)
    for _ in range(20):
        # Two clusters of several objects on each side keep the normaliser away from 0/0.
        a, b = ((0, 0, 1, 1, *rng.integers(3, size=5).tolist()) for _ in range(2))
        expected = SKLEARN[name](b, a, average_method=average)
        assert oracle.MEASURES[name](a, b, average) == pytest.approx(expected, abs=1e-10)


def test_pair_measures_of_a_small_example():
    a, b = (0, 0, 1, 1), (0, 0, 0, 1)  # pairs: one together, one in a only, two in b only
    assert oracle.rand(a, b) == 0.5
    assert oracle.rand(a, b, "all") == 10 / 16
    assert oracle.jaccard(a, b) == 0.25
    assert oracle.dice(a, b) == 0.4
    assert oracle.partition_distance(a, b) == 1 / 3
    assert oracle.partition_distance(a, b, "n") == 1 / 4
    assert oracle.purity(a, b) == 0.75
    assert oracle.purity(b, a) == 0.75


def test_information_measures_of_a_small_example():
    a, b = (0, 0, 1, 1), (0, 1, 0, 1)  # independent halves
    assert oracle.mutual_information(a, b) == pytest.approx(0, abs=1e-15)
    assert oracle.variation_of_information(a, b) == pytest.approx(2 * log(2), abs=1e-15)
    assert oracle.normalized_variation_of_information(a, b) == pytest.approx(1, abs=1e-15)
    assert oracle.normalized_variation_of_information(a, a, "joint_entropy") == 0
    # All-singleton sides: every shuffled table gives log n, so nothing is left to adjust by.
    assert oracle.adjusted_mutual_information((0, 1, 2), (2, 0, 1)) == 1.0
    assert oracle.adjusted_mutual_information((0, 1, 2), (0, 1, 1), "min") == 0.0


def test_one_object_follows_the_conventions():
    zero = {
        "mutual_information",
        "fowlkes_mallows",
        "partition_distance",
        "variation_of_information",
        "normalized_variation_of_information",
    }
    for name, measure in oracle.MEASURES.items():
        assert measure((3,), (5,)) == (0.0 if name in zero else 1.0), name


def test_zero_over_zero_follows_the_conventions():
    whole, singletons = (0, 0, 0), (0, 1, 2)
    assert oracle.adjusted_rand(whole, whole) == oracle.adjusted_rand(singletons, singletons) == 1
    assert oracle.jaccard(singletons, singletons) == oracle.dice(singletons, singletons) == 1
    assert oracle.fowlkes_mallows(singletons, singletons) == 0
    assert oracle.normalized_mutual_information(whole, whole) == 1


def test_rough_against_hard_by_hand():
    answer = compare_literally(sets({0}, {0, 1}, {1}), ("hard", (0, 0, 1)), "rand")
    assert answer.distribution == {1 / 3, 1.0}  # 001 agrees on all pairs, 011 on one of three
    assert (answer.lower, answer.upper) == answer.range == (1 / 3, 1.0)
    assert (answer.lower_std, answer.upper_std) == (0.0, 0.0)
    assert answer.pignistic == pytest.approx(2 / 3)


def test_fuzzy_against_hard_by_hand():
    fuzzy = ("fuzzy", ((1.0, 0.0), (0.75, 0.25)))
    answer = compare_literally(fuzzy, ("hard", (0, 0)), "rand")
    assert answer.distribution == {1.0: 0.75, 0.0: 0.25}
    assert answer.lower == answer.upper == answer.pignistic == 0.75
    assert answer.lower_std == pytest.approx((0.75 * 0.25) ** 0.5)
    assert answer.quantile(0.2) == (0.0, 0.0)
    assert answer.quantile(0.3) == (1.0, 1.0)


def test_evidential_against_hard_by_hand():
    one, both = frozenset({0}), frozenset({0, 1})
    rows = ({one: 1.0}, {one: 0.25, both: 0.25, frozenset(): 0.5})
    dempster = compare_literally(("evidential", rows, "dempster", 2), ("hard", (0, 0)), "rand")
    assert dempster.distribution == {frozenset({1.0}): 0.5, frozenset({0.0, 1.0}): 0.5}
    assert (dempster.lower, dempster.upper) == (0.5, 1.0)
    assert dempster.belief(lambda v: v >= 1) == 0.5
    assert dempster.plausibility(lambda v: v < 1) == 0.5
    yager = compare_literally(("evidential", rows, "yager", 2), ("hard", (0, 0)), "rand")
    assert (yager.lower, yager.upper) == (0.25, 1.0)


@pytest.mark.parametrize(
    ("t_norm", "both"), [("min", 0.5), ("product", 0.375), ("lukasiewicz", 0.25)]
)
def test_possibilistic_against_hard_by_hand(t_norm, both):
    # 000 is fully possible, 001 at 3/4, 010 at 1/2, and 011 at both combined.
    side = ("possibilistic", ((0.5, 0.0), (1.0, 0.5), (1.0, 0.75)), t_norm)
    answer = compare_literally(side, ("hard", (0, 1, 1)), "rand")
    assert answer.distribution == {1 / 3: 1.0, 1.0: both}
    assert answer.lower == 1 / 3
    assert answer.upper == pytest.approx(both + (1 - both) / 3)


def test_possibilistic_against_possibilistic_by_hand():
    a = ("possibilistic", ((1.0, 0.0), (0.25, 0.5)), "product")  # the second row becomes (1/2, 1)
    b = ("possibilistic", ((1.0, 0.0), (1.0, 0.75)), "product")
    answer = compare_literally(a, b, "rand")
    # Together: (0,0) twice at 1/2, (0,1) twice at 3/4; apart: (0,1) with (0,0) at 1.
    assert answer.distribution == {1.0: 0.75, 0.0: 1.0}
    assert (answer.lower, answer.upper) == (0.0, 0.75)


def test_lukasiewicz_possibility_can_vanish_though_no_object_rules_it_out():
    half = ("possibilistic", ((1.0, 0.0), (1.0, 0.5), (1.0, 0.5)), "lukasiewicz")
    answer = compare_literally(half, ("hard", (0, 0, 0)), "rand")
    assert oracle.possibilities(half, "lukasiewicz") == {
        (0, 0, 0): 1,
        (0, 0, 1): 0.5,
        (0, 1, 0): 0.5,
    }
    assert answer.range == (1 / 3, 1.0)


def test_min_against_fuzzy_mixes_the_cuts():
    a = ("possibilistic", ((1.0, 0.0), (1.0, 0.5)), "min")
    b = ("fuzzy", ((1.0, 0.0), (0.75, 0.25)))
    answer = compare_literally(a, b, "rand")
    # Level above 1/2: a is (0,0), agreement with probability 3/4; below: anything goes.
    assert answer.mass == {
        frozenset({1.0}): 0.375,
        frozenset({0.0}): 0.125,
        frozenset({0.0, 1.0}): 0.5,
    }
    assert (answer.lower, answer.upper) == (0.375, 0.875)


def test_refused_pairs_are_those_without_a_joint_theory():
    rows = ((1.0, 0.5), (0.5, 1.0))
    fuzzy = ("fuzzy", ((0.5, 0.5), (1.0, 0.0)))
    for t_norm, other in [("product", "min"), ("lukasiewicz", "product"), ("product", None)]:
        with pytest.raises(oracle.RefusedError):
            oracle.theory(("possibilistic", rows, t_norm), ("possibilistic", rows, other))
    with pytest.raises(oracle.RefusedError):
        oracle.theory(("possibilistic", rows, "product"), fuzzy)
    assert oracle.theory(("possibilistic", rows, "min"), fuzzy) == "levels"
    assert oracle.theory(sets({0}, {0, 1}), fuzzy) == "mass"


def test_the_size_of_the_enumeration_is_counted():
    rough = sets({0, 1}, {0, 1, 2})
    assert oracle.n_pairs(rough, ("hard", (0, 0))) == 6
    fuzzy = ("fuzzy", ((0.5, 0.5), (1.0, 0.0)))
    assert oracle.n_pairs(rough, fuzzy) == 12


def test_consonant_masses_are_the_gaps_between_possibilities():
    (row,) = oracle.masses(("possibilistic", ((0.8, 0.4, 0.2),), None))
    expected = {frozenset({0}): 0.5, frozenset({0, 1}): 0.25, frozenset({0, 1, 2}): 0.25}
    assert row == pytest.approx(expected)
