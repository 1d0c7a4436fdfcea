"""Plain Python values as JSON."""

import json
import math
from collections.abc import Mapping
from typing import cast

__all__ = ["json_text"]


def json_text(value: object) -> str:
    """Write values as JSON; JSON has no infinity and no nan, so these become null.

    Examples
    --------
    >>> print(json_text({"lower": 0.25, "bracket": (float("-inf"), 1)}))
    {
      "lower": 0.25,
      "bracket": [
        null,
        1
      ]
    }
    """
    return json.dumps(_finite(value), indent=2, ensure_ascii=False, allow_nan=False)


def _finite(value: object) -> object:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {str(k): _finite(v) for k, v in cast("Mapping[object, object]", value).items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in cast("list[object]", value)]
    return value
