"""Many small tables at once, against a loop over scikit-learn's scores on labels."""

import numpy as np

from benchmarks.timing import Row, best_time
from sfumato.measures import as_measure

N_TABLES, N_CALLS = 100_000, 200
SCORES = {
    "rand": "rand_score",
    "adjusted_rand": "adjusted_rand_score",
    "fowlkes_mallows": "fowlkes_mallows_score",
    "v_measure": "v_measure_score",
    "mutual_information": "mutual_info_score",
    "adjusted_mutual_information": "adjusted_mutual_info_score",
}


def run() -> list[Row]:
    """Time each measure; rows of (name, time of sfumato / time of scikit-learn, remark)."""
    from sklearn import metrics

    tables = np.random.default_rng(0).integers(0, 30, size=(N_TABLES, 3, 3))
    labels = []
    for table in tables[:N_CALLS]:
        cells = np.repeat(np.arange(9), table.ravel())
        labels.append((cells // 3, cells % 3))

    rows = []
    for name, score in SCORES.items():
        measure, function = as_measure(name), getattr(metrics, score)
        expected = [function(b, a) for a, b in labels]
        found = measure.of_tables(tables[:N_CALLS])
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)
        ours = best_time(lambda: measure.of_tables(tables), repeats=1)
        theirs = best_time(lambda: [function(b, a) for a, b in labels], repeats=1)
        ratio = ours / theirs * N_CALLS / N_TABLES
        rows.append((name, ratio, f"{1 / ratio:,.0f}x faster; loop extrapolated from {N_CALLS}"))
    return rows
