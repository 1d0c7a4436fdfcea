"""Rand of fuzzy partitions by the formula: right, chosen, and no more work than needed."""

from itertools import islice
from math import isnan
from typing import final

import numpy as np
import pytest
import scipy.sparse

import sfumato as sf
from memory import peak_of
from oracle import compare_literally
from sfumato.families import Affine, Separable
from sfumato.measures.base import Measure
from sfumato.partitions import FuzzyPartition, HardPartition
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


def test_memberships_of_zero_and_one_equal_hard_labels():
    labels = np.array([0, 1, 1, 2, 0, 2])
    truth = np.array([0, 0, 1, 1, 1, 0])
    hard = sf.compare(labels, truth)
    for a, b in ((np.eye(3)[labels], np.eye(2)[truth]), (np.eye(3)[labels], truth)):
        found = sf.compare(a, b)
        assert (found.mean, found.std) == (hard.mean, 0.0)
    # One object in doubt by less than any rounding: the formula, and the same value.
    rows = np.eye(3)[labels]
    rows[0] = [1.0, 1e-300, 0.0]
    found = sf.compare(rows, truth)
    assert found.method == "moments"
    assert found.mean == close(hard.mean)
    assert 0 < found.std < 1e-149


def test_a_single_object_agrees_with_itself():
    assert sf.compare([[0.5, 0.5]], [0]).mean == 1.0
    found = sf.compare([[0.5, 0.5]], [0], measure=sf.Rand(pairs="all"))
    assert (found.method, found.mean, found.std) == ("moments", 1.0, 0.0)


def test_one_cluster_against_many_and_empty_clusters():
    alone = sf.compare(np.ones((5, 1)), ROWS)
    assert alone.method == "moments"
    apart = 1 - (ROWS @ ROWS.T)[~np.eye(5, dtype=bool)].mean()
    assert alone.mean == close(1 - apart)
    wider = np.insert(ROWS, [0, 1, 2], 0.0, axis=1)
    assert sf.compare(wider, TRUTH).mean == close(sf.compare(ROWS, TRUTH).mean)
    assert sf.compare(wider, TRUTH).std == close(sf.compare(ROWS, TRUTH).std)


def test_single_precision_is_read_as_it_is_and_rescaled():
    rng = np.random.default_rng(0)
    memberships = rng.dirichlet(np.ones(4), 500).astype(np.float32)
    truth = rng.integers(0, 3, 500)
    found = sf.compare(memberships, truth)
    double = memberships.astype(np.float64)
    double /= double.sum(axis=1, keepdims=True)
    assert found.mean == close(sf.compare(double, truth).mean)
    assert "rescaled" in found.notes[0]


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


def test_sparse_memberships_stay_sparse():
    rng = np.random.default_rng(0)
    n, k = 400, 3_000
    dense = np.zeros((n, k))
    for row in dense:
        row[rng.choice(k, size=4, replace=False)] = rng.dirichlet(np.ones(4))
    truth = rng.integers(0, 5, n)
    other = dense[rng.permutation(n)]
    expected = [sf.compare(dense, truth), sf.compare(dense, other)]
    for form in (scipy.sparse.csr_array, scipy.sparse.coo_matrix):
        first, second = FuzzyPartition(form(dense)), FuzzyPartition(form(other))
        for side, wanted in zip((HardPartition(truth), second), expected, strict=True):
            found, peak = peak_of(lambda side=side, first=first: sf.compare(first, side))
            assert peak < 8 * n * k / 4  # a quarter of one dense side
            assert found.mean == close(wanted.mean)
            assert found.std == close(wanted.std)
            assert found.method == "moments"
