"""Answers in next to no time: however wide, they hold what longer ones find, and none is raw."""

from functools import cache, partial
from itertools import combinations_with_replacement, count

import numpy as np
import pytest

import sfumato as sf
from brackets import assert_overlap
from by_method import question
from sfumato import planner
from sfumato.methods.registry import all_methods
from strategies import random_rough

RNG = np.random.default_rng(0)
N, K = 12, 3
POSSIBLE = RNG.random((N, K))
POSSIBLE /= POSSIBLE.max(axis=1, keepdims=True)
LABELS = RNG.integers(K, size=N)
SIDES = {
    "hard": LABELS,
    "rough": sf.RoughPartition((RNG.random((N, K)) < 0.4) | np.eye(K, dtype=bool)[LABELS]),
    "fuzzy": RNG.dirichlet(np.ones(K), N),
    "consonant": sf.PossibilisticPartition(POSSIBLE),
    "min": sf.PossibilisticPartition(POSSIBLE, t_norm="min"),
    "drawn": sf.DrawnPartition(RNG.integers(K, size=(5, N))),
}


PAIRS = list(combinations_with_replacement(SIDES, 2))
SURE = ("exact", "certified")


def assert_held(short, whole):
    """Brackets that are certain have a point in common."""
    low, high = short.lower_bracket[0], short.upper_bracket[1]
    assert low - 1e-9 <= short.lower <= short.upper + 1e-9 <= high + 2e-9
    if short.guarantee in SURE and whole.guarantee in SURE:
        assert_overlap(short, whole, slack=1e-9)


def test_a_search_that_is_cut_short_says_so():
    rng = np.random.default_rng(0)
    a, b = (random_rough(rng, 300, 6, 0.5) for _ in range(2))
    found = sf.compare(a, b, engine=sf.Auto(max_seconds=0.2))
    assert found.guarantee == "certified"
    assert any("max_seconds" in note for note in found.notes)


@pytest.mark.parametrize("measure", ["rand", "adjusted_rand", "partition_distance", "nmi"])
@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_a_comparison_cut_short_holds_the_whole_one(pair, measure):
    a, b = (SIDES[kind] for kind in pair)
    whole = sf.compare(a, b, measure=measure, engine=sf.Auto(max_seconds=0.15), rng=0)
    for seconds in (0.004, 0.015):
        engine = sf.Auto(max_seconds=seconds)
        assert_held(sf.compare(a, b, measure=measure, engine=engine, rng=0), whole)


@pytest.mark.parametrize(
    "measure", ["rand", "jaccard", "vi", "nmi", "purity", "partition_distance"]
)
def test_levels_of_many_clusters_have_an_answer_in_no_time(measure):
    rng, (n, k) = np.random.default_rng(1), (200, 8)
    labels = np.arange(n) % k
    degrees = 0.5 * np.eye(k)[labels] + 0.5 * rng.dirichlet(np.full(k, 0.3), n)
    possible = degrees / degrees.max(axis=1, keepdims=True)
    side = sf.PossibilisticPartition(possible, t_norm="min")
    whole = sf.compare(side, labels, measure=measure, engine=sf.Auto(max_seconds=1.0), rng=0)
    for seconds in (1e-5, 0.005, 0.03, 0.1):  # some leave time for no level, or for few
        engine = sf.Auto(max_seconds=seconds)
        assert_held(sf.compare(side, labels, measure=measure, engine=engine, rng=0), whole)


@pytest.mark.parametrize("truth", SIDES)
@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_every_difference_has_an_answer_in_no_time(pair, truth):
    a, b = (SIDES[kind] for kind in pair)
    short, whole = (
        sf.difference(
            a, b, SIDES[truth], measure="adjusted_rand", engine=sf.Auto(max_seconds=seconds), rng=0
        )
        for seconds in (0.02, 0.1)
    )
    assert_held(short, whole)


@cache
def about_one_draw(measure):
    """Two sides, and the answer that takes as long as it likes."""
    rng = np.random.default_rng(0)
    mask = rng.random((60, 5)) < 0.3
    mask[np.arange(60), rng.integers(5, size=60)] = True
    sides = sf.RoughPartition(mask), sf.DrawnPartition(rng.integers(4, size=(8, 60)))
    return sides, sf.compare(*sides, measure=measure, rng=0)


@pytest.mark.parametrize("step", [0.003, 0.04, 0.07, 0.15, 0.2, 0.3, 1.0])
@pytest.mark.parametrize("measure", ["nmi", "adjusted_mutual_information", "partition_distance"])
def test_whenever_the_time_of_a_question_about_one_draw_is_over_there_is_an_answer(
    step, measure, monkeypatch
):
    sides, whole = about_one_draw(measure)
    ticks = count(100.0, step)  # seconds: each look at the clock takes so long
    ask = partial(planner.answer, clock=lambda: next(ticks))
    monkeypatch.setattr(planner, "METHODS", all_methods(planner.choose, ask))
    query = question(*sides, measure)
    policy = sf.Auto(max_seconds=1.0, threads=1).policy()
    found = ask(query, policy, lambda: np.random.default_rng(0))
    assert_held(found, whole)
    assert np.isfinite([*found.lower_bracket, *found.upper_bracket]).all()
