"""Say in one English sentence what is known of a value, for a paper."""

from math import isnan

from sfumato._typing import Quantity
from sfumato.display.known import Known
from sfumato.display.text import ends, number, rounded_up
from sfumato.display.words import in_words

__all__ = ["sentence"]


def sentence(
    known: Known, *, reference: str, quantity: Quantity = "expectation", digits: int = 3
) -> str:
    """State measure, value, guarantee and reading.

    Bounds are rounded outwards, so that the sentence stays true.

    >>> found = Known("", "fuzzy", "rand", "higher", 0.875, 0.875, stds=(0.125, 0.125))
    >>> sentence(found, reference="hard")
    'The expected Rand index of the fuzzy partition against the hard reference is 0.875 (exact;
    standard deviation 0.125 from partial assignment); higher is better.'
    """
    name = f" of {known.name}" if known.name else ""
    of = f"{name or f' of the {known.kind} partition'} against the {reference} reference"
    is_mean = quantity != "range" and not known.is_closed and {known.kind, reference} != {"hard"}
    what = f"The {'expected ' if is_mean else ''}{in_words(known.measure)}{of}"
    return f"{what} {_claim(known, reference, digits)}; {known.better} is better."


def _claim(known: Known, reference: str, digits: int) -> str:
    between = _interval(known, digits)
    if known.is_single:
        details = [_trust(known, digits), *_spread(known, reference, digits)]
        return f"is {number(known.lower, digits)} ({'; '.join(details)})"
    if known.guarantee == "inner":
        return f"takes values {between} (attained ones only: the true ends may lie further out)"
    if known.is_precise:
        return f"surely lies {between}, but which value it has is not known"
    if known.is_closed:
        left_open = "the value depends on the clusters of the ambiguous objects, none lies beyond"
        return f"lies {between} ({_trust(known, digits)}; {left_open})"
    details = [_trust(known, digits), "the width is ambiguity", *_spread(known, reference, digits)]
    return f"lies {between} ({'; '.join(details)})"


def _interval(known: Known, digits: int) -> str:
    low, high = ends(known.lower, known.upper, guarantee=known.guarantee, digits=digits)
    return f"between {low} and {high}"


def _trust(known: Known, digits: int) -> str:
    match known.guarantee:
        case "exact":
            return "exact"
        case "certified" if known.is_single:
            return f"certified to within {rounded_up(known.error, digits)}"
        case "certified":
            return "certified: the true interval lies inside"
        case "confidence" | "index" if known.confidence is not None:
            ends = "" if known.is_single else "each end "
            error = rounded_up(known.error, digits)
            return f"{ends}to within {error} at {known.confidence:.0%} confidence"
        case "index":
            return "a classical index, which states no uncertainty"
        case _:
            return "an estimate whose error is not known"


def _spread(known: Known, reference: str, digits: int) -> list[str]:
    if known.stds == (0.0, 0.0):
        return []
    if any(map(isnan, known.stds)):
        return ["standard deviation unknown"]
    source = " from partial assignment"
    if known.kind == "possibilistic" or "drawn" in (known.kind, reference):
        source = ""
    if known.is_single:
        return [f"standard deviation {known.stds[0]:.{digits}f}{source}"]
    low, high = (f"{std:.{digits}f}" for std in known.stds)
    return [f"standard deviations of the ends {low} and {high}{source}"]
