"""Drawing clusterings from rough and fuzzy partitions."""

from math import inf, log, sqrt

import numpy as np
import pytest

import sfumato as sf
from by_method import answer, planned
from memory import peak_of
from strategies import SHARE

FUZZY = np.array([[0.9, 0.1], [0.6, 0.4], [0.3, 0.7], [0.5, 0.5], [0.2, 0.8]])
TRUTH = [0, 0, 1, 1, 1]
ROUGH = sf.RoughPartition.from_sets([{0}, {0, 1}, {0, 1, 2}, {1, 2}, {2}, {0, 2}])
ROUGH_TRUTH = [0, 0, 1, 1, 2, 2]


def drawn(a, b, n_samples, seed, **options):
    return sf.compare(a, b, engine=sf.Sampled(n_samples=n_samples), rng=seed, **options)


def test_the_papers_bound_is_hoeffdings_half_width():
    engine = sf.Sampled(n_samples=2000, bound="hoeffding")
    found = sf.compare(FUZZY, TRUTH, engine=engine, rng=0)
    assert found.method == "sample"
    assert found.n_samples == 2000
    assert found.confidence == 0.95
    assert found.error == pytest.approx(sqrt(log(2 / 0.05) / 4000), rel=1e-12)
    assert found.lower_bracket == found.upper_bracket


def test_brackets_stay_within_the_bounds_of_the_measure():
    nearly_hard = [[1 - 1e-6, 1e-6], [0.0, 1.0], [1.0, 0.0]]
    found = drawn(nearly_hard, [0, 1, 0], 10, 0)
    assert found.lower_bracket[1] == 1.0


def test_the_drawn_distribution_lies_in_its_band_around_the_exact_one():
    exact = sf.compare(FUZZY, TRUTH, quantity="distribution", engine="exact").distribution
    found = drawn(FUZZY, TRUTH, 4000, 3, quantity="distribution")
    band = sqrt(log(2 / 0.025) / 8000)  # half of the risk is for the mean
    for value in exact.values:
        true = exact.belief(at_most=value)
        assert abs(found.distribution.belief(at_most=value) - true) <= band
    gaps = np.abs(found.distribution.support[:, None] - exact.support)
    assert gaps.min(axis=1).max() <= 1e-12  # nothing else was drawn
    assert any(
        f"within {band:.3g} of the truth, and the means within their brackets, at 95%" in note
        for note in found.notes
    )


def test_a_distribution_drawn_to_a_tolerance_shares_the_risk_among_the_looks():
    exact = sf.compare(FUZZY, TRUTH, quantity="distribution", engine="exact").distribution
    engine = sf.Sampled(tolerance=0.001)
    found = sf.compare(FUZZY, TRUTH, quantity="distribution", engine=engine, rng=3)
    sizes = [2048]  # at which drawing may end: each half as large again
    while sizes[-1] < found.n_samples:
        sizes.append(int(1.5 * sizes[-1]))
    n_looks = len(sizes)
    assert sizes[-1] == found.n_samples
    band = sqrt(log(2 * n_looks * (n_looks + 1) / 0.025) / (2 * found.n_samples))
    assert any(f"probabilities are within {band:.3g} of the truth" in note for note in found.notes)
    for value in exact.values:
        assert abs(found.distribution.belief(at_most=value) - exact.belief(at_most=value)) <= band


def test_sampled_ends_of_a_rough_partition_are_inner_values():
    exact = sf.compare(ROUGH, ROUGH_TRUTH, engine="exact")
    for seed in range(20):
        found = drawn(ROUGH, ROUGH_TRUTH, 5, seed)
        assert found.guarantee == "inner"
        assert exact.lower <= found.lower <= found.upper <= exact.upper
        assert found.lower_bracket == (0.0, found.lower)
        assert found.upper_bracket == (found.upper, 1.0)
        assert found.confidence is None
        assert any("the true ends may lie further out" in note for note in found.notes)


def test_many_draws_of_a_small_rough_partition_find_every_value():
    exact = sf.compare(ROUGH, ROUGH_TRUTH, quantity="distribution", engine="exact").distribution
    found = drawn(ROUGH, ROUGH_TRUTH, 5000, 0, quantity="distribution").distribution
    assert found.support == pytest.approx(exact.support, abs=1e-12)


def test_the_range_of_a_fuzzy_partition_is_drawn_from_its_support():
    exact = sf.compare(FUZZY, TRUTH, quantity="range", engine="exact")
    found = drawn(FUZZY, TRUTH, 2000, 0, quantity="range")
    assert found.guarantee == "inner"
    assert (found.lower, found.upper) == (exact.lower, exact.upper)


def unbounded() -> sf.Measure:
    return sf.Measure.from_function(
        lambda table: table.max() - table.min(), name="excess", better="lower"
    )


def test_no_error_is_claimed_for_a_measure_without_a_finite_range():
    found = drawn(FUZZY, TRUTH, 1000, 0, measure=unbounded())
    assert found.error == inf
    assert found.guarantee == "inner"
    assert found.lower_bracket[0] == -inf
    assert any("has no finite range, so no error can be stated" in note for note in found.notes)


def test_a_tolerance_is_refused_for_a_measure_without_a_finite_range():
    with pytest.raises(sf.UnsupportedError, match=r"no finite range.*Sampled\(n_samples=\.\.\.\)"):
        sf.compare(FUZZY, TRUTH, measure=unbounded(), engine=sf.Sampled(tolerance=0.1))


@pytest.mark.parametrize("average", ["arithmetic", "geometric", "min", "max"])
def test_adjusted_mutual_information_has_a_range_once_its_cluster_sizes_are_likely(average):
    measure = sf.AdjustedMutualInformation(average)
    exact = sf.compare(FUZZY, TRUTH, measure=measure, engine="exact").mean
    engine = sf.Sampled(tolerance=0.05)
    found = [sf.compare(FUZZY, TRUTH, measure=measure, engine=engine, rng=s) for s in range(100)]
    assert all(f.guarantee == "confidence" and f.error <= 0.05 for f in found)
    covering = sum(f.lower_bracket[0] <= exact <= f.lower_bracket[1] for f in found)
    assert covering >= 95


def test_adjusted_mutual_information_of_two_fuzzy_sides_comes_with_an_error():
    rng = np.random.default_rng(0)
    a, b = rng.dirichlet(np.ones(3), size=(2, 150))
    found = sf.compare(a, b, measure="adjusted_mutual_information", rng=0)
    assert found.guarantee == "confidence"
    assert found.error <= 1e-3


@pytest.mark.parametrize("kind", ["fuzzy", "rough", "product"])
def test_max_seconds_stops_early_and_says_so(kind):
    memberships = np.random.default_rng(0).dirichlet(np.ones(3), size=3000)
    a = {
        "fuzzy": sf.FuzzyPartition(memberships),
        "rough": sf.RoughPartition(memberships > 0.2),
        "product": sf.PossibilisticPartition(memberships, t_norm="product"),
    }[kind]
    engine = sf.Auto(max_seconds=1e-6, tolerance=1e-3)
    found = sf.compare(a, memberships.argmax(axis=1), measure=SHARE, engine=engine, rng=0)
    assert any("Stopped by max_seconds=1e-06 after" in note for note in found.notes)
    assert found.n_samples > 0
    if kind == "fuzzy":  # the error is that of the draws that were made
        low, high = found.lower_bracket
        assert high - low <= 2 * sqrt(log(80) / (2 * found.n_samples)) + 1e-12
        assert any("is above the tolerance 0.001" in note for note in found.notes)


def test_large_tables_are_drawn_less_often():
    rng = np.random.default_rng(0)
    a, b = (sf.FuzzyPartition(rng.dirichlet(np.full(40, 0.1), 60)) for _ in range(2))
    plan = planned("sample", a, b, "dice")
    assert plan.n_samples * (60 + 40 * 40) <= 1e8


def test_a_tolerance_whose_square_is_zero_is_out_of_reach_like_any_other():
    with pytest.raises(sf.CostError, match=r"A tolerance of 1e-300 needs up to .* draws"):
        sf.compare(FUZZY, TRUTH, measure="jaccard", engine=sf.Sampled(tolerance=1e-300))


def test_many_clusters_on_both_sides_are_drawn_by_their_probabilities():
    rng = np.random.default_rng(12)
    a, b = (sf.FuzzyPartition(rng.dirichlet(np.full(k, 0.05), size=60)) for k in (60, 70))
    n_samples = 4000
    found = answer("sample", a, b, engine=sf.Sampled(n_samples=n_samples), rng=12)
    exact = sf.compare(a, b, measure="rand", engine="exact")
    assert abs(found.mean - exact.mean) <= 5 * found.std / sqrt(n_samples)
    assert found.std == pytest.approx(exact.std, rel=0.1)


def test_many_clusters_on_both_sides_are_drawn_without_listing_their_pairs():
    n, k = 1000, 100
    rng = np.random.default_rng(14)
    a, b = (sf.FuzzyPartition(rng.dirichlet(np.ones(k), size=n)) for _ in range(2))
    found, peak = peak_of(lambda: drawn(a, b, 10, 0))
    assert found.method == "sample"
    assert peak < 8 * n * k * k  # one number for each pair of clusters that an object may choose


def test_few_clusters_of_many_objects_are_drawn_by_their_probabilities():
    a, b = np.random.default_rng(13).dirichlet(np.ones(3), size=(2, 20_000))
    found, exact = drawn(a, b, 400, 0), sf.compare(a, b, engine="exact")
    assert abs(found.mean - exact.mean) <= 5 * exact.std / sqrt(400)
    assert found.std == pytest.approx(exact.std, rel=0.2)
