"""Draw the picture of the README: soft clusterings of Iris against the species."""

from pathlib import Path

import matplotlib as mpl
from sklearn.datasets import load_iris

import sfumato as sf
from sfumato.cluster import EvidentialCMeans, FuzzyCMeans, RoughKMeans

PICTURE = Path(__file__).parents[1] / "docs" / "images" / "iris.png"


def main() -> None:
    """Write the picture."""
    mpl.use("agg")
    flowers, species = load_iris(return_X_y=True)
    candidates = {
        "fuzzy c-means": FuzzyCMeans(3, random_state=0).fit(flowers).partition_,
        "sharper fuzzy c-means": FuzzyCMeans(3, fuzzifier=1.5, random_state=0)
        .fit(flowers)
        .partition_,
        "rough k-means": RoughKMeans(3, threshold=1.25, random_state=0).fit(flowers).partition_,
        "evidential c-means": EvidentialCMeans(3, random_state=0).fit(flowers).partition_,
    }
    measures = ["adjusted_rand", "partition_distance"]
    report = sf.evaluate(candidates, species, measures=measures, rng=0)
    report.plot().figure_.savefig(PICTURE, dpi=150, metadata={"Software": None})


if __name__ == "__main__":
    main()
