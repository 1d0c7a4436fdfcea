"""Rows of probabilities at the door of the package."""

import numpy as np
import pytest

from sfumato.algorithms.tables.rows import copy_rows, dense_rows, hard_rows, rescale_rows


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_rows_are_copied_and_summed_in_either_precision(dtype):
    values = np.random.default_rng(0).random((100, 7)).astype(dtype)
    out = np.empty(values.shape)
    found = copy_rows(values.reshape(-1), out.reshape(-1), width=7, largest=1.0)
    assert np.array_equal(out, values)
    sums = values.astype(float).sum(axis=1)
    assert (found.lowest_row, found.highest_row) == (np.argmin(sums), np.argmax(sums))
    assert (found.lowest_sum, found.highest_sum) == pytest.approx((sums.min(), sums.max()))
    assert (found.n_off, found.has_bad_entry) == (100, False)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, -1e-300, 1.5])
def test_a_bad_entry_is_seen_wherever_it_is(bad):
    for at in range(12):
        values = np.full(12, 0.25)
        values[at] = bad
        assert copy_rows(values, np.empty(12), width=4, largest=1.0).has_bad_entry


def test_a_copy_in_place_only_drops_the_signs_of_zeros():
    values = np.array([-0.0, 1.0])
    copy_rows(values, values, width=2, largest=1.0)
    assert not np.signbit(values).any()


def test_output_of_another_type_is_refused_rather_than_lost():
    with pytest.raises(TypeError):
        copy_rows(np.ones(2), np.empty(2, dtype=np.float32), width=1, largest=1.0)  # type: ignore


def test_rescaling_leaves_rows_alone_that_are_off_by_rounding():
    values = np.array([0.1] * 10 + [0.25] * 10)  # tenths add up to 1 - 1.1e-16
    rescale_rows(values, width=10)
    assert values.tolist() == [0.1] * 20


def test_all_forms_know_their_size():
    dense, hard = dense_rows(np.ones((3, 2))), hard_rows(np.arange(4), 9)
    assert (dense.n_rows, dense.mean_length) == (3, 2)
    assert (hard.n_rows, hard.mean_length) == (4, 1)
