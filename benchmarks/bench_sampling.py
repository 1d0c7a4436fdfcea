"""Random tables: against vectorised NumPy, and against the paper's way of stopping."""

import numpy as np

import sfumato as sf
from benchmarks.timing import Row, best_time
from sfumato.algorithms.tables.sampler import FocalSampler
from sfumato.measures import as_measure
from sfumato.question.query import Query

N, K, DRAWS = 150, 3, 20_000


def numpy_labels(rng: np.random.Generator, memberships: np.ndarray) -> np.ndarray:
    """Draws x objects: the cluster of each object in each draw."""
    uniform = rng.random((DRAWS, len(memberships)))
    labels = np.zeros(uniform.shape, dtype=np.int64)
    for cut in np.cumsum(memberships, axis=1)[:, :-1].T:
        labels += uniform > cut
    return labels


def numpy_tables(rng: np.random.Generator, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Tables of two fuzzy partitions, or of one and the labels of a truth."""
    columns = b if b.ndim == 1 else numpy_labels(rng, b)
    cells = (np.arange(DRAWS)[:, None] * K + numpy_labels(rng, a)) * K + columns
    return np.bincount(cells.ravel(), minlength=DRAWS * K * K).reshape(DRAWS, K, K)


def run() -> list[Row]:
    rng = np.random.default_rng(0)
    memberships, other = rng.dirichlet(np.ones(K), size=(2, N))
    truth = memberships.argmax(axis=1)
    rows = []
    for name, b in (("hard truth", truth), ("two fuzzy", other)):
        query = Query.of(
            sf.FuzzyPartition(memberships), sf.as_partition(b), as_measure("rand"), "expectation"
        )
        theirs = best_time(lambda b=b: numpy_tables(rng, memberships, b), repeats=3)
        for way, expected in (("side by side", 1.0), ("whole columns", 1e9)):
            sampler = FocalSampler(query.joint.focal_model, expected)
            ours = best_time(
                lambda sampler=sampler: sampler.draw(DRAWS, np.random.SeedSequence(0)), repeats=10
            )
            if name == "two fuzzy" and way == "whole columns":
                continue  # no column is independent of the others: both ways are the same
            remark = f"{DRAWS / ours / 1e6:.1f} million tables a second; the aim is at least 20"
            rows.append((f"tables a second / NumPy's, {name}, {way}", theirs / ours, remark))
    for measure in ("adjusted_rand", "jaccard"):
        ours, theirs = (
            sf.compare(
                memberships,
                other,
                measure=measure,
                engine=sf.Sampled(tolerance=2e-3, bound=bound),
                rng=0,
            )
            for bound in ("best", "hoeffding")
        )
        remark = f"{ours.n_samples:,} against {theirs.n_samples:,} draws for an error of 0.002"
        rows.append((f"draws / Hoeffding's, {measure}", ours.n_samples / theirs.n_samples, remark))
    return rows
