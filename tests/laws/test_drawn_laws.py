"""Drawn partitions against the definitions, enumerated, and what must hold of them."""

from collections import defaultdict
from itertools import product

import numpy as np
import pytest

import oracle
import sfumato as sf
from brackets import assert_held, assert_overlap
from sfumato.methods import drawn_law
from strategies import READINGS, SHARE, T_NORMS, build, random_side

MEASURES = tuple(oracle.MEASURES)
N_OBJECTS = 4


def close(expected):
    return pytest.approx(expected, abs=1e-12, rel=0)


def random_draws(seed, s=5, n=N_OBJECTS, k=3):
    rng = np.random.default_rng(seed)
    weights = rng.dirichlet(np.ones(s))
    return rng.integers(0, k, (s, n)), weights


def literally(parts):
    """A mixture of answers that were found by enumeration, as (mass, answer)."""
    mass = defaultdict(float)
    for weight, answer in parts:
        for values, part in answer.mass.items():
            mass[values] += weight * part
    return mass


def ends_of(mass):
    return [sum(m * end(values) for values, m in mass.items()) for end in (min, max)]


def hard(labels):
    return ("hard", tuple(map(int, labels)))


@pytest.mark.parametrize("is_turned", [False, True])
@pytest.mark.parametrize("reading", READINGS)
def test_draws_against_any_side_follow_the_definition(reading, is_turned):
    rng = np.random.default_rng(READINGS.index(reading))
    some = ("rand", "variation_of_information", "purity", "adjusted_rand")
    for turn, measure in enumerate(MEASURES * 4 if reading == "hard" else some * 2):
        draws, weights = random_draws(turn)
        side = random_side(rng, reading, N_OBJECTS, 3)
        pairs = [(hard(row), side) for row in draws]
        sides = sf.DrawnPartition(draws, weights), build(side)
        if is_turned:
            sides, pairs = sides[::-1], [pair[::-1] for pair in pairs]
        answers = [oracle.compare_literally(a, b, measure) for a, b in pairs]
        mass = literally(zip(weights, answers, strict=True))
        mean, limits, whole = (
            sf.compare(*sides, measure=measure, quantity=quantity, engine="exact")
            for quantity in ("expectation", "range", "distribution")
        )
        assert mean.guarantee == limits.guarantee == "exact"
        for found in (mean, whole):
            assert [found.lower, found.upper] == close(ends_of(mass))
        ranges = [answer.range for answer in answers]
        lowest, highest = min(low for low, _ in ranges), max(high for _, high in ranges)
        assert (limits.lower, limits.upper) == close((lowest, highest))
        if T_NORMS.get(reading) is None:
            for t in (0.3, 0.7):
                belief = sum(m for v, m in mass.items() if min(v) >= t - 1e-9)
                assert whole.distribution.belief(at_least=t) == close(belief)
        if reading == "hard":
            variance = sum(m * min(v) ** 2 for v, m in mass.items()) - whole.lower**2
            assert whole.std == pytest.approx(max(variance, 0.0) ** 0.5, abs=1e-7)
            assert whole.distribution.values.tolist() == close(sorted(min(v) for v in mass))
            for pair, end in ((limits.lower_witness, lowest), (limits.upper_witness, highest)):
                assert sf.compare(*pair, measure=measure).mean == close(end)


def test_two_drawn_sides_are_independent_unless_paired():
    (one, v), (other, w) = random_draws(1), random_draws(2, s=6)
    a, b = sf.DrawnPartition(one, v), sf.DrawnPartition(other, w)
    for measure in MEASURES:
        values = [
            [oracle.value(measure, tuple(x), tuple(y)) for y in other.tolist()]
            for x in one.tolist()
        ]
        assert sf.compare(a, b, measure=measure).mean == close(v @ np.array(values) @ w)
    paired = sf.DrawnPartition(other[:5], v)
    together = [oracle.value("rand", tuple(x), tuple(y)) for x, y in zip(one, other, strict=False)]
    assert sf.compare(a, paired, paired=True).mean == close(v @ np.array(together))
    assert sf.compare(a, a, paired=True).mean == 1.0
    assert sf.compare(a, a).mean < 1.0


def test_weights_are_repeats_and_neither_order_nor_names_matter():
    draws, _ = random_draws(5, s=4)
    counts = np.array([3, 1, 0, 2])
    weighted = sf.DrawnPartition(draws, counts)
    repeated = np.repeat(draws, counts, axis=0)
    shuffled = np.random.default_rng(0).permutation(repeated)
    renamed = [[f"cluster {7 - label}" for label in row] for row in shuffled.tolist()]
    truth, fuzzy = [0, 0, 1, 1], sf.FuzzyPartition([[0.5, 0.5], [1, 0], [0.2, 0.8], [0, 1]])
    for other, measure in product((truth, fuzzy), ("rand", "partition_distance")):
        first, *rest = (
            sf.compare(side, other, measure=measure, quantity="distribution")
            for side in (weighted, *map(sf.DrawnPartition, (repeated, shuffled, renamed)))
        )
        for found in rest:
            assert found.mean == close(first.mean)
            assert found.distribution.values.tolist() == first.distribution.values.tolist()
            assert found.distribution.probabilities.tolist() == close(
                first.distribution.probabilities.tolist()
            )


@pytest.mark.parametrize("draws", [[[0, 1, 1]], [[0, 1, 1], [5, 2, 2], [1, 0, 0]]])
def test_constant_draws_are_the_hard_partition(draws):
    drawn, truth = sf.DrawnPartition(draws), ["x", "x", "y"]
    found, expected = sf.compare(drawn, truth), sf.compare(draws[0], truth)
    assert drawn.simplest() == sf.HardPartition([0, 1, 1])
    assert (found.mean, found.std, found.kinds) == (expected.mean, 0.0, ("drawn", "hard"))
    assert any("of the given draws" in note for note in found.notes)
    assert drawn.point_estimate(rng=0).equivalent(sf.HardPartition(draws[0]))
    assert drawn.credible_ball().radius == 0.0
    assert sf.compare(drawn, drawn, paired=True).mean == 1.0


def test_many_pairs_of_draws_are_sampled_with_an_error_that_holds():
    rng = np.random.default_rng(0)
    a, b = (sf.DrawnPartition(rng.integers(0, 3, (60, 30))) for _ in range(2))
    exact = sf.compare(a, b, measure="adjusted_rand")
    assert (exact.guarantee, exact.method) == ("exact", "drawn_law")
    drawn = sf.compare(a, b, measure="adjusted_rand", engine=sf.Auto(max_tables=100), rng=1)
    assert drawn.guarantee == "confidence"
    assert drawn.lower_bracket[0] <= exact.mean <= drawn.lower_bracket[1]
    assert 0 < drawn.error <= 2e-3
    again = sf.compare(a, b, measure="adjusted_rand", engine=sf.Auto(max_tables=100), rng=1)
    assert again.mean == drawn.mean
    with pytest.raises(sf.CostError, match=r"3.6e\+03 tables"):
        sf.compare(a, b, engine=sf.Exact(max_tables=100))


@pytest.mark.parametrize(
    "engine",
    [sf.Sampled(n_samples=50), sf.Sampled(tolerance=0.1), sf.Auto(max_tables=50)],
    ids=str,
)
def test_a_range_of_sampled_pairs_of_draws_is_known_from_inside_only(engine):
    a, b = (sf.DrawnPartition(random_draws(seed, s=40, n=12)[0]) for seed in (1, 2))
    exact = sf.compare(a, b, measure="ari", quantity="range")
    found = sf.compare(a, b, measure="ari", quantity="range", engine=engine, rng=0)
    assert (exact.guarantee, found.guarantee) == ("exact", "inner")
    assert_held(found, exact, slack=0.0)
    hard = np.arange(12) % 3
    exact = sf.difference(a, b, hard, measure="ari", quantity="range")
    found = sf.difference(a, b, hard, measure="ari", quantity="range", engine=engine, rng=0)
    assert_held(found, exact, slack=0.0)


def test_a_range_over_more_draws_than_there_is_time_for_is_open_beyond_those_asked(monkeypatch):
    draws = sf.DrawnPartition(random_draws(1, s=60, n=6)[0])
    soft = sf.FuzzyPartition(np.random.default_rng(0).dirichlet(np.ones(3), 6))
    exact = sf.compare(draws, soft, measure="ari", quantity="range")
    monkeypatch.setattr(drawn_law, "_LONG", 1e-2)
    monkeypatch.setattr(drawn_law, "_FEWEST_DRAWS", 5)
    found = sf.compare(draws, soft, measure="ari", quantity="range")
    assert (exact.guarantee, found.guarantee) == ("exact", "certified")
    why = sf.explain(draws, soft, measure="ari", quantity="range").why
    assert why == "what rough_ends says of 11 of 48 draws"  # that differ
    assert_held(found, exact, slack=0.0)


def test_samples_of_the_soft_side_have_one_bound_for_all_draws():
    rng = np.random.default_rng(0)
    drawn = sf.DrawnPartition(rng.integers(0, 3, (20, 30)))
    fuzzy = sf.FuzzyPartition(rng.dirichlet(np.ones(3), 30))
    exact = sf.compare(drawn, fuzzy)
    found = sf.compare(drawn, fuzzy, engine=sf.Sampled(n_samples=20_000), rng=0)
    assert (found.guarantee, found.n_samples) == ("confidence", 20_000)
    # Hoeffding's half-width for 20,000 values in [0, 1] at 95%.
    assert found.error == pytest.approx((np.log(40) / 40_000) ** 0.5)
    assert found.lower_bracket[0] <= exact.mean <= found.lower_bracket[1]


def test_brackets_of_the_soft_side_share_the_risk_among_the_draws():
    rng = np.random.default_rng(0)
    drawn = sf.DrawnPartition(rng.integers(0, 3, (4, 30)))
    evidential = sf.EvidentialPartition(rng.dirichlet(np.ones(4), 30), [*np.eye(3), np.ones(3)])
    engine = sf.Sampled(n_samples=4000, bound="hoeffding")
    found = sf.compare(drawn, evidential, engine=engine, rng=0)
    # 1,000 values in [0, 1] for each of 4 draws, at two ends: a risk of 5% / 8 each.
    expected = (np.log(2 * 8 / 0.05) / 2000) ** 0.5
    assert found.lower - found.lower_bracket[0] == pytest.approx(expected)
    assert found.upper_bracket[1] - found.upper == pytest.approx(expected)
    assert_overlap(found, sf.compare(drawn, evidential))


def test_time_that_is_over_leaves_the_rest_of_the_draws_open():
    rng = np.random.default_rng(0)
    drawn = sf.DrawnPartition(rng.integers(0, 3, (300, 60)))
    fuzzy = sf.FuzzyPartition(rng.dirichlet(np.ones(3), 60))
    engine = sf.Auto(max_seconds=1e-3)
    found = sf.compare(drawn, fuzzy, engine=engine, rng=0)
    exact = sf.compare(drawn, fuzzy)
    assert found.lower_bracket[0] <= exact.mean <= found.upper_bracket[1]
    assert found.guarantee != "exact"


def test_a_measure_without_structure_is_answered_too():
    draws, weights = random_draws(8)
    drawn = sf.DrawnPartition(draws, weights)
    for other in ([0, 0, 1, 1], sf.FuzzyPartition(np.full((4, 2), 0.5))):
        answers = [sf.compare(row, other, measure=SHARE, engine="exact").mean for row in draws]
        assert sf.compare(drawn, other, measure=SHARE).mean == close(weights @ np.array(answers))


def test_many_small_clusters_are_counted_by_their_cells():
    rng = np.random.default_rng(0)
    drawn, truth = sf.DrawnPartition(rng.integers(0, 40, (6, 50))), rng.integers(0, 30, 50)
    values = [sf.compare(row, truth, measure="adjusted_rand").mean for row in drawn.codes]
    assert sf.compare(drawn, truth, measure="adjusted_rand").mean == close(np.mean(values))


def test_a_drawn_truth_ranks_hard_and_fuzzy_candidates():
    draws, weights = random_draws(9, s=6)
    truth = sf.DrawnPartition(draws, weights)
    a, b = [0, 0, 1, 1], [0, 1, 1, 1]
    values = np.array([[oracle.rand(tuple(c), tuple(row)) for row in draws] for c in (a, b)])
    gaps = values[0] - values[1]
    found = sf.difference(a, b, truth, quantity="distribution")
    assert found.mean == close(weights @ gaps)
    assert found.distribution.belief(at_least=1e-6) == close(weights[gaps > 1e-6].sum())
    ranking = sf.rank({"a": a, "b": b, "f": sf.FuzzyPartition(np.full((4, 2), 0.5))}, truth)
    assert ranking.lower[0, 1] == close(weights @ gaps)


def test_answers_are_the_same_on_any_number_of_threads():
    rng = np.random.default_rng(0)
    a, b = (sf.DrawnPartition(rng.integers(0, 3, (80, 20))) for _ in range(2))
    first, second = (
        sf.compare(a, b, engine=sf.Auto(max_tables=10, threads=threads), rng=4).mean
        for threads in (1, 2)
    )
    assert first == second


@pytest.mark.parametrize("measure", MEASURES)
def test_all_clusterings_of_a_fuzzy_partition_give_its_answer(measure):
    rng = np.random.default_rng(3)
    memberships = rng.dirichlet(np.ones(2), 5)
    every = np.array(list(product(range(2), repeat=5)))
    weights = memberships[np.arange(5), every].prod(axis=1)
    drawn, fuzzy = sf.DrawnPartition(every, weights), sf.FuzzyPartition(memberships)
    others = sf.HardPartition([0, 0, 1, 1, 2]), sf.FuzzyPartition(rng.dirichlet(np.ones(3), 5))
    for other in others:
        of_draws, of_fuzzy = (
            sf.compare(side, other, measure=measure, quantity="distribution", engine="exact")
            for side in (drawn, fuzzy)
        )
        assert of_draws.mean == close(of_fuzzy.mean)
        assert of_draws.std == pytest.approx(of_fuzzy.std, abs=1e-9)
        for t in (0.25, 0.5, 0.75):
            assert of_draws.distribution.belief(at_most=t) == pytest.approx(
                of_fuzzy.distribution.belief(at_most=t), abs=1e-12
            )
