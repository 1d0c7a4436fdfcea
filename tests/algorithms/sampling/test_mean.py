"""Means of draws: honest intervals, early stops, control variates without bias."""

import re

import numpy as np
import pytest

import sfumato as sf
from by_method import question
from objectives import objective_of
from sfumato.algorithms.deadline import Deadline
from sfumato.algorithms.sampling.blocks import Run
from sfumato.algorithms.sampling.mean import Draws, Goal, Source, estimate_means
from sfumato.algorithms.sampling.prior import largest_step
from sfumato.question.draws import prior_of

RNG = np.random.default_rng(0)
N = 12
FUZZY = RNG.dirichlet(np.full(3, 0.5), size=N)
OTHER = RNG.dirichlet(np.full(2, 0.5), size=N)
TRUTH = FUZZY.argmax(axis=1)
SETS = [[True, False], [False, True], [True, True]]
EVIDENTIAL = sf.EvidentialPartition(RNG.dirichlet(np.ones(3), size=N), SETS)


def coverage(a, b, measure, engine, n_seeds):
    """Share of the seeds whose brackets hold both exact ends."""
    exact = sf.compare(a, b, measure=measure, engine=sf.Exact(max_tables=10**7))
    covered = 0
    for seed in range(n_seeds):
        found = sf.compare(a, b, measure=measure, engine=engine, rng=seed)
        assert found.guarantee == "confidence"
        covered += (
            found.lower_bracket[0] <= exact.lower <= found.lower_bracket[1]
            and found.upper_bracket[0] <= exact.upper <= found.upper_bracket[1]
        )
    return covered / n_seeds


@pytest.mark.slow
@pytest.mark.parametrize(
    ("measure", "engine"),
    [
        ("rand", sf.Sampled(n_samples=50)),
        ("partition_distance", sf.Sampled(n_samples=50)),
        ("adjusted_rand", sf.Sampled(n_samples=200)),
        ("jaccard", sf.Sampled(n_samples=50, bound="hoeffding")),
        ("normalized_mutual_information", sf.Sampled(n_samples=200)),
    ],
)
def test_fuzzy_intervals_cover_as_often_as_they_claim(measure, engine):
    assert 0.94 <= coverage(FUZZY, TRUTH, measure, engine, 150) <= 1.0


@pytest.mark.slow
def test_intervals_that_stop_early_cover_as_often_as_they_claim():
    engine = sf.Sampled(tolerance=0.02, confidence=0.9)
    assert 0.9 <= coverage(FUZZY, OTHER, "fowlkes_mallows", engine, 120) <= 1.0


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["rand", "partition_distance", "variation_of_information"])
def test_evidential_intervals_cover_as_often_as_they_claim(measure):
    assert 0.94 <= coverage(EVIDENTIAL, TRUTH, measure, sf.Sampled(n_samples=40), 100) <= 1.0


def test_what_searches_leave_open_has_a_chance_error_too():
    # The outer lower end is always 0, the attained one is 1 in a tenth of the draws: the bracket
    # of its mean must hold all from 0 to 0.1, and of the upper end all from 0.9 to 1.
    asked = question(EVIDENTIAL, TRUTH, "jaccard")
    goal, prior = Goal(10_000, None, 0.95, "best"), prior_of(asked)

    def sample(size, seed):
        is_open = np.random.default_rng(seed).random((size, 1)) < 0.1
        values = np.tile([0.0, 1.0], (size, 1))
        return Draws(values, np.zeros((size, 0)), np.repeat(is_open, 2, axis=1).astype(float))

    source = Source(sample, 512)
    for seed in range(60):
        run = Run(np.random.default_rng(seed), Deadline(), lambda share: None, None)
        found = estimate_means(source, goal, prior, run)
        assert found.bound == "the betting bound"
        assert found.lows[0] == 0.0 < 0.1 <= found.highs[0] < 0.12
        assert found.highs[1] == 1.0 > 0.9 >= found.lows[1] > 0.88


def test_control_variates_do_not_shift_the_mean():
    # The means of many estimates, each with its own fit, lie around the exact one.
    exact = sf.compare(FUZZY, OTHER, measure="jaccard", engine=sf.Exact(max_tables=10**7)).mean
    engine = sf.Sampled(tolerance=0.02)
    means = np.array(
        [
            sf.compare(FUZZY, OTHER, measure="jaccard", engine=engine, rng=seed).mean
            for seed in range(80)
        ]
    )
    assert abs(means.mean() - exact) <= 4 * means.std() / np.sqrt(len(means))


@pytest.mark.parametrize("n_objects", [300, 1200])
@pytest.mark.parametrize("measure", ["adjusted_rand", "jaccard"])
def test_control_variates_never_make_an_answer_worse(measure, n_objects):
    # Many counts of choices, each with a slope: what is corrected may have a large range.
    rng = np.random.default_rng(2)
    a, b = (rng.dirichlet(np.full(6, 0.3), size=n_objects) for _ in range(2))
    found = sf.compare(a, b, measure=measure, engine=sf.Auto(tolerance=1e-4), rng=0)
    plain = sf.compare(a, b, measure=measure, engine=sf.Sampled(n_samples=found.n_samples), rng=0)
    # Half of the risk of the bets goes to the corrected values: log(160) instead of log(80).
    assert found.error <= 1.2 * plain.error
    assert found.error < 3e-4


def test_one_result_states_one_error():
    rng = np.random.default_rng(3)
    sets = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]]
    soft = sf.EvidentialPartition(rng.dirichlet(np.full(5, 0.3), size=60), sets)
    truth = rng.integers(0, 3, 60)
    for measure, is_met in (
        ("rand", False),
        ("adjusted_rand", True),
        ("partition_distance", False),
    ):
        engine = sf.Auto(tolerance=0.01, max_nodes=10)
        found = sf.compare(soft, truth, measure=measure, engine=engine, rng=0)
        stated = [
            float(n)
            for note in found.notes
            for n in re.findall(r"error (?:to )?([\d.e-]*\d)", note)
        ]
        error = float(f"{found.error:.2g}")
        assert found.guarantee == "confidence"
        assert (error <= 0.01) == is_met
        assert stated == ([] if is_met else [error])  # a note only where the tolerance is missed
        assert f"+-{error:g} at 95%" in repr(found)


@pytest.mark.parametrize("measure", ["adjusted_rand", "jaccard", "normalized_mutual_information"])
def test_a_tolerance_is_met_with_fewer_draws_than_hoeffding_needs(measure):
    found, paper = (
        sf.compare(
            FUZZY, OTHER, measure=measure, engine=sf.Sampled(tolerance=0.002, bound=bound), rng=0
        )
        for bound in ("best", "hoeffding")
    )
    assert found.error <= 0.002
    assert found.n_samples <= paper.n_samples / 2
    assert abs(found.mean - paper.mean) <= 0.004
    assert any("betting bound with control variates" in note for note in found.notes)
    assert any("Hoeffding's bound" in note for note in paper.notes)


def test_measures_that_one_object_moves_little_need_few_draws():
    many = np.repeat(FUZZY, 50, axis=0)
    found = sf.compare(
        many, np.repeat(TRUTH, 50), measure="partition_distance", engine=sf.Sampled(n_samples=100)
    )
    assert any("Freedman" in note or "McDiarmid" in note for note in found.notes)
    # 600 objects with a step of 1/599: McDiarmid's bound with half of the risk.
    assert found.error <= np.sqrt(600 * np.log(80) / 200) / 599


@pytest.mark.parametrize("name", list(sf.measures()))
def test_no_object_moves_a_value_by_more_than_the_step(name):
    rng = np.random.default_rng(1)
    for n in (2, 3, 6, 15):
        step = largest_step(objective_of(name, n, (3, 3)))
        for _ in range(30):
            a, b = rng.integers(0, 3, n), rng.integers(0, 3, n)
            c, d = a.copy(), b.copy()
            x = rng.integers(n)
            c[x], d[x] = rng.integers(0, 3, 2)
            change = sf.compare(a, b, measure=name).mean - sf.compare(c, d, measure=name).mean
            assert abs(change) <= step + 1e-12
