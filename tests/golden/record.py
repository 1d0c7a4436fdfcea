"""Answer the golden questions and write the answers down.

Run as ``PYTHONPATH=tests python -m golden.record``; add ``small`` or another set for one of
the files, and ``--to`` for another folder. Answers that are the same as those on file but for
rounding keep their line.
"""

import argparse
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from golden.answers import FOLDER, answered, difference, line_of, read
from golden.questions import SETS, Question


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("which", nargs="*", default=[*SETS])
    parser.add_argument("--to", type=Path, default=FOLDER, help="folder for the answers")
    options = parser.parse_args()
    for which in options.which:
        record(options.to / f"{which}.jsonl", SETS[which])


def record(path: Path, questions: list[Callable[[], Question]]) -> None:
    began, counts = time.perf_counter(), Counter[str]()
    on_file = read(path) if path.exists() else []
    with path.open("w") as file:
        for i, make in enumerate(questions):
            answer = answered(make())
            counts[answer.get("method") or answer["refused"]] += 1
            if i < len(on_file) and not difference(on_file[i], answer):
                answer = on_file[i] | {"method": answer["method"]} if "method" in answer else answer
            file.write(line_of(answer) + "\n")
    print(f"{path}: {len(questions)} answers in {time.perf_counter() - began:.0f} s")
    print(", ".join(f"{name} {count}" for name, count in counts.most_common()))


if __name__ == "__main__":
    main()
