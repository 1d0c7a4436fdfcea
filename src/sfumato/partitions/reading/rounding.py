"""How far rows of rounded numbers may miss the sum 1."""

from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from sfumato.partitions.reading.tabular import Table, is_sparse

__all__ = ["Rounding", "rescaled_note", "rounding_of"]

_DECIMALS = range(2, 10)  # one decimal is too coarse to be told from other numbers
_MOST = 0.1  # what misses 1 by more is no longer a matter of rounding
_FEW = 1 << 10


class Rounding(NamedTuple):
    """What rows may miss 1 by, and why."""

    tolerance: float
    reason: str  # empty if it is the rounding of arithmetic only


def rounding_of(table: Table, deviation: float) -> Rounding:
    """How far the rows of a table may miss 1, looking at the values only if they miss it.

    Rounding to d decimals moves each of k values by at most half a unit of the last decimal, and
    half precision moves them by less than 0.001 of the sum.

    Notes
    -----
    O(n k) where the deviation is more than the rounding of arithmetic and up to 0.1, else O(1).

    Examples
    --------
    >>> rounding_of(Table(np.array([[0.333, 0.333, 0.333]])), 0.001).reason
    'values look rounded to 3 decimals'
    """
    if not table.tolerance < deviation <= _MOST:
        return Rounding(table.tolerance, "")
    values = table.values.data if is_sparse(table.values) else table.dense().ravel()
    if values.dtype.kind != "f":
        return Rounding(table.tolerance, "")
    numbers = cast("NDArray[np.float64]", values)
    half_precision = float(np.finfo(np.float16).eps)
    if deviation <= half_precision and _is_half(numbers):
        return Rounding(half_precision, "values in half precision")
    decimals = next((count for count in _DECIMALS if _is_rounded(numbers, count)), _DECIMALS.stop)
    half_units = table.values.shape[1] * 0.5 * 10.0**-decimals * (1 + 1e-9)
    if deviation <= half_units and decimals < _DECIMALS.stop:
        return Rounding(half_units, f"values look rounded to {decimals} decimals")
    return Rounding(table.tolerance, "")


def rescaled_note(subject: str, deviation: float, rounding: Rounding) -> str:
    """What is said of rows that were rescaled."""
    reason = f"; {rounding.reason}" if rounding.reason else ""
    return f"{subject} rescaled to sum to 1 (largest deviation {deviation:.1g}{reason})"


def _is_rounded(values: NDArray[np.float64], decimals: int) -> bool:
    parts = values[:_FEW], values  # a few, as a rule, show that they are not
    return all(bool((np.round(part, decimals) == part).all()) for part in parts)


def _is_half(values: NDArray[np.float64]) -> bool:
    if values.dtype == np.float16:
        return True
    parts = values[:_FEW], values
    with np.errstate(over="ignore"):
        return all(bool((part.astype(np.float16) == part).all()) for part in parts)
