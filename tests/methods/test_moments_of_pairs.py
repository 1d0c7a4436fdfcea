"""Rand of fuzzy partitions by the formula: right, chosen, and no more work than needed."""

from itertools import islice
from math import isnan
from typing import final

import numpy as np
import pytest

import sfumato as sf
from memory import peak_of
from oracle import compare_literally
from sfumato.families import Affine, Separable
from sfumato.measures.base import Measure
from strategies import build, random_pairs

ROWS = np.array([[0.9, 0.1], [0.8, 0.2], [0.5, 0.5], [0.1, 0.9], [0.0, 1.0]])
TRUTH = ["cat", "cat", "dog", "dog", "dog"]


def close(expected):
    return pytest.approx(expected, abs=1e-12, rel=0)


@pytest.mark.parametrize("pairs", ["distinct", "all"])
@pytest.mark.parametrize("other", ["fuzzy", "hard"])
def test_mean_and_spread_are_those_of_the_definition(other, pairs):
    for a, b in islice(random_pairs(1, "fuzzy", other), 80):
        expected = compare_literally(a, b, ("rand", pairs))
        for one, two in ((a, b), (b, a)):
            found = sf.compare(build(one), build(two), measure=sf.Rand(pairs=pairs))
            assert found.method in ("moments", "hard_value")
            assert found.guarantee == "exact"
            assert found.mean == close(expected.lower)
            assert found.std**2 == close(expected.lower_std**2)


def test_the_formula_is_chosen_wherever_an_exact_expectation_is_wanted():
    for engine in ("auto", "exact", "closed_form"):
        plan = sf.explain(ROWS, TRUTH, engine=engine)
        assert (plan.method, plan.guarantee, plan.tables) == ("moments", "exact", 1)
    assert sf.explain(ROWS, ROWS).method == "moments"
    assert sf.explain(ROWS, TRUTH, engine="sampled").method == "sample"
    assert sf.explain(ROWS, TRUTH, quantity="distribution").method != "moments"
    assert sf.explain(ROWS, TRUTH, quantity="range").method != "moments"
    assert sf.explain(ROWS, TRUTH, measure="jaccard").method != "moments"


def test_objects_are_not_collapsed_for_the_mean():
    n = 50_000
    a, b = map(sf.FuzzyPartition, np.random.default_rng(3).dirichlet([1, 1], size=(2, n)))
    sf.compare(ROWS, TRUTH)  # what is loaded first is not counted
    found, peak = peak_of(lambda: sf.compare(a, b))
    assert found.method == "moments"
    assert peak < 8 * n  # one number an object


@final
class Mirkin(Measure):
    """Ordered pairs together in one clustering only: any measure of the family will do."""

    name, better, bounds, symmetric, is_metric = "mirkin", "lower", (0.0, np.inf), True, True
    formula = cost = reference = ""

    def of_tables(self, tables):
        squares = [(tables.sum(axis=axis) ** 2).sum(axis=-1) for axis in (-1, -2)]
        return (sum(squares) - 2 * (tables**2).sum(axis=(-1, -2))).astype(float)

    def family(self, n_objects):
        return Separable("square", Affine(0.0, 1.0, 1.0, -2.0))


def test_every_measure_of_the_family_is_answered():
    n = len(ROWS)
    found = sf.compare(ROWS, TRUTH, measure=Mirkin())
    rand = sf.compare(ROWS, TRUTH)
    assert found.method == "moments"
    assert found.mean == close((1 - rand.mean) * n * (n - 1))
    assert found.std == close(rand.std * n * (n - 1))


def test_the_spread_is_found_only_when_asked_for():
    found = sf.compare(ROWS, TRUTH)
    assert found.find_std is not None  # not known before
    assert found.mean == close(0.69)
    listed = sf.compare(ROWS, TRUTH, quantity="distribution")
    assert found.std == found.lower_std == found.upper_std == close(listed.std)
    assert found.to_dict()["lower_std"] == found.std


def test_a_spread_out_of_reach_is_not_a_number_and_a_note_says_so():
    a, b = np.random.default_rng(2).dirichlet(np.ones(70), size=(2, 25_000))
    found = sf.compare(a, b)
    assert isnan(found.std)
    assert "The standard deviation is not given" in found.notes[-1]
    assert (found.method, found.guarantee) == ("moments", "exact")
