"""``explain`` names the method that ``compare`` then uses.

This does not hold yet, so the file is not collected by name: run it by its path to see where it
fails, or as ``PYTHONPATH=tests python -m golden.explain_agreement`` for a count. Once it holds,
rename it to ``test_explain.py``.
"""

from collections import Counter
from collections.abc import Iterable

import sfumato as sf
from golden.comparing import chunks
from golden.questions import SETS, Question


def promised(question: Question) -> str:
    """The method that `explain` names, or the class of its refusal."""
    try:
        return question.plan().method
    except sf.SfumatoError as error:
        return type(error).__name__


def used(question: Question) -> str:
    """The method that `compare` uses, or the class of its refusal."""
    try:
        return question.ask().method
    except sf.SfumatoError as error:
        return type(error).__name__


def disagreements(name: str, chunk: Iterable[int]) -> list[tuple[str, str, str]]:
    """Question, method that was promised, method that was used."""
    questions = (SETS[name].make(i) for i in chunk)
    found = ((f"{name} {q.name}", promised(q), used(q)) for q in questions)
    return [(asked, plan, method) for asked, plan, method in found if plan != method]


@chunks("small", size=47)
def test_explain_names_the_method_of_small_questions(chunk):
    assert not disagreements("small", chunk)


@chunks("middle", size=50)
def test_explain_names_the_method_of_middle_questions(chunk):
    assert not disagreements("middle", chunk)


@chunks("special", size=50)
def test_explain_names_the_method_of_special_questions(chunk):
    assert not disagreements("special", chunk)


def main() -> None:
    for name in ("small", "middle", "special"):
        size = SETS[name].size
        found = disagreements(name, range(size))
        print(f"{name}: explain and compare differ in {len(found)} of {size} questions.")
        for (plan, method), count in Counter(pair[1:] for pair in found).most_common():
            print(f"  {count:4d}  explain says {plan}, compare uses {method}")


if __name__ == "__main__":
    main()
