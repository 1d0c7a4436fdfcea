"""Reading arrays, lists, sparse matrices and dataframes into columns, tables and sets."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NoReturn, cast

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
from sfumato.partitions.reading.frames import read_frame
from sfumato.partitions.reading.missing_entries import is_missing
from sfumato.partitions.reading.tabular import Column, Table, is_sparse

__all__ = ["read", "read_mask", "read_numbers", "read_sets", "read_table"]


def read(x: object, what: str) -> Column | Table:
    """Tell a column from a table, whatever holds it; refuse what is neither."""
    if isinstance(x, Column | Table):
        return x
    if is_sparse(x):  # a matrix of the kind dok is a mapping too
        return _checked(Table(x.tocsr(copy=True)), what)
    if x is None or isinstance(x, str | bytes | Mapping | np.ma.MaskedArray):
        _refuse(cast(object, x), what)
    if isinstance(x, list | tuple):
        return _from_list(list(cast(Sequence[object], x)), what)
    if not isinstance(x, np.ndarray):
        frame = read_frame(x, what)
        if frame is not None:
            return _checked(frame, what)
        x = np.asarray(x)  # ranges, tensors, pandas indexes and categoricals
    return _from_array(cast(NDArray[np.generic], x), what)


def _refuse(x: object, what: str) -> NoReturn:
    remedy, seen = "", shown(x)
    if isinstance(x, np.ma.MaskedArray):
        remedy = (
            ": pass x.tolist() for labels (None where masked) or x.filled(np.nan) for "
            f"memberships, with {option('missing', 'unknown', 'drop', to_reader=True)}"
        )
    raise InputError(f"{what} must be an array, a list or a dataframe, not {seen}{remedy}.")


def _from_array(array: NDArray[np.generic], what: str) -> Column | Table:
    if array.ndim == 0:
        _refuse(cast(object, array.item()), what)
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
            raise InputError(f"{what} is empty; at least one row is needed.")
    elif len(found.values.shape) != 2 or 0 in found.values.shape:
        raise InputError(
            f"{what} has shape {tuple(found.values.shape)}; "
            "at least one row and one column are needed."
        )
    return found


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
    sets: object, names: Iterable[Name] | None, what: str
) -> tuple[list[frozenset[Name]], tuple[Name, ...]]:
    """Sets of cluster names, and all names: those given, or those that occur, sorted."""
    if isinstance(sets, str | bytes) or not isinstance(sets, Iterable):
        raise InputError(f"{what} is {shown(sets)}; pass a list with one set of names per object.")
    found: list[frozenset[Name]] = []
    for position, members in enumerate(cast(Iterable[object], sets)):
        if isinstance(members, str | bytes) or not isinstance(members, Iterable):
            raise InputError(
                f"{what}: set {position} is {members!r}; pass a collection of cluster names."
            )
        try:
            found.append(frozenset(plain_names(cast(Iterable[Name], members))))
        except TypeError:
            raise InputError(f"{what}: set {position} holds something unhashable.") from None
    if names is not None:
        given = given_names(names)
        return found, check_names(given, len(given))
    union = list(dict.fromkeys(name for members in found for name in members))
    if missing := [name for name in union if is_missing(name)]:
        position = next(at for at, members in enumerate(found) if missing[0] in members)
        raise InputError(
            f"{what}: set {position} holds {missing[0]!r}, which names no cluster; leave it out."
        )
    try:
        return found, tuple(sorted(cast("list[str]", union)))
    except TypeError:  # unsortable together: keep the order of first appearance
        return found, tuple(union)
