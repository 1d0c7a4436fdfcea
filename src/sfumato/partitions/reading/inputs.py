"""Reading arrays, lists, sparse matrices and dataframes into columns, tables and sets."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, cast

import numpy as np
from numpy.typing import NDArray

from sfumato._typing import Bools, Floats, Name
from sfumato._wording import column_of, option, row_of
from sfumato.errors import InputError
from sfumato.partitions.reading.checks import (
    check_names,
    first_true,
    given_names,
    plain_names,
    shown,
)
from sfumato.partitions.reading.labels import in_order, is_missing
from sfumato.partitions.reading.tabular import Column, Index, Table, is_sparse

if TYPE_CHECKING:
    import narwhals as nw

__all__ = ["read", "read_mask", "read_numbers", "read_sets", "read_table"]


def read(x: object, what: str) -> Column | Table:
    """Tell a column from a table, whatever holds it; refuse what is neither, and what is empty."""
    if isinstance(x, Column | Table):
        return x
    found = _found(x, what)
    if isinstance(found, Column):
        if len(found.values) == 0:
            raise InputError(f"{what} is empty; at least one row is needed.")
    elif len(found.values.shape) != 2 or 0 in found.values.shape:
        raise InputError(
            f"{what} has shape {tuple(found.values.shape)}; "
            "at least one row and one column are needed."
        )
    return found


def _found(x: object, what: str) -> Column | Table:
    if is_sparse(x):  # a matrix of the kind dok is a mapping too
        return Table(x.tocsr(copy=True))
    if x is None or isinstance(x, str | bytes | Mapping | np.ma.MaskedArray):
        _refuse(cast(object, x), what)
    if isinstance(x, list | tuple):
        return _from_list(list(cast(Sequence[object], x)), what)
    if not isinstance(x, np.ndarray):
        frame = _from_frame(x, what)
        if frame is not None:
            return frame
        x = np.asarray(x)  # ranges, tensors, pandas indexes and categoricals
    array = cast("NDArray[np.generic]", x)
    if array.ndim == 0:
        _refuse(cast(object, array.item()), what)
    if array.ndim > 1:
        return _matrix(np.asarray(array), what)
    if array.dtype == object and any(isinstance(item, list | np.ndarray) for item in array):
        return _from_list(list(array), what)
    return Column(array)


def _refuse(x: object, what: str) -> NoReturn:
    remedy, seen = "", shown(x)
    if isinstance(x, np.ma.MaskedArray):
        remedy = (
            ": pass x.tolist() for labels (None where masked) or x.filled(np.nan) for "
            f"memberships, with {option('missing', 'unknown', 'drop', to_reader=True)}"
        )
    raise InputError(f"{what} must be an array, a list or a dataframe, not {seen}{remedy}.")


def _matrix(array: NDArray[np.generic], what: str) -> Table:
    if array.ndim != 2:
        raise InputError(f"{what} has {array.ndim} dimensions {array.shape}; pass 1 or 2.")
    return Table(array)


def _from_list(items: list[object], what: str) -> Column | Table:
    is_row = [isinstance(item, list | tuple | np.ndarray) for item in items]
    if not any(is_row):
        return Column(items)
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
    return _matrix(array, what)


def _from_frame(x: object, what: str) -> Column | Table | None:
    """A series as a column, a dataframe of any library as a table; None if x is neither."""
    import narwhals as nw
    from narwhals.exceptions import DuplicateError

    x = _from_sparse_frame(x)
    if isinstance(x, Table):
        return x
    try:
        frame: Any = nw.from_native(cast(Any, x), pass_through=True, allow_series=True)
        if isinstance(frame, nw.LazyFrame):
            raise InputError(f"{what} is a lazy frame; call .collect() first.")
        if isinstance(frame, nw.Series):
            series = cast("nw.Series[Any]", frame)
            return Column(_values(series), _row_labels(series))
    except DuplicateError:
        raise InputError(f"{what}: two columns have the same name; names must differ.") from None
    if not isinstance(frame, nw.DataFrame):
        return None
    table = cast("nw.DataFrame[Any]", frame)
    columns = [_numbers(column, what) for column in table.iter_columns()]
    values = np.column_stack(columns) if columns else np.empty((len(table), 0))
    return Table(values, tuple(cast(Sequence[Name], table.columns)), _row_labels(table))


def _from_sparse_frame(x: object) -> object:
    """A pandas frame of sparse columns as a sparse table, or dense where some are not."""
    pandas: Any = sys.modules.get("pandas")
    if pandas is None or not isinstance(x, pandas.DataFrame):
        return x
    frame: Any = x
    sparse = {
        name: dtype for name, dtype in frame.dtypes.items() if isinstance(dtype, pandas.SparseDtype)
    }
    if not sparse or not frame.columns.is_unique:
        return x
    if len(sparse) < len(frame.columns) or any(dtype.fill_value != 0 for dtype in sparse.values()):
        return frame.astype({name: dtype.subtype for name, dtype in sparse.items()})
    return Table(frame.sparse.to_coo().tocsr(), tuple(frame.columns), np.array(frame.index))


def _numbers(column: "nw.Series[Any]", what: str) -> NDArray[np.generic]:
    if not _is_number(column):
        raise InputError(
            f"{what}: column {column.name!r} holds {column.dtype}, not numbers; "
            "pass labels as a single column (a series)."
        )
    values = _values(column)
    if not isinstance(values, list):
        return values
    gaps = column.is_null().to_numpy()
    return np.array([np.nan if gap else value for gap, value in zip(gaps, values, strict=True)])


def _values(series: "nw.Series[Any]") -> "NDArray[np.generic] | list[object]":
    """An array of numbers; a list of what is text or has gaps."""
    if _is_number(series) and not series.is_null().any():
        return cast("NDArray[np.generic]", series.to_numpy())
    return cast("list[object]", series.to_list())


def _is_number(series: "nw.Series[Any]") -> bool:
    return series.dtype.is_numeric() or str(series.dtype) == "Boolean"


def _row_labels(frame: "nw.DataFrame[Any] | nw.Series[Any]") -> Index:
    """The index of a pandas object; other libraries have none."""
    import narwhals as nw

    index: Any = nw.maybe_get_index(frame)
    return None if index is None else np.array(index)


def read_table(x: object, what: str) -> Table:
    """The input as a table; a single column is refused."""
    found = read(x, what)
    if isinstance(found, Column):
        raise InputError(
            f"{what} must be 2-D, objects by clusters; got {len(found.values)} entries in one "
            "dimension. Labels go into HardPartition."
        )
    return found


def read_numbers(table: Table, what: str) -> Floats:
    """A copy of the table as C-ordered float64, without negative zeros."""
    values = table.dense()
    if values.dtype == object:
        try:
            values = values.astype(np.float64)
        except (TypeError, ValueError):
            raise InputError(f"{what} holds entries that are not numbers.") from None
        except OverflowError:
            raise InputError(
                f"{what} holds an integer too large for a float; rescale it."
            ) from None
    if values.dtype.kind not in "biuf":
        raise InputError(f"{what} holds {values.dtype}, not real numbers.")
    return np.ascontiguousarray(np.add(values, 0.0, dtype=np.float64))


def read_mask(table: Table, what: str) -> Bools:
    """A copy of the table as booleans; refuse entries other than 0 and 1."""
    values = table.dense()
    if values.dtype == bool:
        return np.array(values, dtype=bool, order="C")
    numbers = read_numbers(table, what)
    is_other = (numbers != 0) & (numbers != 1)
    if is_other.any():
        row, column = first_true(is_other)
        raise InputError(
            f"{what}: {row_of(row)}, {column_of(column)} is {float(numbers[row, column]):.6g}; "
            "entries must be 0 or 1."
        )
    return numbers.astype(bool)


def read_sets(
    sets: object, names: Iterable[Name] | None
) -> tuple[list[frozenset[Name]], tuple[Name, ...]]:
    """Sets of cluster names, and all names: those given, or those that occur, sorted."""
    if isinstance(sets, str | bytes) or not isinstance(sets, Iterable):
        raise InputError(f"sets is {shown(sets)}; pass a list with one set of names per object.")
    found: list[frozenset[Name]] = []
    for position, members in enumerate(cast(Iterable[object], sets)):
        if isinstance(members, str | bytes) or not isinstance(members, Iterable):
            raise InputError(
                f"sets: set {position} is {members!r}; pass a collection of cluster names."
            )
        try:
            found.append(frozenset(plain_names(cast(Iterable[Name], members))))
        except TypeError:
            raise InputError(f"sets: set {position} holds something unhashable.") from None
    if names is not None:
        given = given_names(names)
        return found, check_names(given, len(given))
    union = list(dict.fromkeys(name for members in found for name in members))
    if missing := [name for name in union if is_missing(name)]:
        position = next(at for at, members in enumerate(found) if missing[0] in members)
        raise InputError(
            f"sets: set {position} holds {missing[0]!r}, which names no cluster; leave it out."
        )
    return found, tuple(in_order(union))
