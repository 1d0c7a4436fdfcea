"""Golden questions asked again, in chunks, and compared with the answers on file.

And with what `explain` promised: the method of its plan, or of one that may follow.
"""

from typing import Any

import pytest

import sfumato as sf
from golden.answers import FOLDER, answered, difference, read
from golden.questions import SETS, Question


def chunks(**sizes: int) -> pytest.MarkDecorator:
    """Parametrise a test with sets of questions, each in ranges of some size."""
    found = [
        (name, range(start, min(start + size, len(SETS[name]))))
        for name, size in sizes.items()
        for start in range(0, len(SETS[name]), size)
    ]
    ids = [f"{name}-{chunk.start}" for name, chunk in found]
    return pytest.mark.parametrize(("name", "chunk"), found, ids=ids)


def broken_promises(question: Question, answer: dict[str, Any]) -> list[str]:
    """Where `explain` named another method than `compare` then used."""
    try:
        plan = question.plan()
    except sf.SfumatoError as error:
        promised = {type(error).__name__}
    else:
        promised = {plan.method, *(later.method for later in plan.then)}
        if plan.may_fall_short:  # a search that stays open is refused by an exact engine
            promised.add("CostError")
    used = answer.get("method") or answer["refused"]
    return [] if used in promised else [f"explain: promised {sorted(promised)}, used {used}"]


def check_answers(name: str, chunk: range) -> None:
    """Every answer of a chunk is the one on file."""
    on_file = read(FOLDER / f"{name}.jsonl")
    assert len(on_file) == len(SETS[name]), "record the answers anew: python -m golden.record"
    found: list[str] = []
    for i in chunk:
        question = SETS[name][i]()
        answer = answered(question)
        fields = difference(on_file[i], answer) + broken_promises(question, answer)
        if fields:
            found.append("\n    ".join([f"{name} {question.name}", *fields]))
    assert not found, "\n" + "\n".join(found)
