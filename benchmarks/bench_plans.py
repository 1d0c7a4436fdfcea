"""Time of the processor against the plan (measured / predicted; the aim is 0.2 to 5).

It does not depend on what else the machine does. What is predicted is the time of the work, to
which that of planning is added. What takes less than 5 ms counts as 5 ms. `explain` aims at 0.2 s
at most beyond a pass over the data, which lays out what each side says and is done once.
"""

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

_LONGEST_PLANNING = 0.2  # seconds
_SHORT = 5e-3  # seconds; what takes less is not worth a prediction


def questions() -> Iterator[Question]:
    """Questions that take a few seconds at most, over all methods."""
    labels = sf.HardPartition(truth(100_000, 10))
    yield Question("hard, hard", labels, truth(100_000, 10)[::-1], "adjusted_rand")
    for measure in ("rand", "variation_of_information", "adjusted_rand", "partition_distance"):
        yield Question("fuzzy, hard", fuzzy(5000, 4), truth(5000, 4), measure)
    for measure in ("rand", "mutual_information", "jaccard", "partition_distance"):
        yield Question("fuzzy, fuzzy", fuzzy(2000, 6), fuzzy(2000, 6, seed=1), measure)
    yield Question("fuzzy, hard", fuzzy(60, 3), truth(60, 3), "v_measure")
    for measure in ("rand", "variation_of_information", "jaccard", "partition_distance", "purity"):
        yield Question("rough, hard", rough(5000, 6), truth(5000, 6), measure)
    for measure in ("rand", "jaccard", "partition_distance", "normalized_mutual_information"):
        yield Question("rough, rough", rough(2000, 5), rough(2000, 5, seed=1), measure)
        yield Question("rough, rough", rough(2000, 40), rough(2000, 40, seed=1), measure)
    adjusted = "adjusted_mutual_information"
    yield Question("rough, hard", rough(5000, 6), truth(5000, 6), adjusted)
    yield Question("rough, rough", rough(300, 5), rough(300, 5, seed=1), adjusted)
    yield Question("rough, rough", rough(2000, 40), rough(2000, 40, seed=1), adjusted)
    for measure in ("rand", "adjusted_rand", "partition_distance"):
        yield Question("evidential, hard", evidential(5000, 4), truth(5000, 4), measure)
        yield Question("consonant, hard", possibilistic(2000, 12), truth(2000, 12), measure)
    yield Question("evidential, evidential", evidential(500, 4), evidential(500, 4, seed=1), "rand")
    yield Question("consonant, hard", possibilistic(10_000, 30), truth(10_000, 30), "adjusted_rand")
    for measure in ("rand", "jaccard", "partition_distance", "variation_of_information"):
        yield Question("min, hard", possibilistic(150, 5, "min"), truth(150, 5), measure)
        yield Question("product, hard", possibilistic(100, 3, "product"), truth(100, 3), measure)
    yield Question("min, hard", possibilistic(150, 8, "min"), truth(150, 8), "partition_distance")
    two_levels = possibilistic(20_000, 50, "min", n_levels=2)
    yield Question("two levels, hard", two_levels, truth(20_000, 50), "rand")
    yield Question("min, evidential", possibilistic(500, 4, "min"), evidential(500, 4), "rand")
    yield Question("min, min", possibilistic(200, 4, "min"), possibilistic(200, 4, "min", seed=1))
    for measure in ("rand", "v_measure"):
        side = possibilistic(60, 3, "lukasiewicz")
        yield Question("lukasiewicz, hard", side, truth(60, 3), measure)
    yield from once_slow()


def run() -> Iterator[Row]:
    """Each question once, after its plan."""
    sf.compare(possibilistic(9, 2, "min"), np.arange(9) % 2)  # imports do not count
    sf.compare(possibilistic(9, 2), np.arange(9) % 2)
    sf.compare(rough(90, 5), truth(90, 5), measure="partition_distance")
    for question in questions():
        began = time.perf_counter()
        for side in (question.a, question.b):
            sf.as_partition(side).simplest().statements()
        passing = time.perf_counter() - began
        began = time.perf_counter()
        plan = question.explain()
        planning = time.perf_counter() - began
        began = time.process_time()
        found = question.compare()
        measured = time.process_time() - began
        predicted = planning + plan.seconds
        if found.method != plan.method:  # a further plan was run too
            predicted += sum(further.seconds for further in plan.then)
        factor = max(_SHORT, measured) / max(_SHORT, predicted)
        far = "" if 0.2 <= factor <= 5.0 else "FAR, "
        far += "SLOW TO EXPLAIN, " if planning > _LONGEST_PLANNING else ""
        remark = f"{far}{plan.method}: {predicted:.2g} s predicted, {measured:.2g} s measured"
        if found.method != plan.method:
            remark += f" with {found.method}"
        remark += f"; explain {planning:.2f} s after {passing:.2f} s over the data"
        yield str(question), factor, remark
