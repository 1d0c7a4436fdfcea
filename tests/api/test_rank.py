"""Rankings and differences: against the definition, and by the laws that they obey."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from literal_differences import (
    belief_above_zero,
    difference_mass,
    lower,
    plausibility_above_zero,
    upper,
)
from oracle import RefusedError, n_choices
from strategies import (
    READINGS,
    SHARE,
    build,
    evidential_sides,
    fuzzy_sides,
    hard_sides,
    random_side,
    rough_sides,
)

CLOSE = 1e-9
KINDS = ("hard", "rough", "fuzzy", "consonant", "evidential")
EVERY_MEASURE = list(sf.measures())


def triple(rng, kinds, n=3, k=2, most=300):
    while True:
        found = [random_side(rng, kind, n, k) for kind in kinds]
        few = np.prod([float(n_choices(side)) for side in found]) <= most
        if few and all(is_genuine(build(side)) for side in found):
            return found


def is_genuine(partition):
    """Whether no simpler kind says the same, so that theories are those of the kinds."""
    return partition.simplest().kind in (partition.kind, "evidential")


def holds(bracket, value):
    return bracket[0] - CLOSE <= value <= bracket[1] + CLOSE


@pytest.mark.parametrize("pair", list(product(READINGS, repeat=2)), ids="-".join)
def test_a_difference_is_what_the_definition_says_or_one_clear_refusal(pair):
    rng = np.random.default_rng([READINGS.index(kind) for kind in pair])
    for of_truth in READINGS:
        check_difference(rng, *triple(rng, (*pair, of_truth)))


def check_difference(rng, a, b, truth):
    built = [build(side) for side in (a, b, truth)]
    measure = ("rand", "partition_distance", "adjusted_rand")[int(rng.integers(3))]
    try:
        mass = difference_mass(a, b, truth, measure)
    except RefusedError:
        with pytest.raises(sf.UnsupportedError) as caught:
            sf.difference(*built, measure=measure)
        assert "\n" not in str(caught.value)
        return
    found = sf.difference(*built, measure=measure, engine="exact")
    assert found.lower == pytest.approx(lower(mass), abs=CLOSE)
    assert found.upper == pytest.approx(upper(mass), abs=CLOSE)
    whole = sf.difference(*built, measure=measure, engine="exact", quantity="distribution")
    ranked = sf.rank({"a": built[0], "b": built[1]}, built[2], measure=measure, engine="exact")
    i, j = (0, 1) if ranked.better == "higher" else (1, 0)
    assert ranked.belief[i, j] == pytest.approx(belief_above_zero(mass), abs=CLOSE)
    assert ranked.plausibility[i, j] == pytest.approx(plausibility_above_zero(mass), abs=CLOSE)
    assert ranked.lower[i, j] == pytest.approx(lower(mass), abs=CLOSE)
    assert whole.distribution.support.tolist() == pytest.approx(
        sorted({0.0 + d for values in mass for d in values}), abs=CLOSE
    )


@pytest.mark.parametrize("engine", ["bounds", sf.Sampled(n_samples=100)], ids=["bounds", "drawn"])
@pytest.mark.parametrize("measure", ["rand", "partition_distance", "jaccard", "purity"])
def test_brackets_hold_the_truth_for_every_engine(engine, measure):
    rng = np.random.default_rng(5)
    for kinds in list(product(KINDS, repeat=3))[::19]:
        a, b, truth = triple(rng, kinds)
        mass = difference_mass(a, b, truth, measure)
        built = [build(side) for side in (a, b, truth)]
        found = sf.difference(*built, measure=measure, engine=engine, rng=0)
        assert holds(found.lower_bracket, lower(mass)), kinds
        assert holds(found.upper_bracket, upper(mass)), kinds
        ranked = sf.rank(
            {"a": built[0], "b": built[1]}, built[2], measure=measure, engine=engine, rng=0
        )
        i, j = (0, 1) if ranked.better == "higher" else (1, 0)
        assert holds(ranked.belief_bracket[:, i, j], belief_above_zero(mass)), kinds
        assert holds(ranked.plausibility_bracket[:, i, j], plausibility_above_zero(mass)), kinds
        assert holds(ranked.lower_bracket[:, i, j], lower(mass)), kinds


@pytest.mark.parametrize("kinds", [("min", "fuzzy", "rough"), ("evidential", "min", "min")])
def test_brackets_hold_where_one_level_is_drawn_for_all_objects(kinds):
    rng = np.random.default_rng(9)
    for _ in range(4):
        a, b, truth = triple(rng, kinds)
        mass = difference_mass(a, b, truth, "rand")
        built = [build(side) for side in (a, b, truth)]
        engine = sf.Sampled(n_samples=1000)
        found = sf.difference(*built, engine=engine, rng=0)
        assert found.guarantee == "confidence"
        assert holds(found.lower_bracket, lower(mass))
        assert holds(found.upper_bracket, upper(mass))
        assert np.diff(found.lower_bracket)[0] < 0.7  # of 2
        ranked = sf.rank({"a": built[0], "b": built[1]}, built[2], engine=engine, rng=0)
        assert holds(ranked.belief_bracket[:, 0, 1], belief_above_zero(mass))
        assert holds(ranked.plausibility_bracket[:, 0, 1], plausibility_above_zero(mass))
        assert ranked.belief_bracket[0, 0, 1] > belief_above_zero(mass) - 0.15


def test_what_cannot_be_drawn_beside_a_level_keeps_its_range():
    rng = np.random.default_rng(3)
    possible = sf.PossibilisticPartition(rng.random((12, 3)), t_norm="min")
    truth = sf.RoughPartition(rng.random((12, 3)) >= [0.0, 0.5, 0.5])
    sides = possible, rng.dirichlet(np.ones(3), 12), truth
    whole = sf.difference(*sides, quantity="range")
    found = sf.difference(*sides, engine="bounds")
    assert found.guarantee == "certified"
    assert whole.lower - CLOSE <= found.lower_bracket[0]
    assert found.upper_bracket[1] <= whole.upper + CLOSE
    with pytest.raises(sf.CostError, match="at each level"):
        sf.difference(*sides, engine=sf.Exact(max_tables=100))


@pytest.mark.parametrize("measure", [*EVERY_MEASURE, SHARE], ids=[*EVERY_MEASURE, "own"])
def test_every_measure_gets_an_answer(measure):
    rng = np.random.default_rng(8)
    truth = build(random_side(rng, "rough", 14, 3))
    named = {kind: build(random_side(rng, kind, 14, 3)) for kind in ("hard", "fuzzy", "evidential")}
    engine = "auto" if measure is SHARE else sf.Sampled(n_samples=30)
    found = sf.rank(named, truth, measure=measure, engine=engine, rng=0)
    assert found.guarantee in ("exact", "certified", "confidence", "inner")
    assert (found.lower <= found.upper + CLOSE).all()
    assert (found.belief <= found.plausibility).all()
    if found.guarantee == "inner":  # attained ends decide nothing
        assert not found.dominates[2].any()
        assert not found.dominates[:, 2].any()


@given(st.data())
@settings(max_examples=25, deadline=None)
def test_differences_are_antisymmetric_and_dominance_is_transitive(data):
    sizes = {"n_objects": st.just(data.draw(st.integers(2, 4))), "n_clusters": st.integers(1, 2)}
    kinds = hard_sides(**sizes), rough_sides(**sizes), fuzzy_sides(**sizes)
    plain = st.one_of(*kinds, evidential_sides(**sizes).filter(lambda side: n_choices(side) <= 40))
    drawn = [data.draw(plain) for _ in range(4)]
    *candidates, truth = [build(side) for side in drawn]
    found = sf.rank(dict(zip("abc", candidates, strict=True)), truth, engine="exact")
    assert np.allclose(found.lower, -found.upper.T)
    assert np.allclose(found.pignistic, -found.pignistic.T)
    assert np.allclose(found.belief_at_least, 1 - found.plausibility.T)
    assert (found.lower <= found.pignistic + CLOSE).all()
    assert (found.pignistic <= found.upper + CLOSE).all()
    wins = found.dominates.astype(int)
    assert not ((wins @ wins > 0) & ~found.dominates).any()
    assert not np.diag(found.dominates).any()
    assert not (found.interval_dominates & ~found.dominates).any()
    assert len(found.maximal) >= 1


def test_dominance_is_transitive_where_brackets_are_wide():
    rng = np.random.default_rng(2)
    labels = rng.integers(3, size=60)
    truth = np.eye(3, dtype=bool)[labels]
    truth[rng.choice(60, 20, replace=False)] = True
    named = {}
    for weight in (0.9, 0.8, 0.7, 0.5):
        noise = rng.dirichlet(np.ones(3), 60)
        named[str(weight)] = weight * np.eye(3)[labels] + (1 - weight) * noise
    found = sf.rank(named, sf.RoughPartition(truth), engine=sf.Sampled(n_samples=50), rng=0)
    low = found.lower_bracket[0]
    for i, j, k in product(range(4), repeat=3):
        assert low[i, k] >= low[i, j] + low[j, k] - CLOSE


@pytest.mark.parametrize("kind", ["hard", "fuzzy"])
@pytest.mark.parametrize("measure", ["rand", "variation_of_information", "adjusted_rand"])
def test_a_truth_without_sets_gives_differences_of_ends(measure, kind):
    rng = np.random.default_rng(1)
    truth = build(random_side(rng, kind, 12 if kind == "hard" else 5, 3))
    a, b = (build(random_side(rng, own, truth.n_objects, 3)) for own in ("rough", "evidential"))
    alone = [sf.compare(side, truth, measure=measure) for side in (a, b)]
    found = sf.difference(a, b, truth, measure=measure)
    assert found.lower == pytest.approx(alone[0].lower - alone[1].upper, abs=1e-12)
    assert found.upper == pytest.approx(alone[0].upper - alone[1].lower, abs=1e-12)


@pytest.mark.parametrize("measure", ["rand", "mutual_information"])
def test_means_of_fuzzy_partitions_are_differences_of_means(measure):
    rng = np.random.default_rng(3)
    a, b, truth = (rng.dirichlet(np.ones(3), 80) for _ in range(3))
    found = sf.difference(a, b, truth, measure=measure)
    means = [sf.compare(side, truth, measure=measure).mean for side in (a, b)]
    assert found.is_exact
    assert found.mean == pytest.approx(means[0] - means[1], abs=1e-15)
    assert float(found) == found.mean
    ranked = sf.rank({"a": a, "b": b}, truth, measure=measure, rng=0)
    assert ranked.lower[0, 1] == ranked.upper[0, 1] == pytest.approx(found.mean, abs=1e-15)
    assert ranked.guarantee == "confidence"
    assert ranked.lower_bracket[0, 0, 1] == ranked.lower_bracket[1, 0, 1]


def test_a_shared_rough_truth_leaves_narrow_brackets_without_draws():
    rng = np.random.default_rng(6)
    labels = rng.integers(3, size=120)
    mask = np.eye(3, dtype=bool)[labels]
    mask[:12] |= np.eye(3, dtype=bool)[rng.integers(3, size=12)]
    soft = 0.7 * np.eye(3)[labels] + 0.3 * rng.dirichlet(np.ones(3), 120)
    wrong = np.where(rng.random(120) < 0.2, (labels + 1) % 3, labels)
    found = sf.difference(soft, wrong, sf.RoughPartition(mask), engine="bounds")
    assert found.guarantee == "certified"
    assert np.diff(found.lower_bracket)[0] < 5e-3
    assert np.diff(found.upper_bracket)[0] < 5e-3


def test_all_pairs_share_the_draws():
    rng = np.random.default_rng(2)
    named = {name: rng.dirichlet(np.ones(3), 30) for name in "abc"}
    named["d"] = named["a"]
    truth = rng.dirichlet(np.ones(3), 30)
    pair, more = (
        sf.rank(
            {name: named[name] for name in names}, truth, engine=sf.Sampled(n_samples=200), rng=1
        )
        for names in ("ab", "abc")
    )
    assert pair.n_samples == more.n_samples == 200
    # A draw orders all candidates at once: who beats whom adds up to one winner in each of them.
    wins = more.belief
    assert wins[0, 1] + wins[1, 0] <= 1.0
    assert wins[0, 2] >= wins[0, 1] + wins[1, 2] - 1.0


def test_a_distance_is_turned_so_that_more_is_better():
    truth = [0, 0, 0, 1, 1, 1]
    near, far = [0, 0, 0, 1, 1, 0], [0, 1, 0, 1, 0, 1]
    found = sf.rank({"near": near, "far": far}, truth, measure="partition_distance")
    raw = sf.difference(near, far, truth, measure="partition_distance")
    assert raw.better == "lower"
    assert found.lower[0, 1] == -raw.lower > 0
    assert found.maximal == ("near",)
    assert found.hardened[0, 1] == -raw.hardened


def test_ties_are_no_wins():
    truth = sf.RoughPartition.from_sets([{0}, {0, 1}, {1}])
    found = sf.rank({"a": [0, 0, 1], "b": [1, 1, 0], "c": [0, 0, 1]}, truth)
    assert found.maximal == ("a", "b", "c")
    assert found.order == ()
    assert not found.plausibility.any()
    assert (found.belief_at_least == 1).all()
    assert "cannot be told apart" in found.verdict


def test_equal_soft_candidates_are_independent_copies():
    soft = [[0.5, 0.5], [0.9, 0.1], [0.1, 0.9]]
    found = sf.rank({"a": soft, "b": soft}, [0, 0, 1])
    assert found.lower[0, 1] == found.upper[0, 1] == 0.0
    assert found.belief[0, 1] == pytest.approx(found.belief[1, 0]) != 0.0
    assert not found.dominates.any()


def test_a_candidate_that_contains_another_is_never_worse_for_sure():
    truth = [0, 0, 1, 1, 1]
    found = sf.rank({"sure": truth, "vague": sf.RoughPartition([[1, 1]] * 5)}, truth)
    assert found.maximal == ("sure", "vague")
    assert found.belief_at_least[0, 1] == 1.0
    assert found.plausibility[0, 1] == 1.0
    assert found.plausibility[1, 0] == 0.0


def test_one_candidate_is_the_best():
    found = sf.rank({"only": [0, 1, 1]}, [0, 0, 1])
    assert found.maximal == ("only",)
    assert found.rows == []
    assert found.verdict == "only is the only candidate, so there is nothing to rank."


def test_a_margin_is_to_be_exceeded():
    truth, near, far = [0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 0], [0, 1, 0, 1, 0, 1]
    lead = sf.difference(near, far, truth).mean
    named = {"near": near, "far": far}
    assert sf.rank(named, truth, margin=0.9 * lead).maximal == ("near",)
    assert sf.rank(named, truth, margin=lead).maximal == ("near", "far")


def test_the_confidence_is_that_of_all_pairs():
    rng = np.random.default_rng(0)
    named = {str(i): rng.dirichlet(np.ones(3), 60) for i in range(4)}
    truth = rng.dirichlet(np.ones(3), 60)
    engine = sf.Sampled(n_samples=500, confidence=0.5)
    wide, narrow = (
        sf.rank(named, truth, engine=engine, confidence=confidence, rng=0)
        for confidence in (0.99, 0.6)
    )
    assert wide.confidence == 0.99
    assert wide.n_samples == 500
    assert np.array_equal(wide.belief, narrow.belief)
    for i, j in combinations(range(4), 2):
        assert wide.belief_bracket[0, i, j] < narrow.belief_bracket[0, i, j]
        assert wide.belief_bracket[1, i, j] > narrow.belief_bracket[1, i, j]


def test_a_seed_gives_the_same_ranking():
    rng = np.random.default_rng(4)
    named = {"a": rng.dirichlet(np.ones(3), 50), "b": rng.dirichlet(np.ones(3), 50)}
    truth = rng.dirichlet(np.ones(3), 50)
    first, second, third = (sf.rank(named, truth, rng=seed) for seed in (1, 1, 2))
    assert np.array_equal(first.lower, second.lower)
    assert np.array_equal(first.belief, second.belief)
    assert not np.array_equal(first.belief, third.belief)


def test_objects_are_aligned_by_the_index_of_the_truth():
    pd = pytest.importorskip("pandas")
    labels = pd.Series([0, 0, 1, 1], index=list("wxyz"))
    found = sf.rank({"a": labels[::-1], "b": pd.Series([0, 1, 0, 1], index=list("wxyz"))}, labels)
    assert found.maximal == ("a",)
    assert found.lower[0, 1] == pytest.approx(2 / 3)


def test_dropped_objects_leave_all_sides():
    truth, noisy = [0, 0, 1, 1, 1], [0, 0, 1, 1, -1]
    found = sf.rank({"a": noisy, "b": [0, 1, 1, 1, 0]}, truth, noise="drop")
    assert found.n_objects == 4
    assert "Compared on 4 of 5 objects (80%): the others were dropped." in found.notes


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            lambda: sf.rank({"a": [0, 1], "b": [0, 1, 1]}, [0, 1]),
            "b: The partitions have 2 and 3 objects; they must speak of the same objects.",
        ),
        (lambda: sf.rank({}, [0, 1]), "There is no partition to compare"),
        (lambda: sf.rank([[0, 1]], [0, 1]), "Partitions are passed by name"),
        (
            lambda: sf.rank({"a": [0, 1]}, [0, 1], margin=-0.1),
            "margin must be a number of at least 0, got -0.1.",
        ),
        (
            lambda: sf.rank({"a": [0, 1]}, [0, 1], confidence=95),
            "confidence must lie strictly between 0 and 1, got 95.",
        ),
        (
            lambda: sf.difference([0, 1], [0, 1], [0, 1], quantity="mean"),
            "Unknown quantity 'mean'",
        ),
        (lambda: sf.difference([0, 1], [0, 1], ["x", None]), "truth: "),
        (
            lambda: sf.rank({"a": [0, 1], "b": [1, 0]}, [0, 1])["a", "c"],
            "No pair ('a', 'c') in this ranking; the candidates are 'a', 'b'.",
        ),
    ],
)
def test_bad_input_is_one_clear_line(call, said):
    with pytest.raises(sf.InputError) as caught:
        call()
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_pair_that_is_too_large_is_refused_before_memory_is_used():
    rng = np.random.default_rng(0)
    a, b = (sf.PossibilisticPartition(rng.random((2000, 200)), t_norm="min") for _ in range(2))
    with pytest.raises(sf.CostError, match="The two candidates together have 8e\\+07 entries"):
        sf.difference(a, b, sf.RoughPartition(rng.random((2000, 3)) >= [0.0, 0.2, 0.2]))
