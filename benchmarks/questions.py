"""Random partitions of every kind and questions about them, for benchmarks of plans and time."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

import sfumato as sf


class Question(NamedTuple):
    """Two sides and what is asked of them."""

    name: str
    a: Any
    b: Any
    measure: str = "rand"

    def __str__(self) -> str:
        side = self.a
        return f"{self.name}, {self.measure}, {side.n_objects} x {side.n_clusters}"

    def compare(self, **options: Any) -> sf.Comparison:
        """Ask it."""
        return sf.compare(self.a, self.b, measure=self.measure, rng=0, **options)

    def explain(self, **options: Any) -> Any:
        """The plan."""
        return sf.explain(self.a, self.b, measure=self.measure, **options)


def truth(n_objects: int, n_clusters: int) -> Any:
    """Labels, about as many of each."""
    return np.random.default_rng(9).integers(0, n_clusters, n_objects)


def possibilistic(
    n_objects: int,
    n_clusters: int,
    t_norm: Any = None,
    *,
    n_levels: int | None = None,
    seed: int = 0,
) -> sf.PossibilisticPartition:
    """Uniform possibilities, or a few levels."""
    memberships = np.random.default_rng(seed).random((n_objects, n_clusters))
    if n_levels is not None:
        memberships = np.where(memberships > 0.9, 1.0 / n_levels, 0.0)
        memberships[np.arange(n_objects), np.arange(n_objects) % n_clusters] = 1.0
    memberships /= memberships.max(axis=1, keepdims=True)
    return sf.PossibilisticPartition(memberships, t_norm=t_norm)


def rough(n_objects: int, n_clusters: int, *, seed: int = 0) -> sf.RoughPartition:
    """Three clusters for each object, about."""
    rng = np.random.default_rng(seed)
    mask = rng.random((n_objects, n_clusters)) < 2.0 / n_clusters
    mask[np.arange(n_objects), rng.integers(0, n_clusters, n_objects)] = True
    return sf.RoughPartition(mask)


def fuzzy(n_objects: int, n_clusters: int, *, seed: int = 0) -> sf.FuzzyPartition:
    """Dirichlet memberships."""
    rng = np.random.default_rng(seed)
    return sf.FuzzyPartition(rng.dirichlet(np.full(n_clusters, 0.3), n_objects))


def fuzzy_around(
    labels: np.ndarray,
    n_clusters: int,
    *,
    share: float = 0.5,
    evenness: float = 0.5,
    seed: int | np.random.Generator = 0,
) -> np.ndarray:
    """Memberships with a share for the own label; the rest is drawn."""
    rest = np.random.default_rng(seed).dirichlet(np.full(n_clusters, evenness), len(labels))
    return share * np.eye(n_clusters)[labels] + (1 - share) * rest


def drawn_tables(
    rng: np.random.Generator, n_draws: int, memberships: np.ndarray, other: np.ndarray
) -> np.ndarray:
    """Tables of drawn clusterings against labels or as many clusters, all at once in NumPy."""
    k = memberships.shape[1]

    def drawn(rows: np.ndarray) -> np.ndarray:
        uniform = rng.random((n_draws, len(rows)))
        return sum(uniform > cut for cut in rows.cumsum(axis=1)[:, :-1].T)

    columns = other if other.ndim == 1 else drawn(other)
    cells = (np.arange(n_draws)[:, None] * k + drawn(memberships)) * k + columns
    return np.bincount(cells.ravel(), minlength=n_draws * k * k).reshape(-1, k, k)


def evidential(n_objects: int, n_clusters: int, *, seed: int = 0) -> sf.EvidentialPartition:
    """Singletons, pairs of neighbours and the whole."""
    rng = np.random.default_rng(seed)
    single = np.eye(n_clusters, dtype=bool)
    sets = np.concatenate(
        [single, single | np.roll(single, 1, axis=1), np.ones((1, n_clusters), dtype=bool)]
    )
    sets = np.unique(sets, axis=0)
    return sf.EvidentialPartition(rng.dirichlet(np.full(len(sets), 0.2), n_objects), sets)


def once_slow() -> Iterator[Question]:
    """Questions that took a minute or more."""
    adjusted, wide = "adjusted_rand", possibilistic(10_000, 30, "min")
    yield Question("min, hard", possibilistic(10_000, 10, "min"), truth(10_000, 10), adjusted)
    two_levels = possibilistic(100_000, 50, "min", n_levels=2)
    yield Question("two levels, hard", two_levels, truth(100_000, 50))
    yield Question("evidential, min", evidential(10_000, 30), wide, adjusted)
    one, other = (possibilistic(10_000, 15, "min", seed=seed) for seed in (0, 1))
    yield Question("min, min", one, other, "partition_distance")
    lukasiewicz = possibilistic(10_000, 30, "lukasiewicz")
    yield Question("lukasiewicz, itself", lukasiewicz, lukasiewicz, "normalized_mutual_information")
