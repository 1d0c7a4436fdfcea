"""Certified means of ratio indices without draws (time of sfumato / time of 1000 draws)."""

from collections.abc import Iterator
from itertools import product
from time import perf_counter

import numpy as np

import sfumato as sf
from benchmarks.timing import Row

SIZES = ((1_000, 10), (1_800, 10), (10_000, 10), (10_000, 20), (1_000_000, 20))
MEASURES = (
    "adjusted_rand",
    "jaccard",
    "dice",
    "fowlkes_mallows",
    "normalized_mutual_information",
    "homogeneity",
    "completeness",
    "adjusted_mutual_information",
)


def sides(
    n: int, k: int
) -> dict[str, tuple[sf.FuzzyPartition, sf.HardPartition | sf.FuzzyPartition]]:
    """A fuzzy partition, against its hard form and against one that is half the same."""
    rng = np.random.default_rng(0)
    own, other = (rng.dirichlet(np.full(k, 0.2), n) for _ in range(2))
    a = sf.FuzzyPartition(own, normalize=True)
    return {
        "hard": (a, a.harden()),
        "fuzzy": (a, sf.FuzzyPartition((own + other) / 2, normalize=True)),
    }


def run() -> Iterator[Row]:
    """Half-widths and seconds, against draws that answer the same question."""
    for n, k in SIZES:
        for (against, (a, b)), measure in product(sides(n, k).items(), MEASURES):
            if against == "fuzzy" and measure == "adjusted_mutual_information":
                continue  # drawn
            began = perf_counter()
            found = sf.compare(a, b, measure=measure)
            ours = perf_counter() - began
            assert (found.method, found.guarantee) == ("ratio_mean", "certified")
            n_draws = 1000 if n <= 10_000 else 10
            began = perf_counter()
            sf.compare(a, b, measure=measure, engine=sf.Sampled(n_samples=n_draws), rng=0)
            theirs = (perf_counter() - began) * 1000 / n_draws
            remark = f"{found.mean:.10f} +- {found.error:.1e} in {ours:.3f} s"
            yield f"n={n:,}, k={k}, {against}, {measure}", ours / theirs, remark
