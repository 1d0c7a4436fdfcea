import json
from pathlib import Path

import numpy as np
import pytest

from memory import peak_of
from sfumato.errors import InputError
from sfumato.partitions import (
    EvidentialPartition,
    FuzzyPartition,
    HardPartition,
    PossibilisticPartition,
    relational,
)

REFERENCE = Path(__file__).parents[1] / "reference" / "evclust_pairwise_mass.json"
CASES = json.loads(REFERENCE.read_text())["cases"]
SIZED = ("labels", "memberships", "masses")
FIELDS = ("same", "different", "either", "conflict")


def partition_of(inputs):
    """The partition of the objects that are not all conflict: those are refused."""
    match inputs["kind"]:
        case "hard":
            return HardPartition(inputs["labels"])
        case "fuzzy":  # what a row lacks is the empty set's
            memberships = np.array(inputs["memberships"])[kept_objects(inputs)]
            masses = np.column_stack([1 - memberships.sum(axis=1), memberships]).clip(min=0)
            return EvidentialPartition(
                masses, np.vstack([np.zeros(inputs["k"]), np.eye(inputs["k"])])
            )
        case _:
            return EvidentialPartition(inputs["masses"], inputs["focal_sets"])


def kept_objects(inputs):
    if inputs["kind"] != "fuzzy":
        return np.arange(len(inputs.get("labels", inputs.get("masses"))))
    return np.flatnonzero(np.any(inputs["memberships"], axis=1))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_pair_masses_agree_with_evclust(case):
    partition, kept = partition_of(case["inputs"]), kept_objects(case["inputs"])
    n_given = len(next(v for key, v in case["inputs"].items() if key in SIZED))
    is_kept = np.isin(np.triu_indices(n_given, 1), kept).all(axis=0)
    expected = {key: np.array(case["expected"][key])[is_kept] for key in ("Me", "M1", "M0")}
    masses = relational(partition).pairs(*np.triu_indices(partition.n_objects, 1))
    # 1e-12: the tolerance that the reference values were verified to.
    assert np.allclose(masses.conflict, expected["Me"], rtol=0, atol=1e-12)
    assert np.allclose(masses.same, expected["M1"], rtol=0, atol=1e-12)
    assert np.allclose(masses.different, expected["M0"], rtol=0, atol=1e-12)
    total = masses.same + masses.different + masses.either + masses.conflict
    assert np.allclose(total, 1, rtol=0, atol=1e-14)  # a few roundings


@pytest.mark.parametrize("case", CASES[::4], ids=lambda case: case["id"])
def test_blocks_cover_every_pair_once(case):
    view = relational(partition_of(case["inputs"]))
    n = view.n_objects
    whole = view.block(np.arange(n), np.arange(n))
    for field in FIELDS:
        found = np.full((n, n), np.nan)
        for rows, columns, masses in view.blocks(size=4):
            found[rows, columns] = getattr(masses, field)
        above = np.triu_indices(n)
        # Blocks add the same terms in another order.
        assert np.allclose(found[above], getattr(whole, field)[above], rtol=0, atol=1e-14)
        assert np.allclose(getattr(whole, field), getattr(whole, field).T, rtol=0, atol=1e-14)
        first, second = np.indices((n, n)).reshape(2, -1)
        in_pairs = getattr(view.pairs(first, second), field)
        assert np.allclose(in_pairs, getattr(whole, field).ravel(), rtol=0, atol=1e-14)


def test_a_hard_partition_says_same_or_different_exactly():
    labels = np.random.default_rng(0).integers(0, 5, 40)
    masses = relational(HardPartition(labels)).block(slice(0, 40), np.arange(40))
    together = labels[:, None] == labels[None, :]
    assert np.array_equal(masses.same, together)
    assert np.array_equal(masses.different, ~together)
    assert not masses.either.any()
    assert not masses.conflict.any()


def test_moving_the_empty_set_to_all_clusters_leaves_no_conflict():
    masses, sets = [[0.5, 0.5], [0.5, 0.5]], [[0, 0], [1, 0]]
    assert relational(EvidentialPartition(masses, sets)).pairs([0], [1]).conflict == [0.75]
    moved = relational(EvidentialPartition(masses, sets, empty="yager")).pairs([0], [1])
    assert moved.conflict == [0.0]


def test_a_possibilistic_partition_is_read_object_by_object():
    partition = PossibilisticPartition([[1, 0.5], [1, 0]], t_norm="min")
    view = relational(partition)
    assert view.notes == ("pairs read object by object, not with t_norm='min'",)
    assert view.pairs([0], [1]).same.tolist() == [0.5]
    assert view.pairs([0], [1]).either.tolist() == [0.5]
    assert relational(partition.with_t_norm(None)).notes == ()


def test_many_clusters_do_not_build_a_table_of_sets():
    view = relational(HardPartition(np.arange(50_000)))
    masses, peak = peak_of(lambda: view.block(slice(0, 64), slice(32, 96)))
    assert masses.same.sum() == 32
    assert peak < 8_000_000  # a few arrays of n; n x n would be 2.5e9


def test_long_lists_of_pairs_are_done_in_pieces():
    rng = np.random.default_rng(1)
    view = relational(FuzzyPartition(rng.dirichlet(np.ones(3), 50)))
    first, second = rng.integers(0, 50, (2, 10_000))
    whole = view.block(slice(None), slice(None)).same
    assert np.allclose(view.pairs(first, second).same, whole[first, second], rtol=0, atol=1e-15)


def test_pairs_must_match():
    view = relational(HardPartition([0, 1]))
    with pytest.raises(InputError, match="first has 1 objects and second 2"):
        view.pairs([0], [0, 1])
    with pytest.raises(InputError, match=r"order\[0\] is 2, outside 0 to 1"):
        view.pairs([2], [0])
