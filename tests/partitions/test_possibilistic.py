import numpy as np
import pytest

from sfumato.errors import InputError, UnsupportedError
from sfumato.partitions import (
    EvidentialPartition,
    HardPartition,
    PossibilisticPartition,
    RoughPartition,
)

ROWS = np.array([[1.0, 0.5, 0.25], [0.25, 1.0, 0.25], [0.0, 0.0, 1.0]])


def test_rows_are_divided_by_their_maximum_with_a_note():
    partition = PossibilisticPartition([[0.5, 0.25], [1.0, 0.0]])
    assert partition.memberships.tolist() == [[1.0, 0.5], [1.0, 0.0]]
    assert partition.notes == (
        "memberships: 1 row divided by their maximum (smallest maximum 0.5)",
    )
    assert PossibilisticPartition(ROWS).notes == ()


def test_tiny_possibilities_are_divided_exactly():
    assert PossibilisticPartition([[5e-324, 0.0]]).memberships.tolist() == [[1.0, 0.0]]


@pytest.mark.parametrize(
    ("memberships", "t_norm", "message"),
    [
        ([[1, 0], [0, 0]], None, "row 1 is all zero"),
        ([[1, 1.5]], None, r"row 0, column 1 is 1\.5, above 1"),
        ([[1, -0.5]], None, "negative"),
        ([[1, np.nan]], None, "not a finite number"),
        ([[1, 0]], "prod", "Unknown t_norm 'prod': did you mean 'product'"),
        ([[1, 0]], "xyz", "Unknown t_norm 'xyz': Choose from min, product, lukasiewicz"),
    ],
)
def test_bad_possibilities_are_refused(memberships, t_norm, message):
    with pytest.raises(InputError, match=message):
        PossibilisticPartition(memberships, t_norm=t_norm)


def test_cuts_hold_the_clusters_at_or_above_the_level():
    partition = PossibilisticPartition(ROWS)
    assert partition.levels().tolist() == [1.0, 0.5, 0.25]
    for level in partition.levels():
        assert partition.cut(level) == RoughPartition(level <= ROWS)
    for alpha in (0.0, 1.5, float("nan"), "x", None, [0.5], True, 0.5j):
        with pytest.raises(InputError, match="levels lie above 0"):
            partition.cut(alpha)


@pytest.mark.parametrize(
    ("t_norm", "value"), [("min", 0.25), ("product", 0.125), ("lukasiewicz", 0.0)]
)
def test_the_possibility_of_a_hard_partition_follows_the_t_norm(t_norm, value):
    partition = PossibilisticPartition(ROWS, t_norm=t_norm)
    assert partition.possibility(HardPartition([1, 2, 2])) == value
    assert partition.possibility(HardPartition([0, 1, 2])) == 1.0


def test_lukasiewicz_adds_up_what_is_missing():
    partition = PossibilisticPartition([[1.0, 0.75], [1.0, 0.5]], t_norm="lukasiewicz")
    assert partition.possibility(HardPartition([1, 1])) == 0.25


def test_consonant_masses_have_the_memberships_as_plausibilities():
    evidential = PossibilisticPartition(ROWS).to_evidential()
    expected = EvidentialPartition(
        [[0.5, 0.25, 0.25, 0, 0], [0, 0, 0.25, 0.75, 0], [0, 0, 0, 0, 1]],
        [[1, 0, 0], [1, 1, 0], [1, 1, 1], [0, 1, 0], [0, 0, 1]],
    )
    assert evidential == expected
    assert np.array_equal(evidential.plausibility(), ROWS)
    assert np.array_equal(evidential.belief(), PossibilisticPartition(ROWS).belief())
    assert PossibilisticPartition(ROWS).plausibility().tolist() == ROWS.tolist()


def test_pignistic_shares_the_consonant_masses_in_every_reading():
    for t_norm in (None, "min", "product", "lukasiewicz"):
        partition = PossibilisticPartition(ROWS, t_norm=t_norm)
        expected = partition.with_t_norm(None).to_evidential().pignistic().memberships
        # Two sums of at most three terms in another order.
        assert np.allclose(partition.pignistic().memberships, expected, rtol=0, atol=4e-16)


def test_a_t_norm_stands_in_the_way_of_object_wise_masses():
    with pytest.raises(UnsupportedError, match=r"\.with_t_norm\(None\)\.to_evidential\(\)"):
        PossibilisticPartition(ROWS, t_norm="min").to_evidential()
    with pytest.raises(UnsupportedError, match=r'\.with_t_norm\("min"\)'):
        PossibilisticPartition(ROWS).possibility(HardPartition([0, 1, 2]))
    for t_norm in ("product", "lukasiewicz"):
        with pytest.raises(UnsupportedError, match=r"\.with_t_norm\(None\)"):
            PossibilisticPartition(ROWS, t_norm=t_norm).sample(0)


def test_statements_are_masses_or_possibilities_by_reading():
    without = PossibilisticPartition(ROWS).statements()
    assert without.weights.tolist() == [0.5, 0.25, 0.25, 0.75, 0.25, 1.0]
    assert without.starts.tolist() == [0, 3, 5, 6]
    minimum = PossibilisticPartition(ROWS, t_norm="min").statements()
    assert minimum.weights.tolist() == [1.0, 0.5, 0.25, 0.25, 1.0, 0.25, 1.0]
    assert minimum.set_members.tolist() == [0, 1, 2]


def test_samples_under_min_are_cuts_at_one_level():
    partition = PossibilisticPartition(ROWS, t_norm="min")
    cuts = [partition.cut(level) for level in partition.levels()]
    drawn = [partition.sample(seed) for seed in range(200)]
    assert all(any(rough == cut for cut in cuts) for rough in drawn)
    assert all(any(rough == cut for rough in drawn) for cut in cuts)


def test_simplest_depends_on_the_reading_only_where_it_matters():
    crisp = PossibilisticPartition([[1, 1], [1, 0]], t_norm="product")
    assert crisp.simplest() == RoughPartition([[1, 1], [1, 0]])
    assert PossibilisticPartition([[0, 1], [1, 0]]).simplest() == HardPartition([1, 0])
    graded = PossibilisticPartition(ROWS, t_norm="min")
    assert graded.simplest() is graded
    assert graded.with_t_norm(None).simplest() == graded.with_t_norm(None).to_evidential()


def test_equality_sees_the_reading():
    partition = PossibilisticPartition(ROWS)
    assert partition != partition.with_t_norm("min")
    assert partition == partition.with_t_norm("min").with_t_norm(None)


def test_support_keeps_the_smallest_positive_possibility():
    assert PossibilisticPartition([[1.0, 5e-324, 0.0]]).support().mask.tolist() == [
        [True, True, False]
    ]
