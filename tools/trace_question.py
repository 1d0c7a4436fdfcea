"""Count the files and functions of sfumato that a comparison passes through.

Three comparisons of clusterings of Iris (150 objects, 3 clusters) are asked once each, with all
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
from typing import Any

from sklearn.datasets import load_iris

import sfumato as sf
from sfumato.cluster import EvidentialCMeans, FuzzyCMeans

ROOT = Path(sf.__file__).parent
Called = Counter[tuple[str, str]]  # calls by file and function


def questions() -> dict[str, Callable[[], sf.Comparison]]:
    """The three comparisons, by name."""
    points, truth = load_iris(return_X_y=True)
    fuzzy = FuzzyCMeans(3, random_state=0).fit(points).partition_.memberships
    rough, other = sf.RoughPartition(fuzzy > 0.1), sf.RoughPartition(fuzzy > 0.15)
    evidential = EvidentialCMeans(3, random_state=0).fit(points).partition_

    def ask(a: Any, b: Any, measure: str) -> Callable[[], sf.Comparison]:
        return lambda: sf.compare(a, b, measure=measure, engine=sf.Auto(threads=1), rng=0)

    return {
        "fuzzy against hard, rand": ask(fuzzy, truth, "rand"),
        "rough against rough, variation_of_information": ask(
            rough, other, "variation_of_information"
        ),
        "evidential against hard, adjusted_rand": ask(evidential, truth, "adjusted_rand"),
    }


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
