"""Exact rough interval against literal enumeration (time of sfumato / time of enumeration)."""

from itertools import islice, product

import numpy as np

import sfumato as sf
from benchmarks.timing import best_time

N_CALLS = 1000


def run() -> list[tuple[str, float, str]]:
    """10 of 150 objects may be in any of 3 clusters: 3^10 clusterings."""
    from sklearn.metrics import rand_score

    truth = np.repeat([0, 1, 2], 50)
    mask = truth[:, None] == np.arange(3)
    ambiguous = np.arange(0, 150, 15)
    mask[ambiguous] = True

    def exact() -> sf.Comparison:
        return sf.compare(sf.RoughPartition(mask), truth, engine="exact")

    def literal() -> list[float]:
        labels = truth.copy()
        values = []
        for choice in islice(product(range(3), repeat=len(ambiguous)), N_CALLS):
            labels[ambiguous] = choice
            values.append(rand_score(truth, labels))
        return values

    found = exact()
    assert found.is_exact
    assert all(found.lower <= value <= found.upper for value in literal())
    n_clusterings = 3 ** len(ambiguous)
    ratio = best_time(exact) / (best_time(literal, repeats=2) * n_clusterings / N_CALLS)
    remark = f"{1 / ratio:,.0f}x faster; enumeration extrapolated from {N_CALLS:,} clusterings"
    return [("rand, n=150, 10 ambiguous over 3 clusters", ratio, remark)]
