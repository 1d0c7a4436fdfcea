"""Every index with its defaults and every other value of an option; values of other packages."""

import json
from pathlib import Path

import pytest

from sfumato.indices.base import Index
from sfumato.indices.registry import INDICES

REFERENCE = Path(__file__).parents[1] / "reference"


def recorded(family: str) -> list[object]:
    """Parameters of a test: the inputs and the expected values of recorded cases."""
    cases = json.loads((REFERENCE / f"{family}.json").read_text())["cases"]
    return [pytest.param(case["inputs"], case["expected"], id=case["id"]) for case in cases]


def variants() -> list[Index]:
    found = list(INDICES)
    for card in INDICES:
        for option in card.options:
            found += [
                card.with_options(**{option.name: value})
                for value in option.values
                if value != option.default
            ]
    return found


def all_indices(**promises: object) -> list[object]:
    """Parameters of a test: the variants that make all of these promises."""
    return [
        pytest.param(card, id=card.label)
        for card in variants()
        if all(getattr(card, name) == value for name, value in promises.items())
    ]
