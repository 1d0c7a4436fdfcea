"""Time taken with max_seconds (seconds / max_seconds; at most 1.2 and 0.2 s are promised)."""

import time
from collections.abc import Iterator

import numpy as np

import sfumato as sf
from benchmarks.questions import Question, evidential, fuzzy, possibilistic, rough, truth
from benchmarks.timing import Row

SECONDS = 1.0
MOST = 1.2 * SECONDS + 0.2


def questions() -> Iterator[Question]:
    """Questions that would take far longer."""
    few, many, wide = possibilistic(150, 8, "min"), possibilistic(10_000, 15, "min"), 30
    yield Question("min, hard", few, truth(150, 8), "partition_distance")
    yield Question("min, min", many, possibilistic(10_000, 15, "min", seed=1), "partition_distance")
    yield Question("min, hard", possibilistic(10_000, 8, "min"), truth(10_000, 8), "adjusted_rand")
    yield Question(
        "two levels, hard", possibilistic(100_000, 50, "min", n_levels=2), truth(100_000, 50)
    )
    for measure in ("rand", "normalized_mutual_information"):
        lukasiewicz = possibilistic(10_000, wide, "lukasiewicz")
        yield Question("lukasiewicz, itself", lukasiewicz, lukasiewicz, measure)
    yield Question("product, hard", possibilistic(150, 4, "product"), truth(150, 4), "jaccard")
    yield Question("product, hard", possibilistic(2000, 3, "product"), truth(2000, 3), "rand")
    yield Question(
        "evidential, min",
        evidential(10_000, wide),
        possibilistic(10_000, wide, "min"),
        "adjusted_rand",
    )
    yield Question(
        "evidential, evidential", evidential(2000, 6), evidential(2000, 6, seed=1), "jaccard"
    )
    yield Question("consonant, hard", possibilistic(10_000, wide), truth(10_000, wide), "rand")
    yield Question(
        "consonant, consonant",
        possibilistic(10_000, wide),
        possibilistic(10_000, wide, seed=1),
        "partition_distance",
    )
    yield Question("rough, rough", rough(2000, 8), rough(2000, 8, seed=1), "rand")
    yield Question("rough, hard", rough(10_000, 12), truth(10_000, 12), "adjusted_rand")
    yield Question("rough, rough", rough(100_000, 50), rough(100_000, 50, seed=1), "jaccard")
    rng = np.random.default_rng(0)
    few, other = (sf.RoughPartition(rng.random((5, 1500)) < 0.5) for _ in range(2))
    yield Question("rough, rough", few, other, "rand")
    yield Question("fuzzy, fuzzy", fuzzy(10_000, 30), fuzzy(10_000, 30, seed=1), "adjusted_rand")
    yield Question("fuzzy, hard", fuzzy(2000, 5), truth(2000, 5), "v_measure")


def run() -> Iterator[Row]:
    """Each question once, with one second."""
    sf.compare(possibilistic(9, 2, "min"), np.arange(9) % 2)  # imports do not count
    sf.compare(possibilistic(9, 2), np.arange(9) % 2)
    for question in questions():
        began, worked = time.perf_counter(), time.process_time()
        found = question.compare(engine=sf.Auto(max_seconds=SECONDS))
        seconds, worked = time.perf_counter() - began, time.process_time() - worked
        late = "LATE, " if seconds > MOST else ""
        remark = f"{late}{found.method}, {found.guarantee}, error {found.error:.2g}"
        remark += f"; {worked:.2f} s of the processor"
        yield str(question), seconds / SECONDS, remark
