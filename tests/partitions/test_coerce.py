import numpy as np
import pandas as pd
import pytest
import scipy.sparse

from fresh import printed
from sfumato.errors import InputError
from sfumato.partitions import (
    EvidentialPartition,
    FuzzyPartition,
    HardPartition,
    PossibilisticPartition,
    RoughPartition,
    as_partition,
)

ROWS = [[0.25, 0.75], [1.0, 0.0]]


@pytest.mark.parametrize(
    ("x", "message"),
    [
        ([[0.5, 0.2], [0.5, 0.8]], r"row 0 sums to 0\.7\) but columns do: .* transpose \(\.T\)"),
        ([[0.9, 0.2, 0.3], [0.1, 0.8, 0.7]], r"pass the transpose \(\.T\)"),
        (scipy.sparse.csr_matrix([[0.9, 0.3], [0.1, 0.7]]), r"the transpose \(\.T\)"),
        (
            [[1, 1], [1, 0]],
            r'row 0 sums to 2\) in a matrix of 0 and 1; pass normalize=True .* kind="rough"',
        ),
        (np.ones((3, 2), bool), 'or kind="rough" if ones mark'),
        (
            [[0.5, 0.9], [1.0, 0.2]],
            'normalize=True to as_partition for weights, or kind="possibilistic"',
        ),
        ([[3, 4], [5, 6]], "entries exceed 1"),
        ([[0.5, np.nan]], "row 0, column 1 is nan"),
        ([[1.5, -0.5]], "negative"),
        ([{0}, {0, 1}], 'list of sets; pass kind="rough"'),
        ("abc", "not 'abc'"),
        ({"a": [1]}, "not a dict"),
        (3, "not 3"),
        (None, "not None"),
        (np.array(3), "not 3"),
        (np.zeros((1, 1, 1)), "3 dimensions"),
        ([[[1]]], "3 dimensions"),
        ([[1, 0], [1]], "ragged"),
        (np.array([[1, 0], [1]], dtype=object), "ragged"),
        ([1, [0, 1]], "row 0 is not a list like the others"),
        ([], "The input is empty"),
        ([[]], r"The input has shape \(1, 0\)"),
        ((i for i in range(3)), "not a generator"),
        ([["a", "b"]], "not real numbers"),
        (pd.DataFrame({"label": ["a", "b"]}), "pass labels as a single column"),
    ],
)
def test_what_cannot_be_told_is_refused_with_the_way_out(x, message):
    with pytest.raises(InputError, match=message):
        as_partition(x)


def test_a_kind_settles_what_cannot_be_told():
    assert as_partition([[1, 1], [1, 0]], kind="rough") == RoughPartition([[1, 1], [1, 0]])
    assert as_partition([{0, 1}, {0}], kind="rough") == RoughPartition([[1, 1], [1, 0]])
    graded = as_partition([[0.5, 1.0]], kind="possibilistic")
    assert graded == PossibilisticPartition([[0.5, 1.0]])
    assert as_partition([1, 0], kind="hard") == HardPartition([1, 0])
    assert as_partition(ROWS, kind="fuzzy") == FuzzyPartition(ROWS)


def test_a_series_of_sets_keeps_its_index():
    partition = as_partition(pd.Series([{0}, {0, 1}], index=["x", "y"]), kind="rough")
    assert partition.index is not None
    assert partition.index.tolist() == ["x", "y"]


def test_columns_named_after_sets_hold_masses():
    frame = pd.DataFrame(
        [[0.5, 0.25, 0.25], [0.0, 0.0, 1.0]], columns=["{}", "{b}", "{a, b}"], index=["x", "y"]
    )
    partition = as_partition(frame, kind="evidential")
    assert partition == EvidentialPartition(
        frame.to_numpy(), [[0, 0], [1, 0], [1, 1]], names=("b", "a")
    )
    assert partition.index is not None
    assert partition.index.tolist() == ["x", "y"]


@pytest.mark.parametrize(
    ("x", "message"),
    [
        (pd.DataFrame({"a": [1.0]}), "Column 'a' does not name a set"),
        (pd.DataFrame({"{a,}": [1.0]}), "does not name a set"),
        (pd.DataFrame([[0.5, 0.5]], columns=["{a,b}", "{b,a}"]), "rows 0 and 1 are the same set"),
        (np.array([[0.5, 0.5]]), r"use EvidentialPartition\(masses, focal_sets\)"),
        ([0, 1], r"use EvidentialPartition\(masses, focal_sets\)"),
    ],
)
def test_masses_without_their_sets_are_refused(x, message):
    with pytest.raises(InputError, match=message):
        as_partition(x, kind="evidential")


def test_an_unknown_kind_gets_the_nearest_one():
    with pytest.raises(InputError, match="Unknown kind 'fuzy': did you mean 'fuzzy'"):
        as_partition([0, 1], kind="fuzy")  # type: ignore[arg-type]


def test_partitions_pass_through_and_convert_only_upwards():
    hard = HardPartition([0, 1])
    assert as_partition(hard) is hard
    assert as_partition(hard, "hard") is hard
    assert as_partition(hard, "rough") == hard.to_rough()
    assert as_partition(hard, "fuzzy") == hard.to_fuzzy()
    assert as_partition(hard, "evidential") == hard.to_evidential()
    rough, fuzzy = RoughPartition([[1, 1]]), FuzzyPartition([[0.5, 0.5]])
    assert as_partition(rough, "evidential") == rough.to_evidential()
    assert as_partition(fuzzy, "evidential") == fuzzy.to_evidential()
    with pytest.raises(InputError, match="A fuzzy partition is not a special hard one"):
        as_partition(fuzzy, "hard")
    with pytest.raises(InputError, match="A rough partition is not a special fuzzy one"):
        as_partition(rough, "fuzzy")


def test_plain_input_imports_neither_scipy_nor_narwhals():
    program = (
        "import sys; from sfumato.partitions import as_partition; import numpy as np;"
        "as_partition([0, 1]); as_partition(np.eye(2)); as_partition([[1, 1]], kind='rough');"
        "print([m for m in ('scipy', 'sklearn', 'narwhals', 'pandas') if m in sys.modules])"
    )
    assert printed(program) == "[]"


@pytest.mark.parametrize("x", [[[0], [1], [2]], [[0], [0], [1]], [["0"], ["1"]]])
def test_labels_in_a_table_of_one_column_are_told_how_to_be_passed(x):
    array = np.array(x)
    if array.dtype.kind != "U":
        with pytest.raises(InputError, match=r"pass labels in one dimension: x\.ravel\(\)"):
            as_partition(array)
    with pytest.raises(InputError, match=r"1-D; got shape .* Pass x\.ravel\(\) of an array"):
        HardPartition(array)


def test_masked_arrays_are_told_how_to_be_filled():
    labels = np.ma.array([0, 1, 1, 0], mask=[0, 0, 1, 0])
    with pytest.raises(InputError, match=r"pass x\.tolist\(\) for labels \(None"):
        as_partition(labels)
    assert as_partition(labels.tolist(), missing="unknown").kind == "rough"


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_what_rounding_left_below_zero_is_zero(dtype):
    rows = np.array([[1, -1e-17], [0.25, 0.75]], dtype=dtype)
    expected = [[1, 0], [0.25, 0.75]]
    assert as_partition(rows).memberships.tolist() == expected
    assert FuzzyPartition(scipy.sparse.csr_array(rows)).memberships.tolist() == expected
    assert EvidentialPartition(rows, [[1, 0], [0, 1]]).masses.min() == 0
    assert PossibilisticPartition([[1, -1e-17]]).memberships.tolist() == [[1, 0]]
    many = np.tile(rows, (1 << 19, 1))  # stays in single precision
    assert FuzzyPartition(many).rows.values.min() == 0
    for value in (-1e-4, -np.inf, np.nan):
        with pytest.raises(InputError, match="row 0, column 1"):
            FuzzyPartition([[1, value]])


def test_a_clipped_entry_that_changes_the_sum_leaves_a_note():
    found = FuzzyPartition([[1 + 5e-7, -5e-7]])
    assert found.memberships.tolist() == [[1, 0]]
    assert "rescaled" in found.notes[0]
    with pytest.raises(InputError, match="negative"):
        FuzzyPartition([[1e-6, -5e-7]], normalize=True)
