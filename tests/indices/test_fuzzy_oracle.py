"""Fuzzy indices against literal double loops."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import literal_indices as literal
import sfumato as sf
from sfumato import indices
from sfumato.indices.campello import blocked_sums, swept_sums
from sfumato.indices.formulas.pair_blocks import types_of
from strategies import fuzzy_sides, groups_of_sides, hard_sides, possibilistic_sides

SIZES = {"n_objects": st.integers(2, 7), "n_clusters": st.integers(1, 4)}
CLOSE = {"rel": 1e-10, "abs": 1e-11}


def rows(side):
    if side[0] == "hard":
        return np.eye(1 + max(side[1]))[list(side[1])][:, sorted(set(side[1]))]
    return np.array(side[1])


def partition(side):
    if side[0] == "hard":
        return sf.HardPartition(list(side[1]))
    if side[0] == "fuzzy":
        return sf.FuzzyPartition(rows(side))
    return sf.PossibilisticPartition(rows(side))


def any_side(**sizes):
    return st.one_of(hard_sides(**sizes), fuzzy_sides(**sizes), possibilistic_sides(**sizes))


def fuzzy_side(**sizes):
    return st.one_of(hard_sides(**sizes), fuzzy_sides(**sizes))


@pytest.mark.parametrize("t_norm", ["min", "product"])
@pytest.mark.parametrize(
    "index", ["rand", "jaccard", "fowlkes_mallows", "adjusted_rand", "hubert", "minkowski"]
)
@given(groups_of_sides(any_side, any_side, **SIZES))
def test_campello_is_its_definition(t_norm, index, both):
    found = indices.campello(*map(partition, both), index=index, t_norm=t_norm)
    counts = literal.campello(*map(rows, both), t_norm)
    assert found == pytest.approx(literal.index(index, counts), **CLOSE)


@given(groups_of_sides(any_side, any_side, **SIZES))
def test_sorting_and_blocks_count_what_campello_counts(both):
    first, second = map(rows, both)
    expected = literal.campello(first, second, "min")
    assert swept_sums(first, second) == pytest.approx(tuple(expected), **CLOSE)
    assert blocked_sums(types_of(first, second), "min") == pytest.approx(tuple(expected), **CLOSE)


@pytest.mark.parametrize("index", ["rand", "jaccard", "fowlkes_mallows"])
@given(groups_of_sides(any_side, any_side, **SIZES))
def test_frigui_is_its_definition(index, both):
    found = indices.frigui(*map(partition, both), index=index)
    assert found == pytest.approx(literal.index(index, literal.frigui(*map(rows, both))), **CLOSE)


@pytest.mark.parametrize("index", ["rand", "adjusted_rand", "jaccard"])
@given(groups_of_sides(fuzzy_side, fuzzy_side, **SIZES))
def test_brouwer_is_its_definition(index, both):
    found = indices.brouwer(*map(partition, both), index=index)
    counts = literal.brouwer(*map(rows, both))
    assert found == pytest.approx(literal.index(index, counts), **CLOSE)


@pytest.mark.parametrize("index", ["rand", "jaccard", "dice"])
@given(groups_of_sides(any_side, any_side, **SIZES))
def test_anderson_is_its_definition(index, both):
    found = indices.anderson(*map(partition, both), index=index)
    counts = literal.anderson(*map(rows, both))
    assert found == pytest.approx(literal.index(index, counts), **CLOSE)


@pytest.mark.parametrize("index", ["rand", "jaccard", "dice", "fowlkes_mallows", "adjusted_rand"])
@given(groups_of_sides(fuzzy_side, fuzzy_side, **SIZES))
def test_huellermeier_is_its_definition(index, both):
    found = indices.huellermeier(*map(partition, both), index=index)
    counts = literal.huellermeier(*map(rows, both))
    assert found == pytest.approx(literal.index(index, counts), **CLOSE)


@given(groups_of_sides(fuzzy_side, fuzzy_side, **SIZES))
def test_frobenius_rand_is_its_definition(both):
    found = indices.frobenius_rand(*map(partition, both))
    assert found == pytest.approx(literal.frobenius_rand(*map(rows, both)), **CLOSE)
