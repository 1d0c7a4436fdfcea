"""Memory of compare (peak beyond the input / size of the input)."""

import tracemalloc

import numpy as np

import sfumato as sf


def peak_beyond_input(a: np.ndarray, b: np.ndarray) -> float:
    """NumPy reports its allocations to tracemalloc; the input is there before it starts."""
    tracemalloc.start()
    sf.compare(a, b)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak / (a.nbytes + b.nbytes)


def run() -> list[tuple[str, float, str]]:
    """Two arrays of a million int64 labels."""
    rng = np.random.default_rng(0)
    a, b = (rng.integers(0, 10, size=1_000_000) for _ in range(2))
    return [("rand, n=1e6, hard against hard", peak_beyond_input(a, b), "the aim is at most 4")]
