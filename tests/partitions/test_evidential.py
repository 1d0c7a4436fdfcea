import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from sfumato.errors import CostError, InputError
from sfumato.partitions import (
    EvidentialPartition,
    FuzzyPartition,
    HardPartition,
    RoughPartition,
)

REFERENCE = Path(__file__).parents[1] / "reference"
SETS = np.array([[0, 0], [1, 0], [0, 1], [1, 1]], dtype=bool)


def cases(family):
    loaded = json.loads((REFERENCE / f"{family}.json").read_text())["cases"]
    return [pytest.param(case["inputs"], case["expected"], id=case["id"]) for case in loaded]


def evidential(inputs, empty="dempster"):
    """An evidential partition from reference input; what a fuzzy row lacks is the empty set's."""
    match inputs["kind"]:
        case "hard":
            return HardPartition(inputs["labels"]).to_evidential()
        case "fuzzy":
            memberships = np.array(inputs["memberships"])
            masses = np.column_stack([1 - memberships.sum(axis=1), memberships]).clip(min=0)
            sets = np.vstack([np.zeros(inputs["k"]), np.eye(inputs["k"])])
            return EvidentialPartition(masses, sets, empty=empty)
        case _:
            return EvidentialPartition(inputs["masses"], inputs["focal_sets"], empty=empty)


def by_set(masses, focal_sets):
    masses = np.asarray(masses)
    return {
        tuple(np.flatnonzero(members)): masses[:, i]
        for i, members in enumerate(np.asarray(focal_sets))
        if masses[:, i].any()
    }


@pytest.mark.parametrize(("inputs", "expected"), cases("evclust_credpart"))
def test_singletons_agree_with_evclust(inputs, expected):
    partition = evidential(inputs)
    # 1e-12: the tolerance that the reference values were verified to.
    near = {"rtol": 0, "atol": 1e-12}
    assert np.allclose(partition.empty_mass, expected["conf"], **near)
    assert np.allclose(partition.plausibility(), expected["pl_n"], **near)
    assert np.allclose(partition.belief(), expected["bel_n"], **near)
    assert np.allclose(partition.pignistic().memberships, expected["betp_n"], **near)
    assert partition.harden().labels.tolist() == expected["y_pl"]
    ours = by_set(partition.masses, partition.focal_sets)
    theirs = by_set(expected["mass_n"], [row for row in expected["F"] if any(row)])
    assert ours.keys() == theirs.keys()
    assert all(np.allclose(ours[members], theirs[members], **near) for members in ours)


@pytest.mark.parametrize("empty", ["dempster", "yager"])
@pytest.mark.parametrize(("inputs", "expected"), cases("evclust_normalize"))
def test_the_empty_set_is_resolved_as_in_evclust(inputs, expected, empty):
    partition = evidential(inputs, empty)
    ours = by_set(partition.masses, partition.focal_sets)
    theirs = by_set(expected[empty]["masses"], expected[empty]["focal_sets"])
    assert ours.keys() == theirs.keys()
    for members in ours:
        assert np.allclose(ours[members], theirs[members], rtol=0, atol=1e-12)


def test_conditioning_divides_by_the_other_masses_and_not_by_what_is_missing():
    partition = EvidentialPartition([[1.0, 1e-30, 3e-30, 0.0]], SETS)
    assert partition.masses == pytest.approx(np.array([[0.25, 0.75, 0.0]]), abs=1e-15)
    assert partition.empty_mass.tolist() == [1.0]


def test_the_mean_mass_of_the_empty_set_is_noted():
    masses = [[0.5, 0.25, 0.25, 0], [0, 1, 0, 0]]
    conditioned = EvidentialPartition(masses, SETS)
    assert conditioned.masses.tolist() == [[0.5, 0.5, 0], [1, 0, 0]]
    assert conditioned.focal_sets.tolist() == SETS[1:].tolist()
    assert conditioned.empty_mass.tolist() == [0.5, 0.0]
    assert conditioned.notes == ("mean mass 0.25 of the empty set conditioned away",)
    moved = EvidentialPartition(masses, SETS, empty="yager")
    assert moved.masses.tolist() == [[0.25, 0.25, 0.5], [1, 0, 0]]
    assert moved.notes == ("mean mass 0.25 of the empty set moved to all clusters",)
    assert moved.empty_mass.tolist() == [0.5, 0.0]
    assert repr(moved) == (
        "EvidentialPartition(2 objects, 2 clusters, 3 focal sets, mean empty mass 0.25)"
    )


def test_yager_adds_the_set_of_all_clusters_where_it_is_missing():
    partition = EvidentialPartition([[0.5, 0.5], [1, 0]], [[0, 0], [1, 0]], empty="yager")
    assert partition.focal_sets.tolist() == [[True, False], [True, True]]
    assert partition.masses.tolist() == [[0.5, 0.5], [0, 1]]
    vacuous = EvidentialPartition([[1.0]], [[0, 0]], empty="yager")
    assert vacuous.simplest() == RoughPartition([[1, 1]])


def test_an_unused_empty_set_leaves_no_trace():
    partition = EvidentialPartition([[0, 0.5, 0.5, 0]], SETS, empty="raise")
    assert partition.notes == ()
    assert partition == EvidentialPartition([[0.5, 0.5]], [[1, 0], [0, 1]])


@pytest.mark.parametrize(
    ("masses", "sets", "empty", "message"),
    [
        ([[0, 1, 0, 0], [1, 0, 0, 0]], SETS, "dempster", 'row 1 has all its mass .* empty="yager"'),
        ([[0.5, 0.5, 0, 0]], SETS, "raise", r"row 0 has mass 0\.5 on the empty set"),
        ([[1, 0, 0, 0]], SETS, "yagr", "Unknown empty 'yagr': did you mean 'yager'"),
        ([[0.5, 0.5, 0]], [[1, 0], [0, 1], [1, 0]], "dempster", "rows 0 and 2 are the same set"),
        ([[0.5, 0.5]], SETS, "dempster", "masses has 2 columns but there are 4 focal sets"),
        ([[1.0]], [], "dempster", "focal_sets is empty"),
        ([[1.0]], np.zeros((1, 0)), "dempster", r"focal_sets has shape \(1, 0\)"),
        ([[0.5, 0.25, 0, 0]], SETS, "dempster", r"masses: rows must sum to 1; row 0 sums to 0\.75"),
        ([[0.5, 0.5, 2e-6]], SETS[1:], "dempster", r"rows must sum to 1; row 0 sums to 1\.000002;"),
        ([[1.5, -0.5, 0, 0]], SETS, "dempster", r"row 0, column 1 is -0\.5, negative"),
        ([[np.nan, 1, 0, 0]], SETS, "dempster", "row 0, column 0 is nan"),
        ([[1.0]], [[2, 0]], "dempster", "focal_sets: row 0, column 0 is 2; entries must be 0 or 1"),
    ],
)
def test_bad_masses_are_refused(masses, sets, empty, message):
    with pytest.raises(InputError, match=message):
        EvidentialPartition(masses, sets, empty=empty)


def test_small_deviations_are_rescaled_with_a_note():
    partition = EvidentialPartition([[0.5, 0.5 + 4e-7]], [[1, 0], [0, 1]])
    assert partition.masses.sum() == 1.0
    assert partition.notes[0].startswith("masses: 1 row rescaled")


def test_sets_may_be_given_by_name():
    partition = EvidentialPartition.from_sets([[0.5, 0.5]], [["b"], {"a", "b"}])
    assert partition.names == ("a", "b")
    assert partition.focal_sets.tolist() == [[False, True], [True, True]]


def test_the_mass_of_a_rough_partition_is_a_product():
    partition = EvidentialPartition([[0.25, 0.75], [0.5, 0.5]], [[1, 0], [1, 1]], names=("b", "a"))
    rough = RoughPartition.from_sets([{"b"}, {"a", "b"}])
    assert partition.mass(rough) == 0.125
    assert type(partition.mass(rough)) is float
    assert partition.mass(RoughPartition.from_sets([{"a"}, {"b"}])) == 0.0
    assert partition.mass(HardPartition(["b", "b"])) == 0.125


def test_too_many_focal_partitions_are_refused_at_once():
    partition = EvidentialPartition(np.full((2000, 2), 0.5), [[1, 0], [1, 1]])
    with pytest.raises(CostError, match=r"About 1e602 .* \(max_partitions=10000\)"):
        partition.focal_partitions()
    assert len(list(partition.take(np.arange(3)).focal_partitions(8))) == 8
    with pytest.raises(CostError, match="max_partitions=7"):
        partition.take(np.arange(3)).focal_partitions(7)


def test_simplest_goes_as_far_down_as_it_can():
    sets = [[1, 0], [0, 1], [1, 1]]
    assert EvidentialPartition([[0.5, 0.5, 0]], sets).simplest() == FuzzyPartition([[0.5, 0.5]])
    assert EvidentialPartition([[0, 0, 1]], sets).simplest() == RoughPartition([[1, 1]])
    assert EvidentialPartition([[0, 1, 0], [1, 0, 0]], sets).simplest() == HardPartition([1, 0])
    general = EvidentialPartition([[0.5, 0, 0.5]], sets)
    assert general.simplest() is general
    assert general.to_evidential() is general


def test_equality_is_of_mass_functions_not_of_columns():
    a = EvidentialPartition([[0.25, 0.75, 0.0]], [[1, 0], [1, 1], [0, 1]])
    b = EvidentialPartition([[0.75, 0.25]], [[1, 1], [1, 0]])
    assert a == b
    assert a != EvidentialPartition([[0.25, 0.75]], [[1, 1], [1, 0]])
    assert a != EvidentialPartition([[0.5, 0.375, 0.125]], [[0, 0], [1, 1], [1, 0]])


def test_frames_bring_names_and_index():
    partition = EvidentialPartition(
        pd.DataFrame([[0.5, 0.5]], index=["x"]), pd.DataFrame([[1, 0], [1, 1]], columns=["a", "b"])
    )
    assert partition.names == ("a", "b")
    assert partition.index is not None
    assert partition.index.tolist() == ["x"]


def test_one_set_for_each_object_is_certain_whatever_rounding_says():
    conditioned = EvidentialPartition([[0.7573807711390229, 0.242619228860977]], [[0], [1]])
    assert conditioned.simplest().kind == "hard"


def test_focal_sets_may_be_sets_of_clusters_or_names():
    masses = [[0.5, 0.25, 0.25], [0.0, 1.0, 0.0]]
    by_mask = EvidentialPartition(masses, [[1, 0], [0, 1], [1, 1]])
    assert EvidentialPartition(masses, [{0}, {1}, {0, 1}]) == by_mask
    named = EvidentialPartition(masses, [[1, 0], [0, 1], [1, 1]], names=["a", "b"])
    assert EvidentialPartition(masses, [{"a"}, {"b"}, {"a", "b"}]) == named
    assert EvidentialPartition(masses, [{0}, {1}, {0, 1}], names=["a", "b"]) == named
    with_empty = EvidentialPartition(masses, [set(), {1}, {0, 1}])
    assert with_empty.empty_mass.tolist() == [0.5, 0.0]


@pytest.mark.parametrize(
    ("sets", "names", "message"),
    [
        ([{0}, {1}, {5}], ["a", "b"], "Cluster 0 is not one of names: 'a', 'b'"),
        ([{0}, {1}, {1}], None, "the same set"),
        ([{0}, {1}], None, "3 columns but there are 2 focal sets"),
        ([set(), set(), set()], None, "No focal set holds a cluster"),
    ],
)
def test_bad_sets_are_refused(sets, names, message):
    with pytest.raises(InputError, match=message):
        EvidentialPartition([[0.5, 0.25, 0.25]], sets, names=names)
