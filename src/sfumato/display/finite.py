"""Plain Python values that JSON can hold."""

import math
from collections.abc import Iterable, Mapping
from typing import cast

import numpy as np

__all__ = ["fields_of", "finite", "finite_value"]


def fields_of(thing: object, names: Iterable[str]) -> dict[str, object]:
    """Some attributes of an object by their names; tuples and arrays become lists.

    >>> fields_of(slice((1, 2), 3), ["start", "stop"])
    {'start': [1, 2], 'stop': 3}
    """
    found = {name: cast(object, getattr(thing, name)) for name in names}
    return {
        name: value.tolist()
        if isinstance(value, np.ndarray)
        else list(cast("tuple[object, ...]", value))
        if isinstance(value, tuple)
        else value
        for name, value in found.items()
    }


def finite(fields: Mapping[str, object]) -> dict[str, object]:
    """A dictionary with None for every infinity and nan, which JSON has not.

    >>> finite({"lower": 0.25, "bracket": (float("-inf"), 1)})
    {'lower': 0.25, 'bracket': [None, 1]}
    """
    return {name: finite_value(value) for name, value in fields.items()}


def finite_value(value: object) -> object:
    """The same of any value, nested or not; names become strings, tuples lists."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {str(k): finite_value(v) for k, v in cast("Mapping[object, object]", value).items()}
    if isinstance(value, list | tuple):
        return [finite_value(item) for item in cast("list[object]", value)]
    return value
