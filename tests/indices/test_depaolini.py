import numpy as np
import pytest
from hypothesis import given, settings

import sfumato as sf
from indices.variants import recorded
from literal_pairs import object_masses
from sfumato.indices import depaolini
from strategies import build, groups_of_sides, hard_sides, rough_sides


@pytest.mark.parametrize(("inputs", "expected"), recorded("depaolini2018_r_rand"))
def test_values_are_those_recorded(inputs, expected):
    found = depaolini(sf.RoughPartition(inputs["upper_approximation"]), inputs["labels"])
    assert found == pytest.approx(expected["r_rand"], rel=0, abs=1e-12)


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
