"""Information measures of fuzzy partitions (time of sfumato / time of another way)."""

import numpy as np

import sfumato as sf
from benchmarks.questions import fuzzy_around
from benchmarks.timing import Row, best_time
from sfumato.algorithms.moments.counts import law_of_count
from sfumato.algorithms.moments.entropies import expected_sums
from sfumato.algorithms.tables.rows import dense_rows

MEASURE = "variation_of_information"


def instance(n: int, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Two fuzzy partitions around the same clusters, k by n."""
    sides = (fuzzy_around(np.arange(n) % k, k, seed=seed) for seed in (0, 1))
    first, second = (np.ascontiguousarray(side.T) for side in sides)
    return first, second


def entropies_by_law(first: np.ndarray, second: np.ndarray, negligible: float) -> float:
    """The sum of the means of N log N from the law of each count, compiled."""
    total = 0.0
    for events in (*first, *second, *(row * column for row in first for column in second)):
        law = law_of_count(events, negligible)
        counts = law.first + np.arange(len(law.probabilities))
        total += float(law.probabilities @ (counts * np.log(np.maximum(counts, 1))))
    return total


def run() -> list[Row]:
    """The mean against the laws of all counts; the standard deviation and `compare` against it."""
    rows = []
    n, k = 10_000, 3
    first, second = instance(n, k)
    sides = [dense_rows(np.ascontiguousarray(side.T)) for side in (first, second)]
    total = expected_sums(*sides)[0].sum()
    for name, negligible, repeats in (("windowed", 1e-25, 5), ("full", 0.0, 4)):
        expected = entropies_by_law(first, second, negligible)
        assert abs(total - expected) / n < 1e-13
        # In turns, so that both meet the processor at its best.
        turns = [
            (
                best_time(lambda: expected_sums(*sides), repeats=100),
                best_time(lambda: entropies_by_law(first, second, negligible), repeats=1),
            )
            for _ in range(repeats)
        ]
        ours, theirs = (min(times) for times in zip(*turns, strict=True))
        remark = f"{theirs / ours:,.0f}x faster than the {name} Poisson-binomial recursion in C++"
        aim = "; the aim is 500" if name == "full" else ""
        rows.append((f"mean, n=1e4, k=3, {name} law", ours / theirs, remark + aim))
    a, b = (sf.FuzzyPartition(side.T) for side in (first, second))
    whole = best_time(lambda: sf.compare(a, b, measure=MEASURE), repeats=20)
    rows.append(("compare, n=1e4, k=3", whole / ours, f"{whole * 1e3:.2g} ms, the kernel is 1"))
    for n in (150, 10_000):
        a, b = (sf.FuzzyPartition(side.T) for side in instance(n, k))
        mean = best_time(lambda: sf.compare(a, b, measure=MEASURE).mean, repeats=5)
        both = best_time(lambda: sf.compare(a, b, measure=MEASURE).std, repeats=2)
        remark = f"{both * 1e3:,.0f} ms; with std / without"
        rows.append((f"standard deviation, n={n:,}, k=3", both / mean, remark))
    return rows
