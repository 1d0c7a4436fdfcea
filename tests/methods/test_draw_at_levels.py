"""The t-norm min against masses: levels spread evenly, rough partitions drawn and solved."""

import numpy as np
import pytest

import sfumato as sf
from brackets import assert_held
from by_method import answer
from strategies import random_degrees

SETS = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]]


def possibilistic(seed, n_objects=6):
    rows = random_degrees(np.random.default_rng(seed), n_objects, 3, zeros=0.4)
    return sf.PossibilisticPartition(rows, t_norm="min")


def partner(kind, seed, n_objects=6):
    rng = np.random.default_rng(100 + seed)
    if kind == "fuzzy":
        return sf.FuzzyPartition(rng.dirichlet(np.ones(3), size=n_objects))
    masses = np.eye(5)[rng.integers(3, size=n_objects)]
    masses[:2] = rng.dirichlet(np.ones(5), size=2)
    return sf.EvidentialPartition(masses, SETS)


every_kind = pytest.mark.parametrize("kind", ["fuzzy", "evidential"])
every_measure = pytest.mark.parametrize("measure", ["rand", "partition_distance", "jaccard"])


@every_kind
@every_measure
def test_the_brackets_hold_the_exact_expectations(kind, measure):
    for seed in range(4):
        a, b = possibilistic(seed), partner(kind, seed)
        a, b = (b, a) if seed % 2 else (a, b)
        exact = sf.compare(a, b, measure=measure, engine="exact")
        found = sf.compare(a, b, measure=measure, engine=sf.Sampled(n_samples=100), rng=seed)
        assert (found.method, found.guarantee) == ("sample", "confidence")
        assert (found.confidence, found.n_samples) == (0.95, 100)
        assert_held(found, exact)


def test_levels_weigh_by_their_masses():
    # Below level 1/4 the second object may join the first.
    a = sf.PossibilisticPartition([[1, 0], [0.25, 1], [0, 1]], t_norm="min")
    b = sf.FuzzyPartition([[1, 0], [0, 1], [0.5, 0.5]])
    exact = sf.compare(a, b, engine="exact")
    found = answer("sample", a, b, engine=sf.Sampled(n_samples=20_000))
    # Standard errors are below 0.5 / sqrt(20,000) = 0.0036.
    assert (found.lower, found.upper) == pytest.approx((exact.lower, exact.upper), abs=0.012)


def test_one_level_comes_from_each_stratum():
    # Two more objects may join the other cluster at each of the levels 0.1, 0.2, ..., 1. The last
    # object tosses a coin, but the two halves are alike, so that the level alone counts: of ten
    # draws exactly one is at each level, and their mean has no error.
    levels = np.repeat(np.arange(1, 11) / 10, 2)
    joins = np.column_stack([np.ones(20), levels])
    a = sf.PossibilisticPartition(np.vstack([joins, [[1, 0]]]), t_norm="min")
    labels = np.vstack([np.eye(2)[np.tile([0, 1], 10)], [[0.5, 0.5]]])
    exact = sf.compare(a, sf.FuzzyPartition(labels), engine=sf.Exact(max_tables=10**8))
    assert exact.upper - exact.lower > 0.2
    for seed in range(20):
        found = answer(
            "sample",
            a,
            sf.FuzzyPartition(labels),
            engine=sf.Sampled(n_samples=10),
            rng=seed,
        )
        assert (found.lower, found.upper) == pytest.approx((exact.lower, exact.upper), abs=1e-12)


def test_the_stated_error_is_smaller_where_one_object_moves_little():
    a, b = possibilistic(0, 200), partner("fuzzy", 0, 200)
    found = {
        measure: answer("sample", a, b, measure, engine=sf.Sampled(n_samples=512), max_nodes=100)
        for measure in ("rand", "partition_distance")
    }
    log_term = np.log(4 / 0.05)
    for measure, step in (("rand", 2 / 200), ("partition_distance", 1 / 199)):
        variance = 200 * step**2 / (4 * 512) + 2 / (4 * 512**2)
        expected = np.sqrt(2 * variance * log_term)
        low = found[measure].lower_bracket
        assert found[measure].lower - low[0] == pytest.approx(expected, rel=1e-9)


def test_a_tolerance_is_reached():
    a, b = possibilistic(1, 100), partner("fuzzy", 1, 100)
    found = sf.compare(a, b, measure="partition_distance", engine=sf.Sampled(tolerance=0.02), rng=0)
    assert found.error <= 0.02 + 1e-12
    assert found.n_samples < 1000  # Hoeffding's inequality alone needs 5,478


def test_the_seed_decides_and_not_the_threads():
    a, b = possibilistic(2, 30), partner("fuzzy", 2, 30)
    found = [
        answer("sample", a, b, engine=sf.Auto(threads=threads), n_samples=600) for threads in (1, 2)
    ]
    assert (found[0].lower, found[0].upper) == (found[1].lower, found[1].upper)


def test_a_distribution_says_how_far_it_may_be_off():
    a, b = possibilistic(4), partner("evidential", 4)
    exact = sf.compare(a, b, quantity="distribution", engine="exact").distribution
    band = np.sqrt(np.log(2 / 0.025) / 2000)  # half of the risk is for the means
    for seed in range(10):
        engine = sf.Sampled(n_samples=1000)
        found = sf.compare(a, b, quantity="distribution", engine=engine, rng=seed)
        assert any(
            f"within {band:.3g} of the truth, and the means within their brackets, at 95%" in note
            for note in found.notes
        )
        for t in (0.3, 0.5, 0.7):
            for probability in ("belief", "plausibility"):
                known, drawn = (
                    getattr(law, probability)(at_most=t) for law in (exact, found.distribution)
                )
                assert drawn == pytest.approx(known, abs=band)


def test_tolerances_out_of_reach_are_refused():
    a, b = possibilistic(0), partner("fuzzy", 0)
    with pytest.raises(sf.CostError, match=r"^A tolerance of 1e-09 needs .* draws"):
        sf.compare(a, b, engine=sf.Sampled(tolerance=1e-9))


@pytest.mark.parametrize(
    ("measure", "why", "note"),
    [
        ("rand", "each solved exactly", "Not every search"),
        ("normalized_mutual_information", "each bracketed", "bracketed, not solved"),
    ],
)
def test_notes_say_how_far_the_ends_of_each_draw_are_known(measure, why, note):
    rng = np.random.default_rng(0)
    possible = rng.random((60, 3))
    possible[np.arange(60), rng.integers(3, size=60)] = 1.0
    soft = sf.PossibilisticPartition(possible, t_norm="min")
    sets = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]]
    other = sf.EvidentialPartition(rng.dirichlet(np.ones(5), size=60), sets)
    engine = sf.Auto(max_nodes=0, tolerance=0.1)
    assert sf.explain(soft, other, measure=measure, engine=engine).why.endswith(why)
    found = sf.compare(soft, other, measure=measure, engine=engine, rng=0)
    assert found.method == "sample"
    assert any(note in line for line in found.notes)
