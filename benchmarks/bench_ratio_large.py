"""Means of ratio indices without draws (time of sfumato / time of 1000 draws, or as named)."""

from collections.abc import Iterator
from itertools import product
from time import perf_counter

import numpy as np

import sfumato as sf
from benchmarks.questions import fuzzy_around
from benchmarks.timing import Row, best_time

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


def against_enumeration() -> Row:
    """An exact mean, where all tables can be listed too."""
    labels = np.arange(24) % 3
    a = sf.FuzzyPartition(fuzzy_around(labels, 3))
    listed = sf.Measure.from_function(  # without structure only enumeration is left
        sf.AdjustedRand().of_tables, name="listed", better="higher", bounds=(-0.5, 1.0), on="batch"
    )
    engine = sf.Exact(max_tables=10**8)
    found = sf.compare(a, labels, measure="adjusted_rand")
    expected = sf.compare(a, labels, measure=listed, engine=engine)
    assert (found.method, expected.method) == ("ratio_mean", "enumerate_tables")
    assert abs(found.mean - expected.mean) < 1e-12
    ours = best_time(lambda: sf.compare(a, labels, measure="adjusted_rand"))
    theirs = best_time(lambda: sf.compare(a, labels, measure=listed, engine=engine), repeats=2)
    return "n=24, k=3, hard, adjusted_rand, enumeration", ours / theirs, f"{ours * 1e3:.2g} ms"


def run() -> Iterator[Row]:
    """Half-widths and seconds, against draws that answer the same question."""
    yield against_enumeration()
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
