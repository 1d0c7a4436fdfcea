"""Drawing rough partitions from evidential ones and solving each exactly."""

from math import log, sqrt

import numpy as np
import pytest

import sfumato as sf
from by_method import question
from sfumato.algorithms.ends.solve import solve_types
from sfumato.algorithms.ends.weighted import Budget
from sfumato.algorithms.tables.focal_model import set_types
from sfumato.algorithms.tables.sampler import FocalSampler

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
        assert (found.method, found.guarantee) == ("draw_and_solve", "confidence")
        assert found.lower_bracket[0] <= exact.lower <= found.lower_bracket[1]
        assert found.upper_bracket[0] <= exact.upper <= found.upper_bracket[1]


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
    assert found.method == "draw_and_solve"
    assert found.lower_bracket[0] <= exact.lower <= found.lower_bracket[1]
    assert found.upper_bracket[0] <= exact.upper <= found.upper_bracket[1]


def test_too_many_tables_per_draw_are_refused_with_the_way_out():
    measure = sf.Measure.from_function(
        lambda table: table.max() / table.sum(), name="share", better="higher", bounds=(0, 1)
    )
    a, truth = evidential(5, n_objects=200), np.arange(200) % 3
    with pytest.raises(sf.CostError, match=r"100 draws .*engine=Sampled\(nested=True\)"):
        sf.compare(a, truth, measure=measure, engine=sf.Sampled(n_samples=100))


@pytest.mark.parametrize("is_turned", [False, True])
@pytest.mark.parametrize("measure", ["rand", "partition_distance", "homogeneity"])
def test_many_different_objects_are_drawn_straight_from_their_masses(measure, is_turned):
    # The same draws of the same law, with and without collapsing objects first.
    rng = np.random.default_rng(7)
    n = 2400
    truth = rng.integers(0, 3, n)
    masses = rng.dirichlet(np.ones(4), size=n)
    a = sf.EvidentialPartition(masses, [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]])
    sides = (truth, a) if is_turned else (a, truth)
    query = question(*sides, measure)
    joint = query.joint
    assert joint.class_masses is not None
    found = sf.compare(*sides, measure=measure, engine=sf.Sampled(n_samples=300), rng=0)
    sampler = FocalSampler(joint.focal_model, 300)
    counts = sampler.draw(300, np.random.SeedSequence(5))
    types = set_types(joint.focal_model, counts, joint.shape[1])
    solved = solve_types(query.objective, types, Budget(10_000, threads=1))
    for end, values in ((found.lower, solved.low_bounds), (found.upper, solved.high_bounds)):
        assert abs(end - values.mean()) <= 6 * values.std() / np.sqrt(300) + 1e-12


def test_objects_that_share_their_masses_are_collapsed():
    rng = np.random.default_rng(7)
    masses = np.repeat(rng.dirichlet(np.ones(3), size=800), 3, axis=0)
    a = sf.EvidentialPartition(masses, [[1, 0], [0, 1], [1, 1]])
    truth = sf.HardPartition(rng.integers(0, 2, 2400))
    assert question(a, truth).joint.class_masses is None


def test_where_each_draw_is_dear_there_are_fewer():
    # Purity takes integer programs: measured 13 ms a draw with 3 clusters and 43 ms with 8, so
    # that 1,000 draws would take far more than the seconds that Auto means to spend.
    def planned(n_clusters, measure):
        sets = [[s >> i & 1 for i in range(n_clusters)] for s in range(1, 1 << n_clusters)]
        masses = np.random.default_rng(0).dirichlet(np.full(len(sets), 0.5), size=150)
        a, truth = sf.EvidentialPartition(masses, sets), np.arange(150) % n_clusters
        return sf.explain(a, truth, measure=measure)

    few, many = planned(3, "purity"), planned(8, "purity")
    assert (few.method, many.method) == ("draw_and_solve", "draw_and_solve")
    assert many.n_samples < few.n_samples <= 400
    # Mutual information weighs its rows otherwise than a distance does: about four times as dear.
    information, variation = (
        planned(3, f"{name}_information") for name in ("mutual", "variation_of")
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
