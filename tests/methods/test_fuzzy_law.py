"""Whole laws of fuzzy comparisons: against enumeration, formulas, and each other."""

import re
from itertools import cycle, islice

import numpy as np
import pytest

import oracle
import sfumato as sf
from brackets import assert_same_law
from by_method import answer, planned
from strategies import build, memberships_around, random_side
from variants import RATIOS_OF_INFORMATION, RATIOS_OF_PAIRS

TOLERANCE = 1e-12
RANDS = {"rand": sf.Rand(), ("rand", "all"): sf.Rand("all")}
RATIOS = {name: sf.measures()[name] for name in RATIOS_OF_PAIRS}
VI = "normalized_variation_of_information"
INFORMATION = {
    (VI, "joint_entropy"): sf.NormalizedVariationOfInformation("joint_entropy"),
    **{
        name: sf.measures()[name]
        for name in ("mutual_information", "variation_of_information", VI, *RATIOS_OF_INFORMATION)
    },
}


def law_of(a, b, measure, method="fuzzy_law"):
    return answer(method, a, b, measure, "distribution")


def random_pairs(seed, measures, count):
    """Small fuzzy and hard sides, either first, each with one of the measures in turn."""
    rng = np.random.default_rng(seed)
    for name, measure in islice(cycle(measures.items()), count):
        a = b = random_side(rng, "hard", 2, 1)
        while build(a).simplest().kind == "hard":
            n, k1, k2 = (int(size) for size in rng.integers([2, 1, 1], [6, 5, 4]))
            a, b = random_side(rng, "fuzzy", n, k1), random_side(rng, "hard", n, k2)
        yield name, measure, (b, a) if rng.random() < 0.5 else (a, b)


def literal_law(sides, name):
    found = oracle.compare_literally(*sides, name)
    law = sorted((value, mass) for value, mass in found.distribution.items() if mass > 0)
    return found, np.array(law).T


def informative(rng, n, k, *, share=0.7):
    labels = np.arange(n) % k
    return memberships_around(rng, labels, k, share=share), labels


def stated_rounding(found):
    (note,) = [note for note in found.notes if "collected on a grid" in note]
    return tuple(float(number) for number in re.findall(r"[\d.]+e-\d+", note))


def check_law(found, sides, name):
    expected, (values, masses) = literal_law(sides, name)
    assert found.guarantee == "exact"
    assert found.mean == pytest.approx(expected.lower, abs=TOLERANCE)
    assert found.std**2 == pytest.approx(expected.lower_std**2, abs=TOLERANCE)
    assert found.distribution.values == pytest.approx(values, abs=TOLERANCE)
    assert found.distribution.probabilities == pytest.approx(masses, abs=TOLERANCE)
    assert 0 <= found.distribution.lost_mass <= TOLERANCE


@pytest.mark.parametrize(("seed", "measures"), [(0, RANDS), (1, RATIOS)])
def test_pair_counting_laws_equal_enumeration(seed, measures):
    for name, measure, sides in random_pairs(seed, measures, 400):
        check_law(law_of(*map(build, sides), measure), sides, name)


def test_information_laws_equal_enumeration_within_the_stated_rounding():
    for name, measure, sides in random_pairs(2, INFORMATION, 480):
        found = law_of(*map(build, sides), measure)
        expected, (values, masses) = literal_law(sides, name)
        rounding, mean_rounding = stated_rounding(found)
        assert found.guarantee == "certified"
        assert 0 < mean_rounding <= rounding < 1e-4
        low, high = found.lower_bracket
        assert low - 1e-14 <= expected.lower <= high + 1e-14  # the oracle's own rounding
        assert high - low <= 2 * mean_rounding * 1.1 + 2 * TOLERANCE
        assert found.std**2 == pytest.approx(
            expected.lower_std**2, abs=rounding**2 + 4 * mean_rounding
        )
        # A value of probability below 1e-12 may be missing altogether.
        is_near = np.abs(values[:, None] - found.distribution.values) <= rounding
        assert (is_near.sum(axis=0) == 1).all()
        assert is_near @ found.distribution.probabilities == pytest.approx(masses, abs=TOLERANCE)


def test_two_fuzzy_sides_with_two_clusters_equal_enumeration():
    rng = np.random.default_rng(3)
    for at in range(200):
        n = int(rng.integers(2, 6))
        sides = tuple(random_side(rng, "fuzzy", n, int(rng.integers(1, 3))) for _ in range(2))
        name, measure = list(RANDS.items())[at % 2]
        found = law_of(*map(build, sides), measure)
        if found is not None:  # not two hard partitions
            check_law(found, sides, name)


def test_two_clusters_have_an_exact_law_at_any_size():
    rng = np.random.default_rng(4)
    a, b = rng.dirichlet([1, 1], 20_000), rng.dirichlet([2, 1], 20_000)
    law, moments = sf.compare(a, b, quantity="distribution"), sf.compare(a, b)
    assert (law.method, law.guarantee) == ("fuzzy_law", "exact")
    assert law.mean == pytest.approx(moments.mean, abs=TOLERANCE)
    assert law.std == pytest.approx(moments.std, rel=1e-9)


@pytest.mark.parametrize("swap", [False, True])
def test_mean_and_spread_agree_with_the_formulas_at_150_objects(swap):
    a, labels = informative(np.random.default_rng(5), 150, 3)
    sides = (labels, a) if swap else (a, labels)
    for measure in (sf.Rand(), sf.MutualInformation(), sf.VariationOfInformation()):
        law = sf.compare(*sides, measure=measure, quantity="distribution")
        moments = sf.compare(*sides, measure=measure)
        guarantee = "exact" if measure.name == "rand" else "certified"
        assert (law.method, law.guarantee, moments.method) == ("fuzzy_law", guarantee, "moments")
        assert law.lower_bracket[0] - TOLERANCE <= moments.mean
        assert moments.mean <= law.lower_bracket[1] + TOLERANCE
        assert law.mean == pytest.approx(moments.mean, abs=1e-10)
        assert law.std == pytest.approx(moments.std, abs=1e-8)
        assert law.distribution.lower == pytest.approx(moments.mean, abs=1e-10)


@pytest.mark.parametrize("measure", [*RANDS.values(), *RATIOS.values(), *INFORMATION.values()])
def test_names_order_and_sides_do_not_matter(measure):
    rng = np.random.default_rng(7)
    opposite = {"homogeneity": sf.Completeness(), "completeness": sf.Homogeneity()}
    a, labels = informative(rng, 24, 3, share=0.3)
    order = rng.permutation(24)
    found = law_of(a, labels, measure)
    others = [
        law_of(labels, a, opposite.get(measure.name, measure)),
        law_of(a[:, [2, 0, 1]], 2 - labels, measure),
        law_of(a[order], labels[order], measure),
    ]
    gap = 2 * stated_rounding(found)[0] if measure in INFORMATION.values() else 1e-13
    for other in others:
        assert other.mean == pytest.approx(found.mean, abs=1e-10)
        assert other.std == pytest.approx(found.std, abs=1e-8)
        for q in (0.1, 0.5, 0.9):
            quantile = found.distribution.quantile(q)
            assert other.distribution.quantile(q) == pytest.approx(quantile, abs=gap)


@pytest.mark.parametrize(
    ("measure", "is_on_grid"),
    [(sf.Rand(), False), (sf.AdjustedRand(), False), (sf.NormalizedMutualInformation(), True)],
)
def test_only_uncertain_objects_cost_anything(measure, is_on_grid):
    rng = np.random.default_rng(8)
    labels = np.arange(5000) % 4
    a = np.eye(4)[(labels + (rng.random(5000) < 0.2)) % 4]
    a[:8] = rng.dirichlet(np.ones(4), 8)
    sides = sf.FuzzyPartition(a), labels
    assert planned("fuzzy_law", *sides, measure, "distribution").tables < 5000
    found = law_of(*sides, measure)
    expected = law_of(*sides, measure, method="enumerate_tables")
    assert found.mean == pytest.approx(expected.mean, abs=1e-10)
    assert found.std == pytest.approx(expected.std, abs=1e-8)
    if not is_on_grid:
        assert_same_law(found, expected, TOLERANCE)


@pytest.mark.parametrize("measure", [sf.Rand(), sf.AdjustedRand(), sf.PartitionDistance()])
def test_what_is_left_out_is_reported_and_widens_the_bracket(measure):
    rng = np.random.default_rng(10)
    a, labels = informative(rng, 60, 3, share=0.2)
    asked = {"measure": measure, "quantity": "distribution"}
    exact = sf.compare(a, labels, **asked)
    assert exact.guarantee == "exact"
    assert 0 < exact.distribution.lost_mass <= 1e-12
    plan = sf.explain(a, labels, **asked)
    few = sf.Auto(max_lost_mass=1e-3, max_tables=int(plan.tables) - 1)
    pruned = sf.compare(a, labels, **asked, engine=few)
    assert (pruned.method, pruned.guarantee) == (plan.method, "certified")
    assert sf.explain(a, labels, **asked, engine=few).tables < plan.tables
    lost = pruned.distribution.lost_mass
    assert 1e-12 < lost <= 1e-3
    missing = 1 - pruned.distribution.probabilities.sum()
    assert 0.5 * lost < missing <= lost + TOLERANCE
    low, high = pruned.lower_bracket
    assert low <= exact.mean <= high
    assert high - low == pytest.approx(lost * (measure.bounds[1] - measure.bounds[0]), rel=2e-3)
    assert len(pruned.distribution.values) < len(exact.distribution.values)
    assert any("left out" in note for note in pruned.notes)


def test_nothing_is_left_out_if_nothing_may_be():
    a, labels = informative(np.random.default_rng(11), 18, 3)
    engine = sf.Auto(max_lost_mass=0.0)
    for measure in ("rand", "jaccard", "v_measure", "partition_distance"):
        found = sf.compare(a, labels, measure=measure, quantity="distribution", engine=engine)
        assert found.distribution.lost_mass == pytest.approx(0, abs=1e-300)
        assert found.distribution.probabilities.sum() == pytest.approx(1, abs=TOLERANCE)


def test_the_planner_takes_formulas_first_then_laws_and_refuses_what_is_too_dear():
    rng = np.random.default_rng(12)
    a, labels = informative(rng, 150, 3)
    assert sf.explain(a, labels).method == "moments"
    assert sf.explain(a, labels, measure="mutual_information").method == "moments"
    assert sf.explain(a, labels, measure="jaccard").method == "fuzzy_law"
    law = sf.explain(a, labels, quantity="distribution")
    assert (law.method, law.guarantee) == ("fuzzy_law", "exact")
    assert 1000 < law.tables <= 1e6
    with pytest.raises(sf.CostError, match="max_tables=1000"):
        sf.compare(a, labels, quantity="distribution", engine=sf.Exact(max_tables=1000))
    few = sf.Auto(max_tables=1000)
    assert sf.explain(a, labels, quantity="distribution", engine=few).method == "sample"
    entropy = sf.explain(a, labels, measure="v_measure", quantity="distribution")
    assert (entropy.method, entropy.guarantee) == ("fuzzy_law", "certified")
    plan = sf.explain(a, labels, measure="v_measure", engine=few)
    assert (plan.method, plan.guarantee) == ("ratio_mean", "certified")
    large, many = informative(rng, 20_000, 10)
    too_dear = planned("fuzzy_law", large, many, sf.Rand(), "distribution")
    assert too_dear.tables == float("inf")


def test_what_is_not_theirs_is_left_alone():
    rng = np.random.default_rng(13)
    a, b = rng.dirichlet(np.ones(3), 6), rng.dirichlet(np.ones(3), 6)
    labels = np.array([0, 0, 1, 1, 2, 2])
    assert law_of(a, labels, sf.AdjustedMutualInformation()) is None
    assert law_of(labels, labels[::-1], sf.Rand()) is None
    for measure in (sf.Rand(), sf.AdjustedRand(), sf.MutualInformation(), sf.VMeasure()):
        assert law_of(a, b, measure) is None
        assert answer("fuzzy_law", a, labels, measure, "range") is None
