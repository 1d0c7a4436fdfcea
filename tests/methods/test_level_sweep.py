"""The t-norm min by a sweep over levels: cuts, brackets, relabelling, and what it costs."""

import numpy as np
import pytest

import sfumato as sf
from brackets import assert_held
from by_method import answer, planned, question
from sfumato.algorithms.ends import rough_bracket
from sfumato.algorithms.ends.level_brackets import sweep_brackets
from sfumato.algorithms.ends.matching_program import MOST_FLOWS
from sfumato.methods import level_sweep
from sfumato.partitions.possibilistic import cut_of
from sfumato.question import joint
from strategies import SHARE, random_degrees

MEASURES = ("rand", "partition_distance", "adjusted_rand", "variation_of_information")
every_measure = pytest.mark.parametrize("measure", MEASURES)


def possibilistic(seed, n_objects=40, n_clusters=3, t_norm="min", n_values=None):
    rng = np.random.default_rng(seed)
    rows = random_degrees(rng, n_objects, n_clusters, power=3, n_values=n_values)
    return sf.PossibilisticPartition(rows, t_norm=t_norm)


def truth(seed, n_objects=40):
    return np.random.default_rng(1000 + seed).integers(3, size=n_objects)


def check_cuts(a, b, measure, levels):
    found = answer("level_sweep", a, b, measure, "distribution").distribution
    for level in levels:
        rough = sf.compare(cut_of(a, level), cut_of(b, level), measure=measure, engine="exact")
        cut = found.cut(float(level))
        assert (cut.lower, cut.upper) == pytest.approx((rough.lower, rough.upper), abs=1e-14)


@every_measure
def test_the_cut_at_each_level_is_the_rough_comparison_of_the_cuts(measure):
    for seed in range(3):
        a = possibilistic(seed, n_values=8)
        check_cuts(a, sf.HardPartition(truth(seed)), measure, a.levels())


@pytest.mark.parametrize("measure", ["rand", "partition_distance", "jaccard"])
def test_two_possibilistic_sides_share_the_level(measure):
    a, b = possibilistic(0, 12, n_values=5), possibilistic(1, 12, n_values=5)
    check_cuts(a, b, measure, np.union1d(a.levels(), b.levels()))


@every_measure
def test_expectations_are_the_sums_of_the_ends_by_the_masses_of_the_levels(measure):
    a, b = possibilistic(5), truth(5)
    found = answer("level_sweep", a, b, measure)
    levels = a.levels()
    masses = levels - np.append(levels[1:], 0.0)
    ends = [sf.compare(a.cut(level), b, measure=measure, engine="exact") for level in levels]
    assert found.lower == pytest.approx(masses @ [end.lower for end in ends], abs=1e-13)
    assert found.upper == pytest.approx(masses @ [end.upper for end in ends], abs=1e-13)
    assert found.guarantee == "exact"


@pytest.mark.parametrize("max_nodes", [0, 1, 40])
@every_measure
def test_brackets_hold_the_exact_ends_when_searches_run_out_of_nodes(measure, max_nodes):
    for seed in range(2):
        a, b = possibilistic(seed), truth(seed)
        exact = answer("level_sweep", a, b, measure)
        found = answer("level_sweep", a, b, measure, max_nodes=max_nodes)
        assert exact.guarantee == "exact"
        assert_held(found, exact, slack=1e-13)
        assert (found.lower, found.upper) == (found.lower_bracket[0], found.upper_bracket[1])


@every_measure
def test_brackets_hold_the_exact_ends_when_few_levels_can_be_solved(measure, monkeypatch):
    a, b = possibilistic(3, n_objects=150), truth(3, 150)  # some 300 levels
    exact = answer("level_sweep", a, b, measure, max_nodes=10**6)
    assert exact.guarantee == "exact"
    errors = []
    for seconds in (1e-4, 1e-2, 10.0):  # for all levels, by operation counts and not by a clock
        monkeypatch.setattr(level_sweep, "_SECONDS", seconds)
        found = answer("level_sweep", a, b, measure, max_tables=4, max_nodes=10**6)
        assert found.guarantee == ("certified" if found.error > 0 else "exact")
        assert found.error == 0 or any("within a bracket only" in note for note in found.notes)
        assert_held(found, exact, slack=1e-13)
        errors.append(found.error)
    assert errors == sorted(errors, reverse=True)
    assert errors[0] > 0


def test_levels_that_searches_leave_open_are_bracketed(monkeypatch):
    a, b = possibilistic(3, n_objects=60, n_clusters=4), truth(3, 60)
    asked = []

    def sweep(objective, types, masses, *limits, **options):
        asked.append(np.count_nonzero(masses))
        return sweep_brackets(objective, types, masses, *limits, **options)

    monkeypatch.setattr(level_sweep, "sweep_brackets", sweep)
    found = answer("level_sweep", a, b, "adjusted_rand", max_nodes=20)
    monkeypatch.setattr(level_sweep, "_BRACKETED_SHARE", 0.0)
    searched = answer("level_sweep", a, b, "adjusted_rand", max_nodes=20)
    assert f"At {asked[0]} of " in searched.notes[-1]  # all that are open
    assert 0 < found.error < 0.5 * searched.error
    assert_held(searched, found, slack=1e-13)


def test_crisp_possibilities_are_answered_by_the_rough_engine():
    mask = np.random.default_rng(4).random((30, 3)) < 0.4
    mask[np.arange(30), truth(4, 30)] = True
    for t_norm in ("min", "product", "lukasiewicz"):
        a = sf.PossibilisticPartition(mask.astype(float), t_norm=t_norm)
        for measure in MEASURES:
            found = sf.compare(a, truth(4, 30), measure=measure)
            rough = sf.compare(sf.RoughPartition(mask), truth(4, 30), measure=measure)
            assert (found.lower, found.upper) == (rough.lower, rough.upper)
            assert found.method == rough.method


@pytest.mark.parametrize("measure", ["partition_distance", "purity"])
def test_where_one_object_is_one_step_the_distribution_lists_every_value(measure):
    a, b = possibilistic(2, 7), truth(2, 7)
    swept = answer("level_sweep", a, b, measure, "distribution")
    listed = answer("enumerate_tables", a, b, measure, "distribution").distribution
    assert swept.guarantee == "exact"
    assert swept.distribution.values == pytest.approx(listed.values, abs=1e-14)
    assert swept.distribution.possibilities == pytest.approx(listed.possibilities, abs=0)


def test_for_other_measures_the_ends_of_the_cuts_are_all_that_is_said():
    found = answer("level_sweep", possibilistic(2), truth(2), "rand", "distribution")
    assert found.guarantee == "certified"
    assert found.lower_bracket[0] == found.lower_bracket[1]
    assert "Only the ends of each cut are known: listing its values costs too much." in found.notes


def test_measures_of_ones_own_and_other_t_norms_are_left_to_other_methods():
    for t_norm in ("product", "lukasiewicz"):
        a, b = (possibilistic(seed, t_norm=t_norm) for seed in (0, 1))
        assert answer("level_sweep", a, truth(0)) is answer("level_sweep", a, b) is None
    assert answer("level_sweep", possibilistic(0, 6), truth(0, 6), SHARE) is None
    assert sf.compare(possibilistic(0, 6), truth(0, 6), measure=SHARE).method == "enumerate_tables"


def test_a_thousand_objects_with_two_thousand_levels_are_swept_exactly():
    a, b = possibilistic(0, 1000), truth(0, 1000)
    found = sf.compare(a, b, measure="partition_distance")
    assert (found.method, found.guarantee) == ("level_sweep", "exact")
    assert 0.0 <= found.lower < found.upper <= 1.0
    assert sf.compare(a.cut(1.0), b, measure="partition_distance").upper <= found.upper


def test_levels_of_clusters_that_are_alike_share_their_searches():
    rng, labels = np.random.default_rng(0), np.arange(3000) % 5
    degrees = 0.5 * np.eye(5)[labels] + 0.5 * rng.dirichlet(np.full(5, 0.3), len(labels))
    degrees = degrees.round(2)
    soft = sf.PossibilisticPartition(degrees / degrees.max(axis=1, keepdims=True), t_norm="min")
    found = sf.compare(soft, labels, measure="rand", engine=sf.Auto(max_nodes=3000))
    assert found.guarantee == "exact"  # each on its own: 0.0004 in twice the time


def few_levels(n_objects, n_clusters, seed=0):
    rng = np.random.default_rng(seed)
    rows = np.where(rng.random((n_objects, n_clusters)) < 0.1, 0.5, 0.0)
    rows[np.arange(n_objects), rng.integers(0, n_clusters, n_objects)] = 1.0
    return sf.PossibilisticPartition(rows, t_norm="min")


@pytest.mark.parametrize("measure", ["rand", "jaccard", "partition_distance"])
def test_two_levels_beyond_bit_masks_are_two_rough_comparisons(measure):
    a, labels = few_levels(80, 33), np.arange(80) % 33
    found = sf.compare(a, labels, measure=measure)
    assert (found.method, found.guarantee) == ("level_sweep", "certified")
    cuts = [sf.compare(a.cut(level), labels, measure=measure) for level in (1.0, 0.5)]
    lower = sum(cut.lower_bracket[0] for cut in cuts) / 2, sum(cut.lower for cut in cuts) / 2
    upper = sum(cut.upper for cut in cuts) / 2, sum(cut.upper_bracket[1] for cut in cuts) / 2
    for (low, high), (least, most) in (
        (found.lower_bracket, lower),
        (found.upper_bracket, upper),
    ):
        assert low <= most + 1e-9
        assert high >= least - 1e-9
    assert found.lower_bracket[0] >= lower[0] - 0.05
    assert found.upper_bracket[1] <= upper[1] + 0.05


@pytest.mark.parametrize("t_norm", ["product", "lukasiewicz"])
def test_very_many_options_are_bracketed_by_min(t_norm, monkeypatch):
    monkeypatch.setattr(joint, "_MANY_CHOICES", 100)
    rows = np.random.default_rng(0).random((20, 6))
    rows /= rows.max(axis=1, keepdims=True)
    a, b = (sf.PossibilisticPartition(side, t_norm=t_norm) for side in (rows, rows[::-1]))
    found = sf.compare(a, b, measure="rand")
    assert (found.method, found.guarantee) == ("level_sweep", "certified")
    likeliest = sf.compare(a.harden(), b.harden(), measure="rand").mean
    assert found.lower_bracket[0] <= likeliest <= found.upper_bracket[1]
    assert found.lower_bracket[1] == pytest.approx(likeliest)
    inner = sf.compare(a, b, measure="rand", engine=sf.Sampled(n_samples=600), rng=0)
    assert found.lower_bracket[0] <= inner.lower
    assert found.upper_bracket[1] >= inner.upper


def test_levels_are_bracketed_without_limits_that_cost_too_much(monkeypatch):
    a, b = possibilistic(3, n_values=6), truth(3)
    exact = answer("level_sweep", a, b, "rand")
    monkeypatch.setattr(level_sweep, "_MOST_CLUSTERS", 1)  # cut by cut
    sharp = answer("level_sweep", a, b, "rand")
    monkeypatch.setattr(level_sweep, "limit_seconds", lambda *sizes: np.inf)
    monkeypatch.setattr(rough_bracket, "bracket_of_values", None)  # not to be called
    plain = answer("level_sweep", a, b, "rand")
    assert_held(sharp, exact)
    assert_held(plain, exact)
    assert sharp.error <= plain.error < 0.5


@every_measure
def test_brackets_by_types_hold_the_exact_ends_and_those_of_some_levels_too(measure, monkeypatch):
    for seed in range(3):
        a, b = possibilistic(seed, n_objects=40), truth(seed, 40)
        exact = answer("level_sweep", a, b, measure)
        with monkeypatch.context() as patch:
            patch.setattr(level_sweep, "has_level_ends", lambda *sides, **exactly: False)
            every = answer("level_sweep", a, b, measure)
            patch.setattr(level_sweep, "_MOST_LEVELS", 10)
            some = answer("level_sweep", a, b, measure)
        assert "bracket" in every.notes[-1] or every.error == 0
        assert_held(every, exact)
        assert_held(some, exact)
        assert every.error <= some.error


@pytest.mark.parametrize("measure", ["rand", "variation_of_information"])
def test_of_many_levels_a_hundred_are_searched_with_more_nodes_each(measure):
    a, b = possibilistic(5, n_objects=150, n_clusters=4), truth(5, 150)
    exact = answer("level_sweep", a, b, measure, max_nodes=10**6)
    few = answer("level_sweep", a, b, measure, max_nodes=100, max_tables=10**4)
    more = answer("level_sweep", a, b, measure, max_nodes=2_000)
    assert exact.guarantee == "exact"
    assert_held(few, exact)
    assert_held(more, exact)
    assert more.error <= few.error


def test_programs_that_take_long_give_way_to_brackets_of_more_levels():
    rng = np.random.default_rng(4)
    n, k = 6_000, 10
    degrees = rng.uniform(0.01, 1.0, size=(n, k)).round(2)
    degrees /= degrees.max(axis=1, keepdims=True)
    labels = np.arange(n) % k
    candidate = sf.PossibilisticPartition(degrees, t_norm="min")
    assert question(candidate, labels, "partition_distance").joint.n_open_cells > MOST_FLOWS
    plan = planned("level_sweep", candidate, labels, "partition_distance")
    assert plan.guarantee == "certified"
    assert "bracketed" in plan.why  # a relaxation says more than few of such programs
    assert plan.seconds < 11.0
