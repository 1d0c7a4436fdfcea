"""Draw the picture of the README: soft clusterings of Iris against the species.

Fonts and libraries differ between machines, and so do the bytes of a picture. It is therefore
drawn anew only if the numbers that it shows, or the code that draws them, have changed: the file
holds a hash of both.
"""

from hashlib import sha256
from pathlib import Path

import matplotlib as mpl
from PIL import Image
from sklearn.datasets import load_iris

import sfumato as sf
from sfumato.cluster import EvidentialCMeans, FuzzyCMeans, RoughKMeans
from sfumato.display import plot

PICTURE = Path(__file__).parents[1] / "docs" / "images" / "iris.png"


def main() -> None:
    """Write the picture, if it is not up to date."""
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
    draw(sf.evaluate(candidates, species, measures=measures, rng=0), PICTURE)


def draw(report: sf.Report, path: Path) -> bool:
    """Draw a report, and say whether that was needed."""
    shown = fingerprint(report)
    if path.exists():
        with Image.open(path) as picture:
            if picture.info.get("Description") == shown:
                return False
    what = {"Software": None, "Description": shown}
    report.plot().figure_.savefig(path, dpi=150, metadata=what)
    return True


def fingerprint(report: sf.Report) -> str:
    """A hash of the numbers as they are shown, and of the code that draws them."""
    found = sha256(report.to_markdown().encode())
    for module in sorted(Path(plot.__path__[0]).glob("*.py")):
        found.update(module.read_bytes())
    return found.hexdigest()


if __name__ == "__main__":
    main()
