"""JSON: plain values, and partitions as a header and arrays as lists beside their types."""

import json
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from sfumato.display.finite import finite_value
from sfumato.errors import InputError
from sfumato.io.files import LARGEST, check_file, open_bytes
from sfumato.io.stored import Stored

__all__ = ["json_bytes", "json_text", "read_json"]

_LARGEST = LARGEST >> 3  # lists of numbers take several times the room of their text


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


def json_bytes(content: Stored) -> bytes:
    """What a JSON file holds."""
    arrays = {name: _listed(array) for name, array in content.arrays.items()}
    try:
        text = json.dumps({**content.header, "arrays": arrays}, allow_nan=False)
    except ValueError:
        raise InputError(
            "JSON cannot hold ids, labels or names that are NaN or infinite; write npz."
        ) from None
    return (text + "\n").encode()


def _listed(array: NDArray[Any]) -> dict[str, object]:
    is_date = array.dtype.kind in "mM"
    values = (array.astype(np.int64) if is_date else array).tolist()
    return {"dtype": "str" if array.dtype.kind == "U" else str(array.dtype), "values": values}


def read_json(path: Path) -> Stored:
    """Read the header and the arrays of a JSON file, if it is not too large."""
    check_file(path, _LARGEST)
    with open_bytes(path) as file:
        text = file.read()
    try:
        content = json.loads(text)
        arrays = {
            name: _array(entry["dtype"], entry["values"])
            for name, entry in content.pop("arrays").items()
        }
    except UnicodeDecodeError:
        raise InputError(f"{path}: this is not UTF-8 text; save it as JSON in UTF-8.") from None
    except json.JSONDecodeError as error:
        raise InputError(f"{path}, line {error.lineno}: no JSON; {error.msg}.") from None
    except RecursionError:
        raise InputError(f"{path}: the JSON is nested too deeply for a partition.") from None
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        raise InputError(
            f"{path}: this is JSON but no partition that sfumato wrote; save tables as csv."
        ) from None
    return Stored(cast("dict[str, object]", content), arrays)


def _array(dtype: object, values: list[Any]) -> NDArray[np.generic]:
    if dtype == "str":
        array = np.array(values)
        if array.dtype.kind != "U" and len(values):
            raise ValueError("not all entries are text")
        return array
    kind = np.dtype(cast(str, dtype))
    if kind.kind in "mM":
        return np.array(values, dtype=np.int64).astype(kind)
    if kind.kind not in "biuf":
        raise ValueError(f"entries of the type {dtype}")
    return np.array(values, dtype=kind)
