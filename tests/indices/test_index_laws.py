"""What the cards promise, for every registered index and every value of its options."""

from math import isfinite, isnan

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import sfumato as sf
from indices.variants import all_indices, expressions_of
from sfumato import indices
from sfumato.errors import InputError
from sfumato.indices.anderson import _pair_sums as soft_table
from sfumato.indices.base import Index
from sfumato.indices.campello import blocked_sums, swept_sums
from sfumato.indices.formulas.joined_pairs import gram_sums, hard_sums
from sfumato.indices.formulas.pair_blocks import types_of
from sfumato.indices.huellermeier import _pair_sums as concordance_sums
from strategies import (
    evidential_partitions,
    fuzzy_partitions,
    hard_partitions,
    possibilistic_partitions,
    rough_partitions,
)

OF_KIND = {
    "hard": hard_partitions,
    "rough": rough_partitions,
    "fuzzy": fuzzy_partitions,
    "possibilistic": possibilistic_partitions,
    "evidential": evidential_partitions,
}
DISTANCES = ("conflict", "belief", "jousselme", "belief_interval")
FEW = settings(max_examples=12)  # of each of 45 indices, most of which share their sums
MORE = settings(max_examples=30)
CLOSE = {"rel": 1e-9, "abs": 1e-9}
# With a fixed seed draws are the same on both sides of a law only if the sides are.
LOOSE = {"rel": 0, "abs": 0.2}


def partition_of(kinds, n_objects):
    sizes = {"n_objects": st.just(n_objects), "n_clusters": st.integers(1, 3)}
    return st.one_of([OF_KIND[kind](**sizes) for kind in kinds])


def hard_pairs(n_objects):
    side = hard_partitions(n_objects=st.just(n_objects), n_clusters=st.integers(1, 4))
    return st.tuples(side, side)


def value(card: Index, first, second) -> float:
    """The value; cases that an index refuses, as fits of memberships that are 0, are left out."""
    try:
        if card.estimate is None:
            return card(first, second)
        found = card.estimate(first, second, **{"rng": 0, "tolerance": 0.1, **dict(card.chosen)})
    except InputError:
        assume(False)
        raise
    assume(isfinite(found.error))
    return found.value


def tolerance(card: Index):
    return CLOSE if card.estimate is None or card.chosen == () else LOOSE


@pytest.mark.parametrize("card", all_indices())
@FEW
@given(data=st.data(), n_objects=st.integers(1, 6))
def test_an_index_is_a_number(card, data, n_objects):
    first = data.draw(partition_of(card.candidate_kinds, n_objects))
    second = data.draw(partition_of(card.reference_kinds, n_objects))
    found = value(card, first, second)
    assert type(found) is float
    assert not isnan(found)


@pytest.mark.parametrize("card", all_indices(is_reflexive=True))
@FEW
@given(data=st.data(), n_objects=st.integers(1, 6))
def test_a_partition_agrees_with_itself_where_that_is_promised(card, data, n_objects):
    both = [kind for kind in card.candidate_kinds if kind in card.reference_kinds]
    side = data.draw(partition_of(both, n_objects))
    assert value(card, side, side) == pytest.approx(
        1.0 if card.better == "higher" else 0.0, abs=1e-7
    )


@pytest.mark.parametrize("card", all_indices(is_symmetric=True))
@FEW
@given(data=st.data(), n_objects=st.integers(2, 6))
def test_sides_can_be_swapped_where_that_is_promised(card, data, n_objects):
    both = [kind for kind in card.candidate_kinds if kind in card.reference_kinds]
    first, second = (data.draw(partition_of(both, n_objects)) for _ in range(2))
    assert value(card, first, second) == pytest.approx(
        value(card, second, first), **tolerance(card)
    )


@pytest.mark.parametrize("card", all_indices())
@FEW
@given(data=st.data(), n_objects=st.integers(2, 6))
def test_the_order_of_objects_does_not_matter(card, data, n_objects):
    first = data.draw(partition_of(card.candidate_kinds, n_objects))
    second = data.draw(partition_of(card.reference_kinds, n_objects))
    order = np.array(data.draw(st.permutations(range(n_objects))))
    assert value(card, first, second) == pytest.approx(
        value(card, first.take(order), second.take(order)), **tolerance(card)
    )


@pytest.mark.parametrize(
    "card", [card for card in all_indices() if "fuzzy" in card.values[0].candidate_kinds]
)
@FEW
@given(data=st.data(), n_objects=st.integers(2, 6))
def test_the_names_of_clusters_do_not_matter(card, data, n_objects):
    first = data.draw(fuzzy_partitions(n_objects=st.just(n_objects), n_clusters=st.just(3)))
    second = data.draw(partition_of(card.reference_kinds, n_objects))
    turned = sf.FuzzyPartition(first.memberships[:, ::-1])
    assert value(card, first, second) == pytest.approx(
        value(card, turned, second), **tolerance(card)
    )


AS_MEASURES = [
    (indices.index(name, index=index), index)
    for name in ("campello", "frigui", "brouwer", "anderson", "huellermeier")
    for index in expressions_of(name)
    if index not in ("hubert", "minkowski")
]
HARD = [
    *AS_MEASURES,
    *((indices.index("denoeux", distance=name), "rand") for name in DISTANCES),
    (indices.index("campello", t_norm="product"), "rand"),
    (indices.index("frobenius_rand"), "rand"),
    (indices.index("depaolini"), "rand"),
    (indices.index("fuzzy_adjusted_rand"), "adjusted_rand"),
    *(
        (indices.index("adjusted_concordance", index=index), "adjusted_rand")
        for index in ("concordance", "belief", "jousselme", "conflict")
    ),
]


@pytest.mark.parametrize(("card", "measure"), HARD, ids=lambda each: getattr(each, "label", each))
@MORE
@given(data=st.data(), n_objects=st.integers(1, 8))
def test_on_hard_partitions_an_index_is_the_measure(card, measure, data, n_objects):
    first, second = data.draw(hard_pairs(n_objects))
    expected = sf.compare(first, second, measure=measure).mean
    assert card(first, second) == pytest.approx(expected, rel=0, abs=1e-12)


@given(data=st.data(), n_objects=st.integers(2, 8))
def test_memberships_of_0_and_1_are_counted_as_labels_are(data, n_objects):
    first, second = data.draw(hard_pairs(n_objects))
    rows = first.to_fuzzy().memberships, second.to_fuzzy().memberships
    expected = tuple(hard_sums(first, second))
    for sums in (
        gram_sums(*rows),
        swept_sums(*rows),
        blocked_sums(types_of(*rows), "min"),
        blocked_sums(types_of(*rows), "product"),
        soft_table(*rows),
        concordance_sums(*rows),
    ):
        assert tuple(sums) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    "card",
    [card for card, index in AS_MEASURES if index != "adjusted_rand" and card.name != "anderson"],
    ids=lambda card: card.label,
)
@MORE
@given(data=st.data(), n_objects=st.integers(1, 6))
def test_values_lie_between_0_and_1(card, data, n_objects):
    first = data.draw(partition_of(card.candidate_kinds, n_objects))
    second = data.draw(partition_of(card.reference_kinds, n_objects))
    assert -1e-12 <= card(first, second) <= 1 + 1e-12


@given(data=st.data(), n_objects=st.integers(2, 6))
def test_one_minus_the_concordance_is_a_pseudo_metric(data, n_objects):
    sides = [data.draw(partition_of(("hard", "fuzzy"), n_objects)) for _ in range(3)]
    a, b, c = (1 - indices.huellermeier(sides[i], sides[j]) for i, j in ((0, 1), (1, 2), (0, 2)))
    assert c <= a + b + 1e-12


@given(data=st.data(), n_objects=st.integers(2, 6))
def test_the_rand_index_of_frigui_is_the_mean_of_the_distributional_one(data, n_objects):
    first, second = (data.draw(partition_of(("hard", "fuzzy"), n_objects)) for _ in range(2))
    assert indices.frigui(first, second) == pytest.approx(
        sf.compare(first, second, measure="rand").mean, abs=1e-12
    )


def test_the_jaccard_index_of_frigui_is_not_the_mean_of_the_distributional_one():
    memberships, truth = [[0.9, 0.1], [0.8, 0.2], [0.3, 0.7]], ["x", "x", "y"]
    assert indices.frigui(memberships, truth, index="jaccard") == pytest.approx(0.4302, abs=1e-4)
    mean = sf.compare(memberships, truth, measure="jaccard").mean
    assert mean == pytest.approx(0.5867, abs=1e-4)


def test_equally_soft_statements_agree_by_concordance_and_not_by_expectation():
    uniform = [[0.5, 0.5]] * 6
    assert indices.huellermeier(uniform, uniform) == 1.0
    assert indices.frobenius_rand(uniform, uniform) == 1.0
    assert indices.frigui(uniform, uniform) == 0.5
    assert indices.campello(uniform, uniform) == 0.5
