"""max_seconds is a promise: everything looks at one clock between pieces of bounded work."""

from dataclasses import replace
from functools import partial
from typing import final

import numpy as np
import pytest

import sfumato as sf
from brackets import assert_within
from by_method import question
from sfumato import planner
from sfumato.algorithms.deadline import Deadline, OutOfTimeError, look, work_until
from sfumato.algorithms.ends import level_ends
from sfumato.algorithms.ends import rough_bracket as rough_bracket_module
from sfumato.algorithms.ends.rough_bracket import rough_bracket
from sfumato.algorithms.ends.solve import has_brackets, is_solvable
from sfumato.algorithms.expectations import policy_gap, set_pairs
from sfumato.algorithms.laws import hard_matching, moment_boxes
from sfumato.algorithms.laws.step_sums import law_of_steps
from sfumato.algorithms.moments import entropies
from sfumato.algorithms.possibility import profile
from sfumato.algorithms.sampling.sources import bracketed, solved
from sfumato.algorithms.tables.focal_model import SetTypes
from sfumato.methods import cheapest_tables, enumerate_tables, level_sweep, rough_ends, sample
from sfumato.methods.base import Method, Scope
from sfumato.methods.matching_bracket import MatchingBracket
from sfumato.question.plan import Plan

SECONDS = 1.0
MOST = 1.2 * SECONDS + 0.2


class Clock:
    """Stands still while nobody works; each rough comparison that is solved takes a while."""

    def __init__(self, monkeypatch):
        self.now = 100.0
        for module in (level_ends, rough_ends, cheapest_tables):
            slow = self.takes_time(module.solve_types, 0.025)
            monkeypatch.setattr(module, "solve_types", slow)
        monkeypatch.setattr(solved, "solve_types", self.takes_time(solved.solve_types, 0.01))
        slow = self.takes_time(bracketed.relaxed_ends, 0.05)
        monkeypatch.setattr(bracketed, "relaxed_ends", slow)
        monkeypatch.setattr(level_sweep, "rough_bracket", self.takes_time(rough_bracket, 0.1))

    def takes_time(self, work, seconds):
        def slow(objective, types, *rest):
            self.now += seconds * (len(types.counts) if isinstance(types, SetTypes) else 1)
            return work(objective, types, *rest)

        return slow

    def __call__(self):
        return self.now


def possibilities(n_objects, n_clusters, t_norm, seed=0):
    memberships = np.random.default_rng(seed).random((n_objects, n_clusters))
    memberships /= memberships.max(axis=1, keepdims=True)
    return sf.PossibilisticPartition(memberships, t_norm=t_norm)


def masses(n_objects, n_clusters, seed=0):
    sets = np.concatenate([np.eye(n_clusters), np.ones((1, n_clusters))]).astype(bool)
    rows = np.random.default_rng(seed).dirichlet(np.full(len(sets), 0.5), n_objects)
    return sf.EvidentialPartition(rows, sets)


LABELS = np.arange(60) % 5

QUESTIONS = {
    "levels, pairs": (possibilities(60, 5, "min"), LABELS, "rand"),
    "levels, ratio": (possibilities(60, 5, "min"), LABELS, "jaccard"),
    "levels, matching": (possibilities(60, 5, "min"), LABELS, "partition_distance"),
    "levels, both": (possibilities(60, 4, "min"), possibilities(60, 4, "min", 1), "rand"),
    "levels, many clusters": (possibilities(60, 40, "min"), LABELS, "rand"),
    "product, profile": (possibilities(60, 5, "product"), LABELS, "rand"),
    "product, tables": (possibilities(60, 5, "product"), LABELS, "v_measure"),
    "levels and masses": (possibilities(60, 5, "min"), masses(60, 5), "adjusted_rand"),
    "masses": (masses(60, 5), masses(60, 5, 1), "jaccard"),
    "consonant": (possibilities(60, 5, None), LABELS, "normalized_mutual_information"),
}


def answer(a, b, measure, clock, **options):
    policy = sf.Auto(max_seconds=SECONDS, tolerance=1e-6, **options).policy()
    asked = question(a, b, measure)
    return planner.answer(asked, policy, lambda: np.random.default_rng(0), clock=clock)


def slowed(monkeypatch, module, name, seconds):
    """A clock by which each call of one function takes so long, and then looks at its deadline."""
    now, work = [100.0], getattr(module, name)

    def slow(*args, **options):
        now[0] += seconds
        look()
        return work(*args, **options)

    monkeypatch.setattr(module, name, slow)
    return now


@pytest.mark.parametrize("name", QUESTIONS)
def test_work_stops_at_the_deadline_of_a_clock_that_is_given(name, monkeypatch):
    clock = Clock(monkeypatch)
    began = clock.now
    found = answer(*QUESTIONS[name], clock, threads=1)  # this clock adds up what goes on at once
    assert clock.now - began <= MOST
    assert np.isfinite([*found.lower_bracket, *found.upper_bracket]).all()


@pytest.mark.parametrize("name", ["levels, pairs", "levels, matching", "levels, both"])
def test_a_sweep_cut_short_brackets_the_whole_one(name, monkeypatch):
    a, b, measure = QUESTIONS[name]
    clock = Clock(monkeypatch)
    early = answer(a, b, measure, clock, max_tables=10**9)
    assert clock.now - 100.0 >= 0.7 * SECONDS  # it was cut short
    is_late = clock.now - 100.0 >= SECONDS  # else the plan took fewer levels
    assert sum("max_seconds=1" in note for note in early.notes) == is_late
    whole = sf.compare(a, b, measure=measure)
    assert_within(whole, early)


def test_searches_end_as_soon_as_they_are_told_to():
    rng = np.random.default_rng(0)
    mask = rng.random((2, 500, 8)) < 0.3
    mask[:, np.arange(500), np.arange(500) % 8] = True
    a, b = (sf.RoughPartition(side) for side in mask)
    called_off = Deadline()
    called_off.call_off()
    query = question(a, b, "rand", "range")
    policy = sf.Auto(max_nodes=10**12, threads=1).policy()
    plan = planner.choose(query, policy)
    found = planner.run(plan, query, policy, np.random.default_rng, called_off)
    assert found.guarantee == "certified"
    sharper = sf.compare(a, b, measure="rand")
    assert found.lower_bracket[0] <= sharper.lower_bracket[1]
    assert found.upper_bracket[1] >= sharper.upper_bracket[0]


def one_plan(method, seconds, shortest=np.inf, work=NotImplemented):
    """A method with one plan, whose time may depend on the time that is given."""

    @final
    class Only(Method):
        name, cost = method, "some"
        scopes = (Scope(theories=("rough",), guarantees=("certified",)),)

        def plan(self, query, policy):
            """Always the same."""
            given = seconds(policy.max_seconds)
            yield Plan("certified", 2, 0.0, given, "why", work=work, shortest=shortest)

    return Only()


ROUGH = sf.RoughPartition([[1, 1], [0, 1]])


def test_a_plan_that_cannot_end_in_time_is_refused(monkeypatch):
    methods = (
        one_plan("deaf", lambda _: 10.0),
        one_plan("long", lambda _: 20.0, 2.0),
        one_plan("short", lambda _: 30.0, 0.5),
    )
    monkeypatch.setattr(planner, "METHODS", methods)
    query = question(ROUGH, ROUGH, "rand", "range")
    assert planner.choose(query, sf.Auto().policy()).method == "deaf"
    hurried = planner.explain(query, sf.Auto(max_seconds=SECONDS).policy())
    assert hurried.method == "short"
    assert hurried.alternatives == (
        ("deaf", "would take about 10.0 s at least (max_seconds=1)"),
        ("long", "would take about 2.0 s at least (max_seconds=1)"),
    )


def test_what_takes_longer_than_was_said_leaves_the_bounds_of_the_measure(monkeypatch):
    now = [100.0]

    def work(run):
        now[0] += 10 * SECONDS
        look()
        raise AssertionError("the time for it is over")

    # Too long for a limited time, and next to nothing without one.
    hopeful = one_plan("hopeful", lambda given: 2 * SECONDS if given else 0.0, work=work)
    monkeypatch.setattr(planner, "METHODS", (hopeful,))
    query = question(ROUGH, ROUGH, "rand", "range")
    policy = sf.Auto(max_seconds=SECONDS).policy()
    found = planner.answer(query, policy, np.random.default_rng, clock=lambda: now[0])
    assert found.method == "bounds_of_the_measure"
    assert (found.lower, found.upper) == (0.0, 1.0)


@pytest.mark.parametrize("measure", ["rand", "jaccard", "partition_distance", "purity"])
def test_what_time_does_not_allow_for_leaves_the_bounds_of_the_measure(measure):
    rng = np.random.default_rng(0)
    mask = rng.random((2, 40, 4)) < 0.3
    mask[:, np.arange(40), np.arange(40) % 4] = True
    a, b = (sf.RoughPartition(side) for side in mask)
    query = question(a, b, measure, "range")
    sides = query.objective, query.joint.set_matrices, query.joint.rough_batch
    low, high = query.objective.bounds
    assert rough_bracket(*sides, Deadline(0.0)) == ((low, np.inf), (-np.inf, high))
    assert rough_bracket(*sides, Deadline(1e6)) == rough_bracket(*sides)


@pytest.mark.parametrize("measure", ["rand", "jaccard", "partition_distance"])
def test_the_choice_of_a_solver_needs_no_list_of_types(measure):
    bayesian = sf.FuzzyPartition(np.full((60, 5), 0.2)).to_evidential()
    for a in (masses(60, 5), masses(60, 20), bayesian):
        for b in (masses(60, 5, 1), LABELS, bayesian):
            query = question(a, b, measure)
            for way in (is_solvable, has_brackets):
                kinds = way(query.objective, query.joint.kinds_of_sets)
                assert kinds == way(query.objective, query.joint.set_types)


def random_memberships(n_objects, n_clusters, seed=0):
    return np.random.default_rng(seed).dirichlet(np.ones(n_clusters), n_objects)


# Work that cannot be cut short: what is asked, the method, and a step of it that takes long.
THREE = sf.FuzzyPartition(random_memberships(40, 3)), LABELS[:40] % 3
DEAF = {
    "fuzzy_law": (*THREE, "partition_distance", "distribution", (hard_matching, "_merge")),
    "ratio_mean": (*THREE, "adjusted_rand", "expectation", (moment_boxes, "look")),
    "moments": (
        sf.FuzzyPartition(random_memberships(60, 5)),
        LABELS,
        "mutual_information",
        "expectation",
        (entropies, "expected_xlogx_of_lists"),
    ),
    "expectation_bounds": (
        masses(60, 5),
        masses(60, 5, 1),
        "partition_distance",
        "expectation",
        (set_pairs, "gather"),
    ),
    "enumerate_tables": (
        possibilities(4, 2, "min"),
        masses(4, 2),
        "rand",
        "expectation",
        (enumerate_tables, "_reach"),
    ),
    "cheapest_tables": (
        possibilities(60, 5, "product"),
        LABELS,
        "rand",
        "expectation",
        (profile, "class_columns"),
    ),
}


@pytest.mark.parametrize("method", DEAF)
def test_work_that_cannot_be_cut_short_gives_way_to_a_bracket(method, monkeypatch):
    a, b, measure, quantity, (module, step) = DEAF[method]
    query = question(a, b, measure, quantity)
    policy = sf.Auto(max_seconds=SECONDS).policy()
    assert planner.choose(query, policy).method == method
    whole = planner.answer(query, sf.Auto().policy(), np.random.default_rng)
    now = slowed(monkeypatch, module, step, 0.9 * SECONDS)
    query = question(a, b, measure, quantity)
    found = planner.answer(query, policy, np.random.default_rng, clock=lambda: now[0])
    assert 0.9 * SECONDS <= now[0] - 100.0 <= MOST
    assert found.method != method
    assert any("max_seconds=1" in note for note in found.notes)
    if found.guarantee == "certified" and whole.guarantee != "confidence":
        assert found.lower_bracket[0] <= whole.lower_bracket[0] + 1e-12
        assert found.upper_bracket[1] >= whole.upper_bracket[1] - 1e-12


def test_compiled_loops_end_with_the_time_that_work_is_given():
    law = partial(law_of_steps, random_memberships(400, 3), np.array([[0], [1], [2]]))
    assert law(max_lost_mass=0.0).law.sum() == pytest.approx(1.0)
    with pytest.raises(OutOfTimeError), work_until(Deadline(0.0)):
        law(max_lost_mass=0.0)
    with work_until(Deadline(0.0)), work_until(Deadline()):
        look()
        law(max_lost_mass=0.0)
    called_off = Deadline()
    called_off.call_off()
    with pytest.raises(OutOfTimeError), work_until(called_off.part(0.5)):
        law(max_lost_mass=0.0)
    law(max_lost_mass=0.0)


def test_a_first_block_of_draws_that_takes_too_long_gives_way_to_another_plan(monkeypatch):
    now = slowed(monkeypatch, bracketed, "relaxed_ends", 2 * SECONDS)
    query = question(masses(60, 14), masses(60, 14, 1), "adjusted_rand")
    policy = sf.Auto(max_seconds=SECONDS, threads=1).policy()
    assert planner.choose(query, policy).method == "sample"
    found = planner.answer(query, policy, np.random.default_rng, clock=lambda: now[0])
    assert found.method == "rough_ends" or found.guarantee == "inner"
    assert now[0] == 100.0 + 2 * SECONDS  # nothing as long was begun again
    assert np.isfinite([*found.lower_bracket, *found.upper_bracket]).all()


def test_brackets_of_pairs_keep_what_they_have_when_time_is_over(monkeypatch):
    query = question(masses(60, 5), LABELS)
    whole = planner.answer(query, sf.Bounds().policy(), np.random.default_rng)
    now = slowed(monkeypatch, policy_gap, "look", 0.9 * SECONDS)
    policy = replace(sf.Auto(max_seconds=SECONDS).policy(), guarantees=("exact", "certified"))
    found = planner.answer(query, policy, np.random.default_rng, clock=lambda: now[0])
    assert now[0] == 100.0 + 0.9 * SECONDS  # nothing as long was begun again
    assert found.method == whole.method == "expectation_bounds"
    assert found.lower_bracket[0] <= whole.lower_bracket[0]
    assert found.upper_bracket[1] >= whole.upper_bracket[1]
    assert found.error < 0.5


def test_whatever_is_stopped_there_is_an_answer(monkeypatch):
    now = [100.0]

    def stopped(*args):
        now[0] += 10 * SECONDS
        look()
        raise AssertionError("the time for draws is over")

    for module in (bracketed, solved, rough_bracket_module):
        monkeypatch.setattr(module, "relaxed_ends", stopped)
    monkeypatch.setattr(solved, "solve_types", stopped)
    monkeypatch.setattr(sample, "nested_ends", lambda *args: stopped)
    query = question(masses(60, 5), masses(60, 5, 1), "adjusted_rand")
    policy = sf.Auto(max_seconds=SECONDS, threads=1).policy()
    found = planner.answer(query, policy, np.random.default_rng, clock=lambda: now[0])
    assert found.method == "rough_ends"
    assert found.lower_bracket == found.upper_bracket == (-0.5, 1.0)
    assert any("max_seconds=1" in note for note in found.notes)


def test_planning_that_takes_too_long_is_given_up(monkeypatch):
    now = [100.0]

    def plan(self, query, policy):
        now[0] += 0.6 * SECONDS
        look()
        raise AssertionError("the time for planning is over")

    monkeypatch.setattr(MatchingBracket, "plan", plan)
    a, b = (sf.FuzzyPartition(random_memberships(60, 5, seed)) for seed in (0, 1))
    query = question(a, b, "partition_distance")
    policy = sf.Auto(max_seconds=SECONDS).policy()
    found = planner.answer(query, policy, np.random.default_rng, clock=lambda: now[0])
    assert found.method == "sample"
    assert now[0] - 100.0 <= MOST
