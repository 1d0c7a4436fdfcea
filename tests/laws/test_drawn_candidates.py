"""Drawn candidates in differences and rankings: against enumeration, and what must hold of them."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

import literal_differences as literal
import oracle
import sfumato as sf
from brackets import assert_held
from strategies import READINGS, SHARE, build, random_side

MEASURES = ("rand", "partition_distance", "adjusted_rand", "variation_of_information")
KINDS = (*READINGS, "drawn")
N_OBJECTS = 3


def close(expected):
    return pytest.approx(expected, abs=1e-9, rel=0)


def random_candidate(rng, kind, s=3):
    """A partition, and the sides of the oracle that it is a mixture of, with their masses."""
    if kind != "drawn":
        side = random_side(rng, kind, N_OBJECTS, 2)
        return build(side), [(1.0, side)]
    draws = rng.integers(0, 3, (s, N_OBJECTS))
    draws[0], draws[1] = (0, 0, 1), (0, 1, 2)  # no constant draws
    weights = rng.dirichlet(np.ones(s))
    sides = [("hard", tuple(row)) for row in draws.tolist()]
    return sf.DrawnPartition(draws, weights), list(zip(weights.tolist(), sides, strict=True))


def enumerated(a, b, truth, measure):
    """The mass function of D over all draws of all three."""
    found = Counter()
    for (u, x), (v, y), (w, t) in product(a, b, truth):
        for values, mass in literal.difference_mass(x, y, t, measure).items():
            found[values] += u * v * w * mass
    return dict(found)


@pytest.mark.parametrize("other", KINDS)
@pytest.mark.parametrize("of_truth", KINDS)
def test_a_drawn_candidate_is_the_mixture_of_its_draws(other, of_truth):
    rng = np.random.default_rng([KINDS.index(other), KINDS.index(of_truth)])
    (a, of_a), (b, of_b), (truth, of_t) = (
        random_candidate(rng, kind) for kind in ("drawn", other, of_truth)
    )
    measure = MEASURES[int(rng.integers(len(MEASURES)))]
    ask = {"measure": measure, "engine": "exact"}
    try:
        mass = enumerated(of_a, of_b, of_t, measure)
    except oracle.RefusedError:
        with pytest.raises(sf.UnsupportedError):
            sf.difference(a, b, truth, **ask)
        return
    found = sf.difference(a, b, truth, **ask)
    assert (found.lower, found.upper) == close((literal.lower(mass), literal.upper(mass)))
    assert found.guarantee == "exact"
    assert any("given draws (3)" in note for note in found.notes)
    turned = sf.difference(b, a, truth, **ask)
    assert (turned.lower, turned.upper) == close((-found.upper, -found.lower))
    whole = sf.difference(a, b, truth, quantity="distribution", **ask)
    assert (whole.lower, whole.upper) == close((literal.lower(mass), literal.upper(mass)))
    limits = sf.difference(a, b, truth, quantity="range", **ask)
    values = [value for each in mass for value in each]
    assert (limits.lower, limits.upper) == close((min(values), max(values)))
    ranked = sf.rank({"a": a, "b": b}, truth, **ask)
    i, j = (0, 1) if ranked.better == "higher" else (1, 0)
    assert ranked.lower[i, j] == close(literal.lower(mass))
    assert ranked.belief[i, j] == close(literal.belief_above_zero(mass))
    assert ranked.plausibility[i, j] == close(literal.plausibility_above_zero(mass))
    assert any("given draws (3)" in note for note in ranked.notes)


@pytest.mark.parametrize(
    "measure", [*oracle.MEASURES, SHARE], ids=lambda measure: getattr(measure, "name", measure)
)
def test_draws_against_hard_and_drawn_truths_in_every_measure(measure):
    rng = np.random.default_rng(5)
    a, b, truth = (sf.DrawnPartition(rng.integers(0, 3, (s, 6))) for s in (3, 4, 2))
    hard = sf.HardPartition([0, 0, 1, 1, 2, 2])
    for other, reference in ((b, truth), (b, hard), (hard, truth)):
        found = sf.difference(a, other, reference, measure=measure, quantity="distribution")
        means = [sf.compare(side, reference, measure=measure).mean for side in (a, other)]
        assert found.guarantee == "exact"
        assert found.mean == close(means[0] - means[1])


@pytest.mark.parametrize("of_truth", READINGS)
@pytest.mark.parametrize("s", [1, 3])
def test_draws_that_are_all_alike_are_a_hard_candidate(of_truth, s):
    rng = np.random.default_rng(KINDS.index(of_truth))
    truth = build(random_side(rng, of_truth, 5, 2))
    labels, other = [0, 0, 1, 1, 2], [0, 1, 1, 1, 0]
    drawn = sf.DrawnPartition([labels, [7, 7, 3, 3, 0], labels][:s])
    for quantity in ("expectation", "range", "distribution"):
        one, two = (
            sf.difference(side, other, truth, quantity=quantity) for side in (drawn, labels)
        )
        assert (one.lower, one.upper, one.guarantee) == (two.lower, two.upper, two.guarantee)
    first, second = (sf.rank({"a": side, "b": other}, truth) for side in (drawn, labels))
    assert np.array_equal(first.belief, second.belief)
    assert np.array_equal(first.lower, second.lower)


def test_more_pairs_of_draws_than_tables_are_chosen_at_random():
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 3, 30)
    noisy = np.where(rng.random((2, 40, 30)) < 0.3, rng.integers(0, 3, (2, 40, 30)), truth)
    a, b = map(sf.DrawnPartition, noisy)
    exact = sf.difference(a, b, truth, quantity="distribution")
    few = sf.Auto(max_tables=100)
    found = sf.difference(a, b, truth, quantity="distribution", engine=few, rng=0)
    assert (exact.guarantee, found.guarantee) == ("exact", "confidence")
    assert found.error > 0
    assert found.lower_bracket[0] <= exact.mean <= found.lower_bracket[1]
    whole, ranked = (sf.rank({"a": a, "b": b}, truth, engine=one, rng=0) for one in ("auto", few))
    low, high = ranked.belief_bracket[:, 0, 1]
    assert low < whole.belief[0, 1] < high
    assert ranked.lower[0, 1] == close(exact.mean)  # a difference of two exact means


def test_brackets_hold_where_draws_meet_a_sampled_truth():
    rng = np.random.default_rng(4)
    a, b = (sf.DrawnPartition(rng.integers(0, 2, (3, 8))) for _ in range(2))
    truth = sf.FuzzyPartition(rng.dirichlet(np.ones(2), 8))
    engine = sf.Sampled(n_samples=5000)
    exact = sf.difference(a, b, truth, measure="jaccard", quantity="distribution", engine="exact")
    found = sf.difference(
        a, b, truth, measure="jaccard", quantity="distribution", engine=engine, rng=0
    )
    assert found.guarantee == "confidence"
    assert found.lower_bracket[0] <= exact.mean <= found.lower_bracket[1]
    ranked = sf.rank({"a": a, "b": b}, truth, measure="jaccard", engine=engine, rng=0)
    assert ranked.belief_bracket[:, 0, 1].tolist() == [0.0, 1.0]  # no bound is known for these


def test_brackets_hold_where_time_is_short():
    rng = np.random.default_rng(6)
    a, b = (sf.DrawnPartition(rng.integers(0, 3, (25, 12))) for _ in range(2))
    truth = sf.RoughPartition.from_sets([{i % 3, 0} if i < 5 else {i % 3} for i in range(12)])
    exact = sf.difference(a, b, truth)
    found = sf.difference(a, b, truth, engine=sf.Auto(max_seconds=0.9), rng=0)
    assert exact.guarantee == "exact"
    assert found.guarantee == "confidence"
    assert_held(found, exact)


def test_reports_compare_and_rank_drawn_candidates(tmp_path):
    rng = np.random.default_rng(7)
    chains = {name: sf.DrawnPartition(rng.integers(0, 3, (5, 9))) for name in "ab"}
    hard, truth = rng.integers(0, 3, (2, 9))
    report = sf.evaluate({**chains, "hard": hard}, truth)
    assert report["a", "rand"].mean == sf.compare(chains["a"], truth).mean
    assert report["a", "rand"].kinds == ("drawn", "hard")
    assert sf.pairwise(chains).lower[0, 0] == close(sf.compare(chains["a"], chains["a"]).mean)
    ranking = report.rank()
    assert ranking.lower[0, 2] == close(-ranking.upper[2, 0])
    assert "with the given draws for candidates" in ranking.verdict
    report.to_html(tmp_path / "page.html")
    assert "given draws" in (tmp_path / "page.html").read_text()


def test_more_pairs_of_draws_than_memory_holds_are_refused():
    rng = np.random.default_rng(0)
    a, b = (sf.DrawnPartition(rng.integers(0, 3, (5000, 20))) for _ in range(2))
    with pytest.raises(sf.CostError, match=r"5,000 x 5,000 .* thin the draws"):
        sf.rank({"a": a, "b": b}, rng.integers(0, 3, 20))
