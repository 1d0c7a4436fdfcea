"""Sparse memberships say the same as dense ones, and stay sparse."""

import pickle

import numpy as np
import pytest
import scipy.sparse

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
