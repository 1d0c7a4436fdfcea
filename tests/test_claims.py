"""Statements of the source paper that need care, each with the example that shows why.

The numbers are those of ``docs/theory.md``.
"""

from itertools import combinations, permutations, product

import numpy as np
import pytest

import oracle
import sfumato as sf
from sfumato.results.values import ValuePossibility
from strategies import build, random_side


def distances(a, b, measure="rand"):
    """Lower and upper expectation of a distance; Rand counts as 1 - Rand."""
    found = sf.compare(a, b, measure=measure, engine="exact")
    return (1 - found.upper, 1 - found.lower) if measure == "rand" else (found.lower, found.upper)


def content(a, b, measure="rand"):
    """Values and their probabilities or possibilities."""
    found = sf.compare(a, b, measure=measure, quantity="distribution", engine="exact").distribution
    levels = found.possibilities if isinstance(found, ValuePossibility) else found.probabilities
    return {float(v): float(p) for v, p in zip(found.values, levels, strict=True)}


def rough(*sets):
    n_clusters = 1 + max(max(s) for s in sets)
    return sf.RoughPartition([[i in s for i in range(n_clusters)] for s in sets])


def test_1_product_possibilities_do_not_recover_probabilities():
    rows = ((0.5, 0.5), (0.5, 0.5))
    assert content(sf.FuzzyPartition(rows), [0, 0]) == {0: 0.5, 1: 0.5}
    sides = ("possibilistic", rows, "product"), ("hard", (0, 0))
    as_read = {"measure": "rand", "t_norm": "product", "normalise": False}
    dual = oracle.DUAL_S_NORMS["product"]
    assert oracle.d_P(*sides, **as_read, disjunction=dual) == {0: 7 / 16, 1: 7 / 16}
    assert oracle.d_P(*sides, **as_read) == {0: 1 / 4, 1: 1 / 4}


def test_2_the_two_readings_of_a_possibilistic_partition_differ():
    rows = [[1, 0.5], [1, 0.5], [1, 0]]
    object_wise = distances(sf.PossibilisticPartition(rows), [0, 0, 0])
    under_min = distances(sf.PossibilisticPartition(rows, t_norm="min"), [0, 0, 0])
    assert object_wise == pytest.approx((0, 1 / 2))
    assert under_min == pytest.approx((0, 1 / 3))
    focal = [r for _, r in oracle.focal(("possibilistic", rows, None))]
    nested = [
        all(map(frozenset.issubset, r, s)) or all(map(frozenset.issubset, s, r))
        for r, s in combinations(focal, 2)
    ]
    assert not all(nested)


def test_3_a_dual_s_norm_counts_relabelings_and_max_does_not():
    one, two = ((1.0, 0.0), (1.0, 0.5)), ((1.0, 0.0, 0.0), (1.0, 0.5, 0.5))
    dual = oracle.DUAL_S_NORMS["product"]
    apart = [
        oracle.d_P(
            ("possibilistic", rows, "product"),
            ("hard", (0, 0)),
            "partition_distance",
            "product",
            disjunction=dual,
        )[1]
        for rows in (one, two)
    ]
    assert apart == [1 / 2, 3 / 4]
    for rows in (one, two):
        side = sf.PossibilisticPartition(rows, t_norm="product")
        assert content(side, [0, 0], "partition_distance") == {0: 1, 1: 0.5}


def test_4_proposition_1_holds_only_up_to_relabelling():
    assert distances(sf.HardPartition([0, 1]), sf.HardPartition([1, 0])) == (0, 0)
    unsure = rough({0}, {1, 2})
    assert unsure.simplest().kind == "rough"
    assert distances(unsure, unsure) == (0, 0)


def test_5_the_lower_expectation_can_vanish_between_different_partitions():
    a, b = rough({0}, {0, 1}), sf.HardPartition([0, 0])
    assert distances(a, b) == (0, 1)  # so neither (M1b) nor (M2)
    assert distances(b, a) == (0, 1)  # (M3) holds


def test_6_the_printed_bound_for_the_sampled_lower_end_fails():
    a, b = ({0}, {1}, {0, 1}, {0, 1}), ({0}, {0}, {0}, {0})
    r1, r2 = (tuple(map(frozenset, side)) for side in (a, b))
    law = {1 - v: p for v, p in oracle.uniform_law(r1, r2, "rand").items()}
    low, high = distances(rough(*a), [0, 0, 0, 0])
    assert (low, high) == pytest.approx((1 / 2, 2 / 3))
    eps = 0.1

    def cdf(t):
        return float(sum(p for v, p in law.items() if v <= t))

    for n_draws in (1, 2, 3):
        missed = float(sum(p for v, p in law.items() if v - low > eps)) ** n_draws
        printed = 1 - (1 - cdf(eps - low)) ** n_draws
        corrected = (1 - cdf(low + eps)) ** n_draws
        assert missed == 0.5**n_draws > printed == 0
        assert missed <= corrected
    n_clusterings, n_values = 4, len(law)
    assert n_clusterings / n_values == 2  # p_R as printed sums to two


@pytest.mark.parametrize("n", [2, 3, 7])
def test_7_rand_over_all_pairs_and_mutual_information_are_not_normalised(n):
    whole, singletons = sf.HardPartition([0] * n), sf.HardPartition(list(range(n)))
    every = sf.compare(whole, singletons, measure=sf.Rand(pairs="all"))
    assert 1 - every.lower == pytest.approx((n - 1) / n)
    assert distances(whole, singletons) == (1, 1)
    itself = sf.compare(singletons, singletons, measure="mutual_information")
    assert itself.mean == pytest.approx(np.log(n))
    assert sf.compare(whole, whole, measure="mutual_information").mean == 0


def test_8_evidential_partitions_have_more_focal_partitions_than_clusterings():
    row = {frozenset({0}): 0.25, frozenset({1}): 0.25, frozenset({0, 1}): 0.5}
    side = ("evidential", (row,) * 5, "dempster", 2)
    assert len(list(oracle.focal(side))) == 3**5 == 243 > 2**5
    # Equal rows are exchangeable, so the package meets far fewer tables than that.
    found = sf.compare(build(side), [0, 0, 1, 1, 1], engine="exact")
    expected = oracle.compare_literally(side, ("hard", (0, 0, 1, 1, 1)))
    assert (found.lower, found.upper) == pytest.approx((expected.lower, expected.upper))


def test_9_the_mean_rand_index_leaves_out_each_object_with_itself():
    rows, n = np.full((2, 2), 0.5), 2
    together = rows @ rows.T  # probability that x and y fall together, were they independent
    every_pair = together.sum() / n**2  # agreement with (0, 0), where all are together
    assert every_pair == 1 / 2
    np.fill_diagonal(together, 1.0)  # an object is always together with itself
    assert together.sum() / n**2 == 3 / 4
    fuzzy = sf.FuzzyPartition(rows)
    assert sf.compare(fuzzy, [0, 0], measure=sf.Rand(pairs="all")).mean == 3 / 4
    assert sf.compare(fuzzy, [0, 0], measure="rand").mean == 1 / 2


@pytest.mark.parametrize("printed", [0.111, 0.099, 0.113])
def test_10_printed_partition_distances_are_not_multiples_of_one_over_149(printed):
    assert all(round(moved / 149, 3) != printed for moved in range(150))


def test_10_the_printed_sampled_interval_is_not_inside_the_exact_one():
    sampled, exact = (0.681, 0.819), (0.781, 0.944)
    assert sampled[0] < exact[0]  # impossible: a sampled value is a value


def test_11_the_lower_partition_distance_against_hard_is_an_assignment():
    rng = np.random.default_rng(11)
    for _ in range(60):
        n, k = int(rng.integers(2, 7)), int(rng.integers(1, 4))
        a, b = random_side(rng, "rough", n, k), random_side(rng, "hard", n, k)
        overlap = [
            [sum(i in s and t == j for s, t in zip(a[1], b[1], strict=True)) for j in range(k)]
            for i in range(k)
        ]
        best = max(sum(overlap[i][w[i]] for i in range(k)) for w in permutations(range(k)))
        expected = oracle.compare_literally(a, b, "partition_distance").lower
        assert (n - best) / (n - 1) == pytest.approx(expected, abs=1e-12)
        assert distances(build(a), build(b), "partition_distance")[0] == pytest.approx(
            expected, abs=1e-12
        )


def test_12_the_lower_partition_distance_adds_up_matchable_sets():
    """Objects are left vertices, clusters right ones; half of the time an object takes cluster 0.

    Against all singletons a matching of clusters to objects is a matching of the graph, so the
    lower expectation is a sum over all sets of objects of how many of them can be matched.
    """
    edges = ({1}, {1, 2}, {2}, {1, 3})  # clusters that each object may take; 0 is for the rest
    n = len(edges)
    row = [{frozenset({0}): 0.5, frozenset(e): 0.5} for e in edges]
    side = build(("evidential", tuple(row), "dempster", 4))
    matched = 0
    for chosen in product((False, True), repeat=n):
        neighbours = [e for e, taken in zip(edges, chosen, strict=True) if taken]
        most = max(len(set(pick)) for pick in product(*neighbours)) if neighbours else 0
        matched += most + (not all(chosen))
    expected = (n - matched / 2**n) / (n - 1)
    found = distances(side, sf.HardPartition(list(range(n))), "partition_distance")
    assert found[0] == pytest.approx(expected, abs=1e-12)


def test_13_two_rough_sides_are_farther_apart_than_their_hausdorff_distance():
    unsure = rough({0, 1}, {0, 1})
    sets = (frozenset({0, 1}),) * 2
    assert oracle.hausdorff(sets, sets, "partition_distance") == 0
    assert distances(unsure, unsure, "partition_distance") == (0, 1)
    truth = (frozenset({0}), frozenset({0}))
    hausdorff = oracle.hausdorff(sets, truth, "partition_distance")
    assert distances(unsure, [0, 0], "partition_distance")[1] == hausdorff == 1
