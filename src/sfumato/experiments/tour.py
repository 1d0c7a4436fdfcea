"""A short tour: Gaussian mixture memberships on Iris against the true species."""

# pyright: reportUnknownMemberType=false

from typing import cast

import numpy as np

import sfumato as sf
from sfumato._typing import Floats
from sfumato.display.text import duration, interval, number, table

__all__ = ["main"]

_MEASURES = (
    "rand",
    "adjusted_rand",
    "partition_distance",
    "normalized_mutual_information",
    "variation_of_information",
)


def _iris_mixture() -> tuple[Floats, Floats]:
    """Memberships of the 150 flowers in three Gaussian components, and their species."""
    from sklearn.datasets import load_iris
    from sklearn.mixture import GaussianMixture

    features, species = cast("tuple[Floats, Floats]", load_iris(return_X_y=True))
    mixture = GaussianMixture(3, random_state=0).fit(features)
    return np.asarray(mixture.predict_proba(features)), species


def _row(reading: str, found: sf.Comparison) -> list[str]:
    return [
        reading,
        found.measure,
        interval(found.lower, found.upper, is_precise=found.is_precise),
        found.guarantee,
        "0" if found.is_exact else number(found.error),
        duration(found.seconds),
    ]


def main() -> None:
    """Print what is known of five measures when the same mixture is read in four ways."""
    memberships, species = _iris_mixture()
    fuzzy = sf.FuzzyPartition(memberships)
    readings: dict[str, sf.Partition] = {
        "hard: the likeliest cluster": fuzzy.harden(),
        "fuzzy: the probabilities": fuzzy,
        "rough: clusters above 5%": sf.RoughPartition(memberships > 0.05),
        "possibilistic: relative to the best": sf.PossibilisticPartition(memberships),
    }
    print("Iris: three Gaussian components against the three species, 150 flowers.\n")
    rows = [
        _row(name, sf.compare(partition, species, measure=measure, rng=0))
        for name, partition in readings.items()
        for measure in _MEASURES
    ]
    print(table(["reading", "measure", "value", "guarantee", "error", "time"], rows))
    print("\nHow the first rough one was planned:\n")
    print(sf.explain(readings["rough: clusters above 5%"], species))


if __name__ == "__main__":
    main()
