"""Posterior draws: laws of a measure, point estimates, two drawn sides."""

from collections.abc import Iterator

import numpy as np

import sfumato as sf
from benchmarks.timing import Row, cpu_time


def chain(n_draws: int, n_objects: int, n_clusters: int, noise: float, seed: int = 0) -> np.ndarray:
    """Labels that wander around one clustering; a part of the objects jumps in groups."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, n_clusters, n_objects)
    group = rng.integers(0, n_objects // 10, n_objects)
    draws = np.repeat(truth[None], n_draws, axis=0)
    moved = rng.random(draws.shape) < noise
    draws[moved] = rng.integers(0, n_clusters + 2, int(moved.sum()))
    jumps = rng.random((n_draws, n_objects // 10)) < noise
    places = rng.integers(0, n_clusters, jumps.shape)
    return np.where(jumps[:, group], places[:, group], draws)


def run() -> Iterator[Row]:
    """CPU seconds by the seconds aimed at."""
    labels, truth = chain(2000, 1000, 10, 0.2), chain(1, 1000, 10, 0.0)[0]
    drawn = sf.DrawnPartition(labels)
    sf.compare([0, 1], [0, 1])  # loads the methods
    for measure in ("rand", "adjusted_rand", "variation_of_information", "partition_distance"):
        took, found = cpu_time(
            lambda: sf.compare(drawn, truth, measure=measure, quantity="distribution")
        )
        yield "s=2,000, n=1,000: law, against .5 s", took / 0.5, f"{measure}, {took:.3f} s"
    took, found = cpu_time(lambda: sf.compare(drawn, drawn, rng=0))
    yield "s=2,000, n=1,000: two drawn sides, in s", took, f"rand, to {found.error:.1g}"
    drawn = sf.DrawnPartition(labels[:1000])
    for loss in ("vi", "binder", "adjusted_rand"):
        took, found = cpu_time(lambda: drawn.point_estimate(loss, rng=0))
        remark = f"{loss}, {took:.2f} s, {found.n_clusters} clusters"
        yield "s=n=1,000: point estimate, against 2 s", took / 2, remark
