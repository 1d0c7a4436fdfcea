"""Beyond Iris: wine, breast cancer and digits by every measure, to see where exactness ends."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import cast, final

import sfumato as sf
from sfumato._typing import Codes, Floats
from sfumato.display.progress import progress_bar
from sfumato.experiments.k_means import k_means
from sfumato.experiments.versions import versions

__all__ = ["ALGORITHMS", "DATASETS", "ENGINE", "EXPONENT", "Extended", "run"]

SEED = 0
ENGINE = sf.Auto(tolerance=5e-3, max_seconds=1.0)
ALGORITHMS = ("KM", "RKM", "FCM", "PCM", "ECM")
EXPONENT = 1.2  # with the usual 2, memberships in so many dimensions are nearly even
DATASETS = {
    "wine": "178 wines, 13 features, standardised; 3 clusters against the cultivars",
    "breast_cancer": "569 tumours, 30 features, standardised; 2 clusters against the diagnoses",
    "digits": "1,797 images, 64 pixels, as they are; 10 clusters against the digits",
}


@final
@dataclass(frozen=True, slots=True)
class Extended:
    """Every comparison by data set, algorithm and measure, and what the fits warned of."""

    comparisons: dict[tuple[str, str, str], sf.Comparison]
    warned: tuple[str, ...]
    seconds: float

    def to_dict(self) -> dict[str, object]:
        """Everything as plain Python values."""
        return {
            "versions": versions(),
            "seed": SEED,
            "engine": repr(ENGINE),
            "seconds": self.seconds,
            "warnings": list(self.warned),
            "cells": [
                {"dataset": dataset, "algorithm": algorithm, **found.to_dict()}
                for (dataset, algorithm, _), found in self.comparisons.items()
            ],
        }


def run() -> Extended:
    """Fit five algorithms to three data sets and compare by all measures.

    Returns
    -------
    Extended
        Cells that the time limit cut short may differ between machines; their notes say so.
    """
    began = time.monotonic()
    found: dict[tuple[str, str, str], sf.Comparison] = {}
    warned: list[str] = []
    steps = [(dataset, algorithm) for dataset in DATASETS for algorithm in ALGORITHMS]
    with progress_bar("wine, breast cancer, digits", 60.0) as report:
        for done, (dataset, algorithm) in enumerate(steps):
            report(done / len(steps))
            features, truth = _load(dataset)
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                partition = _fit(algorithm, features, len(set(truth.tolist())))
            warned += [f"{dataset}, {algorithm}: {warning.message}" for warning in caught]
            for measure in sf.measures():
                found[dataset, algorithm, measure] = sf.compare(
                    partition, truth, measure=measure, engine=ENGINE, rng=SEED
                )
    return Extended(found, tuple(warned), time.monotonic() - began)


def _load(dataset: str) -> tuple[Floats, Codes]:
    from sklearn import datasets
    from sklearn.preprocessing import StandardScaler

    load = cast("Callable[..., tuple[Floats, Codes]]", getattr(datasets, f"load_{dataset}"))
    features, truth = load(return_X_y=True)
    if dataset != "digits":  # pixels share their unit
        features = cast(Floats, StandardScaler().fit_transform(features))
    return features, truth


def _fit(algorithm: str, features: Floats, n_clusters: int) -> sf.Partition:
    from sfumato.cluster import EvidentialCMeans, FuzzyCMeans, PossibilisticCMeans, RoughKMeans

    focal = "full" if n_clusters <= 3 else "pairs"
    match algorithm:
        case "KM":
            return sf.HardPartition(k_means(features, n_clusters, n_init=10, seed=SEED)[0])
        case "RKM":
            estimator = RoughKMeans(n_clusters, threshold=1.1, random_state=SEED)
        case "FCM":
            estimator = FuzzyCMeans(n_clusters, fuzzifier=EXPONENT, random_state=SEED)
        case "PCM":
            estimator = PossibilisticCMeans(n_clusters, fuzzifier=EXPONENT, random_state=SEED)
        case _:
            estimator = EvidentialCMeans(
                n_clusters, beta=EXPONENT, delta=inf, focal=focal, random_state=SEED
            )
    return estimator.fit(features).partition_
