"""What noise, missing labels and rows below 1 become, and what is said of it."""

import itertools
from functools import partial
from typing import get_args

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.errors import InputError
from sfumato.partitions import (
    EvidentialPartition,
    FuzzyPartition,
    HardPartition,
    PossibilisticPartition,
    RoughPartition,
    as_partition,
)
from sfumato.partitions.reading.reading_options import Noise
from strategies import pairs_of_partitions

LABELS = [0, 1, -1, 1, -1, 0]
TRUTH = ["a", "b", "a", "b", "b", "a"]


def test_noise_as_singletons_puts_every_such_object_alone():
    found = as_partition(LABELS, noise="singletons")
    assert found.equivalent(HardPartition([0, 1, 2, 1, 3, 0]))
    assert found.names == (0, 1, "-1 #2", "-1 #4")
    assert found.notes == (
        '2 of 6 labels (33.3%) are noise: each is in no cluster, alone (noise="singletons").',
    )


def test_unknown_noise_is_in_any_cluster_that_was_seen():
    found = as_partition(LABELS, noise="unknown")
    assert found == RoughPartition.from_sets([{0}, {1}, {0, 1}, {1}, {0, 1}, {0}])


@pytest.mark.parametrize(
    ("gap", "options", "choices"),
    [
        (-1, {"noise": "unknown"}, [0, 1]),
        (None, {"missing": "unknown"}, [0, 1]),
        (None, {"missing": "unknown", "new_class": True}, [0, 1, 2]),
    ],
)
def test_what_is_unknown_encloses_every_way_to_fill_it_in(gap, options, choices):
    unknown = as_partition([0, 1, gap, 1, gap, 0], **options)
    found = sf.compare(unknown, TRUTH, measure="adjusted_rand")
    values = [
        sf.compare([0, 1, first, 1, second, 0], TRUTH, measure="adjusted_rand").mean
        for first, second in itertools.product(choices, repeat=2)
    ]
    assert (found.lower, found.upper) == pytest.approx((min(values), max(values)))


@pytest.mark.parametrize("turned", [False, True])
def test_dropped_objects_leave_both_sides(turned):
    sides = (as_partition(LABELS, noise="drop"), TRUTH)
    found = sf.compare(*(sides[::-1] if turned else sides), measure="rand")
    keep = [0, 1, 3, 5]
    alone = sf.compare([LABELS[i] for i in keep], [TRUTH[i] for i in keep], measure="rand")
    assert found.mean == alone.mean == 1.0
    assert "Compared on 4 of 6 objects (67%): the others were dropped." in found.notes


def test_both_sides_may_drop_and_indexes_are_heeded():
    a = pd.Series([0, -1, 1, 1, 0], index=list("vwxyz"))
    b = pd.Series([None, "p", "q", "q", "p"], index=list("yxwvz"))
    found = sf.compare(as_partition(a, noise="drop"), as_partition(b, missing="drop"))
    # Left are v, x and z: 0, 1, 0 against q, p, p.
    assert found.mean == sf.compare([0, 1, 0], ["q", "p", "p"]).mean
    assert any("3 of 5 objects" in note for note in found.notes)
    assert any("reordered" in note for note in found.notes)


def test_a_side_that_drops_and_one_without_index_go_by_position():
    a = as_partition(pd.Series(LABELS, index=list("uvwxyz")), noise="drop")
    assert sf.compare(a, TRUTH).mean == 1.0


def test_nothing_in_common_is_refused():
    a, b = as_partition([0, 1, -1], noise="drop"), as_partition([-1, -1, 0], noise="drop")
    with pytest.raises(InputError, match="Each of the 3 objects is dropped by some partition"):
        sf.compare(a, b)


def test_partitions_of_other_sizes_are_refused_as_they_were_given():
    with pytest.raises(InputError, match="The partitions have 6 and 4 objects"):
        sf.compare(as_partition(LABELS, noise="drop"), [0, 1, 0, 1])


def test_conversions_keep_what_was_dropped_and_take_forgets_it():
    found = as_partition(LABELS, noise="drop")
    for other in (
        found.to_rough(),
        found.to_fuzzy(),
        found.to_evidential(),
        found.to_rough().pignistic(),
        found.to_evidential().harden(),
        found.to_evidential().sample(0),
    ):
        assert sf.compare(other, TRUTH).mean == 1.0
    assert found.take([0, 1]).given is None
    twice = found.drop(np.array([True, False, False, False]))
    assert twice.given.is_kept.tolist() == [False, True, False, True, False, True]


def test_a_label_that_looks_like_noise_leaves_a_note_and_stays_a_label():
    found = sf.compare(LABELS, TRUTH)
    assert found.mean == sf.compare([0, 1, 2, 1, 2, 0], TRUTH).mean
    (note,) = found.notes
    assert note.startswith("2 of 6 labels (33.3%) are -1, taken for a cluster like any other")
    assert 'noise="singletons"' in note
    assert as_partition(["-1", "a"]).notes != ()
    assert as_partition([1, 0, 2]).notes == HardPartition(LABELS).notes == ()


@pytest.mark.parametrize(
    ("labels", "label"),
    [
        ([0, "noise", 1], "noise"),
        (np.array([0, 99, 1]), 99),
        (["0", "-1", "1"], -1),
        (["0.0", "-1.0", "1.0"], -1),
        ([0, -1, 1], "-1"),
        ([0, -1, 1], -1.0),
        (np.array([0.0, -1.0, 1.0]), -1),
        (pl.Series([0, -1, 1], dtype=pl.Int8), -1),
        (pd.Series(["x", "-1", "y"], dtype="category"), -1),
    ],
)
def test_any_label_may_mark_noise(labels, label):
    found = as_partition(labels, noise="unknown", noise_label=label)
    assert found.mask.sum(axis=1).tolist() == [1, 2, 1]


@pytest.mark.parametrize(
    ("labels", "noise"),
    [(LABELS, "cluster"), *((TRUTH, noise) for noise in get_args(Noise))],
)
def test_labels_stay_as_they_are_if_noise_is_a_cluster_or_there_is_none(labels, noise):
    found = as_partition(labels, noise=noise)
    assert found == HardPartition(labels)
    assert found.notes == ()


def test_only_noise_and_one_cluster_beside_it():
    assert as_partition([-1, -1, -1], noise="singletons").n_clusters == 3
    assert as_partition([0, -1], noise="unknown").simplest() == HardPartition([0, 0])
    only_new = as_partition([None, None], missing="unknown", new_class=True)
    assert only_new.simplest().n_clusters == 1


MISSING = {
    "None": ["a", None, "b"],
    "nan": ["a", float("nan"), "b"],
    "NA": pd.array(["a", pd.NA, "b"], dtype="string"),
    "empty": ["a", "", "b"],
    "blank": np.array(["a", " ", "b"]),
    "pandas": pd.Series(["a", None, "b"]),
    "polars": pl.Series(["a", None, "b"]),
    "categorical": pd.Categorical(["a", None, "b"]),
    "numbers": np.array([1.0, np.nan, 2.0]),
    "NA among numbers": pd.array([1, pd.NA, 2], dtype="Int64"),
    "numbers of pandas": pd.Series([1, pd.NA, 2], dtype="Int64"),
    "numbers of polars": pl.Series([1, None, 2]),
    "dates": np.array(["2020-01-01", "NaT", "2021-01-01"], dtype="datetime64[D]"),
}


@pytest.mark.parametrize("labels", MISSING.values(), ids=MISSING.keys())
def test_missing_labels(labels):
    with pytest.raises(InputError, match=r'Label 1 is missing.*missing="unknown" or "drop"'):
        as_partition(labels)
    unknown = as_partition(labels, missing="unknown")
    a, b = unknown.names
    assert str(a)[:4] in ("a", "1", "1.0", "2020")
    assert unknown == RoughPartition.from_sets([{a}, {a, b}, {b}])
    assert as_partition(labels, missing="drop") == HardPartition([a, b])
    new = as_partition(labels, missing="unknown", new_class=True)
    sets = [{a}, {a, b, "unseen"}, {b}]
    assert new == RoughPartition.from_sets(sets, names=[a, b, "unseen"])


def test_notes_give_the_share_and_the_condition():
    labels = [0, None, 1, None]
    (note,) = as_partition(labels, missing="unknown").notes
    assert note == (
        "2 of 4 labels (50%) are missing; the answer holds if each is among the 2 classes seen."
    )
    (note,) = as_partition(labels, missing="unknown", new_class=True).notes
    assert note.endswith("among the 2 classes seen or one unseen class.")
    (note,) = as_partition(labels, missing="drop").notes
    assert note.endswith("speaks for all objects only if labels are missing at random.")


@pytest.mark.parametrize(
    ("x", "options", "message"),
    [
        ([0, 1], {"noise": "droop"}, "Unknown noise 'droop': did you mean 'drop'"),
        ([0, 1], {"missing": "ignore"}, "Unknown missing 'ignore': Choose from raise, unknown"),
        ([0, 1], {"new_class": True}, 'pass missing="unknown" with it'),
        ([0, 1], {"normalize": "yes"}, "normalize is 'yes'; pass True or False"),
        ([0, 1], {"noise": "drop", "noise_label": [-1]}, "noise_label is a list"),
        ([-1, -1], {"noise": "unknown"}, "no class was seen"),
        ([-1, -1], {"noise": "drop"}, "nothing is left"),
        ([None, None], {"missing": "unknown"}, "no class was seen"),
        ([None, None], {"missing": "drop"}, "nothing is left"),
        ([[np.nan, 0.5]], {"missing": "drop"}, "All rows are missing or noise, so nothing"),
        ([[0.0, 0.0]], {"noise": "drop"}, "All rows are missing or noise, so nothing"),
        ([[np.nan, 1]], {"missing": "drop", "kind": "rough"}, "All rows are missing, so nothing"),
        ([None], {"missing": "drop", "kind": "rough"}, "All sets are missing, so no class"),
        (["unseen", None], {"missing": "unknown", "new_class": True}, "'unseen' appears twice"),
        (["-1 #1", "-1"], {"noise": "singletons"}, "Cluster name '-1 #1' appears twice"),
        ([1.0, None, 2.0, 0.5], {"missing": "drop"}, r"Label 3 is 0\.5"),
        ([[0.5, 0.25], [0, 1]], {}, r'noise="unknown".* or normalize=True'),
        ([[0.5, 0.9], [0.2, 0.2]], {"noise": "unknown"}, r"row 0 sums to 1\.4.*possibilistic"),
    ],
)
def test_what_makes_no_sense_is_refused(x, options, message):
    with pytest.raises(InputError, match=message):
        as_partition(x, **options)


ROWS = np.array([[0.5, 0.25], [0.0, 1.0], [0.0, 0.0]])


@pytest.mark.parametrize("make", [np.array, scipy.sparse.csr_matrix, pd.DataFrame])
def test_the_rest_of_rows_below_one(make):
    rows = make(ROWS)
    unknown = as_partition(rows, noise="unknown")
    assert unknown == EvidentialPartition(
        [[0.5, 0.25, 0.25], [0, 1, 0], [0, 0, 1]], [[1, 0], [0, 1], [1, 1]]
    )
    cluster = as_partition(rows, noise="cluster")
    memberships = [[0.5, 0.25, 0.25], [0, 1, 0], [0, 0, 1]]
    assert cluster == FuzzyPartition(memberships, names=[0, 1, -1])
    alone = as_partition(rows, noise="singletons")
    assert alone.memberships.tolist() == [[0.5, 0.25, 0.25, 0], [0, 1, 0, 0], [0, 0, 0, 1]]
    dropped = as_partition(rows, noise="drop")
    assert dropped == FuzzyPartition([[2 / 3, 1 / 3], [0, 1]])
    assert dropped.given.is_kept.tolist() == [True, True, False]
    for found, word in (
        (unknown, "mass on all clusters"),
        (cluster, "one cluster of noise"),
        (alone, "in no cluster, each object alone"),
        (dropped, "given that the object is no noise"),
    ):
        assert word in " ".join(found.notes)


def test_the_rest_on_singletons_is_never_together_with_anything():
    found = sf.compare(as_partition(ROWS, noise="singletons"), [0, 0, 0], measure="rand")
    # Objects 0 and 1 are together with probability 0.25; object 2 is alone.
    assert found.mean == pytest.approx(0.25 / 3)


@pytest.mark.parametrize(
    "make", [np.array, partial(np.array, dtype=object), scipy.sparse.csr_matrix, pd.DataFrame]
)
def test_missing_rows(make):
    rows = make([[0.5, 0.5], [np.nan, 1.0], [0.0, 1.0]])
    with pytest.raises(InputError, match=r'row 1, column 0 is nan.*missing="unknown"'):
        as_partition(rows)
    unknown = as_partition(rows, missing="unknown")
    assert unknown.masses.tolist() == [[0.5, 0.5, 0], [0, 0, 1], [0, 1, 0]]
    assert as_partition(rows, missing="drop") == FuzzyPartition([[0.5, 0.5], [0, 1]])
    new = as_partition(rows, missing="unknown", new_class=True)
    assert new.names == (0, 1, "unseen")
    assert new.plausibility()[1].tolist() == [1, 1, 1]
    assert new.plausibility()[0].tolist() == [0.5, 0.5, 0]


def test_missing_rows_of_the_other_kinds():
    mask = [[1, 0], [np.nan, 1], [1, 1]]
    rough = as_partition(mask, kind="rough", missing="unknown")
    assert rough == RoughPartition([[1, 0], [1, 1], [1, 1]])
    assert as_partition(mask, kind="rough", missing="drop").n_objects == 2
    degrees = [[1, 0.5], [np.nan, 1], [1, 1]]
    possible = as_partition(degrees, kind="possibilistic", missing="unknown", new_class=True)
    assert possible == PossibilisticPartition(
        [[1, 0.5, 0], [1, 1, 1], [1, 1, 0]], names=[0, 1, "unseen"]
    )
    sets = as_partition([{0}, None, {0, 1}], kind="rough", missing="unknown")
    assert sets == RoughPartition([[1, 0], [1, 1], [1, 1]])
    frame = pd.DataFrame({"{}": [0.5, 0.0], "{a}": [0.25, 0.0], "{b}": [0.25, np.nan]})
    masses = as_partition(frame, kind="evidential", missing="unknown")
    assert masses.plausibility().tolist() == [[0.5, 0.5], [1, 1]]
    assert as_partition(frame, kind="evidential", missing="drop").n_objects == 1


def test_noise_and_missing_together():
    rows = np.array([[0.5, 0.25], [np.nan, np.nan], [0, 1]])
    found = as_partition(rows, noise="cluster", missing="unknown", new_class=True)
    assert found.names == (0, 1, -1, "unseen")
    assert found.plausibility().tolist() == [[0.5, 0.25, 0.25, 0], [1, 1, 1, 1], [0, 1, 0, 0]]
    assert as_partition(rows, noise="drop", missing="drop").n_objects == 2


def test_one_column_of_memberships_and_a_rest():
    for make in (np.array, scipy.sparse.csr_matrix):
        found = as_partition(make([[0.5], [1.0]]), noise="unknown")
        assert found.simplest().n_clusters == 1


@given(
    labels=st.lists(st.sampled_from([-1, 0, 1, None]), min_size=3, max_size=6).filter(
        lambda labels: {0, 1} <= set(labels)
    ),
    noise=st.sampled_from(["singletons", "unknown", "drop"]),
    missing=st.sampled_from(["unknown", "drop"]),
)
def test_labels_and_their_indicator_rows_read_alike(labels, noise, missing):
    rows = [
        [np.nan, np.nan] if label is None else [float(label == 0), float(label == 1)]
        for label in labels
    ]
    by_labels = as_partition(labels, noise=noise, missing=missing)
    by_rows = as_partition(rows, noise=noise, missing=missing)
    truth = [0, 1, 0, 1, 1, 0][: len(labels)]
    first, second = (sf.compare(side, truth, measure="rand") for side in (by_labels, by_rows))
    assert (first.lower, first.upper) == pytest.approx((second.lower, second.upper))


@settings(max_examples=60)
@given(
    pair=pairs_of_partitions(n_objects=st.integers(3, 4), n_clusters=st.integers(1, 3)),
    leaves=st.lists(st.booleans(), min_size=8, max_size=8),
)
def test_to_drop_objects_is_to_take_the_others_of_both_sides(pair, leaves):
    first, second = pair
    n = first.n_objects
    from_first, from_second = np.array(leaves[:n]), np.array(leaves[n : 2 * n])
    keep = ~(from_first | from_second)
    assume(keep.any())
    dropped = sf.compare(first.drop(from_first), second.drop(from_second), measure="rand", rng=0)
    taken = sf.compare(first.take(keep), second.take(keep), measure="rand", rng=0)
    assert (dropped.lower, dropped.upper) == (taken.lower, taken.upper)


# Rounded numbers


@pytest.mark.parametrize("n_clusters", [2, 3, 10, 40])
@pytest.mark.parametrize("rounded", [2, 3, 4, 6, "float16", "float16 in float64"])
def test_rounded_memberships_are_rescaled_with_a_note(n_clusters, rounded):
    rng = np.random.default_rng(n_clusters)
    memberships = rng.dirichlet(np.ones(n_clusters), 300)
    if isinstance(rounded, int):
        values = memberships.round(rounded)
    else:
        values = memberships.astype(np.float16)
        values = values.astype(np.float64) if "64" in rounded else values
    found = as_partition(values)
    assert found.memberships.sum(axis=1) == pytest.approx(1, abs=1e-12)
    if np.abs(values.astype(np.float64).sum(axis=1) - 1).max() > 1e-6:
        words = f"rounded to {rounded} decimals" if isinstance(rounded, int) else "half precision"
        assert words in found.notes[0]
    tilted = as_partition(scipy.sparse.csr_matrix(values.astype(np.float64)))
    assert tilted.memberships == pytest.approx(found.memberships, abs=1e-12)


def test_rounded_memberships_are_no_noise():
    rows = np.random.default_rng(0).dirichlet(np.ones(3), 60).round(4)
    for noise in ("unknown", "cluster", "singletons", "drop"):
        found = as_partition(rows, noise=noise)
        assert (found.kind, found.n_clusters) == ("fuzzy", 3), noise
        assert any("rounded to 4 decimals" in note for note in found.notes) == (noise != "drop")


def test_rounded_single_precision_and_masses():
    values = np.array([[0.333, 0.333, 0.333], [0.1, 0.2, 0.7]], dtype=np.float32)
    assert "rounded to 3 decimals" in as_partition(values).notes[0]
    masses = EvidentialPartition(values, [[1, 0], [0, 1], [1, 1]])
    assert "rounded to 3 decimals" in masses.notes[0]
    assert masses.masses.sum(axis=1) == pytest.approx(1)


@pytest.mark.parametrize(
    "rows",
    [
        [[0.5, 0.48], [0.5, 0.5]],  # two half-units are 0.01
        [[1.0, 0.1], [0.1, 1.0]],  # possibilities
        [[0.9, 0.0], [0.8, 0.1]],
        [[0.123456789123, 0.5], [0.5, 0.5]],
    ],
)
def test_what_rounding_does_not_explain_is_refused_and_normalize_settles_it(rows):
    with pytest.raises(InputError, match="normalize=True") as refused:
        as_partition(rows)
    text = str(refused.value)
    assert "kind=" not in text or text.index("normalize=True") < text.index("kind=")
    found = as_partition(rows, normalize=True)
    assert found.memberships == pytest.approx(np.array(rows) / np.sum(rows, axis=1)[:, None])


def test_normalize_divides_masses_too():
    frame = pd.DataFrame({"{a}": [1.0, 2.0], "{a,b}": [3.0, 2.0]})
    found = as_partition(frame, kind="evidential", normalize=True)
    assert found.masses.tolist() == [[0.25, 0.75], [0.5, 0.5]]
    for row, total in (([0.0, 0.0], "0"), ([1e308, 1e308], "inf")):
        with pytest.raises(InputError, match=f"row 1 sums to {total} and cannot be normalised"):
            EvidentialPartition([[1.0, 1.0], row], [[1, 0], [1, 1]], normalize=True)
        with pytest.raises(InputError, match=f"row 1 sums to {total} and cannot be normalised"):
            as_partition([[1.0, 1.0], row, [np.nan] * 2], missing="unknown", normalize=True)
    with pytest.raises(InputError, match=r"row 1 sums to inf and .* pass smaller numbers"):
        sf.interop.from_votes([[0, 0], row], missing="drop")


def test_take_keeps_the_objects_of_a_mask():
    hard = HardPartition([0, 1, 1])
    assert hard.take([True, False, True]) == hard.take([0, 2])
    for wrong in ([True, False], [False, False, False]):
        with pytest.raises(InputError, match="pass one for each of the 3 objects"):
            hard.take(wrong)


def test_drop_takes_one_boolean_for_each_object_and_leaves_some():
    hard = HardPartition([0, 1, 1])
    assert hard.drop([False] * 3) is hard
    for leaves in ([0, 1], [True], np.array([1.0, 0.0, 1.0])):
        with pytest.raises(InputError, match="is_dropped must be 3 booleans"):
            hard.drop(leaves)
    with pytest.raises(InputError, match="All 3 objects would be dropped"):
        hard.drop([True] * 3)
