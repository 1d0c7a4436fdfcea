"""Certified brackets of expectations against the definitions, and when Auto takes them."""

from itertools import islice

import numpy as np
import pytest

import sfumato as sf
from brackets import assert_held, assert_within
from by_method import answer, planned, question
from oracle import Side, compare_literally
from sfumato.algorithms.expectations.set_pairs import SetPairs
from sfumato.measures import Jaccard, PartitionDistance, Rand
from strategies import build, random_pairs

MEASURES = {  # the oracle's name of each
    Rand(): "rand",
    Rand(pairs="all"): ("rand", "all"),
    PartitionDistance(): "partition_distance",
    PartitionDistance(normalizer="n"): ("partition_distance", "n"),
}
KINDS = [
    ("evidential", "hard"),
    ("hard", "evidential"),
    ("evidential", "evidential"),
    ("evidential", "fuzzy"),
    ("fuzzy", "evidential"),
    ("evidential", "rough"),
    ("rough", "fuzzy"),
    ("consonant", "hard"),
    ("vacuous", "hard"),
    ("vacuous", "evidential"),
]
INSTANCES = 24  # per pair of kinds: 240 in all


def instances(first: str, second: str, seed: int, n_clusters=range(1, 4)):
    """Random pairs; sides that happen to be simpler than their kind have no brackets to check."""
    pairs = random_pairs(seed, first, second, n_clusters=n_clusters, most_pairs=600)
    return (pair for pair in pairs if planned("expectation_bounds", *map(build, pair)) is not None)


def bracketed(a: Side, b: Side, measure) -> sf.Comparison | None:
    """The brackets alone, whatever exact methods there are."""
    return answer("expectation_bounds", build(a), build(b), measure, engine=sf.Bounds())


def check(a: Side, b: Side, measure) -> None:
    found = bracketed(a, b, measure)
    true = compare_literally(a, b, MEASURES[measure])
    assert_held(found, true)
    assert (found.lower, found.upper) == (found.lower_bracket[0], found.upper_bracket[1])
    shape = question(build(a), build(b), measure).objective.shape
    is_exact = max(shape) <= 2
    assert found.guarantee == ("exact" if is_exact else "certified")


@pytest.mark.parametrize(("first", "second"), KINDS)
def test_brackets_hold_the_expectations_of_the_definition(first, second):
    measures = list(MEASURES)
    seed = 100 * KINDS.index((first, second))
    for at, (a, b) in enumerate(islice(instances(first, second, seed), INSTANCES)):
        for measure in (measures[at % 2], measures[2 + at // 2 % 2]):
            try:
                check(a, b, measure)
            except Exception as error:
                error.add_note(f"{measure}\na = {a}\nb = {b}")
                raise


@pytest.mark.parametrize(("first", "second"), KINDS[:6])
def test_brackets_for_many_clusters_hold(first, second):
    # With more than four clusters other bounds of the best matching are taken.
    for a, b in islice(instances(first, second, 7_000, n_clusters=(5, 6)), 12):
        check(a, b, PartitionDistance())


def evidential(rng: np.random.Generator, truth: np.ndarray, k: int) -> sf.EvidentialPartition:
    """Masses on every set, most of them on sets that hold the true cluster."""
    sets = np.array([[s >> i & 1 for i in range(k)] for s in range(1, 1 << k)])
    masses = rng.gamma(0.3, size=(len(truth), len(sets))) + 1e-9
    masses *= np.where(sets[:, truth].T == 1, 40.0, 1.0) / sets.sum(axis=1) ** 3
    return sf.EvidentialPartition(masses / masses.sum(axis=1, keepdims=True), sets)


@pytest.mark.parametrize("measure", ["rand", "partition_distance"])
def test_inner_sides_are_near_the_ends_of_many_draws(measure):
    rng = np.random.default_rng(5)
    truth = rng.integers(3, size=120)
    candidate = evidential(rng, truth, 3)
    found = sf.compare(candidate, truth, measure=measure, engine="bounds")
    drawn = sf.compare(candidate, truth, measure=measure, engine=sf.Sampled(n_samples=3_000), rng=0)
    # The ends of single draws vary by about 0.02, so the means of 3,000 are off by 0.001 or so.
    assert_held(found, drawn, slack=0.002)
    inner = found.lower_bracket[1], found.upper_bracket[0]
    assert inner == pytest.approx((drawn.lower, drawn.upper), abs=0.006)


def test_the_end_of_the_best_matchings_is_exact_for_three_clusters():
    rng = np.random.default_rng(6)
    truth = rng.integers(3, size=30)
    candidate = evidential(rng, truth, 3)
    found = sf.compare(candidate, truth, measure="partition_distance", engine="bounds")
    assert np.diff(found.lower_bracket)[0] < 1e-11
    turned = sf.compare(truth, candidate, measure="partition_distance", engine="bounds")
    assert turned.lower_bracket == pytest.approx(found.lower_bracket, abs=1e-11, rel=0)


def test_bounds_do_not_fall_back_on_the_support_where_there_is_better():
    rng = np.random.default_rng(7)
    truth = rng.integers(3, size=60)
    candidate = evidential(rng, truth, 3)
    methods = {
        name: sf.explain(candidate, truth, measure=name, engine="bounds").method
        for name in ("rand", "partition_distance", "adjusted_rand")
    }
    assert methods == {
        "rand": "expectation_bounds",
        "partition_distance": "expectation_bounds",
        "adjusted_rand": "rough_ends",
    }


def test_auto_takes_brackets_within_its_tolerance_and_draws_elsewhere():
    rng = np.random.default_rng(8)
    truth = rng.integers(3, size=200)
    candidate = evidential(rng, truth, 3)
    options = {"measure": "partition_distance", "rng": 0}
    sure = sf.compare(candidate, truth, engine="bounds", **options)
    taken = sf.compare(candidate, truth, engine=sf.Auto(tolerance=1.01 * sure.error), **options)
    assert (taken.method, taken.guarantee) == ("expectation_bounds", "certified")
    assert taken.lower_bracket == sure.lower_bracket

    wide = sf.compare(candidate, truth, measure="rand", engine="bounds")
    engine = sf.Auto(tolerance=wide.error / 2)
    drawn = sf.compare(candidate, truth, measure="rand", engine=engine, rng=0)
    assert (drawn.method, drawn.guarantee) == ("sample", "confidence")
    assert drawn.error <= wide.error / 2
    assert_within(drawn, wide, slack=0)


def test_hundreds_of_clusters_are_bounded():
    rng = np.random.default_rng(9)
    n, k = 600, 40
    truth = rng.integers(k, size=n)
    sets = np.vstack([np.eye(k), np.ones((1, k))])
    masses = np.zeros((n, k + 1))
    masses[np.arange(n), truth] = 0.9
    masses[:, k] = 0.1
    candidate = sf.EvidentialPartition(masses, sets)
    found = sf.compare(candidate, truth, measure="partition_distance", engine="bounds")
    # The truth itself is always compatible; at worst no open object is where it belongs.
    assert found.lower_bracket == pytest.approx((0.0, 0.0), abs=1e-9)
    assert 0.0 < found.upper_bracket[0] <= 0.1 * n / (n - 1) <= found.upper_bracket[1] + 1e-9
    assert found.upper_bracket[1] < 0.2


def test_other_questions_are_left_to_other_methods():
    rng = np.random.default_rng(10)
    truth = rng.integers(2, size=8)
    candidate = evidential(rng, truth, 2)
    for measure, quantity in (
        (Rand(), "distribution"),
        (Rand(), "range"),
        (Jaccard(), "expectation"),
    ):
        own = planned("expectation_bounds", candidate, truth, measure, quantity, engine=sf.Bounds())
        assert own is None


def test_objects_are_listed_once_for_each_type():
    masses = [[0.5, 0.5]] * 3 + [[0.25, 0.75]]
    candidate = sf.EvidentialPartition(masses, [[1, 0], [1, 1]])
    pairs = question(candidate, [0, 0, 0, 1]).joint.set_pairs
    assert isinstance(pairs, SetPairs)
    assert sorted(pairs.counts.tolist()) == [1, 3]
    assert pairs.has_hard_columns
    assert not pairs.has_hard_rows
