"""The answer to a golden question as plain data, and the place where answers are kept."""

import json
from collections.abc import Callable
from functools import partial
from math import isclose, isfinite, isnan
from pathlib import Path
from typing import Any

import numpy as np

import sfumato as sf
from golden.questions import Question

FOLDER = Path(__file__).parent


def answered(question: Question) -> dict[str, Any]:
    """Everything a comparison promises, or the class of the error that refuses it."""
    try:
        found = question.ask()
    except sf.SfumatoError as error:
        return {"refused": type(error).__name__}
    answer: dict[str, Any] = {
        "ends": [found.lower, found.upper],
        "brackets": [*found.lower_bracket, *found.upper_bracket],
        "stds": [found.lower_std, found.upper_std],
        "precise": found.is_precise,
        "guarantee": found.guarantee,
        "method": found.method,
        "n_samples": found.n_samples,
        "confidence": found.confidence,
    }
    if found.distribution is not None:
        answer["values"] = _fingerprint(found.distribution)
    if question.has_extras:
        answer |= _extras(question, found)
    return answer


@np.errstate(invalid="ignore")  # values may be infinite
def _fingerprint(known: Any) -> list[Any]:
    """What is known of the value, in ten numbers: sizes, masses and two moments."""
    lows, highs, masses = known.ends
    support = known.support
    waves = np.cos(np.arange(len(support)))  # sums that see the order and every single value
    return [
        type(known).__name__,
        known.is_complete,
        known.lost_mass,
        len(masses),
        len(support),
        float(masses.sum()),
        float(masses @ lows),
        float(masses @ highs),
        float(masses @ lows**2),
        float(masses @ highs**2),
        float(waves @ support),
    ]


def _extras(question: Question, found: sf.Comparison) -> dict[str, Any]:
    """What is computed when it is first asked for."""

    def value(end: str) -> float | None:  # another pair may be found, with the same value
        pair = getattr(found, end)
        return None if pair is None else sf.compare(*pair, measure=question.measure).lower

    extras = {"pignistic": _or_error(lambda: found.pignistic)}
    for end in ("lower_witness", "upper_witness"):
        extras[end] = _or_error(partial(value, end))
    # Shares of evidential and possibilistic comparisons repeat many others: too long for here.
    if {*found.kinds} <= {"hard", "rough", "fuzzy"}:
        extras["contributions"] = _or_error(lambda: found.contributions().tolist())
    return extras


def _or_error(ask: Callable[[], Any]) -> Any:
    try:
        return ask()
    except sf.SfumatoError as error:
        return type(error).__name__


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def line_of(answer: dict[str, Any]) -> str:
    """One line of JSON; floats keep all their bits."""
    return json.dumps(answer, separators=(",", ":"))


def difference(old: dict[str, Any], new: dict[str, Any], *, tolerance: float = 1e-9) -> list[str]:
    """The fields that differ, with both values; names of methods may change.

    A search that is stopped may attain another value where two ways are equal but for the last bit,
    and logarithms differ in that bit between processors. So ends that are known within a bracket
    may differ by a small part of it.
    """
    fields = [field for field in sorted({*old, *new}) if field != "method"]
    if not {"exact"} & {old.get("guarantee"), new.get("guarantee")} and "brackets" in old:
        low, low_attained, high_attained, high = old["brackets"]
        width = max(low_attained - low, high - high_attained)
        tolerance = max(tolerance, 1e-4 * width if isfinite(width) else 0.0)
    return [
        f"{field}: was {old.get(field)}, is {new.get(field)}"
        for field in fields
        if not _same(old.get(field), new.get(field), tolerance)
    ]


def _same(old: Any, new: Any, tolerance: float) -> bool:
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and all(
            _same(*both, tolerance) for both in zip(old, new, strict=True)
        )
    if isinstance(old, float) and isinstance(new, float):
        both_nan = isnan(old) and isnan(new)
        return both_nan or isclose(old, new, rel_tol=tolerance, abs_tol=tolerance)
    return type(old) is type(new) and old == new
