import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

import sfumato as sf
from literal_pairs import object_masses
from sfumato.errors import UnsupportedError
from sfumato.indices import depaolini
from strategies import build, groups_of_sides, hard_sides, rough_sides

CASES = json.loads(
    (Path(__file__).parents[1] / "reference" / "depaolini2018_r_rand.json").read_text()
)["cases"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_values_are_those_recorded(case):
    rough = sf.RoughPartition(case["inputs"]["upper_approximation"])
    found = depaolini(rough, case["inputs"]["labels"])
    assert found == pytest.approx(case["expected"]["r_rand"], rel=0, abs=1e-12)


def shared(side, x, y):
    """Chance of a common cluster when both objects choose among theirs."""
    (of_x,), (of_y,) = (object_masses(side)[at] for at in (x, y))
    return len(of_x & of_y) / (len(of_x) * len(of_y))


@settings(max_examples=80, deadline=None)
@given(groups_of_sides(rough_sides, rough_sides))
def test_values_are_those_of_the_double_loop(pair):
    a, b = map(build, pair)
    found = depaolini(a, b)
    n = len(pair[0][1])
    if n == 1:
        assert found == 1.0
        return
    values = []
    for x in range(n):
        for y in range(x + 1, n):
            p, q = shared(pair[0], x, y), shared(pair[1], x, y)
            values.append(p * q + (1 - p) * (1 - q))
    assert found == pytest.approx(np.mean(values), rel=0, abs=1e-12)
    assert depaolini(b, a) == pytest.approx(found, rel=0, abs=1e-12)
    same = sf.compare(a.pignistic(), b.pignistic()).mean
    assert found == pytest.approx(same, rel=0, abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(groups_of_sides(rough_sides, hard_sides))
def test_it_lies_in_the_range_of_compare(pair):
    a, b = map(build, pair)
    found = sf.compare(a, b, quantity="range")
    assert found.lower - 1e-12 <= depaolini(a, b) <= found.upper + 1e-12


def test_an_ambiguous_partition_does_not_score_one_against_itself():
    assert depaolini(sf.RoughPartition(np.ones((3, 2))), sf.RoughPartition(np.ones((3, 2)))) == 0.5


def test_other_kinds_are_refused():
    with pytest.raises(UnsupportedError, match="depaolini takes a hard or rough partition as the"):
        depaolini([[0.5, 0.5], [1.0, 0.0]], [0, 1])
