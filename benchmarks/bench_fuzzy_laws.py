"""Whole laws at Iris size (time of sfumato / time of drawing 20,000 tables in NumPy)."""

import numpy as np
from sklearn.datasets import load_iris

import sfumato as sf
from benchmarks.questions import drawn_tables
from benchmarks.timing import Row, best_time
from sfumato.cluster import FuzzyCMeans

N_DRAWS = 20_000


def run() -> list[Row]:
    """Laws of fuzzy c-means on Iris against its species, planning included."""
    points, labels = load_iris(return_X_y=True)
    rng = np.random.default_rng(0)
    rows = []
    for fuzzifier in (2.0, 5.0):
        a = FuzzyCMeans(3, fuzzifier=fuzzifier, random_state=0).fit(points).partition_
        unit = best_time(lambda a=a: drawn_tables(rng, N_DRAWS, a.memberships, labels), repeats=3)
        for measure in ("rand", "adjusted_rand", "jaccard", "normalized_mutual_information"):

            def law(a=a, measure=measure):
                return sf.compare(a, labels, measure=measure, quantity="distribution")

            found = law()
            assert found.guarantee in ("exact", "certified")
            time = best_time(law, repeats=3)
            aim = "the aim is at most 1; " if (measure, fuzzifier) == ("rand", 2.0) else ""
            remark = f"{aim}{time * 1e3:.0f} ms, {len(found.distribution.values):,} values"
            rows.append((f"law of {measure}, Iris, m={fuzzifier:g}", time / unit, remark))
    return rows
