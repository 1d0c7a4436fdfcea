"""Plain Python values that JSON can hold."""

import math
from collections.abc import Mapping
from typing import cast

__all__ = ["finite", "finite_value"]


def finite(fields: Mapping[str, object]) -> dict[str, object]:
    """A dictionary with None for every infinity and nan, which JSON has not.

    Examples
    --------
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
