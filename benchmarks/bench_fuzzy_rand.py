"""Mean Rand index of fuzzy partitions (time / time of one memberships.sum(axis=0))."""

import numpy as np
from threadpoolctl import threadpool_limits

import sfumato as sf
from benchmarks.timing import Row, best_time

N, K = 1_000_000, 10


def memberships(rng: np.random.Generator, n: int) -> np.ndarray:
    rows = rng.random((n, K))
    return rows / rows.sum(axis=1, keepdims=True)


def sum_over_pairs(p: np.ndarray, q: np.ndarray) -> float:
    """The definition: O(n^2), 500 rows at a time."""
    total = 0.0
    for start in range(0, len(p), 500):
        block = slice(start, start + 500)
        a, b = p[block] @ p.T, q[block] @ q.T
        total += float((a + b - 2 * a * b).sum())
    a, b = (p * p).sum(axis=1), (q * q).sum(axis=1)
    return 1 - (total - float((a + b - 2 * a * b).sum())) / (len(p) * (len(p) - 1))


def pair_rows() -> list[Row]:
    """The definition, whose products use one thread."""
    rng = np.random.default_rng(1)
    p, q = memberships(rng, 10_000), memberships(rng, 10_000)
    a, b = sf.FuzzyPartition(p), sf.FuzzyPartition(q)
    assert abs(float(sf.compare(a, b)) - sum_over_pairs(p, q)) < 1e-12
    with threadpool_limits(1):
        literal = best_time(lambda: sum_over_pairs(p, q), 3)
    compared = best_time(lambda: sf.compare(a, b), 200)
    in_all = best_time(lambda: sf.compare(sf.FuzzyPartition(p), sf.FuzzyPartition(q)), 200)
    return [
        (name, ours / literal, f"of the O(n^2) sum: {literal / ours:,.0f}x faster, {remark}")
        for name, ours, remark in (
            ("rand, n=1e4, k=10, fuzzy-fuzzy", compared, "the aim is 1,000x"),
            ("  constructing the partitions included", in_all, f"{in_all * 1e3:.2f} ms"),
        )
    ]


def run() -> list[Row]:
    """A million objects, constructing the partitions included; then the definition."""
    rng = np.random.default_rng(0)
    p, q, labels = memberships(rng, N), memberships(rng, N), rng.integers(0, K, N)
    unit = best_time(lambda: p.sum(axis=0))
    hard = best_time(lambda: sf.compare(sf.FuzzyPartition(p), sf.HardPartition(labels)))
    fuzzy = best_time(lambda: sf.compare(sf.FuzzyPartition(p), sf.FuzzyPartition(q)))
    spreads = [best_time(lambda b=b: sf.compare(p, b).std, repeats=1) for b in (labels, q)]
    rows = [
        ("rand, n=1e6, k=10, fuzzy-hard", hard / unit, f"the aim is at most 4; {hard:.3f} s"),
        ("rand, n=1e6, k=10, fuzzy-fuzzy", fuzzy / unit, f"the aim is at most 8; {fuzzy:.3f} s"),
        ("  with its std, fuzzy-hard", spreads[0] / unit, f"{spreads[0]:.3f} s"),
        ("  with its std, fuzzy-fuzzy", spreads[1] / unit, f"{spreads[1]:.3f} s"),
    ]
    return rows + pair_rows()
