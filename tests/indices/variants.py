"""Every registered index with its defaults, and with every other value of a closed option."""

import pytest

from sfumato.indices.base import Index
from sfumato.indices.registry import INDICES


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
