"""What goes wrong in other packages, for every registered index with its default options."""

import numpy as np
import pytest

import sfumato as sf
from sfumato.errors import InputError
from sfumato.indices.registry import INDICES

CARDS = [pytest.param(card, id=card.name) for card in INDICES]
LABELS = {
    "noise": [-1, -1, 0, 1, 1],
    "gaps": [1, 3, 5, 5, 1],
    "text": ["b", "a", "b", "c", "c"],
    "one cluster": [7, 7, 7, 7, 7],
    "singletons": [0, 1, 2, 3, 4],
}


@pytest.mark.parametrize("card", CARDS)
@pytest.mark.parametrize("labels", LABELS.values(), ids=LABELS)
def test_identical_hard_partitions_are_perfect(card, labels):
    renamed = [f"cluster {label}" for label in labels]
    perfect = 1.0 if card.better == "higher" else 0.0
    assert card(labels, labels) == pytest.approx(perfect, rel=0, abs=1e-12)
    assert card(labels, renamed) == pytest.approx(perfect, rel=0, abs=1e-12)


@pytest.mark.parametrize("card", CARDS)
def test_labels_that_count_from_zero_or_one_are_the_same(card):
    rng = np.random.default_rng(0)
    soft = sf.RoughPartition(rng.random((30, 3)) < 0.4 + np.eye(3)[rng.integers(0, 3, 30)])
    candidate = soft if "rough" in card.candidate_kinds else soft.pignistic()
    truth = rng.integers(0, 4, 30)  # another number of clusters
    assert card(candidate, truth) == card(candidate, truth + 1)


@pytest.mark.parametrize("card", CARDS)
def test_uniform_memberships_give_a_number(card):
    if "fuzzy" in card.candidate_kinds:
        assert np.isfinite(card(np.full((6, 3), 1 / 3), [0, 0, 1, 1, 2, 2]))


@pytest.mark.parametrize("card", CARDS)
def test_missing_and_transposed_memberships_are_refused_in_one_line(card):
    missing, turned = np.full((4, 2), 0.5), np.array([[0.9, 0.2, 0.3], [0.1, 0.8, 0.7]])
    missing[2, 1] = np.nan
    for wrong, message in ((missing, "row 2, column 1 is nan"), (turned, "pass the transpose")):
        with pytest.raises(InputError, match=message) as caught:
            card(wrong, [0, 1, 0, 1])
        assert "\n" not in str(caught.value)
