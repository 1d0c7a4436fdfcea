import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse

from sfumato.errors import InputError
from sfumato.partitions import FuzzyPartition, HardPartition, as_partition

ROWS = np.array([[0.5, 0.25, 0.25], [0.0, 1.0, 0.0], [0.5, 0.25, 0.25]])


@pytest.mark.parametrize(
    "memberships",
    [
        ROWS,
        ROWS.tolist(),
        tuple(map(tuple, ROWS)),
        np.asfortranarray(ROWS),
        ROWS.astype(np.float32),
        ROWS.astype(object),
        [np.array(row) for row in ROWS],
        np.array([*map(np.array, ROWS), None], dtype=object)[:3],
        scipy.sparse.csr_matrix(ROWS),
        pd.DataFrame(ROWS),
        pd.DataFrame(ROWS, dtype="Float64"),
    ],
)
def test_every_container_gives_the_same_partition(memberships):
    partition = FuzzyPartition(memberships)
    assert partition == FuzzyPartition(ROWS) == as_partition(memberships)
    assert partition.notes == ()
    assert partition.memberships.dtype == np.float64


def test_frames_bring_cluster_names_and_row_labels():
    frame = pd.DataFrame(ROWS, columns=["a", "b", "c"], index=["x", "y", "z"])
    partition = FuzzyPartition(frame)
    assert partition.names == ("a", "b", "c")
    assert partition.index is not None
    assert partition.index.tolist() == ["x", "y", "z"]
    assert FuzzyPartition(frame.reset_index(drop=True)).index.tolist() == [0, 1, 2]
    assert FuzzyPartition(ROWS).index is None
    for other in (pl.DataFrame(ROWS, schema=["a", "b", "c"]), pa.table(frame.to_dict("list"))):
        assert as_partition(other) == partition


dense_and_sparse = pytest.mark.parametrize("make", [np.array, scipy.sparse.csr_array])


@dense_and_sparse
@pytest.mark.parametrize(
    ("memberships", "message"),
    [
        ([[0.5, 0, np.nan]], "row 0, column 2 is nan, not a finite number"),
        ([[0.5, np.inf]], "row 0, column 1 is inf, not a finite number"),
        ([[1, 0, 0], [0, 1.5, -0.5]], r"row 1, column 2 is -0\.5, negative"),
        ([[1, 0, 0], [0, 1.5, 0]], r"row 1, column 1 is 1\.5, above 1"),
        ([[1, 0], [0.5, 0.48], [0.5, 0.49]], r"row 1 sums to 0\.98; pass normalize=True"),
        ([[0.5, 0.5, 0.2], [0.5, 0.5, 0.8]], r"row 1 sums to 1\.8; .* transpose \(\.T\)"),
        ([[1.0, 0.0], [0.0, 0.0]], "row 1 sums to 0"),
        ([[0.0, 0.0]], "row 0 sums to 0"),
    ],
)
def test_bad_rows_are_refused_with_their_place(memberships, message, make):
    with pytest.raises(InputError, match=message):
        FuzzyPartition(make(memberships))


@pytest.mark.parametrize(
    ("memberships", "message"),
    [
        ([[0.5, None]], "row 0, column 1 is nan"),
        ([[0.5, "x"]], "not real numbers"),
        (np.array([[0.5, "x"]], dtype=object), "entries that are not numbers"),
        (np.array([[1j, 0]]), "holds complex128, not real numbers"),
        ([0.5, 0.5], "memberships must be 2-D"),
        (pd.DataFrame({"a": ["x"], "b": [1.0]}), "column 'a' holds String, not numbers"),
        (pl.DataFrame({"a": [1.0, None]}), "row 1, column 0 is nan"),
        (pd.DataFrame([[0.5, 0.5]], columns=["a", "a"]), "two columns have the same name"),
        (pl.LazyFrame({"a": [1.0]}), r"lazy frame; call \.collect\(\)"),
        (pd.DataFrame(index=[0, 1]), r"has shape \(2, 0\)"),
    ],
)
def test_what_holds_no_memberships_is_refused(memberships, message):
    with pytest.raises(InputError, match=message):
        FuzzyPartition(memberships)


@dense_and_sparse
def test_small_deviations_are_rescaled_with_a_note(make):
    partition = FuzzyPartition(make([[0.5, 0.5 + 4e-7], [1.0, 0.0]]))
    assert partition.memberships.sum(axis=1).tolist() == [1.0, 1.0]
    assert partition.notes == ("memberships: 1 row rescaled to sum to 1 (largest deviation 4e-07)",)
    single = make(np.array([[0.5, 0.5 + 4e-6]], dtype=np.float32))
    assert len(FuzzyPartition(single).notes) == 1
    with pytest.raises(InputError, match="sums to"):
        FuzzyPartition(single.astype(np.float64))


def test_rounding_is_not_a_deviation():
    thirds = np.full((2, 3), 1 / 3)
    tenths = np.full((1, 10), 0.1)  # adds up to 1 - 1.1e-16
    for memberships in (thirds, tenths):
        partition = FuzzyPartition(memberships)
        assert partition.notes == ()
        assert np.array_equal(partition.memberships, memberships)


@dense_and_sparse
def test_normalize_divides_rows_by_their_sums(make):
    partition = FuzzyPartition(make([[1, 0, 3], [0, 1, 0]]), normalize=True)
    assert partition.memberships.tolist() == [[0.25, 0, 0.75], [0, 1, 0]]
    assert partition.notes == ("memberships: 1 row divided by their sums (1 to 4)",)
    assert FuzzyPartition(make(ROWS), normalize=True).notes == ()
    with pytest.raises(InputError, match=r"row 1 sums to 0\.0 and cannot be normalised"):
        FuzzyPartition(make([[1, 1], [0, 0]]), normalize=True)
    with pytest.raises(InputError, match="row 0 sums to inf"):
        FuzzyPartition(make([[1e308, 1e308]]), normalize=True)


def test_the_probability_of_a_hard_partition_is_a_product():
    partition = FuzzyPartition(ROWS, names=("a", "b", "c"))
    assert partition.probability(HardPartition(["a", "b", "c"])) == 0.125
    assert partition.probability(HardPartition(["a", "a", "a"])) == 0.0
    assert type(partition.probability(HardPartition(["a", "b", "c"]))) is float


def test_hardening_takes_the_first_of_equals():
    assert FuzzyPartition([[0.25, 0.375, 0.375]]).harden().labels.tolist() == [1]


def test_simplest_is_hard_for_zeros_and_ones_and_drops_empty_clusters():
    simple = FuzzyPartition([[0, 1, 0], [0, 0, 1]]).simplest()
    assert simple == HardPartition([1, 2])
    soft = FuzzyPartition(ROWS)
    assert soft.simplest() is soft
    assert soft.pignistic() is soft


def test_statements_list_distinct_rows_once():
    statements = FuzzyPartition(ROWS).statements()
    assert statements.codes.tolist() == [0, 1, 0]
    assert statements.starts.tolist() == [0, 3, 4]
    assert statements.sets.tolist() == [0, 1, 2, 1]
    assert statements.weights.tolist() == [0.5, 0.25, 0.25, 1.0]
    assert statements.set_members.tolist() == [0, 1, 2]


def test_negative_zero_is_zero():
    partition = FuzzyPartition([[-0.0, 1.0], [0.0, 1.0]])
    assert partition.statements().starts.tolist() == [0, 1]
    assert not np.signbit(partition.memberships).any()


def test_the_only_cluster_is_certain_whatever_rounding_says():
    nearly_one = FuzzyPartition([[1 - 2**-53], [1.0]])
    assert nearly_one.simplest().kind == "hard"


# Sparse memberships say the same as dense ones, and stay sparse.

SPARSE = np.array([[0.5, 0.0, 0.5, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.25, 0.0, 0.75]])


@pytest.mark.parametrize("form", ["csr_array", "csc_array", "coo_array"])
def test_sparse_equals_dense_in_all_it_says(form):
    sparse, dense = FuzzyPartition(getattr(scipy.sparse, form)(SPARSE)), FuzzyPartition(SPARSE)
    assert sparse == dense
    assert len(sparse.rows.values) == 5
    assert np.array_equal(sparse.memberships, SPARSE)
    assert not sparse.memberships.flags.writeable
    assert repr(sparse) == repr(dense)
    assert sparse.harden() == dense.harden()
    assert sparse.support() == dense.support()
    assert sparse.sample(0) == dense.sample(0)
    assert np.array_equal(sparse.statements().weights, dense.statements().weights)


@pytest.mark.parametrize("order", [[2, 0], [-1, 0, 0], [1]])
def test_taking_rows_keeps_them_sparse(order):
    taken = FuzzyPartition(scipy.sparse.csr_array(SPARSE)).take(np.array(order))
    assert np.array_equal(taken.memberships, SPARSE[order])
    assert len(taken.rows.starts) == len(order) + 1


def test_arrays_are_private_and_read_only_also_after_pickling():
    matrix = scipy.sparse.csr_array(SPARSE)
    partition = FuzzyPartition(matrix)
    matrix.data[:] = 9.0
    for version in (partition, pickle.loads(pickle.dumps(partition))):
        assert np.array_equal(version.memberships, SPARSE)
        assert not any(array.flags.writeable for array in version.rows[:3])


def test_duplicates_are_added_and_stored_zeros_dropped():
    entries = ([0.25, 0.25, 0.5, 0.0, 1.0], ([0, 0, 0, 1, 1], [1, 1, 0, 0, 1]))
    partition = FuzzyPartition(scipy.sparse.coo_array(entries, shape=(2, 2)))
    assert partition.memberships.tolist() == [[0.5, 0.5], [0.0, 1.0]]
    assert partition.rows.columns.tolist() == [0, 1, 1]


def test_sparse_zeros_and_ones_are_a_hard_partition():
    simple = FuzzyPartition(scipy.sparse.csr_array(np.eye(4)[[2, 0, 2]])).simplest()
    assert simple == HardPartition([2, 0, 2])
    integers = scipy.sparse.csr_array(np.eye(3, dtype=int))
    assert FuzzyPartition(integers).simplest() == HardPartition([0, 1, 2])
