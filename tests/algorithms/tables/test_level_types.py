"""Objects by type at every level."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.algorithms.tables.level_types import counts_at, level_types
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
    for level, row in zip(levels[chosen], counts_at(found, chosen), strict=True):
        tally = {}
        for one, other, count in zip(a >= level, b >= level, counts, strict=True):
            pair = one @ (1 << np.arange(k1)), other @ (1 << np.arange(k2))
            tally[pair] = tally.get(pair, 0) + count
        pairs = zip(found.row_sets, found.column_sets, row, strict=True)
        assert {(r, c): count for r, c, count in pairs if count} == tally
