"""Count the files and functions of sfumato that a comparison passes through.

Three comparisons of 150 objects in 3 clusters (the size of Iris) are asked once each, with all
modules loaded before, and every call of a Python function is seen by ``sys.setprofile`` in one
thread. Labels and memberships are handed over as arrays, the other partitions are built
beforehand. Generators and functions without a name count with the function they are written in.

Run ``python tools/trace_question.py`` from the root; add ``--files`` to list the files with the
number of their functions and calls.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import FrameType

import numpy as np

import sfumato as sf

ROOT = Path(sf.__file__).parent
Called = Counter[tuple[str, str]]  # calls by file and function


def questions() -> dict[str, Callable[[], sf.Comparison]]:
    """The three comparisons, by name."""
    rng = np.random.default_rng(0)
    truth = np.repeat(np.arange(3), 50)
    centers, points = np.eye(3) * 3, rng.normal(size=(150, 3))
    points += centers[truth]
    distances = ((points[:, None] - centers) ** 2).sum(axis=2)
    memberships = 1 / distances / (1 / distances).sum(axis=1, keepdims=True)
    rough, other = sf.RoughPartition(memberships > 0.3), sf.RoughPartition(memberships > 0.35)
    sets = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 0, 1], [0, 1, 1], [1, 1, 1]]
    evidential = sf.EvidentialPartition(masses_of(memberships, np.array(sets)), sets)
    engine = sf.Auto(threads=1)
    return {
        "fuzzy against hard, rand": lambda: sf.compare(
            memberships, truth, measure="rand", engine=engine, rng=0
        ),
        "rough against rough, variation_of_information": lambda: sf.compare(
            rough, other, measure="variation_of_information", engine=engine, rng=0
        ),
        "evidential against hard, adjusted_rand": lambda: sf.compare(
            evidential, truth, measure="adjusted_rand", engine=engine, rng=0
        ),
    }


def masses_of(memberships: np.ndarray, sets: np.ndarray) -> np.ndarray:
    """Masses that grow with the smallest membership in a set, as evidential c-means gives them."""
    least = np.where(sets[None] > 0, memberships[:, None, :], 1.0).min(axis=2)
    masses = (least / sets.sum(axis=1)) ** 2
    return masses / masses.sum(axis=1, keepdims=True)


def traced(ask: Callable[[], sf.Comparison]) -> tuple[sf.Comparison, Called]:
    """The answer, and how often each function was called on the way."""
    calls: Called = Counter()

    def see(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and Path(code.co_filename).is_relative_to(ROOT):
            name = code.co_qualname.split(".<locals>.<")[0]
            calls[str(Path(code.co_filename).relative_to(ROOT)), name] += 1

    sys.setprofile(see)
    try:
        found = ask()
    finally:
        sys.setprofile(None)
    return found, calls


def main() -> None:
    """Print the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", action="store_true", help="list the files")
    options = parser.parse_args()
    for module in walk_packages(sf.__path__, "sfumato."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    for name, ask in questions().items():
        found, calls = traced(ask)
        files = Counter(file for file, _ in calls)
        print(
            f"{name}: {len(files)} files, {len(calls)} functions, {calls.total():,} calls "
            f"({found.method}, {found.guarantee})"
        )
        for file in sorted(files) if options.files else ():
            total = sum(count for (place, _), count in calls.items() if place == file)
            print(f"    {file}: {files[file]} functions, {total:,} calls")


if __name__ == "__main__":
    main()
