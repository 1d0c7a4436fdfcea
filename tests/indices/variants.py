"""Every index with its defaults and every other value of an option; values of other packages."""

import json
from pathlib import Path

import numpy as np
import pytest

from sfumato.indices.base import Index
from sfumato.indices.registry import INDICES

REFERENCE = Path(__file__).parents[1] / "reference"


def recorded(family: str) -> list[object]:
    """Parameters of a test: the inputs and the expected values of recorded cases."""
    cases = json.loads((REFERENCE / f"{family}.json").read_text())["cases"]
    return [pytest.param(case["inputs"], case["expected"], id=case["id"]) for case in cases]


def expressions_of(name: str) -> tuple[str, ...]:
    """What ``index=`` takes, for an index by its name."""
    options = next(card.options for card in INDICES if card.name == name)
    return next(option.values for option in options if option.name == "index")


def rows(side: tuple) -> np.ndarray:
    """Degrees of a drawn side, of shape (n, k); clusters without objects are left out."""
    if side[0] == "hard":
        return np.eye(1 + max(side[1]))[list(side[1])][:, sorted(set(side[1]))]
    return np.array(side[1])


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
