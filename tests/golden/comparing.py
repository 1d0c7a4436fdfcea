"""Golden questions asked again, in chunks, and compared with the answers on file."""

import pytest

from golden.answers import FOLDER, answered, difference, read
from golden.questions import SETS


def chunks(name: str, *, size: int) -> pytest.MarkDecorator:
    """Parametrise a test with the ranges of questions of one set."""
    starts = range(0, SETS[name].size, size)
    return pytest.mark.parametrize(
        "chunk",
        [range(start, min(start + size, SETS[name].size)) for start in starts],
        ids=lambda chunk: f"{name}-{chunk.start}",
    )


def changes(name: str, chunk: range) -> list[str]:
    """The questions of a chunk whose answers are not those on file."""
    on_file = read(FOLDER / f"{name}.jsonl")
    assert len(on_file) == SETS[name].size, "record the answers anew: python -m golden.record"
    found: list[str] = []
    for i in chunk:
        question = SETS[name].make(i)
        fields = difference(on_file[i], answered(question))
        if fields:
            found.append("\n    ".join([f"{name} {question.name}", *fields]))
    return found
