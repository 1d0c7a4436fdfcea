"""Bounds of sums of squares by the row that takes most, against all tables."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from literal import all_tables, three_sums
from objectives import objective_of
from sfumato.algorithms.ends.convex_sums import least_square_sums
from sfumato.algorithms.ends.largest_row import has_largest_row, largest_row_line, largest_row_sums
from sfumato.algorithms.ends.relax import relaxed_ends
from sfumato.algorithms.ends.rough_batch import batch_of_types
from sfumato.algorithms.tables.focal_model import SetTypes

WEIGHTS = st.floats(0.05, 4.0)
# Two rows that are equally large, and two objects that stay in a main cell.
EQUAL_ROWS = np.array([7, 1, 2]), np.array([2, 1, 2]), np.array([2, 5, 5]), (3, 2)
# A row that objects of two clusters might enter is as small as it can be.
SMALL_ROW = (
    np.array([3, 13, 1, 2, 4]),
    np.array([1, 2, 1, 2, 4]),
    np.array([2, 2, 4, 4, 4]),
    (4, 3),
)


@st.composite
def comparisons(draw):
    """Sets of rows, one class for each, and how many objects there are of each kind."""
    k, n_classes = draw(st.integers(2, 5)), draw(st.integers(1, 5))
    sets = st.tuples(st.integers(1, (1 << k) - 1), st.integers(0, n_classes - 1))
    kinds = draw(st.lists(st.tuples(sets, st.integers(1, 3)), min_size=1, max_size=5))
    n_certain = draw(st.integers(0, 5))  # of each class
    kinds += [((1 << j % k, j), n_certain) for j in range(n_classes) if n_certain]
    rows, classes = np.array([pair for pair, _ in kinds]).T
    counts = np.array([count for _, count in kinds])
    return rows, 1 << classes, counts, (k, n_classes)


def batch_of(types, k):
    """Objects by their set of rows, their class and their number."""
    rows, classes, counts = np.array(types).T
    return batch_of_types(SetTypes(rows, 1 << classes, counts[None, :]), (k, k))


@settings(max_examples=150, deadline=None)
@given(comparisons(), WEIGHTS, WEIGHTS, st.booleans())
@example(EQUAL_ROWS, 1.0, 0.5, False)
@example(SMALL_ROW, 1.0, 1.25, False)
def test_no_table_is_below_the_bound(comparison, of_rows, of_cells, is_turned):
    rows, columns, counts, shape = comparison
    weights = np.array([-of_rows, 0.3, of_cells])
    if is_turned:
        rows, columns, shape, weights = columns, rows, shape[::-1], weights[[1, 0, 2]]
    batch = batch_of_types(SetTypes(rows, columns, counts[None]), shape)
    if not has_largest_row(batch, weights[None]):
        return
    bounds, shares = largest_row_sums(batch, weights[None])
    tables = all_tables(rows, columns, counts, shape)
    values = weights @ three_sums(tables, "square")
    n = counts.sum()
    assert bounds[0] <= values.min() + 1e-9 * n**2
    assert (shares >= 0.0).all()
    assert np.allclose(np.add.reduceat(shares, batch.cells.starts[:-1]), batch.counts)
    # Never worse than bounds of each row for itself, but for where descents end.
    alone, _ = least_square_sums(batch, weights[None])
    assert bounds[0] >= alone[0] - 1e-3 * of_cells * n**2
    for attained in (values.min(), np.median(values), values.max()):
        sharper, shares = largest_row_sums(batch, weights[None], np.array([attained]))
        assert min(bounds[0], attained) - 1e-9 * n**2 <= sharper[0] <= values.min() + 1e-9 * n**2
        assert np.allclose(np.add.reduceat(shares, batch.cells.starts[:-1]), batch.counts)
        (constant,), (costs,) = largest_row_line(batch, weights[None], np.array([attained]))
        lines = constant + (costs * tables).sum(axis=(1, 2))
        assert (lines <= values + 1e-9 * n**2)[values <= attained].all()


def test_one_side_must_be_certain_and_its_cells_count_against_the_other():
    both, first, second = (
        batch_of_types(SetTypes(np.array(a), np.array(b), np.ones((1, 2), np.int64)), (2, 2))
        for a, b in (([3, 3], [3, 1]), ([3, 1], [1, 2]), ([1, 2], [3, 1]))
    )
    less_rows, less_columns = np.array([[-1.0, 1.0, 2.0]]), np.array([[1.0, -1.0, 2.0]])
    assert [has_largest_row(batch, less_rows) for batch in (both, first, second)] == [0, 1, 0]
    assert [has_largest_row(batch, less_columns) for batch in (both, first, second)] == [0, 0, 1]
    assert not has_largest_row(first, -less_rows)


@pytest.mark.parametrize(("name", "most"), [("rand", 5e-4), ("adjusted_rand", 3e-3)])
def test_objects_that_may_go_anywhere_are_counted_in_one_row_only(name, most):
    # Ten classes of 100 objects: 70 are certain, 25 may be in the next cluster, 5 in any. Bounds
    # of each row for itself leave 0.004 of Rand and 0.013 of adjusted Rand.
    k, everything = 10, (1 << 10) - 1
    types = [(1 << j, j, 70) for j in range(k)]
    types += [(1 << j | 1 << (j + 1) % k, j, 25) for j in range(k)]
    types += [(everything, j, 5) for j in range(k)]
    found = relaxed_ends(objective_of(name, 1000, (k, k)), batch_of(types, k))
    assert 0.0 <= found.lows[0] - found.low_bounds[0] < most


def test_objects_of_two_clusters_are_not_charged_with_all_that_a_row_may_hold():
    # Six classes of 100 objects: 70 are certain, and 6 may be in each other cluster.
    k = 6
    types = [(1 << j, j, 70) for j in range(k)]
    types += [(1 << j | 1 << i, j, 6) for j in range(k) for i in range(k) if i != j]
    batch, weights = batch_of(types, k), np.array([[-1.0, -1.0, 2.0]])
    bound, alone = largest_row_sums(batch, weights)[0], least_square_sums(batch, weights)[0]
    (value,) = weights[0] @ three_sums(np.full((1, k, k), 6) + 64 * np.eye(k), "square")
    assert bound[0] == pytest.approx(value, rel=1e-6)
    assert alone[0] < value - 0.02 * 600**2


def test_a_table_that_is_known_leaves_little_to_the_bound():
    # Ten classes of 1,000 objects: 380 are certain, 65 may be in each other cluster, and 35 in two
    # of them. Without the table the bound leaves 0.0022 of adjusted Rand.
    k = 10
    types = [(1 << j, j, 380) for j in range(k)]
    types += [(1 << j | 1 << i, j, 65) for j in range(k) for i in range(k) if i != j]
    types += [(1 << j | 1 << (j + 3) % k | 1 << (j + 1) % k, j, 35) for j in range(k)]
    found = relaxed_ends(objective_of("adjusted_rand", 10_000, (k, k)), batch_of(types, k))
    assert 0.0 <= found.lows[0] - found.low_bounds[0] < 1e-4
