"""Time taken with max_seconds (seconds / max_seconds; at most 1.2 and 0.2 s are promised)."""

import time
from collections.abc import Iterator

import numpy as np

import sfumato as sf
from benchmarks.questions import (
    Question,
    evidential,
    fuzzy,
    once_slow,
    possibilistic,
    rough,
    truth,
)
from benchmarks.timing import Row

SECONDS = 1.0
MOST = 1.2 * SECONDS + 0.2


def questions() -> Iterator[Question]:
    """Questions that would take far longer."""
    yield from once_slow()
    yield Question("min, hard", possibilistic(150, 8, "min"), truth(150, 8), "partition_distance")
    lukasiewicz = possibilistic(10_000, 30, "lukasiewicz")
    yield Question("lukasiewicz, itself", lukasiewicz, lukasiewicz)
    yield Question("product, hard", possibilistic(150, 4, "product"), truth(150, 4), "jaccard")
    yield Question("product, hard", possibilistic(2000, 3, "product"), truth(2000, 3))
    sides = evidential(2000, 6), evidential(2000, 6, seed=1)
    yield Question("evidential, evidential", *sides, "jaccard")
    sides = possibilistic(10_000, 30), possibilistic(10_000, 30, seed=1)
    yield Question("consonant, hard", sides[0], truth(10_000, 30))
    yield Question("consonant, consonant", *sides, "partition_distance")
    yield Question("rough, rough", rough(2000, 8), rough(2000, 8, seed=1))
    yield Question("rough, hard", rough(10_000, 12), truth(10_000, 12), "adjusted_rand")
    yield Question("rough, rough", rough(100_000, 50), rough(100_000, 50, seed=1), "jaccard")
    rng = np.random.default_rng(0)
    few, other = (sf.RoughPartition(rng.random((5, 1500)) < 0.5) for _ in range(2))
    yield Question("rough, rough", few, other)
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
