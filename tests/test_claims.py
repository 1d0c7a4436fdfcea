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
    assert oracle.d_P(sides, **as_read, disjunction=dual) == {0: 7 / 16, 1: 7 / 16}
    assert oracle.d_P(sides, **as_read) == {0: 1 / 4, 1: 1 / 4}


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
            (("possibilistic", rows, "product"), ("hard", (0, 0))),
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


def test_11_exact_covers_are_where_sums_of_squares_and_of_x_log_x_are_largest():
    """Objects are elements, clusters are triples: six elements, so two disjoint triples cover."""
    rng = np.random.default_rng(11)
    seen = set()
    for _ in range(40):
        triples = [set(rng.choice(6, 3, replace=False).tolist()) for _ in range(4)]
        if set().union(*triples) != set(range(6)):
            continue
        choices = sf.RoughPartition([[x in triple for triple in triples] for x in range(6)])
        has_cover = any(a | b == set(range(6)) for a, b in combinations(triples, 2))
        seen.add(has_cover)
        # Against singletons every pair that is together counts; three and three make six.
        pairs = 15 * distances(choices, list(range(6)), "rand")[1]
        apart = 6 * distances(choices, list(range(6)), "variation_of_information")[1]
        assert (round(pairs) == 6) == has_cover
        assert (apart > 6 * np.log(3) - 1e-9) == has_cover
        # Against one class the nearest clustering is the one with most pairs together.
        assert (round(15 * distances(choices, [0] * 6, "rand")[0]) == 9) == has_cover
    assert seen == {True, False}


def test_11_the_upper_partition_distance_from_singletons_is_a_smallest_set_cover():
    rng = np.random.default_rng(12)
    for _ in range(20):
        mask = rng.random((5, 4)) < 0.4
        mask[np.arange(5), rng.integers(0, 4, 5)] = True
        fewest = min(
            size
            for size in range(1, 5)
            for chosen in combinations(range(4), size)
            if mask[:, chosen].any(axis=1).all()
        )
        found = distances(sf.RoughPartition(mask), list(range(5)), "partition_distance")
        assert found[1] == pytest.approx((5 - fewest) / 4, abs=1e-12)


def test_11_the_nearest_pair_of_two_rough_sides_satisfies_most_clauses():
    """Two rows and two columns per variable; a matching sets it to true or to false."""
    rng = np.random.default_rng(13)
    for _ in range(6):
        n_variables, clauses = 3, []
        for _ in range(3):
            variables = rng.choice(n_variables, 3, replace=False).tolist()
            clauses.append([(v, bool(rng.integers(2))) for v in variables])
        m, k = len(clauses), 2 * n_variables
        objects = [
            ({row}, {2 * v, 2 * v + 1})
            for v in range(n_variables)
            for row in (2 * v, 2 * v + 1)
            for _ in range(m + 1)
        ]
        objects += [
            ({2 * v for v, _ in clause}, {2 * v + (not is_true) for v, is_true in clause})
            for clause in clauses
        ]
        sides = [
            sf.RoughPartition([[i in o[side] for i in range(k)] for o in objects])
            for side in (0, 1)
        ]
        most = max(
            sum(any(truth[v] == is_true for v, is_true in clause) for clause in clauses)
            for truth in product((False, True), repeat=n_variables)
        )
        n = len(objects)
        best = 2 * (m + 1) * n_variables + most
        found = distances(*sides, "partition_distance")[0]
        assert found == pytest.approx((n - best) / (n - 1), abs=1e-12)


def permanent(matrix):
    k = len(matrix)
    return sum(np.prod(matrix[np.arange(k), list(order)]) for order in permutations(range(k)))


def with_a_vacuous_object(memberships):
    """All objects but the last are Bayesian; of that one nothing is known."""
    n, k = memberships.shape
    masses = np.zeros((n + 1, k + 1))
    masses[:n, :k], masses[n, k] = memberships, 1.0
    return sf.EvidentialPartition(masses, np.vstack([np.eye(k), np.ones(k)]))


@pytest.mark.parametrize("k", [2, 3])
def test_12_lower_expectations_against_singletons_give_a_permanent(k):
    mu = np.random.default_rng(k).dirichlet(np.ones(k), k)
    n, truth, per = k + 1, list(range(k + 1)), permanent(mu)
    side = with_a_vacuous_object(mu)
    used = (1 - np.prod(1 - mu, axis=0)).sum()  # mean number of clusters that are not empty
    lower = distances(side, truth, "partition_distance")[0]
    assert (n - 1) * lower == pytest.approx(n - used - 1 + per, abs=1e-12)
    together = sum(mu[x] @ mu[y] for x, y in combinations(range(k), 2))
    lower = distances(side, truth, "rand")[0]
    assert n * (n - 1) / 2 * lower == pytest.approx(together + per, abs=1e-12)
    sizes = [np.bincount(c, minlength=k) for c in product(range(k), repeat=k)]
    chances = [np.prod(mu[np.arange(k), list(c)]) for c in product(range(k), repeat=k)]
    psi = [sum(x * np.log(x) for x in size if x) for size in sizes]
    lower = distances(side, truth, "variation_of_information")[0]
    assert n * lower == pytest.approx(np.dot(chances, psi) + 2 * np.log(2) * per, abs=1e-12)


@pytest.mark.parametrize("k", [2, 3])
def test_12_means_and_upper_expectations_give_a_permanent(k):
    mu = np.random.default_rng(k).dirichlet(np.ones(k), k)

    def mean_of_largest(n_certain):
        """Mean of max(largest cluster, n_certain): that many objects in a cluster of their own."""
        rows = np.zeros((k + n_certain, k + 1))
        rows[:k, :k], rows[k:, k] = mu, 1.0
        n = len(rows)
        found = sf.compare(sf.FuzzyPartition(rows), [0] * n, measure="partition_distance")
        return n - (n - 1) * found.mean

    per = permanent(mu)
    assert mean_of_largest(2) - mean_of_largest(1) == pytest.approx(per, abs=1e-12)
    upper = distances(with_a_vacuous_object(mu), [0] * (k + 1), "partition_distance")[1]
    assert k + 1 - k * upper == pytest.approx(mean_of_largest(1) + per, abs=1e-12)


def test_12_few_clusters_leave_few_states():
    """What counts is how many objects got each of the f sets, not which of them did."""
    sets = [frozenset({0}), frozenset({1}), frozenset({0, 1})]
    n, f = 7, len(sets)
    masses = np.random.default_rng(0).dirichlet(np.ones(f), n)
    rows = tuple(dict(zip(sets, row, strict=True)) for row in masses.tolist())
    focal = [drawn for _, drawn in oracle.focal(("evidential", rows, "dempster", 2))]
    assert len(focal) == f**n
    states = {tuple(drawn.count(one) for one in sets) for drawn in focal}
    assert len(states) == (n + 1) * (n + 2) / 2 <= (n + 1) ** (f - 1)


VERTEX_COUNTEREXAMPLES = {
    "mutual_information": ([], 2, np.log(2), 0.0),
    "adjusted_rand": ([(0, 0), (0, 0), (0, 1)], 2, 3 / 13, 1 / 6),
    "normalized_mutual_information": ([(0, 0), (0, 1), (1, 0)], 2, 0.4325, 0.3803),
}


@pytest.mark.parametrize("measure", VERTEX_COUNTEREXAMPLES)
def test_alike_objects_of_two_rough_sides_may_have_to_part(measure):
    fixed, n_free, best, at_vertices = VERTEX_COUNTEREXAMPLES[measure]
    cells = [(0, 0), (0, 1), (1, 0), (1, 1)]

    def value(pairs):
        a, b = zip(*pairs, strict=True)
        return sf.compare(list(a), list(b), measure=measure).mean

    every = max(value([*fixed, *free]) for free in product(cells, repeat=n_free))
    joined = max(value([*fixed, *[cell] * n_free]) for cell in cells)
    assert (every, joined) == pytest.approx((best, at_vertices), abs=5e-5)


def test_13_two_rough_sides_are_farther_apart_than_their_hausdorff_distance():
    unsure = rough({0, 1}, {0, 1})
    # The sets of clusterings are equal, so their Hausdorff distance is 0.
    assert distances(unsure, unsure, "partition_distance") == (0, 1)
    to_truth = [oracle.partition_distance(c, (0, 0)) for c in ((0, 0), (0, 1))]
    assert distances(unsure, [0, 0], "partition_distance")[1] == max(to_truth) == 1


@pytest.mark.parametrize("t_norm", ["product", "lukasiewicz"])
def test_14_the_clusterings_above_a_level_are_a_rough_partition_by_min_only(t_norm):
    by_min = sf.PossibilisticPartition([[1, 0.5], [1, 0.5]], t_norm="min")
    every = [sf.HardPartition(labels, names=[0, 1]) for labels in ([0, 1], [1, 0])]
    assert by_min.cut(0.5).n_compatible == 4
    other = by_min.with_t_norm(t_norm)
    level = [other.possibility(hard) >= 0.5 for hard in every]
    assert level == [True, True]
    rows = ((1.0, 0.5), (1.0, 0.5))
    above = oracle.possibilities(("possibilistic", rows, t_norm), t_norm)
    assert sorted(c for c, p in above.items() if p >= 0.5) == [(0, 0), (0, 1), (1, 0)]
    with pytest.raises(sf.UnsupportedError, match=r"are no rough partition; use \.cut_rows"):
        other.cut(0.5)
    assert other.cut_rows(0.5) == by_min.cut(0.5)
    assert other.cut(1.0) == by_min.cut(1.0)
