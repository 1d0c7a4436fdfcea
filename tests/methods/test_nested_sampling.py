"""Nested sampling: biased inward, and honest about it."""

from math import log, sqrt

import numpy as np
import pytest
from sklearn.datasets import load_iris

import sfumato as sf
from brackets import assert_held
from memory import peak_of
from sfumato.cluster import EvidentialCMeans
from strategies import SHARE, random_degrees

SETS = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]]
TRUTH = [0, 0, 1, 1, 2, 2]
NESTED = sf.Sampled(bound="hoeffding", n_samples=400, nested=True, n_inner=5)
POSSIBLE = np.array(
    [[1, 0.5, 0], [1, 0.2, 0.7], [0, 1, 0.4], [0.6, 1, 1], [0, 0.1, 1], [0.3, 0, 1]]
)
FUZZY = np.array([[1, 0, 0], [0.5, 0.5, 0], [0, 1, 0], [0.2, 0.3, 0.5], [0, 0, 1], [0, 0.1, 0.9]])


def evidential(seed, n_unsure=6):
    masses = np.eye(len(SETS))[TRUTH]
    masses[:n_unsure] = np.random.default_rng(seed).dirichlet(np.ones(len(SETS)), size=n_unsure)
    return sf.EvidentialPartition(masses, SETS)


def sides(seed):
    return {
        "evidential": (evidential(seed), TRUTH),
        "min": (sf.PossibilisticPartition(POSSIBLE, t_norm="min"), TRUTH),
        "levels against fuzzy": (
            sf.PossibilisticPartition(POSSIBLE, t_norm="min"),
            sf.FuzzyPartition(FUZZY),
        ),
        "levels against evidential": (
            evidential(seed, n_unsure=3),
            sf.PossibilisticPartition(POSSIBLE, t_norm="min"),
        ),
    }


every_side = pytest.mark.parametrize("name", sides(0))


@every_side
def test_estimates_lie_inside_the_exact_interval_up_to_their_half_width(name):
    half_width = sqrt(log(4 / 0.05) / 800)
    for seed in range(8):
        a, b = sides(seed)[name]
        exact = sf.compare(a, b, engine="exact")
        found = sf.compare(a, b, engine=NESTED, rng=seed)
        assert (found.method, found.guarantee) == ("sample", "inner")
        assert found.lower >= exact.lower - half_width
        assert found.upper <= exact.upper + half_width
        # An end can lie outward without limit, inward by the half-width only.
        assert found.lower_bracket == (0.0, min(1.0, found.lower + half_width))
        assert found.upper_bracket == (max(0.0, found.upper - half_width), 1.0)
        assert_held(found, exact)
        assert any("biased inward: the true interval is wider" in note for note in found.notes)


@every_side
def test_the_bias_is_inward_and_shrinks_with_the_inner_draws(name):
    a, b = sides(1)[name]
    exact = sf.compare(a, b, engine="exact")
    widths = [
        sf.compare(
            a, b, engine=sf.Sampled(n_samples=1500, nested=True, n_inner=n_inner), rng=0
        ).width
        for n_inner in (1, 3, 400)
    ]
    assert widths[0] == 0.0  # one clustering has one value
    assert widths == sorted(widths)
    # 1,500 draws: the standard error of a width is below 0.008.
    assert widths[-1] == pytest.approx(exact.width, abs=0.03)


def test_levels_are_drawn_in_proportion_to_their_masses():
    # Above level 1/4 nothing is open, so a quarter of the draws find both values.
    a = sf.PossibilisticPartition([[1, 0.25], [1, 0]], t_norm="min")
    found = sf.compare(
        a,
        [0, 0],
        quantity="distribution",
        engine=sf.Sampled(n_samples=20_000, nested=True, n_inner=50),
        rng=0,
    )
    # Standard error sqrt(3 / 16 / 20,000) = 0.003.
    assert found.lower == pytest.approx(0.75, abs=0.015)
    assert found.upper == 1.0
    assert found.distribution.belief(at_least=1.0) == pytest.approx(0.75, abs=0.015)


def test_the_error_of_draws_that_share_one_level_is_not_that_of_independent_objects():
    # The largest value is 1 below a level of 0.489 and 5/9 above it: all objects move together,
    # so bounds that let one object move the value by little do not hold.
    soft = sf.PossibilisticPartition([[0.489, 1], [1, 0.202], [1, 0.401]], t_norm="min")
    engine = sf.Sampled(n_samples=60, nested=True, n_inner=50)
    true_upper = 0.489 + 0.511 * 5 / 9
    for seed in range(40):
        found = sf.compare([0, 0, 0], soft, measure=sf.Rand(pairs="all"), engine=engine, rng=seed)
        assert found.upper_bracket[0] <= true_upper <= found.upper_bracket[1]


def test_stopping_early_leaves_a_fair_sample_of_levels():
    # Above level 0.1 all objects share a cluster; below, the largest cluster holds a third.
    a = sf.PossibilisticPartition(np.tile([1, 0.1, 0.1], (2000, 1)), t_norm="min")
    truth = np.zeros(2000, dtype=int)
    engine, found = sf.Auto(max_seconds=1e-6), []
    for seed in range(60):
        early = sf.compare(a, truth, measure=SHARE, engine=engine, rng=seed)
        if early.n_samples is None:
            pytest.skip("this machine is too slow for a single draw")
        assert early.n_samples < 64
        assert any("Stopped by max_seconds=1e-06 after" in note for note in early.notes)
        found.append(early.midpoint)
    # The share of runs below level 0.1 has a standard error of at most 0.04, times 2/3.
    assert np.mean(found) == pytest.approx(0.9 + 0.1 / 3, abs=0.08)


def test_levels_that_are_not_drawn_cost_no_memory():
    rows = np.random.default_rng(0).random((500, 3))
    a, truth = sf.PossibilisticPartition(rows, t_norm="min"), rows.argmax(axis=1)
    engine = sf.Sampled(n_samples=20, nested=True, n_inner=3)
    sf.compare(a, truth, engine=engine, rng=0)  # what is loaded first is not counted
    _, peak = peak_of(lambda: sf.compare(a, truth, engine=engine, rng=0))
    assert peak < 500 * 1000  # one byte for each object at each of the 1,000 levels


@pytest.fixture(scope="module")
def iris():
    features, species = load_iris(return_X_y=True)
    return EvidentialCMeans(3, random_state=0).fit(features).partition_, species


@pytest.mark.parametrize("measure", ["rand", "partition_distance"])
def test_on_iris_nested_sampling_is_narrower_than_the_truth_and_solving_each_draw_covers_it(
    measure, iris
):
    # The inner sides of certified brackets need no draws: both true ends lie at or beyond them.
    certain = sf.compare(*iris, measure=measure, engine="bounds")
    assert certain.guarantee == "certified"
    (_, low), (high, _) = certain.lower_bracket, certain.upper_bracket
    exact_draws = sf.Sampled(n_samples=20_000)
    reference = sf.compare(*iris, measure=measure, engine=exact_draws, rng=1234)
    for seed in range(4):
        nested = sf.Sampled(n_samples=200, nested=True, n_inner=100)
        inward = sf.compare(*iris, measure=measure, engine=nested, rng=seed)
        assert inward.guarantee == "inner"
        assert low + 0.02 < inward.lower < inward.upper < high - 0.02
        found = sf.compare(*iris, measure=measure, engine=sf.Sampled(n_samples=2000), rng=seed)
        assert_held(found, reference)
        assert found.error < 0.01
        if measure == "partition_distance":  # with three clusters this end is known
            assert found.lower_bracket[0] <= low <= found.lower_bracket[1]


def test_hundreds_of_clusters_get_fewer_draws_and_smaller_blocks():
    n_clusters = 200
    sets = [*np.eye(n_clusters), np.ones(n_clusters)]
    masses = np.random.default_rng(0).dirichlet(np.full(n_clusters + 1, 0.5), size=300)
    a, truth = sf.EvidentialPartition(masses, sets), np.arange(300) % n_clusters
    plan = sf.explain(a, truth, measure="adjusted_mutual_information")
    assert (plan.method, plan.guarantee) == ("sample", "inner")
    assert plan.tables * n_clusters**2 <= 3e8  # cells in all
    assert plan.bytes <= 2e8


def test_cuts_at_levels_are_kept_within_a_limit():
    # Cuts of 320,000 cells: if all were kept, twice the draws would take twice the memory.
    rng = np.random.default_rng(0)
    soft = sf.PossibilisticPartition(random_degrees(rng, 200, 40), t_norm="min")
    fuzzy = sf.FuzzyPartition(rng.dirichlet(np.ones(40), 200))
    peaks = [
        peak_of(
            lambda n=n: sf.compare(
                soft, fuzzy, engine=sf.Sampled(n_samples=n, nested=True, n_inner=2), rng=0
            )
        )[1]
        for n in (40, 80)
    ]
    assert peaks[1] < 1.3 * peaks[0]
