"""Plain Python values as JSON."""

import json

from sfumato.display.finite import finite_value

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
    return json.dumps(finite_value(value), indent=2, ensure_ascii=False, allow_nan=False)
