"""Objects by type at every level."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.algorithms.tables.level_types import level_types
from strategies import random_degrees


@given(st.integers(0, 2**32 - 1))
def test_counts_are_those_of_the_cuts(seed):
    rng = np.random.default_rng(seed)
    n, k1, k2 = (int(x) for x in rng.integers(1, 5, size=3))
    a, b = (random_degrees(rng, n, k, zeros=0.2, n_values=4) for k in (k1, k2))
    counts = rng.integers(1, 4, size=n)
    entries = np.concatenate([a.ravel(), b.ravel()])
    levels = np.unique(entries[entries > 0])[::-1]
    found = level_types(a, b, counts, levels)
    chosen = np.flatnonzero(rng.random(len(levels)) < 0.7)
    for level, row in zip(levels[chosen], found.counts_at(chosen), strict=True):
        tally = {}
        for one, other, count in zip(a >= level, b >= level, counts, strict=True):
            pair = one @ (1 << np.arange(k1)), other @ (1 << np.arange(k2))
            tally[pair] = tally.get(pair, 0) + count
        pairs = zip(found.row_sets, found.column_sets, row, strict=True)
        assert {(r, c): count for r, c, count in pairs if count} == tally


@given(st.integers(0, 2**32 - 1))
def test_objects_by_distinct_rows_and_the_cells_they_leave_open(seed):
    rng = np.random.default_rng(seed)
    k1, k2, n_groups = (int(x) for x in rng.integers(1, 5, size=3))
    a, b = (random_degrees(rng, 3, k, zeros=0.2, n_values=4) for k in (k1, k2))
    rows_of = rng.integers(3, size=n_groups), rng.integers(3, size=n_groups)
    counts = rng.integers(1, 4, size=n_groups)
    levels = np.unique(np.concatenate([a[a > 0], b[b > 0]]))[::-1]
    levels = levels[int(rng.integers(len(levels))) :].copy()  # the lowest ones
    found = level_types(a, b, counts, levels, rows_of)
    laid_out = level_types(a[rows_of[0]], b[rows_of[1]], counts, levels)
    everything = np.arange(len(levels))
    assert found.counts_at(everything).tolist() == laid_out.counts_at(everything).tolist()
    for at, level in enumerate(levels):
        open_to = {
            (tuple(a[row] >= level), tuple(b[column] >= level))
            for row, column in zip(*rows_of, strict=True)
        }
        assert found.n_cells[at] == sum(sum(rows) * sum(columns) for rows, columns in open_to)
