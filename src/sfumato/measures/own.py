"""Measures from users' own functions."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, cast, final

import numpy as np
from numpy.typing import NDArray

from sfumato._typing import Codes, Tables, Values
from sfumato.errors import InputError
from sfumato.families import Family
from sfumato.measures.base import Measure
from sfumato.measures.options import check_choice

__all__ = ["FunctionMeasure"]

# Values this far outside their bounds, relative to the bound, are rounding and are moved onto it.
_ROUNDING = 1e-12


@final
@dataclass(frozen=True, slots=True)
class FunctionMeasure(Measure):
    """A user's function with the promises that it keeps; see ``Measure.from_function``.

    What the function returns is checked: a finite number per table, within the bounds. An excess
    of rounding (1e-12) is moved onto the bound. The tables it is given are read-only.
    """

    function: Callable[..., object]
    name: str
    better: Literal["higher", "lower"]
    bounds: tuple[float, float]
    symmetric: bool
    is_metric: bool
    on: Literal["tables", "batch", "labels"]

    formula = "a function of your own"
    cost = "one call per table, or one for all"
    reference = ""

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise InputError(f"Measure.from_function takes a function, not {self.function!r}.")
        if not isinstance(cast(object, self.name), str) or not self.name:
            raise InputError(f"A measure's name is a string that is not empty, not {self.name!r}.")
        check_choice("Measure.from_function(better=...)", self.better, ("higher", "lower"))
        check_choice("Measure.from_function(on=...)", self.on, ("tables", "batch", "labels"))
        if not _are_bounds(self.bounds):
            raise InputError(
                f"The bounds of measure {self.name!r} are {self.bounds!r}: "
                "give two numbers, the smaller first."
            )

    def of_tables(self, tables: Tables) -> Values:
        """Values of tables of shape (..., k1, k2), as an array of shape (...)."""
        shown = tables.view()
        shown.flags.writeable = False
        if self.on == "batch":
            return self._checked(self._batch(shown), shown)
        flat = shown.reshape(-1, *tables.shape[-2:])
        flat.flags.writeable = False  # a reshape may have copied
        values = np.array([self._one(table) for table in flat], dtype=np.float64)
        return self._checked(values.reshape(tables.shape[:-2]), shown)

    def family(self, n_objects: int) -> Family | None:
        """None: nothing is known of the function."""
        return None

    def _one(self, table: Tables) -> float:
        arguments = _labels(table) if self.on == "labels" else (table,)
        returned = self.function(*arguments)
        value = _as_numbers(returned)
        if value is None or value.shape != ():
            raise InputError(
                f"Measure {self.name!r} must return one number; for the table {table.tolist()} it "
                f"returned {_described(returned)}. Return a float."
            )
        return float(value)

    def _batch(self, tables: Tables) -> Values:
        returned = self.function(tables)
        values = _as_numbers(returned)
        if values is None or values.shape != tables.shape[:-2]:
            raise InputError(
                f"Measure {self.name!r} (on='batch') must return shape {tables.shape[:-2]} for "
                f"tables of shape {tables.shape}; it returned {_described(returned)}. Work over "
                "the last two axes, or use on='tables'."
            )
        return values

    def _checked(self, values: Values, tables: Tables) -> Values:
        lowest, highest = (float(bound) for bound in self.bounds)
        is_finite = np.isfinite(values)
        if not is_finite.all():
            where = np.argwhere(~is_finite)[0]
            raise InputError(
                f"Measure {self.name!r} returned {float(values[tuple(where)])} for the table "
                f"{tables[tuple(where)].tolist()}. Return a finite number for every table."
            )
        is_inside = (values >= lowest - _slack(lowest)) & (values <= highest + _slack(highest))
        if not is_inside.all():
            where = np.argwhere(~is_inside)[0]
            raise InputError(
                f"Measure {self.name!r} returned {float(values[tuple(where)])} for the table "
                f"{tables[tuple(where)].tolist()}, outside its bounds ({lowest}, {highest}). "
                "Widen bounds= or mend the function."
            )
        return np.asarray(np.clip(values, lowest, highest))


def _slack(bound: float) -> float:
    return _ROUNDING * max(1.0, abs(bound)) if math.isfinite(bound) else 0.0


def _labels(table: Tables) -> tuple[Codes, Codes]:
    # Two clusterings of n objects that have this table, listed cell by cell.
    cells = np.repeat(np.arange(table.size, dtype=np.int64), table.ravel())
    return cells // table.shape[1], cells % table.shape[1]


def _as_numbers(returned: object) -> Values | None:
    # float("0.5") would take text and NumPy would take ragged lists as objects: neither is meant.
    try:
        array = cast(NDArray[np.generic], np.asarray(returned))
    except ValueError:
        return None
    return array.astype(np.float64) if array.dtype.kind in "biuf" else None


def _described(returned: object) -> str:
    if isinstance(returned, np.ndarray):
        array = cast(NDArray[np.generic], returned)
        return f"an array of shape {array.shape} and type {array.dtype}"
    return f"{returned!r} ({type(returned).__name__})"


def _are_bounds(bounds: object) -> bool:
    try:
        low, high = cast("tuple[float, float]", bounds)
        return bool(low < high)  # also refuses NaN
    except (TypeError, ValueError):
        return False
