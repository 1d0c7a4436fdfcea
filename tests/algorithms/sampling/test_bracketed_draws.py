"""Evidential comparisons beyond the reach of the solvers: drawn, and each draw bracketed."""

import numpy as np
import pytest

import sfumato as sf
from by_method import question
from memory import peak_of
from sfumato.algorithms.sampling.sources.bracketed import draw_brackets
from sfumato.algorithms.tables.set_draws import draw_sets

MEASURES = [
    "rand",
    "partition_distance",
    "variation_of_information",
    "mutual_information",
    "adjusted_rand",
    "normalized_mutual_information",
    "fowlkes_mallows",
    "jaccard",
]


def singletons_and_all(rng, truth, n_clusters):
    """Masses on the true cluster, on another one, and on the whole frame."""
    n = len(truth)
    masses = np.zeros((n, n_clusters + 1))
    masses[np.arange(n), truth] = 0.5 + 0.2 * rng.random(n)
    masses[np.arange(n), rng.integers(0, n_clusters, n)] += 0.1
    masses[:, -1] = 1.0 - masses[:, :-1].sum(axis=1)
    sets = np.vstack([np.eye(n_clusters, dtype=bool), np.ones((1, n_clusters), dtype=bool)])
    return sf.EvidentialPartition(masses, sets)


def pairs_only(rng, truth, n_clusters):
    """Masses on two pairs that hold the true cluster."""
    n = len(truth)
    sets = [[truth[x], (truth[x] + rng.integers(1, n_clusters)) % n_clusters] for x in range(n)]
    sets += [[truth[x], (truth[x] + rng.integers(1, n_clusters)) % n_clusters] for x in range(n)]
    codes = np.sort(np.array(sets), axis=1) @ [n_clusters, 1]
    distinct, which = np.unique(codes, return_inverse=True)
    family = np.zeros((len(distinct), n_clusters), dtype=bool)
    family[np.arange(len(distinct)), distinct // n_clusters] = True
    family[np.arange(len(distinct)), distinct % n_clusters] = True
    masses = np.zeros((n, len(distinct)))
    for half in (which[:n], which[n:]):
        np.add.at(masses, (np.arange(n), half), 0.5)
    return sf.EvidentialPartition(masses, family)


@pytest.mark.parametrize("is_soft", [False, True])
@pytest.mark.parametrize("measure", MEASURES)
def test_means_of_brackets_hold_the_exact_expectations(measure, is_soft):
    rng = np.random.default_rng(0)
    truth = np.array([0, 0, 1, 2])
    a = singletons_and_all(rng, truth, 3)
    b = singletons_and_all(rng, truth, 3) if is_soft else truth
    exact = sf.compare(a, b, measure=measure, engine="exact")
    query = question(a, b, measure)
    lows, highs, low_gaps, high_gaps = draw_brackets(
        query.objective, query.joint.drawn_sides, 1000, np.random.SeedSequence(1)
    )
    error = 5 * max(lows.std(), highs.std()) / np.sqrt(1000)
    assert lows.mean() - error <= exact.lower <= (lows + low_gaps).mean() + error
    assert (highs - high_gaps).mean() - error <= exact.upper <= highs.mean() + error


@pytest.mark.parametrize("make", [singletons_and_all, pairs_only])
@pytest.mark.parametrize(("n_clusters", "is_soft"), [(200, False), (100, True)])
def test_hundreds_of_clusters_are_answered(make, n_clusters, is_soft):
    rng = np.random.default_rng(1)
    truth = rng.integers(0, n_clusters, 150)
    a = make(rng, truth, n_clusters)
    b = make(rng, truth, n_clusters) if is_soft else truth
    for measure in MEASURES:
        found = sf.compare(a, b, measure=measure, engine=sf.Sampled(n_samples=6), rng=0)
        assert (found.method, found.guarantee) == ("sample", "confidence"), measure
        assert found.n_samples == 6
        (low, low_attained), (high_attained, high) = found.lower_bracket, found.upper_bracket
        assert low <= found.lower <= low_attained
        assert high_attained <= found.upper <= high
        nested = sf.Sampled(n_samples=6, nested=True, n_inner=5)
        inner = sf.compare(a, b, measure=measure, engine=nested, rng=0)
        error = inner.lower_bracket[1] - inner.lower  # of both means of the draws
        assert low <= inner.lower + error
        assert inner.upper - error <= high
        if measure == "rand":  # no draw can do better than what it attains by this much
            assert found.upper - found.lower < 0.5


def test_notes_and_plan_say_that_draws_are_bracketed():
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 50, 100)
    a = singletons_and_all(rng, truth, 50)
    engine = sf.Sampled(n_samples=3)
    assert sf.explain(a, truth, engine=engine).why.endswith("each bracketed")
    found = sf.compare(a, truth, engine=engine, rng=0)
    assert any("bracketed, not solved" in note for note in found.notes)
    few = sf.explain(singletons_and_all(rng, truth % 3, 3), truth % 3, engine=engine)
    assert few.why.endswith("each solved exactly")


def test_auto_brackets_many_draws_where_it_could_solve_few():
    rng = np.random.default_rng(8)
    truth = rng.integers(0, 10, 100)
    a = singletons_and_all(rng, truth, 10)
    many = sf.explain(a, truth, measure="fowlkes_mallows")
    assert many.why.endswith("each bracketed")
    assert many.n_samples > 100
    asked = sf.explain(a, truth, measure="fowlkes_mallows", engine=sf.Sampled(n_samples=10))
    assert asked.why.endswith("each solved exactly")


def test_the_near_end_of_the_partition_distance_is_solved_against_a_certain_side():
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 60, 300)
    a = singletons_and_all(rng, truth, 60)
    query = question(a, truth, "partition_distance")
    _, _, low_gaps, _ = draw_brackets(
        query.objective, query.joint.drawn_sides, 10, np.random.SeedSequence(0)
    )
    assert not low_gaps.any()


def test_threads_and_chunks_change_nothing():
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 40, 60)
    a, b = singletons_and_all(rng, truth, 40), pairs_only(rng, truth, 40)
    answers = [
        sf.compare(a, b, measure="jaccard", engine=sf.Auto(tolerance=0.5, threads=n), rng=7)
        for n in (1, 2, 1)
    ]
    assert len({(found.lower, found.upper, found.lower_bracket) for found in answers}) == 1
    other = sf.compare(a, b, measure="jaccard", engine=sf.Auto(tolerance=0.5), rng=8)
    assert other.upper != answers[0].upper


def test_the_full_power_set_on_both_sides_is_never_laid_out():
    # 150 objects with 1,023 sets on either side: 157 million pairs of sets.
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 10, 150)
    sets = np.array([[code >> i & 1 for i in range(10)] for code in range(1, 1024)], dtype=bool)
    a, b = (
        sf.EvidentialPartition(
            0.3 * rng.dirichlet(np.full(1023, 0.1), 150) + 0.7 * np.eye(1023)[(1 << truth) - 1],
            sets,
        )
        for _ in range(2)
    )
    options = {"measure": "adjusted_rand", "engine": sf.Sampled(n_samples=5), "rng": 0}
    found, peak = peak_of(lambda: sf.compare(a, b, **options))
    assert peak < 150 * 1023**2  # one byte for each pair
    assert found.guarantee == "confidence"
    assert found.lower < found.upper - 0.5
    assert found.lower_bracket[0] == -0.5  # that few draws say little


def test_auto_is_narrower_than_bounds_alone_with_a_hundred_clusters():
    rng = np.random.default_rng(6)
    truth = rng.integers(0, 100, 500)
    a = singletons_and_all(rng, truth, 100)
    sure = sf.compare(a, truth, engine="bounds")
    found = sf.compare(a, truth, engine=sf.Auto(tolerance=0.01), rng=0)
    assert found.error < 0.2 * sure.error
    for likely, certain in (
        (found.lower_bracket, sure.lower_bracket),
        (found.upper_bracket, sure.upper_bracket),
    ):
        assert certain[0] <= likely[0] <= likely[1] <= certain[1]


def test_a_level_for_all_objects_against_many_sets_is_bracketed():
    rng = np.random.default_rng(7)
    truth = rng.integers(0, 40, 80)
    memberships = np.where(np.eye(40)[truth] > 0, 1.0, 0.0)
    memberships[np.arange(80), rng.integers(0, 40, 80)] = 1.0
    memberships[:, 0] = np.maximum(memberships[:, 0], 0.5)
    a = sf.PossibilisticPartition(memberships, t_norm="min")
    b = singletons_and_all(rng, truth, 40)
    found = sf.compare(a, b, measure="rand", engine=sf.Sampled(n_samples=20), rng=0)
    assert (found.method, found.guarantee) == ("sample", "confidence")
    nested = sf.Sampled(n_samples=20, nested=True, n_inner=20)
    inner = sf.compare(a, b, measure="rand", engine=nested, rng=0)
    assert found.lower < inner.lower < inner.upper < found.upper


def test_sets_are_drawn_by_their_masses():
    lists = np.array([0, 3, 4]), np.array([5, 2, 9, 1]), np.array([0.2, 0.3, 0.5, 1.0])
    drawn = draw_sets(*lists, np.array([1, 0, 0]), 40_000, np.random.default_rng(0))
    assert (drawn[:, 0] == 1).all()
    for column in (1, 2):
        shares = [(drawn[:, column] == label).mean() for label in (5, 2, 9)]
        # Five standard errors of a share of 40,000 draws.
        assert shares == pytest.approx([0.2, 0.3, 0.5], abs=0.0125)
    both = ((drawn[:, 1] == 9) & (drawn[:, 2] == 9)).mean()
    assert both == pytest.approx(0.25, abs=0.011)
