"""Comparisons that are spread over an executor have the numbers of those that are not."""

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

import sfumato as sf

SETS = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]], dtype=bool)


def inputs():
    rng = np.random.default_rng(0)
    n = 40
    candidates = {
        "hard": sf.HardPartition(rng.integers(3, size=n)),
        "fuzzy": sf.FuzzyPartition(rng.dirichlet(np.ones(3), n)),
        "rough": sf.RoughPartition(SETS[rng.integers(4, size=n)]),
        "evidential": sf.EvidentialPartition(rng.dirichlet(np.ones(4), n), SETS),
    }
    return candidates, rng.integers(2, size=n)


@pytest.fixture(scope="module", params=["threads", "processes"])
def executor(request):
    pool = (
        ThreadPoolExecutor(2)
        if request.param == "threads"
        else ProcessPoolExecutor(2, mp_context=get_context("spawn"))
    )
    with pool:
        yield pool


def numbers(found):
    return found.lower, found.upper, found.lower_bracket, found.upper_bracket, found.method


def test_evaluate(executor):
    candidates, truth = inputs()
    asked = {"measures": ["rand", "adjusted_rand"], "rng": 3}
    expected = sf.evaluate(candidates, truth, **asked)
    found = sf.evaluate(candidates, truth, **asked, executor=executor)
    for key in expected:
        assert numbers(found[key]) == numbers(expected[key]), key
    fuzzy, rough = found["fuzzy", "rand"], found["rough", "rand"]
    assert fuzzy.std == expected["fuzzy", "rand"].std
    assert fuzzy.hardened == expected["fuzzy", "rand"].hardened
    assert fuzzy.contributions() == pytest.approx(expected["fuzzy", "rand"].contributions())
    assert sf.compare(*rough.lower_witness).mean == rough.lower
    assert found.rank("rand").names == expected.rank("rand").names


def test_indices_too(executor):
    candidates, truth = inputs()
    asked = {"fuzzy": candidates["fuzzy"], "hard": candidates["hard"]}
    expected = sf.evaluate(asked, truth, measures=["indices.campello"])
    found = sf.evaluate(asked, truth, measures=["indices.campello"], executor=executor)
    assert [row["mean"] for row in found.rows] == [row["mean"] for row in expected.rows]


def test_pairwise(executor):
    candidates, _ = inputs()
    expected = sf.pairwise(candidates, rng=4)
    found = sf.pairwise(candidates, rng=4, executor=executor)
    assert np.array_equal(found.lower, expected.lower)
    assert np.array_equal(found.upper, expected.upper)


def test_rank(executor):
    candidates, truth = inputs()
    expected = sf.rank(candidates, truth, rng=5)
    found = sf.rank(candidates, truth, rng=5, executor=executor)
    assert np.array_equal(found.lower, expected.lower)
    assert np.array_equal(found.upper, expected.upper)
    assert found.verdict == expected.verdict


def test_errors_keep_their_names(executor):
    with pytest.raises(sf.InputError, match=r"^short: The partitions have 2 and 3 objects"):
        sf.evaluate({"short": [0, 1]}, [0, 1, 1], executor=executor)
    with pytest.raises(sf.InputError, match="executor must be"):
        sf.pairwise({"a": [0, 1]}, executor=3)


def test_a_measure_that_cannot_travel_is_said():
    share = sf.Measure.from_function(
        lambda table: float(table.max() / table.sum()), name="share", better="higher"
    )
    with (
        ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool,
        pytest.raises(sf.InputError, match=r"cannot go to another process .*use threads"),
    ):
        sf.evaluate({"a": [0, 1, 1]}, [0, 1, 1], measures=[share], executor=pool)
