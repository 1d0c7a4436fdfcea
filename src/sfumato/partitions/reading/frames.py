"""Reading dataframes and series of any library, through narwhals."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from sfumato._typing import Name
from sfumato.errors import InputError
from sfumato.partitions.reading.tabular import Column, Index, Table

if TYPE_CHECKING:
    import narwhals as nw

__all__ = ["read_frame"]


def read_frame(x: object, what: str) -> Column | Table | None:
    """A series as a column, a dataframe as a table with names; None if x is neither."""
    import narwhals as nw
    from narwhals.exceptions import DuplicateError

    x = _from_sparse(x)
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


def _from_sparse(x: object) -> object:
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


def _is_number(series: "nw.Series[Any]") -> bool:
    return series.dtype.is_numeric() or str(series.dtype) == "Boolean"


def _numbers(column: "nw.Series[Any]", what: str) -> NDArray[np.generic]:
    if not _is_number(column):
        raise InputError(
            f"{what}: column {column.name!r} holds {column.dtype}, not numbers; "
            "pass labels as a single column (a series)."
        )
    values = _values(column)
    if isinstance(values, list):  # some are missing
        is_gap = column.is_null().to_numpy()
        return np.array(
            [np.nan if gap else value for gap, value in zip(is_gap, values, strict=True)]
        )
    return values


def _values(series: "nw.Series[Any]") -> "NDArray[np.generic] | list[object]":
    """An array of numbers; a list of what is text or has gaps."""
    if _is_number(series) and not series.is_null().any():
        return cast("NDArray[np.generic]", series.to_numpy())
    return cast("list[object]", series.to_list())


def _row_labels(frame: "nw.DataFrame[Any] | nw.Series[Any]") -> Index:
    """The index of a pandas object; other libraries have none."""
    import narwhals as nw

    index = cast("object", nw.maybe_get_index(frame))
    if index is None:
        return None
    return cast("NDArray[np.generic]", np.array(cast(Any, index)))
