"""Partition distance of fuzzy partitions (time of sfumato / time of the other way)."""

import numpy as np

import sfumato as sf
from benchmarks.timing import best_time
from sfumato.algorithms.expectations.matching_mean import bracket_matching_mean

N_DRAWS = 20_000


def informative(rng, n: int, k: int, share: float) -> np.ndarray:
    return (1 - share) * rng.dirichlet(np.ones(k), n) + share * np.eye(k)[np.arange(n) % k]


def drawn_means(a: np.ndarray, labels: np.ndarray, rng) -> float:
    """Mean distance of drawn clusterings, all at once in NumPy (20,000 of 150 objects)."""
    n, k = a.shape
    codes = (rng.random((N_DRAWS, n, 1)) > a.cumsum(axis=1)[:, :-1]).sum(axis=2)
    cells = codes * k + labels + k * k * np.arange(N_DRAWS)[:, None]
    tables = np.bincount(cells.ravel(), minlength=N_DRAWS * k * k).reshape(-1, k, k)
    return float(sf.PartitionDistance().of_tables(tables).mean())


def distance(a, b, **options) -> sf.Comparison:
    return sf.compare(a, b, measure="partition_distance", **options)


def run() -> list[tuple[str, float, str]]:
    """An exact law at Iris size, and brackets of the mean at any size."""
    rng = np.random.default_rng(0)
    rows = []
    labels = np.arange(150) % 3
    for share, name in ((0.5, "informative"), (0.1, "hardly informative")):
        a = sf.FuzzyPartition(informative(rng, 150, 3, share))
        found = distance(a, labels, quantity="distribution")
        assert found.is_exact
        ratio = best_time(lambda a=a: distance(a, labels, quantity="distribution")) / best_time(
            lambda a=a: drawn_means(a.memberships, labels, rng), repeats=2
        )
        rows.append((f"law, n=150, k=3, {name}, hard truth", ratio, f"{found.method} / 20k draws"))
    for n, k in ((10_000, 10), (100_000, 3)):
        a, b = (informative(rng, n, k, 0.5) for _ in range(2))
        found = bracket_matching_mean(a, b)
        width = (found.high - found.low) / (n - 1)
        product = best_time(lambda a=a, b=b: a.T @ b)
        ratio = best_time(lambda a=a, b=b: bracket_matching_mean(a, b)) / product
        rows.append((f"bracket, n={n:.0e}, k={k}, two fuzzy / P'Q", ratio, f"width {width:.1e}"))
    return rows
