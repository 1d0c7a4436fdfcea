"""Fuzzy indices against literal double loops."""

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import literal_indices as literal
from indices.variants import expressions_of, rows
from sfumato import indices
from sfumato.indices.campello import blocked_sums, swept_sums
from sfumato.indices.formulas.pair_blocks import types_of
from strategies import build, fuzzy_sides, groups_of_sides, hard_sides, possibilistic_sides

SIZES = {"n_objects": st.integers(2, 7), "n_clusters": st.integers(1, 4)}
CLOSE = {"rel": 1e-10, "abs": 1e-11}


def any_side(**sizes):
    return st.one_of(hard_sides(**sizes), fuzzy_sides(**sizes), possibilistic_sides(**sizes))


def fuzzy_side(**sizes):
    return st.one_of(hard_sides(**sizes), fuzzy_sides(**sizes))


COUNTS = {
    "campello min": partial(literal.campello, t_norm="min"),
    "campello product": partial(literal.campello, t_norm="product"),
    "frigui": literal.frigui,
    "brouwer": literal.brouwer,
    "anderson": literal.anderson,
    "huellermeier": literal.huellermeier,
}


@pytest.mark.parametrize(
    ("name", "expression"),
    [
        (name, each)
        for name in COUNTS
        for each in expressions_of(name.split()[0])
        if name != "anderson" or each in ("rand", "jaccard", "dice")
    ],
)
@settings(max_examples=25)  # 75 to 150 for the counts of each index
@given(data=st.data())
def test_an_index_is_its_expression_of_counts_over_pairs(name, expression, data):
    kind = fuzzy_side if name in ("brouwer", "huellermeier") else any_side
    both = data.draw(groups_of_sides(kind, kind, **SIZES))
    own, *t_norm = name.split()
    options = {"t_norm": t_norm[0]} if t_norm else {}
    found = getattr(indices, own)(*map(build, both), index=expression, **options)
    counts = COUNTS[name](*map(rows, both))
    assert found == pytest.approx(literal.index(expression, counts), **CLOSE)


@given(groups_of_sides(any_side, any_side, **SIZES))
def test_sorting_and_blocks_count_what_campello_counts(both):
    first, second = map(rows, both)
    expected = literal.campello(first, second, "min")
    assert swept_sums(first, second) == pytest.approx(tuple(expected), **CLOSE)
    assert blocked_sums(types_of(first, second), "min") == pytest.approx(tuple(expected), **CLOSE)


@given(groups_of_sides(fuzzy_side, fuzzy_side, **SIZES))
def test_frobenius_rand_is_its_definition(both):
    found = indices.frobenius_rand(*map(build, both))
    assert found == pytest.approx(literal.frobenius_rand(*map(rows, both)), **CLOSE)
