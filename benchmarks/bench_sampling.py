"""Random tables: against vectorised NumPy, and against the paper's way of stopping."""

import numpy as np

import sfumato as sf
from benchmarks.questions import drawn_tables
from benchmarks.timing import Row, best_time
from sfumato.algorithms.tables.sampler import FocalSampler
from sfumato.measures import as_measure
from sfumato.question.query import Query

N, K, DRAWS = 150, 3, 20_000


def run() -> list[Row]:
    rng = np.random.default_rng(0)
    memberships, other = rng.dirichlet(np.ones(K), size=(2, N))
    truth = memberships.argmax(axis=1)
    rows = []
    for name, b in (("hard truth", truth), ("two fuzzy", other)):
        query = Query.of(
            sf.FuzzyPartition(memberships), sf.as_partition(b), as_measure("rand"), "expectation"
        )
        theirs = best_time(lambda b=b: drawn_tables(rng, DRAWS, memberships, b), repeats=3)
        for way, expected in (("side by side", 1.0), ("whole columns", 1e9)):
            if name == "two fuzzy" and way == "whole columns":
                continue  # no column is independent of the others: both ways are the same
            sampler = FocalSampler(query.joint.focal_model, expected)
            ours = best_time(
                lambda sampler=sampler: sampler.draw(DRAWS, np.random.SeedSequence(0)), repeats=10
            )
            remark = f"{DRAWS / ours / 1e6:.1f} million tables a second; the aim is at least 20"
            rows.append((f"tables a second / NumPy's, {name}, {way}", theirs / ours, remark))
    for measure in ("adjusted_rand", "jaccard"):
        engines = (sf.Sampled(tolerance=2e-3, bound=bound) for bound in ("best", "hoeffding"))
        ours, theirs = (
            sf.compare(memberships, other, measure=measure, engine=engine, rng=0)
            for engine in engines
        )
        remark = f"{ours.n_samples:,} against {theirs.n_samples:,} draws for an error of 0.002"
        rows.append((f"draws / Hoeffding's, {measure}", ours.n_samples / theirs.n_samples, remark))
    return rows
