"""Results go through pickle, as joblib and multiprocessing need it, and can still find more."""

import pickle
from itertools import product
from math import isnan

import numpy as np
import pytest

import sfumato as sf

TRUTH = [0, 0, 1, 2]
FUZZY = [[0.8, 0.2, 0.0], [0.5, 0.3, 0.2], [0.1, 0.9, 0.0], [0.0, 0.0, 1.0]]
POSSIBLE = [[1.0, 0.2, 0.0], [1.0, 0.3, 0.2], [0.1, 1.0, 0.0], [0.0, 0.0, 1.0]]
SETS = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]]
KINDS = {
    "hard": sf.HardPartition(TRUTH),
    "rough": sf.RoughPartition([[1, 0, 0], [1, 1, 0], [0, 1, 1], [0, 0, 1]]),
    "fuzzy": sf.FuzzyPartition(FUZZY),
    "possibilistic": sf.PossibilisticPartition(POSSIBLE),
    "min": sf.PossibilisticPartition(POSSIBLE, t_norm="min"),
    "product": sf.PossibilisticPartition(POSSIBLE, t_norm="product"),
    "evidential": sf.EvidentialPartition(
        [[0.7, 0, 0, 0.3], [0.5, 0.5, 0, 0], [0, 1, 0, 0], [0, 0, 0.9, 0.1]], SETS
    ),
    "drawn": sf.DrawnPartition([[0, 0, 1, 2], [0, 1, 1, 2], [0, 1, 1, 1]]),
}
RANDOM = np.random.default_rng(0)
MANY = RANDOM.dirichlet(np.ones(3), 60)
MANY_TRUE = RANDOM.integers(3, size=60)


def same(found):
    """The result after pickle; all plain fields are those from before."""
    again = pickle.loads(pickle.dumps(found))
    plain, expected = again.to_dict(), found.to_dict()
    assert plain.keys() == expected.keys()
    assert {**plain, "seconds": 0} == {**expected, "seconds": 0}
    return again


def assert_finds_the_same(found, again):
    for end in ("lower_witness", "upper_witness"):
        before, after = getattr(found, end), getattr(again, end)
        assert (before is None) == (after is None)
        if before is not None:
            assert [list(side.labels) for side in before] == [list(side.labels) for side in after]
    assert again.hardened == found.hardened
    assert again.pignistic == found.pignistic
    if found.distribution is not None:
        assert np.array_equal(again.distribution.support, found.distribution.support)
    if "drawn" not in found.kinds:
        tables = again.expected_table(), found.expected_table()
        assert np.array_equal(*(table.expected for table in tables))


@pytest.mark.parametrize("quantity", ["expectation", "range", "distribution"])
@pytest.mark.parametrize(("a", "b"), list(product(KINDS, repeat=2)))
def test_every_pair_of_kinds(a, b, quantity):
    for measure in ("rand", "ari"):
        try:
            found = sf.compare(KINDS[a], KINDS[b], measure=measure, quantity=quantity, rng=0)
        except sf.UnsupportedError:
            continue
        assert_finds_the_same(found, same(found))


@pytest.mark.parametrize("engine", ["auto", "bounds", "sampled"])
@pytest.mark.parametrize(
    "measure", ["rand", "ari", "vi", "nmi", "ami", "jaccard", "dice", "fm", "pd", "homogeneity"]
)
def test_a_spread_is_found_before_or_after(measure, engine):
    for sides in ((MANY, MANY_TRUE), (MANY_TRUE, MANY)):
        found = sf.compare(*sides, measure=measure, engine=engine, rng=0)
        late = pickle.loads(pickle.dumps(found))  # before its spread was asked for
        assert late.std == found.std or isnan(found.std)
        assert same(found).std == found.std or isnan(found.std)


@pytest.mark.parametrize("kind", ["fuzzy", "rough", "evidential", "min"])
def test_contributions_after_pickle(kind):
    found = sf.compare(KINDS[kind], TRUTH, rng=0)
    assert np.array_equal(same(found).contributions(), found.contributions())


def test_reports_matrices_rankings_and_differences():
    candidates = {"f": MANY, "t": MANY_TRUE}
    report = sf.evaluate(candidates, MANY_TRUE, measures=["rand", "ari", "indices.campello"], rng=0)
    again = pickle.loads(pickle.dumps(report))
    assert again["f", "ari"].std == report["f", "ari"].std
    assert again.rank("ari").to_dict() == report.rank("ari").to_dict()
    matrix = sf.pairwise(candidates, measure="fm", rng=0)
    assert repr(pickle.loads(pickle.dumps(matrix))) == repr(matrix)
    ranking = sf.rank(candidates, MANY_TRUE, rng=0)
    assert pickle.loads(pickle.dumps(ranking)).to_dict() == ranking.to_dict()
    difference = sf.difference(MANY, MANY_TRUE, MANY_TRUE, rng=0)
    assert same(difference).hardened == difference.hardened
