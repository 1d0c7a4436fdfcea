"""Sparse memberships say the same as dense ones, and stay sparse."""

import pickle

import numpy as np
import pytest
import scipy.sparse

from sfumato.errors import InputError
from sfumato.partitions import FuzzyPartition, HardPartition

ROWS = np.array([[0.5, 0.0, 0.5, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.25, 0.0, 0.75]])
FORMS = [scipy.sparse.csr_array, scipy.sparse.csc_array, scipy.sparse.coo_array]


@pytest.mark.parametrize("form", FORMS)
def test_sparse_equals_dense_in_all_it_says(form):
    sparse, dense = FuzzyPartition(form(ROWS)), FuzzyPartition(ROWS)
    assert sparse == dense
    assert len(sparse.rows.values) == 5
    assert np.array_equal(sparse.memberships, ROWS)
    assert not sparse.memberships.flags.writeable
    assert repr(sparse) == repr(dense)
    assert sparse.harden() == dense.harden()
    assert sparse.support() == dense.support()
    assert sparse.sample(0) == dense.sample(0)
    assert np.array_equal(sparse.statements().weights, dense.statements().weights)


@pytest.mark.parametrize("order", [[2, 0], [-1, 0, 0], [1]])
def test_taking_rows_keeps_them_sparse(order):
    taken = FuzzyPartition(scipy.sparse.csr_array(ROWS)).take(np.array(order))
    assert np.array_equal(taken.memberships, ROWS[order])
    assert len(taken.rows.starts) == len(order) + 1


def test_arrays_are_private_and_read_only_also_after_pickling():
    matrix = scipy.sparse.csr_array(ROWS)
    partition = FuzzyPartition(matrix)
    matrix.data[:] = 9.0
    for version in (partition, pickle.loads(pickle.dumps(partition))):
        assert np.array_equal(version.memberships, ROWS)
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


@pytest.mark.parametrize(
    ("memberships", "message"),
    [
        ([[0.5, 0.0, np.nan]], "row 0, column 2 is nan, not a finite number"),
        ([[1, 0, 0], [0, 1.5, -0.5]], r"row 1, column 2 is -0\.5, negative"),
        ([[1, 0, 0], [0, 1.5, 0]], r"row 1, column 1 is 1\.5, above 1"),
        ([[1, 0], [0.5, 0.48], [0.5, 0.49]], r"row 1 sums to 0\.98; pass normalize=True"),
        ([[0.5, 0.5, 0.2], [0.5, 0.5, 0.8]], r"row 1 sums to 1\.8; .* transpose \(\.T\)"),
        ([[1.0, 0.0], [0.0, 0.0]], "row 1 sums to 0"),
        ([[0.0, 0.0]], "row 0 sums to 0"),
    ],
)
def test_bad_sparse_memberships_are_refused_with_their_place(memberships, message):
    with pytest.raises(InputError, match=message):
        FuzzyPartition(scipy.sparse.csr_array(np.array(memberships)))


def test_sparse_rows_are_rescaled_and_normalised_with_a_note():
    close = np.array([[0.5, 0.0, 0.5 + 4e-7], [0.0, 1.0, 0.0]])
    partition = FuzzyPartition(scipy.sparse.csr_array(close))
    assert partition == FuzzyPartition(close)
    assert partition.notes == ("memberships: 1 row rescaled to sum to 1 (largest deviation 4e-07)",)
    weights = scipy.sparse.csr_array([[1.0, 0.0, 3.0], [0.0, 1.0, 0.0]])
    partition = FuzzyPartition(weights, normalize=True)
    assert partition.memberships.tolist() == [[0.25, 0.0, 0.75], [0.0, 1.0, 0.0]]
    assert partition.notes == ("memberships: 1 row divided by their sums (1 to 4)",)
    single = scipy.sparse.csr_array(np.array([[0.5, 0.5 + 4e-6]], dtype=np.float32))
    assert len(FuzzyPartition(single).notes) == 1
