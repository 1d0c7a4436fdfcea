"""Compare the bits of all golden answers between an older commit and the package as it is now.

Run as ``make golden-same REV=<commit>``. Both sides answer the questions of this checkout, at the
same time, each with one thread.
"""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import sfumato
from golden.answers import FOLDER, difference, read
from golden.questions import SETS
from sfumato import _core

ROOT = FOLDER.parents[1]
ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"
)


def main() -> None:
    revision, *chosen = sys.argv[1:]
    names = chosen or [*SETS]
    with TemporaryDirectory() as folder:
        place = Path(folder)
        sources = {"old": package_at(revision, place), "new": Path(sfumato.__file__).parents[1]}
        runs = [start(source, place / side, names) for side, source in sources.items()]
        codes = [run.wait() for run in runs]
        if any(codes):
            sys.exit("The questions could not be asked.")
        found = [change for name in names for change in changes(place, name)]
    print("\n".join(found) or f"All answers are the same as those of {revision}, bit by bit.")
    sys.exit(bool(found))


def package_at(revision: str, place: Path) -> Path:
    """A folder that holds the package of that commit, its compiled core included."""
    tree = place / "tree"
    tree.mkdir()
    archive = subprocess.run(
        ["git", "archive", revision], cwd=ROOT, check=True, capture_output=True
    ).stdout
    subprocess.run(["tar", "-x", "-C", tree], input=archive, check=True)
    core = ["git", "diff", "--quiet", revision, "--", "src/core", "CMakeLists.txt"]
    if subprocess.run(core, cwd=ROOT).returncode == 0:  # the same core: no need to compile it
        compiled = Path(_core.__file__)
        (tree / "src" / "sfumato" / compiled.name).symlink_to(compiled)
        return tree / "src"
    build = ["pip", "--quiet", "install", "--no-build-isolation", "--no-deps", "--target"]
    subprocess.run([sys.executable, "-m", *build, place / "site", tree], check=True)
    return place / "site"


def start(source: Path, answers: Path, names: list[str]) -> subprocess.Popen[bytes]:
    """Begin to answer with the package in that folder."""
    answers.mkdir()
    path = os.pathsep.join(map(str, (source, FOLDER.parent)))
    command = [sys.executable, "-m", "golden.record", *names, "--to", str(answers)]
    return subprocess.Popen(command, env={**os.environ, **ONE_THREAD, "PYTHONPATH": path})


def changes(place: Path, name: str) -> list[str]:
    """The questions of one set whose answers differ."""
    both = (read(place / side / f"{name}.jsonl") for side in ("old", "new"))
    found: list[str] = []
    for i, (old, new) in enumerate(zip(*both, strict=True)):
        fields = difference(old, new, tolerance=0.0)
        if fields:
            found.append("\n    ".join([f"{name} {SETS[name][i]().name}", *fields]))
    return found


if __name__ == "__main__":
    main()
