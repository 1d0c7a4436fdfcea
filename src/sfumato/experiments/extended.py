"""Beyond Iris: wine, breast cancer and digits by every measure, to see where exactness ends."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

import time
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from textwrap import fill
from typing import cast, final

import sfumato as sf
from sfumato._typing import Codes, Floats
from sfumato.display.progress import progress_bar
from sfumato.display.text import duration, interval, number, table
from sfumato.experiments.k_means import k_means
from sfumato.experiments.versions import versions

__all__ = ["Extended", "run", "text"]

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


_HEADERS = ["", "measure", "value", "width", "guarantee", "error", "method", "time"]


def text(found: Extended) -> str:
    """One table per data set, and how many answers have which guarantee."""
    parts = [
        fill(
            "k-means, rough k-means (threshold 1.1), fuzzy, possibilistic and evidential c-means "
            f"(exponent {EXPONENT:g}) against the classes, by every measure. "
            f"Estimates aim at an error of {ENGINE.tolerance:g} and stop after "
            f"{ENGINE.max_seconds:g} s; where a single draw is dear, the fewest draws "
            "that are made take longer.",
            100,
        )
    ]
    for dataset in dict.fromkeys(key[0] for key in found.comparisons):
        cells = {key[1:]: one for key, one in found.comparisons.items() if key[0] == dataset}
        guarantees = Counter(one.guarantee for one in cells.values())
        parts += [
            f"{dataset}: {DATASETS[dataset]}",
            table(_HEADERS, [_row(*key, one) for key, one in cells.items()]),
            ", ".join(f"{times} {guarantee}" for guarantee, times in guarantees.most_common())
            + f" in {duration(sum(one.seconds for one in cells.values()))}",
        ]
    parts += [f"warning: {warning}" for warning in found.warned]
    parts.append(f"All of it, fits included, took {duration(found.seconds)}.")
    return "\n\n".join(parts)


def _row(algorithm: str, measure: str, found: sf.Comparison) -> list[str]:
    is_single = found.mean is not None
    return [
        algorithm,
        measure,
        interval(found.lower, found.upper, is_precise=is_single, guarantee=found.guarantee),
        number(found.width),
        found.guarantee,
        "0" if found.is_exact else number(found.error),
        found.method,
        duration(found.seconds),
    ]
