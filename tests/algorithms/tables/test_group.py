"""Finding equal rows, against np.unique."""

import numpy as np
import pytest

from sfumato.algorithms.tables.group import group_rows


@pytest.mark.parametrize("width", [1, 3, 7, 8, 9, 16, 17])
@pytest.mark.parametrize("n_distinct", [1, 5, 5000])
def test_groups_are_those_of_unique_rows_numbered_by_first_appearance(width, n_distinct):
    rng = np.random.default_rng(width * n_distinct)
    pool = rng.integers(0, 256, size=(n_distinct, width), dtype=np.uint8)
    rows = pool[rng.integers(n_distinct, size=6000)]
    codes, first = group_rows(rows)
    _, where, inverse = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    assert first.tolist() == sorted(where.tolist())
    rank = np.argsort(np.argsort(where))
    assert np.array_equal(codes, rank[inverse])
    assert np.array_equal(rows[first][codes], rows)


def test_rows_that_differ_in_the_last_bit_are_apart():
    rows = np.array([[0.1, 0.9], [0.1, np.nextafter(0.9, 1)], [0.1, 0.9]])
    assert group_rows(rows)[0].tolist() == [0, 1, 0]


def test_minus_zero_has_other_bytes_than_zero():
    assert group_rows(np.array([[0.0], [-0.0]]))[0].tolist() == [0, 1]
    assert group_rows(np.array([[0.0], [-0.0]]) + 0.0)[0].tolist() == [0, 0]


def test_a_slice_that_is_not_contiguous_is_grouped_by_its_own_entries():
    wide = np.arange(24).reshape(4, 6) % 6
    assert group_rows(wide[:, ::2])[0].tolist() == [0, 0, 0, 0]
    assert group_rows(np.asfortranarray([[1, 2], [2, 1], [1, 2]]))[0].tolist() == [0, 1, 0]


def test_rows_of_no_width_are_all_equal_and_no_rows_make_no_groups():
    codes, first = group_rows(np.zeros((3, 0)))
    assert (codes.tolist(), first.tolist()) == ([0, 0, 0], [0])
    codes, first = group_rows(np.zeros((0, 2)))
    assert (codes.tolist(), first.tolist()) == ([], [])
