"""Rough partitions of odd shape: the literal definition holds for them too."""

import numpy as np
import pytest

import sfumato as sf
from oracle import compare_literally

NAMES = list(sf.measures())


def check_against_definition(mask, truth, name):
    found = sf.compare(sf.RoughPartition(mask), truth, measure=name)
    sets = tuple(frozenset(np.flatnonzero(row).tolist()) for row in mask)
    literal = compare_literally(("rough", sets), ("hard", tuple(truth)), name)
    assert found.guarantee == "exact"
    assert (found.lower, found.upper) == pytest.approx((literal.lower, literal.upper), abs=1e-12)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("is_open", [[True], [True, False], [True, True]])
def test_one_and_two_objects(name, is_open):
    n = len(is_open)
    mask = np.eye(3, dtype=bool)[:n] | np.array(is_open)[:, None]
    check_against_definition(mask, [0, 1][:n], name)


@pytest.mark.parametrize("name", NAMES)
def test_two_equal_columns_are_two_clusters(name):
    mask = np.array([[1, 1, 0], [1, 1, 0], [0, 0, 1], [1, 1, 1], [0, 0, 1], [1, 1, 0]], dtype=bool)
    check_against_definition(mask, [0, 0, 1, 1, 2, 2], name)


@pytest.mark.parametrize("name", NAMES)
def test_a_cluster_that_nobody_may_be_in_changes_nothing(name):
    mask = np.array([[1, 0], [1, 1], [0, 1], [1, 1], [0, 1]], dtype=bool)
    check_against_definition(np.insert(mask, [1, 2], False, axis=1), [0, 0, 1, 1, 2], name)


@pytest.mark.parametrize("row", [0, 2])
def test_an_object_without_any_cluster_is_named(row):
    mask = np.ones((3, 2), dtype=bool)
    mask[row] = False
    with pytest.raises(sf.InputError, match=f"row {row}"):
        sf.RoughPartition(mask)


def test_names_must_be_as_many_as_clusters():
    with pytest.raises(sf.InputError, match=r"3 .*2|2 .*3"):
        sf.RoughPartition([[True, False]], names=["a", "b", "c"])
