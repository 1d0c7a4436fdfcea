"""Questions written by hand, for ways that random small questions do not take.

Many different objects, many clusters, sparse memberships, measures without bounds, tolerances out
of reach, laws that are cut off. Each group is every combination of its lists.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from scipy import sparse

import sfumato as sf

Sides = tuple[Any, Any]
EVERY = ("expectation", "range", "distribution")
UNBOUNDED = sf.Measure.from_function(
    lambda tables: tables.max(axis=(-2, -1)).astype(float),
    name="largest_count",
    better="higher",
    on="batch",
)
QUICK = sf.Auto(tolerance=0.1, max_tables=10_000, max_nodes=200)
LOSSY = sf.Auto(tolerance=0.1, max_tables=2_000, max_nodes=50, max_lost_mass=0.01)
FEW = sf.Sampled(n_samples=40)


@dataclass(frozen=True)
class Group:
    """Two partitions, asked about in several ways."""

    sides: Callable[[], Sides]
    measures: Sequence[Any]
    quantities: Sequence[str] = ("expectation",)
    engines: Sequence[Any] = (QUICK,)


def _near(seed: int, n: int, k: int, *, share: float = 0.5) -> tuple[np.ndarray, np.ndarray]:
    """Memberships around labels, and the labels."""
    rng, labels = np.random.default_rng([4, seed]), np.arange(n) % k
    rows = rng.random((n, k)) ** 4 + 1e-3
    rows /= rows.sum(axis=1, keepdims=True)
    return share * np.eye(k)[labels] + (1 - share) * rows, labels


def _fuzzy(seed: int, n: int, k: int, *, share: float = 0.5) -> sf.Partition:
    return sf.FuzzyPartition(_near(seed, n, k, share=share)[0], normalize=True)


def _thin(seed: int, n: int, k: int) -> sf.Partition:
    """Three entries a row, held sparse."""
    values = np.random.default_rng([5, seed]).random((n, 3)) + 0.1
    values /= values.sum(axis=1, keepdims=True)
    columns = (np.arange(n)[:, None] + np.array([0, 1, 3])) % k
    at = np.repeat(np.arange(n), 3), columns.ravel()
    return sf.FuzzyPartition(sparse.csr_array((values.ravel(), at), shape=(n, k)), normalize=True)


def _evidential(
    seed: int, n: int, k: int, *, share: float = 0.5, most_unsure: float = 0.4
) -> sf.Partition:
    """Mass on single clusters and on the set of all; no two objects alike."""
    rows, _ = _near(seed, n, k, share=share)
    unsure = most_unsure * np.random.default_rng([6, seed]).random((n, 1))
    sets = np.vstack([np.eye(k), np.ones(k)])
    masses = np.hstack([(1 - unsure) * rows, unsure])
    return sf.EvidentialPartition(masses / masses.sum(axis=1, keepdims=True), sets)


def _rough(seed: int, n: int, k: int) -> sf.Partition:
    mask = np.random.default_rng([7, seed]).random((n, k)) < 0.3
    mask[np.arange(n), np.arange(n) % k] = True
    return sf.RoughPartition(mask)


def _possibilistic(seed: int, n: int, k: int, t_norm: Any) -> sf.Partition:
    rows = np.random.default_rng([8, seed]).random((n, k)) ** 3
    rows[np.arange(n), np.arange(n) % k] = 1.0
    return sf.PossibilisticPartition(rows, t_norm=t_norm)


def _labels(n: int, k: int) -> sf.Partition:
    return sf.HardPartition(np.arange(n) % k)


GROUPS = (
    # Many different objects against labels, on either side.
    Group(
        lambda: (_evidential(0, 2400, 3), _labels(2400, 3)),
        ["rand", "partition_distance", "homogeneity", "jaccard"],
        engines=[FEW, "bounds", sf.Sampled(n_samples=40, nested=True, n_inner=5)],
    ),
    Group(
        lambda: (_labels(2400, 3), _evidential(1, 2400, 3)),
        ["adjusted_rand", "variation_of_information", "purity"],
        EVERY,
        [FEW],
    ),
    Group(lambda: (_evidential(2, 2400, 3), _evidential(3, 2400, 2)), ["rand"], EVERY, [FEW]),
    # Sparse memberships.
    Group(
        lambda: (_thin(0, 600, 120), _labels(600, 110)),
        ["rand", "mutual_information", "partition_distance", "normalized_mutual_information"],
        engines=["bounds", FEW],
    ),
    Group(
        lambda: (_thin(1, 600, 120), _thin(2, 600, 90)),
        ["rand", "variation_of_information", "partition_distance", "jaccard"],
        engines=["bounds", FEW],
    ),
    Group(
        lambda: (_thin(3, 10_000, 130), _thin(4, 10_000, 100)),
        ["partition_distance"],
        ["expectation", "distribution"],
        ["bounds"],
    ),
    # Two fuzzy sides with very many pairs of clusters.
    Group(
        lambda: (_fuzzy(0, 300, 25), _fuzzy(1, 300, 24)),
        ["rand", "dice", "partition_distance", "mutual_information"],
        engines=[QUICK, FEW],
    ),
    # Laws of matchings: three clusters, a hard side, one that nearly always wins.
    Group(
        lambda: (_fuzzy(2, 20, 3), _fuzzy(3, 20, 3)),
        ["partition_distance"],
        EVERY,
        ["exact", "bounds", LOSSY],
    ),
    Group(
        lambda: (_fuzzy(4, 40, 4, share=0.2), _labels(40, 4)),
        ["partition_distance"],
        EVERY,
        [sf.Exact(max_tables=10**7, max_nodes=200), LOSSY],
    ),
    Group(
        lambda: (_fuzzy(5, 300, 5, share=0.9), _fuzzy(6, 300, 5, share=0.9)),
        ["partition_distance"],
        EVERY,
        ["auto", "bounds"],
    ),
    Group(
        lambda: (_fuzzy(7, 3000, 2), _labels(3000, 2)),
        ["rand", "partition_distance", "adjusted_rand"],
        ["expectation", "distribution"],
        ["auto"],
    ),
    # Expected matchings of evidential partitions with two, three and five clusters.
    *(
        Group(
            lambda k=k, own=own: (_evidential(k, 45, k, share=0.0), own(45, k)),
            ["partition_distance", sf.PartitionDistance(normalizer="n")],
            engines=["bounds", QUICK],
        )
        for k in (2, 3, 5)
        for own in (_labels, lambda n, k: _evidential(9, n, k, share=0.3))
    ),
    # Measures without bounds, and tolerances that no number of draws reaches.
    Group(
        lambda: (_fuzzy(8, 30, 3), _fuzzy(9, 30, 3)),
        [UNBOUNDED],
        EVERY,
        [QUICK, FEW, sf.Sampled(tolerance=0.1), "bounds"],
    ),
    Group(
        lambda: (_possibilistic(0, 30, 3, "min"), _fuzzy(10, 30, 3)),
        [UNBOUNDED, "rand"],
        EVERY,
        [FEW, sf.Sampled(tolerance=1e-8)],
    ),
    Group(
        lambda: (_evidential(10, 30, 3), _fuzzy(11, 30, 3)),
        [UNBOUNDED, "jaccard"],
        EVERY,
        [FEW, sf.Sampled(tolerance=1e-8)],
    ),
    # Laws with a part left out.
    Group(
        lambda: (_evidential(11, 8, 3), _labels(8, 3)),
        ["rand", "jaccard", "variation_of_information"],
        EVERY,
        [LOSSY],
    ),
    Group(
        lambda: (_evidential(13, 24, 2, share=0.98, most_unsure=0.02), _labels(24, 2)),
        ["jaccard", "mutual_information"],
        ["expectation", "distribution"],
        [sf.Auto(max_tables=20_000, max_lost_mass=1e-3), "auto"],
    ),
    *(
        Group(
            lambda t_norm=t_norm: (_possibilistic(1, 40, 3, t_norm), _labels(40, 3)),
            ["rand", "homogeneity", "partition_distance"],
            EVERY,
            [LOSSY, sf.Auto(tolerance=0.1, max_tables=100)],
        )
        for t_norm in ("product", "lukasiewicz")
    ),
    Group(
        lambda: (_fuzzy(12, 40, 3), _labels(40, 3)),
        ["rand", "jaccard", "adjusted_rand", "normalized_mutual_information", "homogeneity"],
        ["expectation", "distribution"],
        [LOSSY, "auto"],
    ),
    # One class, and a class for each object: values that are conventions.
    *(
        Group(
            lambda labels=labels: (_fuzzy(13, 14, 3), sf.HardPartition(labels)),
            ["adjusted_rand", "fowlkes_mallows", "jaccard", "normalized_mutual_information"],
            ["expectation", "distribution"],
            [sf.Auto(max_tables=300), "closed_form"],
        )
        for labels in ([0] * 14, list(range(14)))
    ),
    # Many clusters, many kinds of objects.
    Group(
        lambda: (_rough(0, 40, 6), _labels(40, 6)),
        ["purity", "partition_distance", "adjusted_rand"],
        EVERY,
        [QUICK],
    ),
    Group(
        lambda: (_rough(1, 300, 8), _rough(2, 300, 7)),
        ["rand", "variation_of_information", "jaccard"],
        EVERY[:2],
        [QUICK, "bounds"],
    ),
    Group(
        lambda: (_rough(3, 400, 70), _labels(400, 70)),
        ["normalized_mutual_information", "adjusted_mutual_information"],
        EVERY[:2],
        ["bounds"],
    ),
    Group(
        lambda: (_evidential(12, 120, 40), _labels(120, 40)),
        ["rand", "adjusted_rand", "adjusted_mutual_information"],
        engines=[FEW, sf.Sampled(n_samples=10, nested=True, n_inner=5)],
    ),
    Group(
        lambda: (sf.HardPartition(np.arange(20_000)), sf.HardPartition(np.arange(20_000)[::-1])),
        ["rand", UNBOUNDED, "partition_distance"],
        EVERY[:2],
        ["auto"],
    ),
)
ALL = [
    (group.sides, *asked)
    for group in GROUPS
    for asked in product(group.measures, group.quantities, group.engines)
]
