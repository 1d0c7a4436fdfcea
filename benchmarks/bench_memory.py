"""Memory of compare (peak beyond the input / size of the input)."""

from collections.abc import Iterator

import numpy as np

import sfumato as sf
from benchmarks.timing import Row, peak_bytes


def peak_beyond_input(a: np.ndarray, b: np.ndarray, measure: str = "rand") -> float:
    return peak_bytes(lambda: sf.compare(a, b, measure=measure)) / (a.nbytes + b.nbytes)


def run() -> Iterator[Row]:
    """Two arrays of int64 labels; and memberships in float32, without a copy in float64."""
    rng = np.random.default_rng(0)
    a, b = (rng.integers(0, 10, size=1_000_000) for _ in range(2))
    yield "rand, n=1e6, hard against hard", peak_beyond_input(a, b), "the aim is at most 4"
    n, k = 5_000_000, 20
    a, b = rng.random((n, k), dtype=np.float32), rng.integers(0, k, size=n)
    a /= a.sum(axis=1, keepdims=True)
    remark = f"{(a.nbytes + b.nbytes) / 1e6:.0f} MB of input; the aim is about 1: a private copy"
    for measure in ("rand", "adjusted_rand"):
        name = f"{measure}, n=5e6, k=20, float32 against hard"
        yield name, peak_beyond_input(a, b, measure), remark
