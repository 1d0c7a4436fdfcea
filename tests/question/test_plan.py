"""Plans: what would be done, at what cost, without doing it."""

from math import inf

import numpy as np
import pytest

import sfumato as sf
from strategies import SHARE

FUZZY = [[0.5, 0.5], [0.1, 0.9], [1.0, 0.0]]
TRUTH = [0, 1, 0]


def fail(table):
    raise AssertionError("a plan evaluated the measure")


NEVER = sf.Measure.from_function(fail, name="share", better="higher", bounds=(0, 1))


def test_explaining_a_large_question_runs_nothing():
    rng = np.random.default_rng(0)
    a, b = (rng.dirichlet(np.ones(5), size=100_000) for _ in range(2))
    plan = sf.explain(a, b, measure=NEVER)
    assert (plan.method, plan.guarantee) == ("sample", "confidence")
    assert plan.n_samples >= 1000
    assert ("enumerate_tables", plan.alternatives[0][1]) == plan.alternatives[0]
    assert "would visit up to" in plan.alternatives[0][1]


@pytest.mark.parametrize("t_norm", [None, "min", "product", "lukasiewicz"])
def test_explaining_possibilities_runs_nothing(t_norm):
    rows = np.random.default_rng(1).random((2000, 3))
    a = sf.PossibilisticPartition(rows, t_norm=t_norm)
    plan = sf.explain(a, rows.argmax(axis=1), measure=NEVER)
    assert plan.guarantee == "inner"
    assert plan.method == "sample"


def test_a_plan_says_method_guarantee_cost_and_why():
    plan = sf.explain(FUZZY, TRUTH, measure=NEVER)
    assert (plan.method, plan.guarantee) == ("enumerate_tables", "exact")
    assert plan.tables == pytest.approx(4)  # two objects with two choices each
    assert 0 < plan.bytes < 1e6
    assert 0 < plan.seconds < 1
    assert plan.why == "all tables that the partitions allow can be listed"
    assert dict(plan.alternatives)["sample"] == "its guarantee would be confidence"


def test_a_plan_reads_as_a_few_lines():
    lines = repr(sf.explain(FUZZY, TRUTH, measure=SHARE)).splitlines()
    assert lines[0] == "share (expectation) of fuzzy against hard"
    assert (
        lines[1]
        == "  method     enumerate_tables: all tables that the partitions allow can be listed"
    )
    assert lines[2] == "  guarantee  exact"
    assert lines[3].startswith("  cost       up to 4 tables, about ")
    assert lines[4].startswith("  not        sample: ")


def test_unlimited_costs_are_printed_too():
    rng = np.random.default_rng(2)
    memberships = rng.dirichlet(np.ones(8), size=4000)
    with pytest.raises(sf.CostError, match=r"up to (inf|\d\.?\d*e\+\d+) tables"):
        sf.explain(memberships, memberships[::-1], measure=SHARE, engine="exact")


@pytest.mark.parametrize("engine", ["auto", "exact", "closed_form", "sampled"])
def test_the_plan_is_what_compare_does(engine):
    for a in ([0, 0, 1], FUZZY, sf.RoughPartition.from_sets([{0}, {0, 1}, {1}])):
        try:
            plan = sf.explain(a, TRUTH, measure=SHARE, engine=engine)
        except sf.UnsupportedError:
            with pytest.raises(sf.UnsupportedError):
                sf.compare(a, TRUTH, measure=SHARE, engine=engine)
            continue
        found = sf.compare(a, TRUTH, measure=SHARE, engine=engine, rng=0)
        assert (found.method, found.guarantee, found.n_samples) == (
            plan.method,
            plan.guarantee,
            plan.n_samples,
        )


def test_plans_do_not_depend_on_the_machine():
    first, second = (sf.explain(FUZZY, TRUTH, measure=SHARE) for _ in range(2))
    assert (first.seconds, first.bytes, first.tables) == (
        second.seconds,
        second.bytes,
        second.tables,
    )
    assert first.seconds < inf
