"""Evidential comparisons: against nested sampling at equal time, and against one pass over data."""

from time import perf_counter

import numpy as np

import sfumato as sf
from benchmarks.timing import Row, best_time, cpu_time, peak_bytes

SECONDS, SEEDS = 0.05, 20
SETS = np.array([[code >> cluster & 1 for cluster in range(3)] for code in range(1, 8)], dtype=bool)


def masses(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """All seven sets of three clusters on every object, the true cluster likelier than others."""
    truth = rng.integers(0, 3, n)
    return rng.dirichlet(np.ones(7), size=n) * 0.5 + 0.5 * np.eye(7)[(1 << truth) - 1], truth


def draws_in_time(compare, n_draws: int) -> int:
    """About how many draws fit into SECONDS, from a run of ``n_draws``."""
    return max(2, int(n_draws * SECONDS / best_time(lambda: compare(n_draws), repeats=3)))


def error_of_width(compare, n_draws: int, width: float) -> float:
    widths = [compare(n_draws, seed).width for seed in range(SEEDS)]
    return float(np.sqrt(np.mean((np.array(widths) - width) ** 2)))


def against_nested() -> list[Row]:
    weights, truth = masses(150, np.random.default_rng(0))
    a = sf.EvidentialPartition(weights, SETS)
    rows = []
    for measure in ("rand", "partition_distance"):

        def ours(n_draws: int, seed: int = 0) -> sf.Comparison:
            engine = sf.Sampled(n_samples=n_draws)
            return sf.compare(a, truth, measure=measure, engine=engine, rng=seed)

        reference = ours(200_000, 99).width
        error = error_of_width(ours, draws_in_time(ours, 2000), reference)
        rivals = {}
        for n_inner in (10, 100, 1000, 10_000):

            def nested(n_draws: int, seed: int = 0, n_inner: int = n_inner) -> sf.Comparison:
                engine = sf.Sampled(n_samples=n_draws, nested=True, n_inner=n_inner)
                return sf.compare(a, truth, measure=measure, engine=engine, rng=seed)

            n_draws = draws_in_time(nested, max(2, 20_000 // n_inner))
            rivals[n_inner] = error_of_width(nested, n_draws, reference)
        best = min(rivals, key=rivals.__getitem__)
        remark = f"{error:.1e} against {rivals[best]:.1e} (inner {best:,}); the aim is at least 50"
        name = f"{measure}: error of nested / ours, equal time"
        rows.append((name, rivals[best] / error, remark))
        began = perf_counter()
        found = sf.compare(a, truth, measure=measure, engine=sf.Sampled(tolerance=2e-3), rng=0)
        seconds = perf_counter() - began
        name = f"{measure}: seconds to an error of {found.error:.4f} at 95%"
        rows.append((name, seconds, f"{found.n_samples:,} draws"))
    return rows


def iris() -> list[Row]:
    """Evidential c-means on Iris, Rand: with draws to 1e-4 at 99%, and without draws.

    Before, 5e-4 took 118,098 draws (an empirical Bernstein bound with linear control variates) and
    1.5 s of CPU on the machine where these aims were set.
    """
    from sklearn.datasets import load_iris

    from sfumato.cluster import EvidentialCMeans

    features, truth = load_iris(return_X_y=True)
    fits = {
        name: EvidentialCMeans(3, alpha=alpha, beta=beta, delta=10, random_state=0).fit(features)
        for name, alpha, beta in (("as stated", 5, 5), ("chosen", 1, 1.4))
    }
    rows = []
    for name, tolerance in (("as stated", 5e-4), ("as stated", 1e-4), ("chosen", None)):
        engine = sf.Sampled(tolerance=tolerance, confidence=0.99) if tolerance else sf.Bounds()
        spent, found = cpu_time(
            lambda: sf.compare(fits[name].partition_, truth, engine=engine, rng=0)
        )
        remark = f"error {found.error:.1e}, {found.guarantee}, {found.n_samples or 'no'} draws"
        if tolerance == 1e-4:
            remark += "; the aim is at most 118,098, once the price of 5e-4"
        aim = tolerance or found.error
        rows.append((f"rand, ECM {name}: seconds of CPU to {aim:.0e}", spent, remark))
    return rows


def large() -> list[Row]:
    weights, truth = masses(10_000, np.random.default_rng(0))
    one_pass = best_time(lambda: weights.sum(axis=0), repeats=20)
    engine = sf.Sampled(tolerance=2e-3)

    def whole() -> sf.Comparison:
        return sf.compare(sf.EvidentialPartition(weights, SETS), truth, engine=engine, rng=0)

    found = whole()
    seconds = best_time(whole, repeats=5)
    peak = peak_bytes(whole)
    size = weights.nbytes + truth.nbytes
    remark = (
        f"{seconds * 1e3:.1f} ms, {found.n_samples} draws, error {found.error:.4f}; the aim is at "
        "most 250"
    )
    return [
        ("rand, n=1e4: compare / masses.sum(axis=0)", seconds / one_pass, remark),
        ("rand, n=1e4: peak memory / input", peak / size, "the aim is at most 2"),
    ]


def run() -> list[Row]:
    return against_nested() + iris() + large()
