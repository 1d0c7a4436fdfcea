"""Partition distance of fuzzy partitions (time of sfumato / time of the other way)."""

import numpy as np

import sfumato as sf
from benchmarks.questions import drawn_tables, fuzzy_around
from benchmarks.timing import Row, best_time
from sfumato.algorithms.expectations.matching_mean import bracket_matching_mean

N_DRAWS = 20_000


def distance(a, b, **options) -> sf.Comparison:
    return sf.compare(a, b, measure="partition_distance", **options)


def run() -> list[Row]:
    """An exact law at Iris size, and brackets of the mean at any size."""
    rng, value = np.random.default_rng(0), sf.PartitionDistance().of_tables
    rows = []
    labels = np.arange(150) % 3
    for share, name in ((0.5, "informative"), (0.1, "hardly informative")):
        a = sf.FuzzyPartition(fuzzy_around(labels, 3, share=share, evenness=1.0))
        found = distance(a, labels, quantity="distribution")
        assert found.is_exact
        ratio = best_time(lambda a=a: distance(a, labels, quantity="distribution")) / best_time(
            lambda: value(drawn_tables(rng, N_DRAWS, a.memberships, labels)).mean(), repeats=2
        )
        rows.append((f"law, n=150, k=3, {name}, hard truth", ratio, f"{found.method} / 20k draws"))
    for n, k in ((10_000, 10), (100_000, 3)):
        a, b = (fuzzy_around(np.arange(n) % k, k, evenness=1.0, seed=seed) for seed in (0, 1))
        found = bracket_matching_mean(a, b)
        width = (found.high - found.low) / (n - 1)
        product = best_time(lambda a=a, b=b: a.T @ b)
        ratio = best_time(lambda a=a, b=b: bracket_matching_mean(a, b)) / product
        rows.append((f"bracket, n={n:.0e}, k={k}, two fuzzy / P'Q", ratio, f"width {width:.1e}"))
    return rows
