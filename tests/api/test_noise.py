"""Noise and missing labels at compare, explain, evaluate and pairwise."""

import pytest

import sfumato as sf

TRUTH = ["a", "a", "a", "b", "b", "b"]
FIRST = [0, 0, -1, 1, 1, 1]
SECOND = [0, 0, 0, 1, -1, 1]


@pytest.mark.parametrize("noise", ["cluster", "singletons", "unknown", "drop"])
def test_compare_reads_noise_as_as_partition_does(noise):
    found = sf.compare(FIRST, TRUTH, noise=noise)
    by_hand = sf.compare(sf.as_partition(FIRST, noise=noise), TRUTH)
    assert (found.lower, found.upper, found.notes) == (by_hand.lower, by_hand.upper, by_hand.notes)
    assert sf.explain(FIRST, TRUTH, noise=noise).method == found.method


def test_compare_reads_missing_labels_and_other_noise_labels():
    found = sf.compare([0, 0, None, 1, 1, 9], TRUTH, missing="drop", noise="drop", noise_label=9)
    assert found.mean == 1.0
    assert "Compared on 4 of 6 objects (67%): the others were dropped." in found.notes


def test_a_hard_partition_with_noise_is_read_again_and_others_are_taken_as_they_are():
    assert sf.compare(sf.HardPartition(FIRST), TRUTH, noise="drop").mean == 1.0
    rough = sf.RoughPartition([[1, 0]] * 3 + [[0, 1]] * 3)
    assert sf.compare(rough, TRUTH, noise="drop").mean == 1.0
    said = sf.as_partition(FIRST, noise="cluster")
    assert sf.compare(said, TRUTH).notes == ()


def test_evaluate_uses_the_objects_that_all_candidates_keep():
    report = sf.evaluate({"first": FIRST, "second": SECOND}, TRUTH, measures=["rand"], noise="drop")
    kept = [0, 1, 3, 5]
    for name, labels in (("first", FIRST), ("second", SECOND)):
        alone = sf.compare([labels[i] for i in kept], [TRUTH[i] for i in kept])
        assert report[name, "rand"].mean == alone.mean
    assert report.notes[0] == "Compared on 4 of 6 objects (67%): the others were dropped."
    assert "note: Compared on 4 of 6" in repr(report)


def test_a_candidate_that_drops_limits_the_others_too():
    some = sf.as_partition(FIRST, noise="drop")
    other = [0, 0, 1, 1, 1, 1]  # wrong about the object that the first drops
    report = sf.evaluate({"some": some, "other": other}, TRUTH, measures=["rand"])
    assert report["other", "rand"].mean == 1.0


def test_pairwise_uses_the_objects_that_all_keep_and_prints_how_many():
    found = sf.pairwise({"first": FIRST, "second": SECOND, "truth": TRUTH}, noise="drop")
    assert found.lower.min() == 1.0
    assert "note: Compared on 4 of 6 objects (67%)" in repr(found)


def test_indices_drop_too():
    some = sf.as_partition(FIRST, noise="drop")
    report = sf.evaluate({"some": some}, TRUTH, measures=["indices.campello"])
    assert report["some", "indices.campello"].mean == 1.0
    assert sf.indices.campello(some, TRUTH) == 1.0
    assert sf.indices.pair_brier(some, TRUTH) == 0.0


def test_candidates_that_share_no_object_are_refused():
    with pytest.raises(sf.InputError, match="Each of the 2 objects is dropped by some partition"):
        sf.evaluate({"a": [0, -1], "b": [-1, 0]}, [0, 1], noise="drop")


def test_missing_labels_are_not_counted_as_noise_that_nobody_spoke_of():
    found = sf.as_partition([-1, 0, 0, 1, 1, None], missing="drop")
    assert found.notes[0].startswith("1 of 5 labels (20%) are -1")
