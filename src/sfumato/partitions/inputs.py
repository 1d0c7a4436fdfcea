"""Reading arrays, lists, sparse matrices and dataframes: what the user has, as columns and tables."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeGuard, cast, final

import numpy as np
from numpy.typing import NDArray

from sfumato._typing import Bools, Floats, Ints, Name
from sfumato.errors import InputError
from sfumato.partitions.checks import first_true

if TYPE_CHECKING:
    import narwhals as nw

__all__ = ["Column", "Index", "SparseMatrix", "Table", "is_sparse", "read", "read_mask", "read_numbers", "read_sets", "read_table"]

Index: TypeAlias = NDArray[np.generic] | None

# float32 memberships carry rounding of their own.
_TOLERANCE = 1e-6
_TOLERANCE_SINGLE = 1e-5


class SparseMatrix(Protocol):
    """The part of a SciPy sparse matrix that is used here."""

    shape: tuple[int, ...]
    data: NDArray[np.generic]
    indices: Ints
    indptr: Ints

    def tocsr(self, copy: bool = ...) -> "SparseMatrix": ...
    def toarray(self) -> NDArray[np.generic]: ...
    def sum_duplicates(self) -> None: ...
    def eliminate_zeros(self) -> None: ...


@final
@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """One entry per object, not yet looked at."""

    values: "NDArray[np.generic] | list[object]"
    index: Index = None


@final
@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """One row per object, not yet looked at; columns may have names."""

    values: "NDArray[np.generic] | SparseMatrix"
    names: tuple[Name, ...] | None = None
    index: Index = None

    @property
    def tolerance(self) -> float:
        """How far from 1 a row may sum."""
        dtype = self.values.data.dtype if is_sparse(self.values) else _dense(self).dtype
        return _TOLERANCE_SINGLE if dtype == np.float32 else _TOLERANCE


def is_sparse(x: object) -> TypeGuard[SparseMatrix]:
    """Whether x is a SciPy sparse matrix; SciPy is not imported to find out."""
    scipy_sparse = sys.modules.get("scipy.sparse")
    return scipy_sparse is not None and bool(scipy_sparse.issparse(x))


def read(x: object, what: str) -> Column | Table:
    """Tell a column from a table, whatever holds it; refuse what is neither."""
    if isinstance(x, Column | Table):
        return x
    if x is None or isinstance(x, str | bytes | Mapping | np.ma.MaskedArray):
        raise InputError(f"{what} must be an array, a list or a dataframe, not {_shown(x)}.")
    if is_sparse(x):
        return _checked(Table(x.tocsr(copy=True)), what)
    if isinstance(x, list | tuple):
        return _from_list(list(cast(Sequence[object], x)), what)
    if not isinstance(x, np.ndarray):
        frame = _from_frame(x, what)
        if frame is not None:
            return frame
        x = np.asarray(x)  # ranges, tensors, pandas indexes and categoricals
    return _from_array(cast(NDArray[np.generic], x), what)


def _shown(x: object) -> str:
    if isinstance(x, str | bytes | int | float | complex | bool | None):
        return repr(x)
    return f"a {type(x).__name__}"


def _from_array(array: NDArray[np.generic], what: str) -> Column | Table:
    if array.ndim == 0:
        item = cast(object, array.item())
        raise InputError(f"{what} must be an array, a list or a dataframe, not {_shown(item)}.")
    if array.ndim == 1:
        if array.dtype == object and any(isinstance(item, list | np.ndarray) for item in array):
            return _from_list(list(array), what)
        return _checked(Column(array), what)
    if array.ndim > 2:
        raise InputError(f"{what} has {array.ndim} dimensions {array.shape}; pass 1 or 2.")
    return _checked(Table(np.asarray(array)), what)


def _from_list(items: list[object], what: str) -> Column | Table:
    is_row = [isinstance(item, list | tuple | np.ndarray) for item in items]
    if not any(is_row):
        return _checked(Column(items), what)
    if not all(is_row):
        raise InputError(f"{what}: row {is_row.index(False)} is not a list like the others.")
    lengths = [len(cast(Sequence[object], item)) for item in items]
    for row, length in enumerate(lengths):
        if length != lengths[0]:
            raise InputError(
                f"{what} is ragged: row 0 has {lengths[0]} entries, row {row} has {length}."
            )
    try:
        array = np.array(items)
    except ValueError:
        raise InputError(f"{what}: rows must be flat lists of numbers.") from None
    if array.ndim != 2:
        raise InputError(f"{what} has {array.ndim} dimensions {array.shape}; pass 1 or 2.")
    return _checked(Table(array), what)


def _checked(found: Column | Table, what: str) -> Column | Table:
    if isinstance(found, Column):
        if len(found.values) == 0:
            raise InputError(f"{what} is empty: a partition needs at least one object.")
    elif len(found.values.shape) != 2 or 0 in found.values.shape:
        raise InputError(
            f"{what} has shape {tuple(found.values.shape)}: "
            "a partition needs at least one object and one cluster."
        )
    return found


def _from_frame(x: object, what: str) -> Column | Table | None:
    """A dataframe or series of any library that narwhals knows; None if x is neither."""
    import narwhals as nw
    from narwhals.exceptions import DuplicateError

    try:
        frame = nw.from_native(cast("nw.DataFrame[object]", x), pass_through=True, allow_series=True)
        if isinstance(frame, nw.LazyFrame):
            raise InputError(f"{what} is a lazy frame; call .collect() first.")
        if isinstance(frame, nw.Series):
            column = _series_values(frame, what, "position")
            return _checked(Column(column, _frame_index(frame)), what)
        if not isinstance(frame, nw.DataFrame):
            return None
        names = tuple(cast(Sequence[Name], frame.columns))
    except DuplicateError:
        raise InputError(f"{what}: two columns have the same name; names must differ.") from None
    columns: list[NDArray[np.generic]] = []
    for column in frame.iter_columns():
        if not (column.dtype.is_numeric() or column.dtype == nw.Boolean):
            raise InputError(
                f"{what}: column {column.name!r} holds {column.dtype}, not numbers; "
                "pass labels as a single column (a series)."
            )
        columns.append(np.asarray(_series_values(column, f"{what}, column {column.name!r}", "row")))
    values = np.column_stack(columns) if columns else np.empty((len(frame), 0))
    return _checked(Table(values, names, _frame_index(frame)), what)


def _series_values(
    series: "nw.Series[object]", what: str, where: str
) -> "NDArray[np.generic] | list[object]":
    is_missing = series.is_null().to_numpy()
    if is_missing.any():
        at = int(np.argmax(is_missing))
        raise InputError(f"{what}: {where} {at} is missing; fill it in or drop the object.")
    if series.dtype.is_numeric() or str(series.dtype) == "Boolean":
        return cast(NDArray[np.generic], series.to_numpy())
    return cast("list[object]", series.to_list())


def _frame_index(frame: "nw.DataFrame[object] | nw.Series[object]") -> Index:
    """The row labels of a pandas object, unless they merely count the rows."""
    import narwhals as nw

    index = nw.maybe_get_index(frame)
    if index is None:
        return None
    labels = np.array(index)
    is_counter = labels.dtype.kind == "i" and np.array_equal(labels, np.arange(len(labels)))
    return None if is_counter else labels


def read_table(x: object, what: str) -> Table:
    """The input as a table; a single column is refused."""
    found = read(x, what)
    if isinstance(found, Column):
        raise InputError(
            f"{what} must be 2-D, objects by clusters; got {len(found.values)} entries in one "
            "dimension. Labels go into HardPartition."
        )
    return found


def _dense(table: Table) -> NDArray[np.generic]:
    return table.values.toarray() if is_sparse(table.values) else cast(NDArray[np.generic], table.values)


def read_numbers(table: Table, what: str) -> Floats:
    """A copy of the table as C-ordered float64, without negative zeros."""
    values = _dense(table)
    if values.dtype == object:
        try:
            values = values.astype(np.float64)
        except (TypeError, ValueError):
            raise InputError(f"{what} holds entries that are not numbers.") from None
    if values.dtype.kind not in "biuf":
        raise InputError(f"{what} holds {values.dtype}, not real numbers.")
    return np.ascontiguousarray(np.add(values, 0.0, dtype=np.float64))


def read_mask(table: Table, what: str) -> Bools:
    """A copy of the table as booleans; refuse entries other than 0 and 1."""
    if _dense(table).dtype == bool:
        return np.array(_dense(table), dtype=bool, order="C")
    numbers = read_numbers(table, what)
    is_other = (numbers != 0) & (numbers != 1)
    if is_other.any():
        row, column = first_true(is_other)
        raise InputError(
            f"{what}: row {row}, column {column} is {float(numbers[row, column]):.6g}; "
            "entries must be 0 or 1."
        )
    return numbers.astype(bool)


def read_sets(
    sets: Iterable[Iterable[Name]], names: Iterable[Name] | None, what: str
) -> tuple[list[frozenset[Name]], tuple[Name, ...]]:
    """Sets of cluster names, with all the names that occur, sorted where they can be."""
    found: list[frozenset[Name]] = []
    for position, members in enumerate(sets):
        if isinstance(members, str | bytes) or not isinstance(members, Iterable):
            raise InputError(
                f"{what}: set {position} is {members!r}; pass a collection of cluster names."
            )
        found.append(frozenset(members))
    if names is not None:
        return found, tuple(names)
    union = list(dict.fromkeys(name for members in found for name in members))
    try:
        return found, tuple(sorted(cast("list[str]", union)))
    except TypeError:  # unsortable together: keep the order of first appearance
        return found, tuple(union)
