"""Fuzzy indices at n = 1e4 without a look at all pairs, against their blocked O(n^2) forms."""

from collections.abc import Callable
from time import perf_counter

import numpy as np

from benchmarks.timing import Row, best_time
from sfumato import HardPartition, indices
from sfumato.indices.campello import blocked_sums, swept_sums
from sfumato.indices.formulas.pair_blocks import sum_over_pairs, types_of
from sfumato.indices.huellermeier import half_distances

N_OBJECTS, N_CLUSTERS = 10_000, 3
Join = Callable[[np.ndarray, np.ndarray], np.ndarray]


def together(rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    return rows @ columns.T


def blocked_mean(values: Join, join: Join, first: np.ndarray, second: np.ndarray) -> float:
    """Mean over pairs of what two values are together, all pairs in blocks."""
    types = types_of(first, second)

    def joined(rows: slice, columns: slice) -> list[np.ndarray]:
        one, two = (values(side[rows], side[columns]) for side in (types.first, types.second))
        return [join(one, two)]

    return sum_over_pairs(types.counts, joined)[0] / (N_OBJECTS * (N_OBJECTS - 1) / 2)


def compare(
    name: str, fast: Callable[[], object], blocked: Callable[[], object], remark: str
) -> Row:
    """Time both ways, the blocked one once, and see that they agree."""
    start = perf_counter()
    slow_value = blocked()
    slow = perf_counter() - start
    np.testing.assert_allclose(fast(), slow_value, rtol=0, atol=1e-9 * np.abs(slow_value).max())
    ratio = best_time(fast) / slow
    return name, ratio, f"{1 / ratio:,.0f}x faster; {remark}"


def run() -> list[Row]:
    """Rows of (name, time / time of the blocked form, remark)."""
    rng = np.random.default_rng(0)
    fuzzy, other = (rng.dirichlet([0.5] * N_CLUSTERS, N_OBJECTS) for _ in range(2))
    labels = rng.integers(0, N_CLUSTERS, N_OBJECTS)
    hard = HardPartition(labels).to_fuzzy().memberships
    return [
        compare(
            "Campello against hard",
            lambda: swept_sums(fuzzy, hard),
            lambda: blocked_sums(types_of(fuzzy, hard), "min"),
            "target: 100x",
        ),
        compare(
            "Campello, two fuzzy sides",
            lambda: swept_sums(fuzzy, other),
            lambda: blocked_sums(types_of(fuzzy, other), "min"),
            "an extension of the index",
        ),
        compare(
            "Huellermeier against hard",
            lambda: 1 - indices.huellermeier(fuzzy, labels),
            lambda: blocked_mean(half_distances, lambda x, y: np.abs(x - y), fuzzy, hard),
            "by sorting",
        ),
        compare(
            "Frigui, two fuzzy sides",
            lambda: indices.frigui(fuzzy, other),
            lambda: 1 - blocked_mean(together, lambda x, y: x + y - 2 * x * y, fuzzy, other),
            "by Gram matrices",
        ),
    ]
