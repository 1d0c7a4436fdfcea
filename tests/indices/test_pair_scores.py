from importlib import import_module
from itertools import product
from math import inf, log, prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import literal_pairs
import sfumato as sf
from sfumato.errors import CostError, InputError, UnsupportedError
from sfumato.indices import (
    estimate_pair_log,
    pair_brier,
    pair_brier_interval,
    pair_log,
    pair_log_interval,
)
from strategies import build, fuzzy_sides, groups_of_sides, hard_sides, sides

SCORES = {"brier": (pair_brier, literal_pairs.brier), "log": (pair_log, literal_pairs.logarithm)}
INTERVALS = {"brier": pair_brier_interval, "log": pair_log_interval}


@pytest.mark.parametrize("name", SCORES)
@settings(max_examples=80, deadline=None)
@given(
    st.one_of(
        groups_of_sides(fuzzy_sides, hard_sides),
        groups_of_sides(fuzzy_sides, fuzzy_sides),
        groups_of_sides(hard_sides, fuzzy_sides),
    )
)
def test_values_are_those_of_the_double_loop(name, pair):
    score, literal = SCORES[name]
    found = score(*map(build, pair))
    if len(pair[0][1]) == 1:
        assert found == 0.0
        return
    assert found == pytest.approx(literal_pairs.mean_over_pairs(*pair, literal), rel=0, abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(groups_of_sides(hard_sides, hard_sides))
def test_hard_partitions_get_one_less_rand(pair):
    a, b = map(build, pair)
    rand = sf.compare(a, b).mean
    assert pair_brier(a, b) == pytest.approx(1 - rand, rel=0, abs=1e-12)
    assert pair_log(a, b) == (0.0 if rand == 1 else inf)


def powered(memberships, power):
    """Sharper memberships for powers above 1, flatter ones below."""
    raised = memberships**power
    return raised / raised.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("name", SCORES)
@pytest.mark.parametrize("seed", range(3))
def test_no_sharper_or_flatter_memberships_score_better_on_draws_from_the_true_ones(name, seed):
    score = SCORES[name][0]
    rng = np.random.default_rng(seed)
    n, k = 4, 3
    true = rng.dirichlet(np.ones(k), n)
    chances = {
        labels: prod(true[x, label] for x, label in enumerate(labels))
        for labels in product(range(k), repeat=n)
    }

    def mean_over_draws(stated):
        return sum(chance * score(stated, labels) for labels, chance in chances.items())

    as_stated = mean_over_draws(true)
    # A fuzzy truth is the mean over the hard ones drawn from it.
    assert score(true, true) == pytest.approx(as_stated, rel=0, abs=1e-12)
    others = [powered(true, power) for power in (0.5, 0.8, 1.25, 2.0, 5.0)]
    others += [0.9 * true + 0.1 / k, rng.dirichlet(np.ones(k), n)]
    for other in others:
        assert mean_over_draws(other) > as_stated + 1e-6
    assert pair_brier(sf.FuzzyPartition(true).harden(), true) > pair_brier(true, true)


def test_a_mean_over_clusterings_rewards_sharper_memberships():
    rng = np.random.default_rng(0)
    true = sf.FuzzyPartition(rng.dirichlet(np.ones(3), 300))
    truth = true.sample(rng)
    sharp = powered(true.memberships, 4)
    means = [sf.compare(a, truth, measure="adjusted_rand").mean for a in (true, sharp)]
    assert means[1] > means[0]
    assert pair_brier(sharp, truth) > pair_brier(true, truth)
    assert pair_log(sharp, truth) > pair_log(true, truth)


# --- Intervals -----------------------------------------------------------------------------------


def random_compatible(masses, n_clusters, rng):
    """Memberships of one object that share out each set's mass in some way."""
    row = np.zeros(n_clusters)
    for members, mass in literal_pairs.conditioned(masses).items():
        clusters = sorted(members)
        shares = rng.dirichlet(np.full(len(clusters), rng.choice([0.05, 1.0])))
        row[clusters] += mass * shares
    return row


@pytest.mark.parametrize("name", INTERVALS)
@settings(max_examples=40, deadline=None)
@given(groups_of_sides(sides, sides), st.integers(0, 2**32 - 1))
def test_every_compatible_pair_of_partitions_scores_inside(name, pair, seed):
    a, b = map(build, pair)
    lower, upper = INTERVALS[name](a, b)
    rng = np.random.default_rng(seed)
    for _ in range(10):
        rows = [
            [random_compatible(one, 4, rng) for one in literal_pairs.object_masses(side)]
            for side in pair
        ]
        labelled = [sf.FuzzyPartition(np.array(one), normalize=True) for one in rows]
        found = SCORES[name][0](*labelled)
        assert lower - 1e-9 <= found <= upper + 1e-9


@pytest.mark.parametrize("name", INTERVALS)
@settings(max_examples=40, deadline=None)
@given(groups_of_sides(sides, sides))
def test_ends_are_those_of_a_grid_for_each_pair(name, pair):
    a, b = map(build, pair)
    lower, upper = INTERVALS[name](a, b)
    if a.n_objects == 1:
        assert (lower, upper) == (0, 0)
        return
    literal = SCORES[name][1]

    def spread(m):
        return [
            {
                "same": m["same"] + t * m["either"],
                "different": m["different"] + (1 - t) * m["either"],
            }
            for t in np.linspace(0, 1, 9)
        ]

    def end(best):
        return literal_pairs.mean_over_pairs(
            *pair,
            lambda m, w: best(literal(p, q) for p in spread(m) for q in spread(w)),
            is_conditioned=True,
        )

    least, most = end(min), end(max)
    # A grid does not hold the best p for the lower end; the upper one is at its corners.
    assert lower <= least + 1e-9
    assert least == pytest.approx(lower, abs=0.02) or name == "log"
    assert upper == pytest.approx(most, rel=0, abs=1e-9)


@pytest.mark.parametrize("name", INTERVALS)
@settings(max_examples=30, deadline=None)
@given(groups_of_sides(fuzzy_sides, fuzzy_sides))
def test_of_probabilities_both_ends_are_the_score(name, pair):
    a, b = map(build, pair)
    lower, upper = INTERVALS[name](a, b)
    score = SCORES[name][0](a, b)
    assert lower == pytest.approx(score, rel=0, abs=1e-12)
    assert upper == pytest.approx(score, rel=0, abs=1e-12)


def test_a_vacuous_partition_can_score_anything():
    vague = sf.RoughPartition(np.ones((4, 2)))
    assert pair_brier_interval(vague, [0, 0, 1, 1]) == (0.0, 1.0)
    assert pair_log_interval(vague, [0, 0, 1, 1]) == (0.0, inf)
    # Nothing is known of the truth: stating even chances costs a quarter at the most.
    lower, upper = pair_brier_interval(np.full((4, 2), 0.5), vague)
    assert (lower, upper) == (0.25, 0.25)


def test_mass_on_the_empty_set_is_conditioned_away():
    masses, sets = [[0.5, 0.5, 0.0], [0.0, 1.0, 0.0]], [[0, 0], [1, 0], [0, 1]]
    assert pair_brier_interval(sf.EvidentialPartition(masses, sets), [0, 0]) == (0.0, 0.0)


# --- Drawn pairs ---------------------------------------------------------------------------------


@pytest.fixture
def few_pairs(monkeypatch):
    """Draw where there are more than a hundred pairs, not too many."""
    monkeypatch.setattr(import_module("sfumato.indices.pair_log"), "MOST_PAIRS", 100)
    monkeypatch.setattr("sfumato.indices.formulas.drawn_mean.MOST_DRAWS", 1 << 20)


def fuzzy_and_truth(seed, n=60):
    rng = np.random.default_rng(seed)
    memberships = rng.dirichlet(np.ones(4), n)
    return memberships, rng.integers(0, 4, n)


def test_drawn_scores_are_within_their_error(few_pairs):
    misses = 0
    for seed in range(40):
        a, b = fuzzy_and_truth(seed)
        exact = literal_pairs.mean_over_pairs(
            ("fuzzy", a.tolist()), ("hard", b.tolist()), literal_pairs.logarithm
        )
        found = estimate_pair_log(a, b, tolerance=0.05, rng=seed)
        assert found.error <= 0.05
        assert found.confidence == 0.95
        assert found.n_draws >= 4096
        misses += abs(found.value - exact) > found.error
    assert misses <= 2  # 5% of 40; the bound is far from tight


def test_a_smaller_tolerance_takes_more_draws(few_pairs):
    a, b = fuzzy_and_truth(0)
    rough, fine = (estimate_pair_log(a, b, tolerance=t, rng=0).n_draws for t in (0.1, 0.01))
    assert fine > 4 * rough


def test_one_seed_gives_one_answer(few_pairs):
    a, b = fuzzy_and_truth(1)
    assert pair_log(a, b, rng=3) == pair_log(a, b, rng=3)
    assert pair_log(a, b, rng=3) != pair_log(a, b, rng=4)


def test_drawn_pairs_of_two_fuzzy_partitions_keep_digits_near_certainty(few_pairs):
    rng = np.random.default_rng(2)
    unsure = 10.0 ** rng.uniform(-18, -14, 60)
    a = np.column_stack([np.ones(60), unsure])  # rows sum to 1 up to rounding
    found = estimate_pair_log(a, np.zeros(60, dtype=int), rng=0, tolerance=0.01)
    assert 0 <= found.value <= found.error + 4e-14
    apart = pair_log(a[:20], np.arange(20), rng=0, tolerance=0.1)
    assert 31 < apart < 42  # log of about 2e-14 to 2e-18, where 1 - p would be 0


def test_an_impossible_pair_makes_the_score_infinite_also_when_pairs_are_drawn(few_pairs):
    a, b = fuzzy_and_truth(3)
    a[0], a[1] = [1, 0, 0, 0], [0, 1, 0, 0]
    b[:2] = 0  # one pair of 1770 is as it surely is not
    assert estimate_pair_log(a, b, rng=0).value == inf


def test_equal_objects_are_counted_not_drawn():
    a = np.repeat([[0.9, 0.1], [0.2, 0.8]], 50_000, axis=0)
    truth = np.repeat([0, 1], 50_000)
    found = estimate_pair_log(a, truth)
    assert found.error == 0.0
    assert found.confidence is None
    inside, between = 25_000 * 49_999, 50_000**2
    expected = -(inside * (log(0.82) + log(0.68)) * 2 / 2 + between * log(0.74)) / (
        2 * inside + between
    )
    assert found.value == pytest.approx(expected, rel=1e-12)


def test_too_small_a_tolerance_is_refused(few_pairs):
    a, b = fuzzy_and_truth(4)
    with pytest.raises(CostError, match=r"after 1,048,576 pairs, .* not up to tolerance=1e-09"):
        pair_log(a, b, tolerance=1e-9)


def test_rows_of_reports_carry_the_error(few_pairs):
    a, b = fuzzy_and_truth(5)
    report = sf.evaluate({"a": a}, b, measures=["indices.pair_log", "indices.pair_brier"], rng=0)
    drawn, exact = report["a", "indices.pair_log"], report["a", "indices.pair_brier"]
    assert drawn.confidence == 0.95
    assert 0 < drawn.error <= 1e-3
    assert exact.error == 0.0
    assert exact.better == "lower"


# --- Bad input -----------------------------------------------------------------------------------


@pytest.mark.parametrize("score", [pair_brier, pair_log])
def test_kinds_without_probabilities_are_sent_to_the_interval(score):
    expected = (
        f"{score.__name__} takes a hard or fuzzy partition as the candidate, not a rough one.* "
        f"or use sfumato.indices.{score.__name__}_interval, which takes every kind"
    )
    with pytest.raises(UnsupportedError, match=expected):
        score(sf.RoughPartition([[1, 1], [1, 0]]), [0, 1])


@pytest.mark.parametrize("interval", INTERVALS.values())
def test_intervals_refuse_partitions_of_other_objects(interval):
    with pytest.raises(InputError, match="have 2 and 3 objects"):
        interval([0, 1], [0, 1, 1])
