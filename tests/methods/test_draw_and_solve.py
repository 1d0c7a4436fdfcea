"""Drawing rough partitions from evidential ones and solving each exactly."""

from math import log, sqrt

import numpy as np
import pytest

import sfumato as sf
from brackets import assert_held
from strategies import SHARE

SETS = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]]


def evidential(seed, n_objects=6):
    masses = np.random.default_rng(seed).dirichlet(np.ones(len(SETS)), size=n_objects)
    return sf.EvidentialPartition(masses, SETS)


TRUTH = [0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize("measure", ["rand", "partition_distance", "jaccard"])
def test_the_brackets_hold_the_exact_expectations(measure):
    for seed in range(10):
        a = evidential(seed)
        exact = sf.compare(a, TRUTH, measure=measure, engine="exact")
        found = sf.compare(a, TRUTH, measure=measure, engine=sf.Sampled(n_samples=300), rng=seed)
        assert (found.method, found.guarantee) == ("sample", "confidence")
        assert_held(found, exact)


def test_two_ends_share_the_confidence():
    engine = sf.Sampled(n_samples=400, bound="hoeffding")
    found = sf.compare(evidential(0), TRUTH, engine=engine, rng=0)
    assert found.error == pytest.approx(sqrt(log(4 / 0.05) / 800), rel=1e-12)
    assert found.confidence == 0.95


def test_estimates_are_not_biased():
    # 60,000 draws: the standard error of either end is below 1e-3, five of them 5e-3.
    a = evidential(3)
    exact = sf.compare(a, TRUTH, engine="exact")
    found = sf.compare(a, TRUTH, engine=sf.Sampled(n_samples=60_000), rng=1)
    assert found.lower == pytest.approx(exact.lower, abs=5e-3)
    assert found.upper == pytest.approx(exact.upper, abs=5e-3)
    assert found.lower_std == pytest.approx(exact.lower_std, abs=5e-3)
    assert found.upper_std == pytest.approx(exact.upper_std, abs=5e-3)


def test_the_drawn_ends_lie_in_their_band_around_the_exact_ones():
    a = evidential(4)
    exact = sf.compare(a, TRUTH, quantity="distribution", engine="exact").distribution
    found = sf.compare(
        a, TRUTH, quantity="distribution", engine=sf.Sampled(n_samples=4000), rng=2
    ).distribution
    band = sqrt(log(2 / 0.05) / 8000)
    for t in exact.support:
        assert abs(found.belief(at_most=t) - exact.belief(at_most=t)) <= band
        assert abs(found.plausibility(at_most=t) - exact.plausibility(at_most=t)) <= band


def test_rough_against_fuzzy_is_drawn_as_evidential():
    rough = sf.RoughPartition.from_sets([{0}, {0, 1}, {1}, {0, 1}])
    fuzzy = sf.FuzzyPartition([[0.5, 0.5], [0.9, 0.1], [0.2, 0.8], [0.0, 1.0]])
    exact = sf.compare(rough, fuzzy, engine="exact")
    found = sf.compare(rough, fuzzy, engine=sf.Sampled(n_samples=2000), rng=0)
    assert found.method == "sample"
    assert_held(found, exact)


def test_too_many_tables_per_draw_are_refused_with_the_way_out():
    a, truth = evidential(5, n_objects=200), np.arange(200) % 3
    with pytest.raises(sf.CostError, match=r"100 draws .*engine=Sampled\(nested=True\)"):
        sf.compare(a, truth, measure=SHARE, engine=sf.Sampled(n_samples=100))


@pytest.mark.parametrize("is_turned", [False, True])
@pytest.mark.parametrize("is_repeated", [False, True])
@pytest.mark.parametrize("measure", ["rand", "partition_distance", "homogeneity"])
def test_many_objects_are_drawn_by_their_masses(measure, is_turned, is_repeated):
    # Whether they all differ or share their masses, in threes: next to rough partitions that are
    # drawn one by one.
    rng = np.random.default_rng(7)
    n = 2400
    truth = rng.integers(0, 3, n)
    masses = rng.dirichlet(np.ones(4), size=n)
    if is_repeated:
        masses = np.repeat(masses[: n // 3], 3, axis=0)
    a = sf.EvidentialPartition(masses, [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]])

    def compare(side, **options):
        sides = (truth, side) if is_turned else (side, truth)
        return sf.compare(*sides, measure=measure, **options)

    found = compare(a, engine=sf.Sampled(n_samples=300), rng=0)
    assert (found.method, found.n_samples) == ("sample", 300)
    drawn = [compare(a.sample(seed)) for seed in range(30)]
    lows, highs = (np.array([getattr(one, end) for one in drawn]) for end in ("lower", "upper"))
    for end, spread, values in (
        (found.lower, found.lower_std, lows),
        (found.upper, found.upper_std, highs),
    ):
        error = values.std() * sqrt(1 / 30 + 1 / 300)
        assert abs(end - values.mean()) <= 5 * error + 1e-12
        assert spread == pytest.approx(values.std(), rel=0.5)


def test_where_each_draw_is_dear_there_are_fewer():
    # Purity takes integer programs: measured 13 ms a draw with 3 clusters and 43 ms with 8, so
    # that 1,000 draws would take far more than the seconds that Auto means to spend.
    def planned(n_clusters, measure, engine="auto"):
        sets = [[s >> i & 1 for i in range(n_clusters)] for s in range(1, 1 << n_clusters)]
        masses = np.random.default_rng(0).dirichlet(np.full(len(sets), 0.5), size=150)
        a, truth = sf.EvidentialPartition(masses, sets), np.arange(150) % n_clusters
        return sf.explain(a, truth, measure=measure, engine=engine)

    few, many = planned(3, "purity"), planned(8, "purity")
    assert (few.method, many.method) == ("sample", "sample")
    assert many.n_samples < few.n_samples <= 400
    # Mutual information weighs its rows otherwise than a distance does: about four times as dear.
    information, variation = (
        planned(3, f"{name}_information", "sampled") for name in ("mutual", "variation_of")
    )
    assert information.seconds / information.n_samples > (
        2 * variation.seconds / variation.n_samples
    )


def test_a_distribution_of_brackets_says_that_it_is_an_outer_one():
    rng = np.random.default_rng(11)
    sets = np.array([[bits >> i & 1 for i in range(3)] for bits in range(1, 8)], dtype=bool)
    sides = [sf.EvidentialPartition(rng.dirichlet(np.full(7, 0.3), 60), sets) for _ in range(2)]
    engine = sf.Sampled(n_samples=50)
    options = {"measure": "mutual_information", "engine": engine, "rng": 0}
    found = sf.compare(*sides, quantity="distribution", **options)
    assert any("that of the outer ends of 50 draws: beliefs are at most" in n for n in found.notes)
    assert not any("within" in note and "of the truth" in note for note in found.notes)
