"""Means of ratios without draws: literal enumeration, other methods, and sizes."""

from itertools import pairwise

import numpy as np
import pytest
from scipy import sparse

import sfumato as sf
from by_method import answer, planned
from strategies import memberships_around
from variants import RATIOS_OF_INFORMATION, RATIOS_OF_PAIRS

JOINT_VI = sf.NormalizedVariationOfInformation("joint_entropy")
BRACKET = {"guarantees": ("certified",)}
MEASURES = (*RATIOS_OF_PAIRS, *RATIOS_OF_INFORMATION, "adjusted_mutual_information")


def own_answer(a, b, measure):
    return answer("ratio_mean", a, b, measure, **BRACKET)


@pytest.mark.parametrize("measure", [*MEASURES, JOINT_VI], ids=str)
@pytest.mark.parametrize(("k", "turned"), [(2, False), (3, False), (3, True)])
def test_exact_means_lie_in_the_bracket(measure, k, turned):
    rng = np.random.default_rng(30 + k)
    n = 600 if k == 2 else 240
    labels = np.arange(n) % k
    sides = memberships_around(rng, labels, k, evenness=0.5), labels
    sides = sides[::-1] if turned else sides
    exact = sf.compare(*sides, measure=measure)
    found = own_answer(*sides, measure)
    assert found.guarantee == "certified"
    low, high = found.lower_bracket
    assert low <= exact.mean + exact.error
    assert exact.mean - exact.error <= high
    assert high - low < 0.005
    if exact.is_exact:
        assert abs(found.std - exact.std) < 0.2 * exact.std


@pytest.mark.parametrize("measure", [*MEASURES, JOINT_VI], ids=str)
def test_the_width_falls_faster_than_one_over_n(measure):
    widths = []
    for n in (1000, 4000, 16_000):
        labels = np.arange(n) % 5
        a = memberships_around(np.random.default_rng(31), labels, 5, evenness=0.5)
        widths.append(own_answer(a, labels, measure).error)
    for wide, narrow in pairwise(widths):
        assert narrow < max(wide / 6, 1.1e-11)


@pytest.mark.parametrize("k", range(2, 11))
def test_any_number_of_clusters_is_narrow_at_two_thousand_objects(k):
    rng = np.random.default_rng(k)
    labels = np.arange(2000) % k
    a, b = (memberships_around(rng, labels, k, evenness=0.5) for _ in range(2))
    for measure in MEASURES:
        assert own_answer(a, labels, measure).error < 2e-5
        if measure != "adjusted_mutual_information":
            assert own_answer(a, b, measure).error < 2e-5


def test_sparse_memberships_and_single_precision_give_the_same():
    rng = np.random.default_rng(34)
    labels = rng.integers(6, size=3000)
    a = memberships_around(rng, labels, 6, evenness=0.1)
    a[a < 0.01] = 0.0
    a /= a.sum(axis=1, keepdims=True)
    b = np.roll(a, 1, axis=0)
    for other in (labels, b):
        for measure in ("adjusted_rand", "completeness", "jaccard"):
            dense = own_answer(a, other, measure)
            listed = other if other is labels else sparse.csr_array(other)
            found = own_answer(sparse.csr_array(a), listed, measure)
            assert found.mean == pytest.approx(dense.mean, abs=2e-11)
            assert found.error == pytest.approx(dense.error, rel=1e-3)
            single = own_answer(sf.FuzzyPartition(a.astype(np.float32)), other, measure)
            assert single.mean == pytest.approx(dense.mean, abs=1e-6)


@pytest.mark.parametrize("n", [20, 2000])
def test_denominators_that_may_vanish(n):
    even = np.full((n, 2), 0.5)
    one, alone = np.zeros(n, dtype=int), np.arange(n)
    assert own_answer(even, one, "homogeneity").lower_bracket == pytest.approx(
        (1.0, 1.0), abs=2e-11
    )
    low, high = own_answer(even, one, "completeness").lower_bracket
    assert low <= 2.0 ** (1 - n) <= high  # 1 where all objects fall into one cluster, else 0
    assert high < 0.4 / n
    assert own_answer(even, alone, "fowlkes_mallows").lower_bracket[1] < 1e-8
    nearly = np.tile([1 - 1e-9, 1e-9], (n, 1))
    for measure in MEASURES:
        low, high = own_answer(nearly, one, measure).lower_bracket
        # All objects together, or all but one, but for a chance of 1e-18 n^2.
        together, apart = sf.measures()[measure].of_tables(np.array([[[n], [0]], [[n - 1], [1]]]))
        mean = together - 1e-9 * n * (together - apart)
        assert low - 1e-11 <= mean <= high + 1e-11
        assert high - low < 2e-9 * n


def test_one_object_and_measures_without_structure_are_left_to_others():
    assert planned("ratio_mean", [[0.5, 0.5]], [0], "adjusted_rand", **BRACKET) is None
    a = np.full((50, 2), 0.5)
    two = a.copy()
    assert planned("ratio_mean", a, two, "adjusted_mutual_information", **BRACKET) is None
    other = sf.AdjustedMutualInformation("max")
    assert planned("ratio_mean", a, np.arange(50) % 2, other, **BRACKET) is None


def test_wide_brackets_are_followed_by_draws():
    rng = np.random.default_rng(35)
    a, b = rng.dirichlet(np.ones(5), 40), rng.dirichlet(np.ones(5), 40)
    plan = sf.explain(a, b, measure="adjusted_rand")
    assert (plan.method, plan.guarantee) == ("ratio_mean", "certified")
    assert [then.method for then in plan.then] == ["sample"]
    found = sf.compare(a, b, measure="adjusted_rand", rng=0)
    certain = own_answer(a, b, "adjusted_rand")
    assert found.error <= certain.error
