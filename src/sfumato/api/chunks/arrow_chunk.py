"""Chunks of columns: from Arrow straight to sums and counts where that can be done."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias, cast, final

import numpy as np
from numpy.typing import NDArray

from sfumato._optional import require
from sfumato._typing import Codes, Ints, Kind, Name
from sfumato._wording import read_by
from sfumato.algorithms.moments.power_sums import power_sums_of_columns
from sfumato.algorithms.tables.tally import Tally, tally_integers
from sfumato.api.chunks.summarize import Keep, needs_of, order_of, summary_of
from sfumato.api.chunks.summary import Summary
from sfumato.errors import InputError
from sfumato.partitions.base import Partition
from sfumato.partitions.reading.coerce import read_as
from sfumato.partitions.reading.labels import is_missing
from sfumato.partitions.reading.reading_options import AS_IT_IS
from sfumato.partitions.reading.tabular import Column, Table
from sfumato.partitions.rough import RoughPartition
from sfumato.partitions.setlist import SetList
from sfumato.question.counted_pairs import CountedSide, PairCounts
from sfumato.question.moment_sums import MomentSums, SummedKind

__all__ = [
    "Batch",
    "Columns",
    "Named",
    "partition_of_column",
    "sides_of_batch",
    "summary_of_batches",
]

Batch: TypeAlias = Any  # a pyarrow.Table: pyarrow has no types
Named: TypeAlias = str | tuple[str, ...]
FloatColumns: TypeAlias = "list[NDArray[np.float32]] | list[NDArray[np.float64]]"

# Whole numbers in columns of memberships are read as float64, as in a csv file that has no others.
_DTYPES = {"float": "float32", "double": "float64", "halffloat": "float16", "bool": "bool"}
_MOST_CLASSES = 1 << 16  # of a label column that is read without sorting
_RESCALED = "memberships: rows that miss 1 by rounding were divided by their sums"


@final
@dataclass(frozen=True)
class Columns:
    """Which columns say what: one of labels, sets or memberships, or several of memberships."""

    a: Named
    b: Named
    kinds: tuple[Kind | None, Kind | None] = (None, None)

    @property
    def names(self) -> list[str]:
        """All columns that are read, each once."""
        both = [[side] if isinstance(side, str) else list(side) for side in (self.a, self.b)]
        return list(dict.fromkeys([*both[0], *both[1]]))

    def check(self, has: Iterable[str], where: str = "") -> None:
        """Complain about a column that is not there."""
        known = list(has)
        for name in self.names:
            if known.count(name) > 1:
                raise InputError(f"{where}there are {known.count(name)} columns {name!r}.")
            if name not in known:
                some = ", ".join(map(repr, known[:6])) + (", ..." if len(known) > 6 else "")
                raise InputError(f"{where}column {name!r} is missing; it has {some}.")


class _Labels(NamedTuple):
    """A column of labels as codes; names may be in any order, and unused."""

    codes: "NDArray[np.integer]"
    names: list[Name]


def summary_of_batches(
    read: Callable[[], Iterator[Batch]], columns: Columns, keep: Keep, index: int
) -> Summary:
    """The summary of a chunk that is read in blocks of fixed size.

    Where a block is wrong the whole chunk is read at once, so that the error names the row.
    """
    total: Summary | None = None
    if columns.kinds == (None, None):
        try:
            for batch in read():
                found = _quick(batch, columns, keep) or _slow(batch, columns, keep, index)
                if found.draws is not None:  # made of the whole chunk
                    total = None
                    break
                total = found if total is None else total + found
        except InputError:
            total = None
    if total is not None:
        return total
    pa: Any = require("pyarrow", extra="parquet", needed_by="scan")
    batches = list(read())
    if not any(map(len, batches)):
        raise InputError("the chunk has no rows.")
    return _slow(pa.concat_tables(batches).combine_chunks(), columns, keep, index)


def _slow(batch: Batch, columns: Columns, keep: Keep, index: int) -> Summary:
    a, b = sides_of_batch(batch, columns)
    dtypes = _dtype_of(batch, columns.a), _dtype_of(batch, columns.b)
    return summary_of(a, b, keep, index, dtypes)


def sides_of_batch(batch: Batch, columns: Columns) -> tuple[Partition, Partition]:
    """The partitions of both sides."""
    a, b = (
        partition_of_column(batch, names, kind)
        for names, kind in zip((columns.a, columns.b), columns.kinds, strict=True)
    )
    return a, b


def _dtype_of(batch: Batch, names: Named) -> str:
    """The dtype of the columns of a side, also of lists of one length; empty for labels."""
    if isinstance(names, str):
        return _DTYPES.get(str(getattr(batch.schema.field(names).type, "value_type", "")), "")
    kinds = {str(batch.schema.field(name).type) for name in names}
    return ", ".join(sorted({_DTYPES.get(kind, "float64") for kind in kinds}))


def partition_of_column(batch: Batch, names: Named, kind: Kind | None) -> Partition:
    """The partition that one column, or several, of a table stand for."""
    if isinstance(names, tuple):
        values = np.stack([_numbers(batch.column(name), name) for name in names], axis=1)
        if kind is None and values.dtype == bool:
            kind = "rough"
        return read_as(Table(values, names), kind, AS_IT_IS)
    column = _whole(batch.column(names))
    pa: Any = require("pyarrow", extra="parquet", needed_by="scan")
    if not pa.types.is_nested(column.type):
        with read_by("as_partition, in a function that loads the chunk"):
            is_plain = not column.null_count and not pa.types.is_dictionary(column.type)
            values = column.to_numpy(zero_copy_only=False) if is_plain else column.to_pylist()
            return read_as(Column(values), kind, AS_IT_IS)
    inner = getattr(column.type, "value_type", None)
    if inner is None:
        raise InputError(f"column {names!r} must hold labels or lists, got {column.type}.")
    if pa.types.is_floating(inner) or pa.types.is_boolean(inner):
        matrix = _matrix(column, names)
        if kind is None and matrix.dtype == bool:
            kind = "rough"
        return read_as(Table(matrix), kind, AS_IT_IS)
    if column.flatten().null_count:
        row = next(at for at, names_of in enumerate(column.to_pylist()) if None in (names_of or ()))
        raise InputError(f"column {names!r}: the set in row {row} has a missing name.")
    return RoughPartition.from_sets(Column(column.to_pylist()))


def _numbers(column: Any, name: str) -> NDArray[np.generic]:
    values = _whole(column).to_numpy(zero_copy_only=False)
    if values.dtype.kind not in "biuf":
        raise InputError(f"column {name!r} must hold numbers, got {column.type}.")
    return values


def _whole(column: Any) -> Any:
    """A column in one piece, without a copy where it is one already."""
    found = column if column.num_chunks == 1 else column.combine_chunks()
    return found.chunk(0) if hasattr(found, "chunk") else found


def _matrix(column: Any, name: str) -> NDArray[np.generic]:
    """A column of lists of one length as an array of shape (n, k), without a copy if it can be."""
    if column.null_count:
        row = int(np.argmax(np.asarray(column.is_null())))
        raise InputError(f"column {name!r}: row {row} is missing.")
    flat = column.flatten()  # of a fixed length, or not
    width, rest = divmod(len(flat), max(len(column), 1))
    if not hasattr(column.type, "list_size"):
        lengths = np.diff(column.offsets.to_numpy())
        if rest or (lengths != width).any():
            row = int(np.argmax(lengths != lengths[0]))
            raise InputError(
                f"column {name!r}: row {row} has {lengths[row]} entries, and the first has "
                f"{lengths[0]}."
            )
    if width == 0:
        raise InputError(f"column {name!r} has lists without entries.")
    return flat.to_numpy(zero_copy_only=False).reshape(len(column), width)


# Without a partition in between: labels against labels, and memberships against labels.


def _quick(batch: Batch, columns: Columns, keep: Keep) -> Summary | None:
    """The summary of plain columns; None where it takes a closer look."""
    if batch.num_rows == 0 or keep.quantity == "range":
        return None
    labels = [_labels_of(batch, side) for side in (columns.a, columns.b)]
    if labels[0] is not None and labels[1] is not None:
        tally = tally_integers(labels[0].codes, labels[1].codes)
        if tally is None:
            return None
        return Summary(("hard", "hard"), counts=_counts_of(tally, labels[0], labels[1]))
    if labels[1] is not None:
        return _sums_of(batch, columns.a, labels[1], keep, turned=False)
    if labels[0] is not None:
        return _sums_of(batch, columns.b, labels[0], keep, turned=True)
    return None


def _labels_of(batch: Batch, names: Named) -> _Labels | None:
    if isinstance(names, tuple):
        return None
    column = _whole(batch.column(names))
    pa: Any = require("pyarrow", extra="parquet", needed_by="scan")
    kind = column.type
    if column.null_count:
        return None
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        column = column.dictionary_encode()
        kind = column.type
    if pa.types.is_dictionary(kind):
        names_of: list[Name] = column.dictionary.to_pylist()
        is_plain = len(set(names_of)) == len(names_of) <= _MOST_CLASSES
        if not is_plain or any(isinstance(each, float) or is_missing(each) for each in names_of):
            return None
        return _Labels(column.indices.to_numpy(zero_copy_only=False), names_of)
    if not pa.types.is_integer(kind) or pa.types.is_uint64(kind):
        return None
    return _Labels(column.to_numpy(zero_copy_only=False), [])


def _counts_of(tally: Tally, a: _Labels, b: _Labels) -> PairCounts:
    counts = tally.counts
    row_names, rows = _used_names(a, tally.first[0], counts.any(axis=1))
    column_names, columns = _used_names(b, tally.first[1], counts.any(axis=0))
    table = counts[np.ix_(rows, columns)]
    at = np.nonzero(table)
    first, second = (
        CountedSide("hard", names, SetList.singletons(len(names)))
        for names in (row_names, column_names)
    )
    return PairCounts(first, second, at[0], at[1], table[at])


def _used_names(
    labels: _Labels, first: int, is_used: "NDArray[np.bool_] | np.bool_"
) -> tuple[tuple[Name, ...], Ints]:
    """Names of the codes in use, sorted, and the places of these codes."""
    places = np.flatnonzero(is_used)
    if not labels.names:
        return tuple((places + first).tolist()), places
    named = sorted(((labels.names[first + at], at) for at in places.tolist()), key=itemgetter(0))
    return tuple(name for name, _ in named), np.array([at for _, at in named], dtype=np.int64)


def _sums_of(
    batch: Batch, names: Named, labels: _Labels, keep: Keep, *, turned: bool
) -> Summary | None:
    found = _float_columns(batch, names)
    if found is None:
        return None
    values, dtype = found
    kinds: tuple[SummedKind, SummedKind] = ("hard", "fuzzy") if turned else ("fuzzy", "hard")
    order = order_of(needs_of(kinds, keep))
    coded = _codes_of(labels)
    if coded is None or needs_of(kinds, keep) - {"sums", "powers"}:
        return None
    codes, classes = coded
    tolerance = 1e-5 if dtype == "float32" else 1e-6
    checked = power_sums_of_columns(values, codes, len(classes), order, largest=1 + tolerance)
    if checked.has_bad_entry or checked.worst > tolerance:
        return None
    clusters: tuple[Name, ...] = names if isinstance(names, tuple) else tuple(range(len(values)))
    notes = (_RESCALED,) if checked.n_off else ()
    if turned:
        summed = MomentSums(kinds, classes, clusters, checked.sums.turned())
        return Summary(kinds, sums=summed, notes=notes, dtypes=("", dtype))
    summed = MomentSums(kinds, clusters, classes, checked.sums)
    return Summary(kinds, sums=summed, notes=notes, dtypes=(dtype, ""))


def _codes_of(labels: _Labels) -> tuple[Codes, tuple[Name, ...]] | None:
    """The classes in use, sorted, and the class of each object."""
    lowest = int(labels.codes.min())
    if int(labels.codes.max()) - lowest >= _MOST_CLASSES:
        return None
    shifted = np.subtract(labels.codes, lowest, dtype=np.int64)
    sizes = np.bincount(shifted)
    names, places = _used_names(labels, lowest, sizes > 0)
    if len(places) == len(sizes) and (np.diff(places) > 0).all():
        return shifted, names
    codes = np.empty(len(sizes), dtype=np.int64)
    codes[places] = np.arange(len(places))
    return codes[shifted], names


def _float_columns(batch: Batch, names: Named) -> tuple[FloatColumns, str] | None:
    """Columns of one dtype of floats without gaps, as they lie in memory."""
    pa: Any = require("pyarrow", extra="parquet", needed_by="scan")
    if isinstance(names, str):
        column = _whole(batch.column(names))
        kind = column.type
        if not pa.types.is_nested(kind) or not hasattr(kind, "value_type"):
            return None
        if column.null_count or str(kind.value_type) not in ("float", "double"):
            return None
        matrix = _matrix(column, names)
        return cast("FloatColumns", list(matrix.T)), str(matrix.dtype)
    columns = [_whole(batch.column(name)) for name in names]
    kinds = {str(column.type) for column in columns}
    if len(kinds) > 1 or not kinds <= {"float", "double"} or any(c.null_count for c in columns):
        return None
    values = [column.to_numpy(zero_copy_only=True) for column in columns]
    return cast("FloatColumns", values), str(values[0].dtype)
