"""Labels of any type as integers, and which of them are missing."""

import math
from collections.abc import Sequence
from typing import Any, TypeGuard, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from sfumato._typing import Bools, Codes
from sfumato._wording import option
from sfumato.errors import InputError

__all__ = ["factorise", "few_bytes", "find_missing", "in_order", "is_missing", "object_array"]

Some = TypeVar("Some")

_MANY = 1 << 20  # codes that are kept in as few bytes as they need
_AT_ONCE = 1 << 18


def factorise(
    labels: "NDArray[np.generic] | list[object]",
) -> tuple[Codes, NDArray[np.generic]]:
    """Codes and categories, sorted where they can be: ``categories[codes]`` are the labels.

    O(n) for integers of small range and for lists, O(n log n) otherwise.

    Examples
    --------
    >>> codes, categories = factorise(["b", "a", "b"])
    >>> codes.tolist(), categories.tolist()
    ([1, 0, 1], ['a', 'b'])
    """
    if isinstance(labels, list):
        return _of_objects(labels)
    kind = labels.dtype.kind
    if kind in "biu":
        return _of_integers(labels)
    if kind not in "fmMUS":
        return _of_objects(list(labels))
    if kind == "f":
        numbers = labels.astype(np.float64)
        _refuse_first(labels, ~np.isfinite(numbers) | (numbers != np.floor(numbers)))
    elif kind in "mM":
        _refuse_first(labels, find_missing(labels))
    categories, codes = np.unique(labels, return_inverse=True)
    if kind == "U" and (is_blank := find_missing(categories)).any():
        _refuse_first(labels, is_blank[codes])
    return codes.astype(np.int64), categories


def _of_integers(labels: NDArray[np.generic]) -> tuple[Codes, NDArray[np.generic]]:
    smallest, largest = int(labels.min()), int(labels.max())
    span = largest - smallest + 1
    if span > max(4 * len(labels), 1 << 16) or largest >= 2**63:
        categories, codes = np.unique(labels, return_inverse=True)
        return codes.astype(np.int64), categories
    is_used = np.zeros(span, dtype=bool)
    blocks = [slice(at, at + _AT_ONCE) for at in range(0, len(labels), _AT_ONCE)]
    for block in blocks:
        is_used[np.subtract(labels[block], smallest, dtype=np.int64)] = True
    categories = (np.flatnonzero(is_used) + smallest).astype(labels.dtype)
    rank = few_bytes(np.cumsum(is_used) - 1, len(categories), len(labels))
    codes = np.empty(len(labels), dtype=rank.dtype)
    for block in blocks:
        codes[block] = rank[np.subtract(labels[block], smallest, dtype=np.int64)]
    return codes, categories


def few_bytes(codes: Codes, n_categories: int, n_objects: int) -> Codes:
    """Codes as they are kept: of a million objects and more in as few bytes as they need.

    Such codes are for storing and for looking up only. What multiplies them takes integers of 64
    bits, as `HardPartition.codes` and `slice_rows` give them.

    Examples
    --------
    >>> few_bytes(np.array([0, 1]), 2, 10).dtype, few_bytes(np.array([0, 1]), 2, 10**7).dtype
    (dtype('int64'), dtype('uint8'))
    """
    if n_objects < _MANY:
        return codes
    return codes.astype(np.min_scalar_type(max(n_categories - 1, 0)), copy=False)


def _of_objects(labels: list[object]) -> tuple[Codes, NDArray[np.generic]]:
    seen: dict[object, int] = {}
    try:
        found = (seen.setdefault(label, len(seen)) for label in labels)
        codes = np.fromiter(found, dtype=np.int64, count=len(labels))
    except TypeError:
        _refuse_unhashable(labels)
        raise
    for label, code in seen.items():  # in order of first appearance, so the first one is named
        if is_missing(label) or (_is_float(label) and not label.is_integer()):
            _refuse(label, int(np.argmax(codes == code)))
    categories = in_order(list(seen))
    rank = np.empty(len(seen), dtype=np.int64)
    rank[[seen[label] for label in categories]] = np.arange(len(seen))
    return rank[codes], object_array(categories)


def in_order(items: list[Some]) -> list[Some]:
    """The items sorted, or as they are where they cannot be sorted together."""
    try:
        return sorted(cast("list[Any]", items))
    except TypeError:
        return items


def _is_float(label: object) -> TypeGuard[float]:
    return isinstance(label, float | np.floating)


def _refuse_first(labels: NDArray[np.generic], is_refused: Bools) -> None:
    if is_refused.any():
        at = int(np.argmax(is_refused))
        _refuse(labels[at], at)


def _refuse(label: object, position: int) -> None:
    if _is_float(label) and not math.isnan(label):
        raise InputError(
            f"Label {position} is {float(label)!r}: labels must not be fractions. "
            "Memberships go into a 2-D array, objects by clusters."
        )
    seen = repr(label) if isinstance(label, str) else str(label)  # a line break stays on one line
    raise InputError(
        f"Label {position} is missing ({seen}); fill it in, or pass "
        f"{option('missing', 'unknown', 'drop', to_reader=True)}."
    )


def _refuse_unhashable(labels: Sequence[object]) -> None:
    for position, label in enumerate(labels):
        try:
            hash(label)
        except TypeError:
            raise InputError(
                f"Label {position} is a {type(label).__name__}, which cannot be a label; "
                "use numbers or text."
            ) from None


def object_array(items: Sequence[object]) -> NDArray[np.generic]:
    """An array of these very objects: NumPy's own type where it changes none of them."""
    types = {type(item) for item in items}
    if types in ({int}, {str}, {bool}, {float}):
        array = np.array(items)
        if array.dtype != object and array.tolist() == list(items):
            return array
    boxed = np.empty(len(items), dtype=object)
    for position, item in enumerate(items):  # one by one, or tuples would be unpacked
        boxed[position] = item
    return boxed


def is_missing(label: object) -> bool:
    """Whether a label is None, NaN, NaT, pandas' NA or an empty cell.

    Examples
    --------
    >>> [is_missing(label) for label in (None, float("nan"), "", "none", 0)]
    [True, True, True, False, False]
    """
    if label is None or type(label).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(label, str):
        return not label or label.isspace()
    if isinstance(label, np.datetime64 | np.timedelta64):
        return str(cast("object", label)) == "NaT"
    return isinstance(label, float | np.floating) and label != label  # NaN


def find_missing(labels: "NDArray[np.generic] | list[object]") -> Bools:
    """Which labels are missing, of shape (n,)."""
    if isinstance(labels, list) or labels.dtype.kind not in "biufmM":
        return np.fromiter(map(is_missing, labels), dtype=bool, count=len(labels))
    if labels.dtype.kind in "biu":
        return np.zeros(len(labels), dtype=bool)
    if labels.dtype.kind == "f":
        return np.isnan(cast("NDArray[np.float64]", labels))
    return np.isnat(cast("NDArray[np.datetime64]", labels))
