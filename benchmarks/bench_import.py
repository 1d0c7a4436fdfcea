"""Starting up (wall time of a new process / wall time of one that imports numpy)."""

import subprocess
import sys

from benchmarks.timing import Row, best_time

FIRST_COMPARE = (
    "import numpy as np, sfumato as sf;"
    "u = np.eye(3)[np.arange(150) % 3]; u[:5] = [0.5, 0.25, 0.25];"
    "sf.compare(u, np.arange(150) // 50)"
)


def seconds(code: str) -> float:
    return best_time(lambda: subprocess.run([sys.executable, "-c", code], check=True), repeats=7)


def run() -> list[Row]:
    """Import alone, and import with a first comparison at Iris size."""
    numpy, ours, first = map(seconds, ("import numpy", "import sfumato", FIRST_COMPARE))
    empty = seconds("pass")
    return [
        ("import sfumato", ours / numpy, f"{ours:.3f} s, of which Python itself {empty:.3f} s"),
        ("import sfumato and the first compare, n=150", first / numpy, f"{first:.3f} s"),
    ]
