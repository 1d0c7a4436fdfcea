"""Traps of other packages, and the messages for what an index does not take."""

import numpy as np
import pandas as pd
import pytest

import sfumato as sf
from sfumato import indices
from sfumato.errors import InputError, UnsupportedError
from sfumato.indices.registry import INDICES

FUZZY_CARDS = [card for card in INDICES if "fuzzy" in card.candidate_kinds]
HARD_CARDS = [
    card for card in INDICES if "hard" in card.candidate_kinds and "hard" in card.reference_kinds
]
FUZZY = np.array([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]])
OF_NAME = {"ids": lambda card: card.name}


@pytest.mark.parametrize("card", HARD_CARDS, **OF_NAME)
@pytest.mark.parametrize(
    "labels",
    [[-1, -1, 3, 3, 5], ["a", "b", "b", "c", "a"], [1, 1, 1, 1, 1], [0, 1, 2, 3, 4], [7]],
    ids=["noise and gaps", "text", "one cluster", "singletons", "one object"],
)
def test_identical_hard_partitions_agree_fully(card, labels):
    wanted = 1.0 if card.better == "higher" else 0.0
    renamed = [f"cluster {label}" for label in labels]
    assert card(labels, labels) == pytest.approx(wanted, abs=1e-12)
    assert card(labels, renamed) == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("card", HARD_CARDS, **OF_NAME)
def test_labels_are_names_and_not_numbers(card):
    plain = card([0, 0, 1, 1, 2], [0, 1, 1, 2, 2])
    assert card([1, 1, 3, 3, 5], [0, 1, 1, 2, 2]) == pytest.approx(plain, abs=1e-14)
    assert card([0, 0, -1, -1, 2], ["p", "q", "q", "r", "r"]) == pytest.approx(plain, abs=1e-14)


@pytest.mark.parametrize("card", FUZZY_CARDS, **OF_NAME)
def test_fuzzy_memberships_are_never_hardened(card):
    hardened = card([0, 0, 1], [0, 0, 1])
    assert card(FUZZY, [0, 0, 1]) != pytest.approx(hardened, abs=1e-3)


@pytest.mark.parametrize("card", FUZZY_CARDS, **OF_NAME)
@pytest.mark.parametrize(
    ("memberships", "message"),
    [
        (FUZZY.T, "pass the transpose"),
        ([[0.9, 0.1], [np.nan, 0.4], [0.2, 0.8]], "row 1, column 0 is nan"),
        (FUZZY * 2, "Rows do not sum to 1"),
        ([0, 1], "2 and 3 objects"),
    ],
)
def test_bad_memberships_are_explained(card, memberships, message):
    with pytest.raises(InputError, match=message):
        card(memberships, [0, 0, 1])


@pytest.mark.parametrize("card", HARD_CARDS, **OF_NAME)
def test_frames_are_aligned_by_their_index(card):
    first = pd.Series([0, 0, 1, 1, 2])
    second = pd.Series([0, 1, 1, 2, 2])
    shuffled = second.sample(frac=1, random_state=1)
    assert card(first, shuffled) == pytest.approx(card(first, second), abs=1e-14)


def test_kinds_that_an_index_does_not_take_are_named():
    with pytest.raises(UnsupportedError) as caught:
        indices.brouwer(sf.RoughPartition([[1, 1], [1, 0], [0, 1]]), [0, 0, 1])
    assert str(caught.value) == (
        "brouwer takes a hard or fuzzy partition as the candidate, not a rough one: convert it "
        "yourself (.harden() throws knowledge away, .pignistic() shares masses equally), or use "
        "sfumato.compare, which takes every kind."
    )


def test_a_partition_of_a_simpler_kind_in_disguise_is_taken():
    fuzzy = sf.FuzzyPartition(FUZZY)
    assert indices.frigui(fuzzy.to_evidential(), [0, 0, 1]) == indices.frigui(fuzzy, [0, 0, 1])
    rough = sf.RoughPartition([[1, 0], [1, 0], [0, 1]])
    assert indices.huellermeier(rough, [0, 0, 1]) == 1.0


KINDS = {
    "rough": sf.RoughPartition([[1, 1], [1, 0], [0, 1]]),
    "fuzzy": sf.FuzzyPartition(FUZZY),
    "possibilistic": sf.PossibilisticPartition([[1, 0.5], [1, 0], [0.2, 1]]),
}


@pytest.mark.parametrize("card", INDICES, **OF_NAME)
def test_every_index_refuses_the_kinds_and_the_values_that_it_does_not_list(card):
    for kind in KINDS.keys() - set(card.candidate_kinds):
        with pytest.raises(UnsupportedError, match=f"{card.name} takes .* candidate, not a {kind}"):
            card(KINDS[kind], [0, 0, 1])
    for kind in KINDS.keys() - set(card.reference_kinds):
        with pytest.raises(UnsupportedError, match=f"{card.name} takes .* reference, not a {kind}"):
            card([0, 0, 1], KINDS[kind])
    for option in card.options:
        if option.values:
            with pytest.raises(InputError, match=rf"{card.name}\({option.name}=...\) takes '"):
                card.function([0, 0, 1], [0, 0, 1], **{option.name: "something"})


@pytest.mark.parametrize("score", [indices.adjusted_concordance, indices.pair_log])
@pytest.mark.parametrize("tolerance", [0, -1, float("nan"), float("inf"), "0.1", None])
def test_a_tolerance_is_a_positive_number(score, tolerance):
    message = rf"{score.__name__}\(tolerance=...\) is a positive number, not"
    with pytest.raises(InputError, match=message):
        score(FUZZY, FUZZY, tolerance=tolerance)


def test_a_dirichlet_is_not_fitted_to_memberships_of_0():
    with pytest.raises(InputError, match="row 1, column 0: use chance='permutation' or 'flat'"):
        indices.adjusted_concordance([[0.5, 0.5], [0.0, 1.0]], [[0.5, 0.5]] * 2, chance="fitted")


def test_many_objects_do_not_overflow():
    labels = np.zeros(200_000, dtype=np.int64)
    labels[:100] = 1
    truth = np.arange(200_000) % 7
    for card in (
        indices.campello,
        indices.frigui,
        indices.anderson,
        indices.frobenius_rand,
        indices.huellermeier,
        indices.denoeux,
    ):
        assert card(labels, truth) == pytest.approx(sf.compare(labels, truth).mean, abs=1e-12)
    expected = sf.compare(labels, truth, measure="adjusted_rand").mean
    for card in (indices.fuzzy_adjusted_rand, indices.adjusted_concordance):
        assert card(labels, truth) == pytest.approx(expected, abs=1e-11)


@pytest.mark.parametrize(
    "card",
    [
        indices.campello,
        indices.frigui,
        indices.brouwer,
        indices.anderson,
        indices.huellermeier,
        indices.frobenius_rand,
        indices.adjusted_concordance,
        indices.fuzzy_adjusted_rand,
    ],
)
def test_as_many_clusters_as_objects_take_no_square_of_memory(card):
    import tracemalloc

    singletons = np.arange(4000)
    pairs = singletons // 2
    tracemalloc.start()
    assert card(singletons, singletons) == 1.0
    is_adjusted = card in (indices.adjusted_concordance, indices.fuzzy_adjusted_rand)
    wanted = 0.0 if is_adjusted else 1 - 1 / 3999  # one pair of 3,999 is joined in pairs only
    assert card(singletons, pairs) == pytest.approx(wanted, abs=1e-12)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4000 * 4000


def test_memory_stays_that_of_a_block():
    import tracemalloc

    rng = np.random.default_rng(0)
    first, second = rng.dirichlet([0.5] * 3, 3000), rng.dirichlet([0.5] * 3, 3000)
    tracemalloc.start()
    for card in (indices.huellermeier, indices.campello):
        card(first, second)
    indices.campello(first, second, t_norm="product")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3000 * 3000 * 8 / 4  # of one matrix of all pairs
