"""Rough intervals (time or memory of sfumato / that of the rival or limit named)."""

from itertools import islice, product

import numpy as np

import sfumato as sf
from benchmarks.timing import Row, best_time, peak_bytes
from sfumato._typing import Ints
from sfumato.algorithms.ends.found_ends import Budget
from sfumato.algorithms.ends.solve import Solved, solve_types
from sfumato.algorithms.tables.sampler import FocalSampler
from sfumato.measures import as_measure
from sfumato.question.query import Query

BATCH = 4000


def rough_mask(rng: np.random.Generator, truth: np.ndarray, k: int, share: float) -> np.ndarray:
    """Mostly right, and a share of the objects may also be in one or two other clusters."""
    mask = truth[:, None] == np.arange(k)
    doubtful = np.flatnonzero(rng.random(len(truth)) < share)
    for _ in range(2):
        mask[doubtful, rng.integers(0, k, len(doubtful))] = True
    return mask


def solve(query: Query, counts: Ints, budget: Budget) -> Solved:
    """Both ends of rough partitions, given by the objects with each pair of sets."""
    return solve_types(query.objective, query.joint.types_of(counts), budget)


def against_scikit_learn() -> list[Row]:
    from sklearn.metrics import rand_score

    rows = []
    for k, aim in ((3, 0.7), (5, 5.0)):
        rng = np.random.default_rng(0)
        truth = rng.integers(0, k, 100_000)
        mask = rough_mask(rng, truth, k, 0.2)
        other = rng.permutation(truth)
        ours = best_time(lambda: sf.compare(sf.RoughPartition(mask), truth))
        theirs = best_time(lambda: rand_score(truth, other))
        found = sf.compare(sf.RoughPartition(mask), truth)
        remark = f"{1000 * ours:.1f} ms, {found.guarantee}; the aim is at most {aim}"
        rows.append((f"rand, n=1e5, k={k}, 20% / rand_score", ours / theirs, remark))
    return rows


def batches() -> list[Row]:
    rng = np.random.default_rng(1)
    truth = np.repeat([0, 1, 2], 50)
    doubtful = rng.choice(150, 60, replace=False)
    masses = np.zeros((150, 7))
    sets = np.array([[i >> b & 1 for b in range(3)] for i in range(1, 8)], dtype=bool)
    masses[np.arange(150), np.array([0, 1, 3])[truth]] = 1.0
    masses[doubtful] = 0.0
    for column in (2, 4, 5, 6):
        masses[doubtful, column] = 0.25
    candidate = sf.EvidentialPartition(masses, sets)
    draw = best_time(lambda: rng.random((BATCH, 150))) / BATCH
    rows = []
    aims = {"rand": 25, "partition_distance": 10, "variation_of_information": 45}
    for name, aim in aims.items():
        query = Query.of(candidate, sf.HardPartition(truth), as_measure(name), "expectation")
        counts = FocalSampler(query.joint.focal_model, BATCH).draw(BATCH, np.random.SeedSequence(0))
        ours = best_time(lambda: solve(query, counts, Budget(10**6, threads=2))) / BATCH
        remark = f"{1e6 * ours:.1f} us each; the aim is at most {aim}"
        rows.append((f"{name}, both ends, n=150, k=3 / rng.random(150)", ours / draw, remark))
    return rows


def against_enumeration() -> list[Row]:
    from sklearn.metrics import rand_score

    n_calls = 1000
    truth = np.repeat([0, 1, 2], 50)
    mask = truth[:, None] == np.arange(3)
    doubtful = np.arange(0, 150, 13)
    mask[doubtful] = True

    def literal() -> None:
        labels = truth.copy()
        for choice in islice(product(range(3), repeat=len(doubtful)), n_calls):
            labels[doubtful] = choice
            rand_score(truth, labels)

    query = Query.of(
        sf.RoughPartition(mask), sf.HardPartition(truth), as_measure("rand"), "expectation"
    )
    counts = np.repeat(query.joint.focal_model.fixed[None, :], 100, axis=0)
    theirs = best_time(literal, repeats=2) * 3 ** len(doubtful) / n_calls
    rows = []
    for what, seconds in (
        ("compare", best_time(lambda: sf.compare(query.a, query.b), repeats=50)),
        ("solving", best_time(lambda: solve(query, counts, Budget(100, threads=1))) / 100),
    ):
        remark = (
            f"{theirs / seconds:,.0f}x faster; enumeration extrapolated from {n_calls:,} "
            "clusterings; the aim is 1e6"
        )
        name = f"rand, {len(doubtful)} ambiguous over 3, {what} / enumeration"
        rows.append((name, seconds / theirs, remark))
    return rows


def growth() -> list[Row]:
    rows = []
    for n in (1_000, 10_000, 100_000, 1_000_000):
        rng = np.random.default_rng(2)
        truth = rng.integers(0, 3, n)
        mask = rough_mask(rng, truth, 3, 0.2)
        seconds = best_time(lambda: sf.compare(sf.RoughPartition(mask), truth), repeats=3)
        peak = peak_bytes(lambda: sf.compare(sf.RoughPartition(mask), truth))
        peak /= mask.nbytes + truth.nbytes
        remark = f"{1e9 * seconds / n:.0f} ns per object; peak memory beyond the input, relative"
        rows.append((f"rand, k=3, 20%, n={n:.0e}", peak, remark))
    return rows


def run() -> list[Row]:
    return [*against_scikit_learn(), *batches(), *against_enumeration(), *growth()]
