"""Means of ratio indices against a hard truth (time of sfumato / time of another way)."""

from collections.abc import Iterator

import numpy as np

import sfumato as sf
from benchmarks.questions import fuzzy_around
from benchmarks.timing import Row, best_time

MEASURE = "adjusted_rand"


def instance(n: int, k: int) -> tuple[sf.FuzzyPartition, np.ndarray]:
    """A fuzzy partition around the classes of a truth."""
    labels = np.arange(n) % k
    return sf.FuzzyPartition(fuzzy_around(labels, k)), labels


def run() -> Iterator[Row]:
    """Against enumeration where that can end, else against draws and what they would need."""
    a, labels = instance(24, 3)
    found = sf.compare(a, labels, measure=MEASURE)
    assert found.method == "ratio_mean"
    ours = best_time(lambda: sf.compare(a, labels, measure=MEASURE))
    listed = sf.Measure.from_function(  # without structure only enumeration is left
        sf.AdjustedRand().of_tables, name="listed", better="higher", bounds=(-0.5, 1.0), on="batch"
    )
    engine = sf.Exact(max_tables=10**8)
    expected = sf.compare(a, labels, measure=listed, engine=engine)
    assert expected.method == "enumerate_tables"
    assert abs(found.mean - expected.mean) < 1e-12
    theirs = best_time(lambda: sf.compare(a, labels, measure=listed, engine=engine), repeats=2)
    yield "n=24, k=3, enumeration", ours / theirs, f"{ours * 1e3:.2g} ms; exact, both"

    for n, repeats in ((150, 10), (1000, 5), (10_000, 3)):
        a, labels = instance(n, 3)
        found = sf.compare(a, labels, measure=MEASURE)
        ours = best_time(lambda a=a, b=labels: sf.compare(a, b, measure=MEASURE), repeats)
        draws = 20_000 if n <= 1000 else 2_000
        sampled = sf.Sampled(n_samples=draws)
        theirs = best_time(
            lambda a=a, b=labels, e=sampled: sf.compare(a, b, measure=MEASURE, engine=e, rng=0), 2
        )
        # To a standard error of 1e-12, were it possible.
        needed = (found.std / 1e-12) ** 2 / draws
        remark = (
            f"{ours * 1e3:.3g} ms against {draws:,} draws, whose standard error is "
            f"{found.std / draws**0.5:.1e}; as exact as here: {theirs * needed:.0e} s"
        )
        yield f"n={n:,}, k=3, sampling", ours / theirs, remark
