"""Rankings: CPU time, width of the brackets of the lower expectation of D, and pairs decided."""

from collections.abc import Iterator

import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris, load_wine
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import scale

import sfumato as sf
from benchmarks.questions import fuzzy_around
from benchmarks.timing import Row, cpu_time
from sfumato.cluster import EvidentialCMeans, FuzzyCMeans, RoughKMeans


def fits(features: np.ndarray) -> dict[str, object]:
    """Six clusterings of every kind but the possibilistic one."""
    mixture = GaussianMixture(3, random_state=0).fit(features).predict_proba(features)
    hurried = KMeans(3, n_init=1, init="random", max_iter=2, random_state=3)
    evidential = EvidentialCMeans(3, alpha=1, beta=1.4, delta=10, random_state=0)
    return {
        "k-means": KMeans(3, n_init=5, random_state=0).fit_predict(features),
        "hurried k-means": hurried.fit_predict(features),
        "rough k-means": RoughKMeans(3, random_state=0).fit(features).partition_,
        "fuzzy c-means": FuzzyCMeans(3, random_state=0).fit(features).partition_,
        "evidential c-means": evidential.fit(features).partition_,
        "mixture": sf.FuzzyPartition(mixture / mixture.sum(axis=1, keepdims=True)),
    }


def ambiguous(labels: np.ndarray, share: float, rng: np.random.Generator) -> sf.RoughPartition:
    """Some objects get a second class that is not ruled out."""
    mask = np.eye(3, dtype=bool)[labels]
    chosen = rng.choice(len(labels), int(share * len(labels)), replace=False)
    mask[chosen, rng.integers(0, 3, len(chosen))] = True
    return sf.RoughPartition(mask)


def widest(found: sf.Ranking) -> float:
    """Width of the widest bracket of a lower expectation."""
    return float((found.lower_bracket[1] - found.lower_bracket[0]).max())


def large(n_objects: int, rng: np.random.Generator) -> tuple[dict[str, object], sf.RoughPartition]:
    """Two hard and two fuzzy candidates of many objects, a tenth of the truth ambiguous."""
    truth = rng.integers(0, 3, n_objects)
    hard = {
        name: np.where(rng.random(n_objects) < noise, rng.integers(0, 3, n_objects), truth)
        for name, noise in (("hard", 0.1), ("harder", 0.2))
    }
    fuzzy = {
        name: fuzzy_around(truth, 3, share=share, evenness=1.0, seed=rng)
        for name, share in (("fuzzy", 0.8), ("blunt", 0.6))
    }
    return hard | fuzzy, ambiguous(truth, 0.1, rng)


def ranked(candidates: dict[str, object], truth: object, measure: str) -> tuple[float, sf.Ranking]:
    """Seconds of CPU of one ranking, and the ranking."""
    return cpu_time(lambda: sf.rank(candidates, truth, measure=measure, rng=0), repeats=1)


def run() -> Iterator[Row]:
    """Seconds by the seconds aimed at; for decisions, pairs decided by the 72 aimed at."""
    rng = np.random.default_rng(0)
    features, labels = load_iris(return_X_y=True)
    named, truth = fits(features), ambiguous(labels, 0.1, rng)
    hard_and_fuzzy = ("k-means", "hurried k-means", "fuzzy c-means", "mixture")
    every_kind = ("k-means", "rough k-means", "fuzzy c-means", "evidential c-means")
    some, every = ({name: named[name] for name in names} for names in (hard_and_fuzzy, every_kind))
    for name, candidates, reference, aim in (
        ("Iris, hard and fuzzy, against 2 s", some, truth, 2),
        ("Iris, every kind, against 2 s", every, truth, 2),
        ("n = 10,000, hard and fuzzy, against 5 s", *large(10_000, rng), 5),
    ):
        took, found = ranked(candidates, reference, "rand")
        remark = f"widest bracket {widest(found):.4f} (aim .01), {found.n_samples} draws a pair"
        yield name, took / aim, remark
    wine, kinds = load_wine(return_X_y=True)
    decided = apart = 0
    for data, target in ((features, labels), (scale(wine), kinds)):
        candidates = fits(data)
        for share in (0.1, 0.2):
            truth = ambiguous(target, share, rng)
            for measure in ("rand", "partition_distance"):
                took, found = ranked(candidates, truth, measure)
                counts = int(found.dominates.sum()), int(found.interval_dominates.sum())
                decided, apart = decided + counts[0], apart + counts[1]
                remark = f"of 15 decided, {counts[1]} apart, {took:.1f} s, {widest(found):.4f} wide"
                yield f"n = {len(target)}, {share:.0%} ambiguous, {measure}", counts[0], remark
    yield "pairs decided, against 72", decided / 72, f"{decided} of 120; intervals apart in {apart}"
