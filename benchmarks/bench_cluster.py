"""Iterations of the soft clustering algorithms, against scikit-learn's k-means on the same data."""

import warnings

import numpy as np

from benchmarks.timing import Row, best_time
from sfumato.cluster import EvidentialCMeans, FuzzyCMeans, PossibilisticCMeans, RoughKMeans

N, D, K = 100_000, 10, 5
FEW, MANY = 5, 15


def run() -> list[Row]:
    """Time per iteration; rows of (name, time of sfumato / time of scikit-learn, remark)."""
    from sklearn.cluster import KMeans

    rng = np.random.default_rng(0)
    objects = rng.normal(size=(N, D)) + rng.normal(size=(K, D))[rng.integers(0, K, N)]
    start = objects[:K].copy()
    hard = _per_iteration(KMeans(K, init=start, n_init=1, tol=0), objects)
    remark = f"{N:.0e} x {D}, k = {K}; k-means takes {1e3 * hard:.2f} ms"
    models = {
        "fuzzy c-means, m = 2": FuzzyCMeans(K, init=start, tol=0),
        "fuzzy c-means, m = 1.5": FuzzyCMeans(K, fuzzifier=1.5, init=start, tol=0),
        "rough k-means, pi": RoughKMeans(K, init=start, tol=0),
        "rough k-means, Lingras": RoughKMeans(K, variant="lingras", init=start, tol=0),
        "rough k-means, Peters": RoughKMeans(K, variant="peters", init=start, tol=0),
        "possibilistic c-means": PossibilisticCMeans(K, eta=10.0, init=start, tol=0),
        "evidential c-means, 17 sets": EvidentialCMeans(K, focal="pairs", init=start, tol=0),
        "evidential c-means, 32 sets": EvidentialCMeans(K, init=start, tol=0),
    }
    return [
        (f"{name}, one iteration", _per_iteration(model, objects) / hard, remark)
        for name, model in models.items()
    ]


def _per_iteration(model, objects) -> float:
    """Seconds per iteration: what more of them cost, without what comes before and after."""

    def fit(iterations):
        return model.set_params(max_iter=iterations).fit(objects).n_iter_

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # none of these is meant to converge
        fewest, most = fit(FEW), fit(MANY)
        more = best_time(lambda: fit(MANY), repeats=5) - best_time(lambda: fit(FEW), repeats=5)
    return more / (most - fewest)
