"""Evidential input that is wrong, and input that is only odd."""

import numpy as np
import pytest

import sfumato as sf
from sfumato.errors import InputError

SETS = [[1, 0], [0, 1], [1, 1]]


@pytest.mark.parametrize(
    ("masses", "sets", "seen"),
    [
        ([[-0.1, 0.6, 0.5]], SETS, "-0.1"),
        ([[0.5, 0.5, 0.0], [0.5, 0.4, 0.0]], SETS, "row 1"),
        ([[0.5, 0.5, 2e-6]], SETS, "row 0"),
        ([[0.5, 0.5]], [[1, 0], [1, 0]], "same"),
        (np.empty((2, 0)), np.empty((0, 2)), "focal"),
        ([[np.nan, 1.0, 0.0]], SETS, "nan"),
        ([[0.5, 0.5]], SETS, "3"),
    ],
    ids=[
        "a negative mass",
        "a row far off",
        "a row off by 2e-6",
        "a set given twice",
        "no set at all",
        "a missing mass",
        "more sets than masses",
    ],
)
def test_wrong_masses_are_refused_and_the_message_says_what_was_seen(masses, sets, seen):
    with pytest.raises(InputError, match=seen) as caught:
        sf.EvidentialPartition(masses, sets)
    assert "\n" not in str(caught.value)


def test_a_row_off_by_less_than_a_millionth_is_rescaled_with_a_note():
    partition = sf.EvidentialPartition([[0.5, 0.5, 5e-7]], SETS)
    assert partition.masses.sum() == pytest.approx(1.0, abs=1e-15)
    assert partition.notes


NOTHING_LEFT = ([[1.0, 0.0, 0.0], [0.0, 0.5, 0.5]], [[0, 0], [1, 0], [1, 1]])


@pytest.mark.parametrize("empty", ["dempster", "raise"])
def test_an_object_with_all_its_mass_on_the_empty_set_is_named(empty):
    with pytest.raises(InputError, match=r"row 0|object 0|0"):
        sf.EvidentialPartition(*NOTHING_LEFT, empty=empty)


def test_yager_reads_an_object_with_all_its_mass_on_the_empty_set_as_unknown():
    partition = sf.EvidentialPartition(*NOTHING_LEFT, empty="yager")
    assert partition.plausibility()[0].tolist() == [1.0, 1.0]
    assert sf.compare(partition, [0, 1], engine="exact").upper == 1.0


@pytest.mark.parametrize("engine", ["exact", "bounds", "auto", sf.Sampled(n_samples=10)])
@pytest.mark.parametrize("measure", ["rand", "partition_distance"])
def test_a_single_cluster_leaves_nothing_open(engine, measure):
    partition = sf.EvidentialPartition(np.ones((3, 1)), [[1]])
    found = sf.compare(partition, [0, 0, 0], measure=measure, engine=engine, rng=0)
    assert found.lower == found.upper == (1.0 if measure == "rand" else 0.0)


def test_a_tolerance_out_of_reach_of_the_time_gets_the_best_honest_answer():
    rng = np.random.default_rng(0)
    sets = [[s >> i & 1 for i in range(3)] for s in range(1, 8)]
    candidate = sf.EvidentialPartition(rng.dirichlet(np.ones(7), size=300), sets)
    engine = sf.Auto(tolerance=1e-6, max_seconds=0.05)
    found = sf.compare(candidate, rng.integers(3, size=300), engine=engine, rng=0)
    assert found.error > 1e-6
    assert found.guarantee in ("certified", "confidence")
    assert found.lower_bracket[0] <= found.lower <= found.lower_bracket[1]
    assert found.upper_bracket[0] <= found.upper <= found.upper_bracket[1]
    if found.guarantee == "confidence":
        assert any("tolerance" in note or "max_seconds" in note for note in found.notes)
