"""Where scans find their chunks: files, frames that are computed when asked for, and lists."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, cast, final

from sfumato._optional import require
from sfumato.api.chunks.arrow_chunk import Batch, Columns, sides_of_batch, summary_of_batches
from sfumato.api.chunks.csv_parts import is_compressed, n_parts, parts_of_csv
from sfumato.api.chunks.second_round import Sides
from sfumato.api.chunks.summarize import Chunk, Keep, both_sides
from sfumato.api.chunks.summary import Summary
from sfumato.errors import InputError

__all__ = ["ColumnChunk", "Size", "Source", "source_of"]

_ROWS = 1 << 17  # that are read at once: part of the definition, as sums depend on it
_ROWS_OF_CHUNK = 1 << 20  # where a source has no chunks of its own
_LABELS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "string", "large_string")
_PARQUET, _CSV = (".parquet", ".pq"), (".csv", ".tsv", ".csv.gz", ".tsv.gz")

ReadBatches: TypeAlias = Callable[[], Iterator[Batch]]


class Size(NamedTuple):
    """What is known of a source before it is read; None where it is not."""

    n_objects: int | None = None
    n_chunks: int | None = None
    n_bytes: int | None = None


@final
@dataclass(frozen=True)
class ColumnChunk:
    """Some rows of some columns, read where it is summarised.

    ``words`` says of an error what the chunk alone does not know, such as the row of the file.
    """

    read: ReadBatches
    columns: Columns
    where: str = ""
    words: Callable[[InputError], str] = str

    def summary(self, keep: Keep, index: int) -> Summary:
        """Read the chunk and summarise it."""
        try:
            return summary_of_batches(self.read, self.columns, keep, index)
        except InputError as error:
            raise InputError(self.words(error)) from None

    def sides(self) -> Iterator[Sides]:
        """The two partitions, block by block."""
        for batch in self.read():
            yield both_sides(*sides_of_batch(batch, self.columns))


@final
@dataclass(frozen=True)
class Source:
    """Chunks of a source, in one order, and what is known of it.

    ``native`` is a frame that can count for itself, if it is one. Chunks that are streamed are in
    memory as soon as they are listed. ``given`` are pairs, which may come from an iterator.
    """

    words: str
    chunks: Callable[[], Iterator[Chunk | ColumnChunk]]
    size: Callable[[], Size]
    native: object = None
    is_streamed: bool = False
    given: object = None


def source_of(source: object, columns: Columns | None) -> Source:
    """The chunks of whatever the user has; nothing is read."""
    if isinstance(source, str | Path):
        paths = _listed(Path(source))
        if columns is None:
            raise InputError("A file needs the columns of both sides: scan(path, a=..., b=...).")
        return _files(paths, columns)
    if columns is None or _is_list_of(source, callable):
        return _pairs(source, columns)
    if _is_list_of(source, lambda each: isinstance(each, str | Path)):
        paths = [path for each in cast("list[str | Path]", source) for path in _listed(Path(each))]
        return _files(paths, columns)
    return _frame(source, columns)


def _is_list_of(source: object, test: Callable[[Any], bool]) -> bool:
    if not isinstance(source, list | tuple):
        return False
    items = cast("list[object]", source)
    return bool(items) and all(map(test, items))


# Pairs of partitions, and functions that load them or a frame.


def _pairs(source: object, columns: Columns | None) -> Source:
    if not isinstance(source, Iterable) or hasattr(cast("object", source), "columns"):
        raise InputError(
            f"scan takes files, frames, pairs (a, b) or functions that load them, got "
            f"{type(cast('object', source)).__name__}; frames need a=... and b=...."
        )
    given = cast("Iterable[Chunk]", source)

    def chunks() -> Iterator[Chunk | ColumnChunk]:
        for chunk in given:
            yield chunk if columns is None else ColumnChunk(partial(_loaded, chunk), columns)

    n_chunks = len(given) if isinstance(given, list | tuple) else None
    return Source("pairs of partitions", chunks, lambda: Size(n_chunks=n_chunks), given=given)


def _loaded(load: Any) -> Iterator[Batch]:
    yield from _blocks_of(_to_arrow(load()))


def _blocks_of(table: Any) -> Iterator[Batch]:
    """A table in blocks of a fixed number of rows."""
    for first in range(0, len(table), _ROWS):
        yield table.slice(first, _ROWS)


def _to_arrow(frame: object) -> Any:
    import narwhals as nw

    try:
        return nw.from_native(cast("Any", frame), eager_only=True).to_arrow()
    except TypeError:
        raise InputError(
            f"a chunk must be a dataframe or an Arrow table, got {type(frame).__name__}."
        ) from None


# Files.


def _listed(path: Path) -> list[Path]:
    """The files of a folder, or the one file; with * in its name, all that match."""
    if any(sign in str(path) for sign in "*?["):
        anchor = Path(path.anchor) if path.is_absolute() else Path()
        pattern = str(path.relative_to(path.anchor)) if path.is_absolute() else str(path)
        found = sorted(anchor.glob(pattern))
    elif path.is_dir():
        found = sorted(file for file in path.rglob("*") if _suffix(file) in (*_PARQUET, *_CSV))
    else:
        if not path.exists():
            raise InputError(f"There is no file {path}.")
        found = [path]
    if not found:
        raise InputError(f"{path}: no parquet or csv file is there.")
    return found


def _suffix(path: Path) -> str:
    name = path.name.lower()
    return next((each for each in (*_PARQUET, *_CSV) if name.endswith(each)), path.suffix.lower())


def _files(paths: list[Path], columns: Columns) -> Source:
    for path in paths:
        if _suffix(path) not in (*_PARQUET, *_CSV):
            raise InputError(f"{path}: scan reads parquet and csv files.")

    def chunks() -> Iterator[ColumnChunk]:
        for path in paths:
            if _suffix(path) in _CSV:
                for part in parts_of_csv(str(path), columns):
                    yield ColumnChunk(partial(_loaded, part.table), columns, part.where, part.words)
                continue
            for group in range(n_groups := _n_groups(path)):
                where = str(path) if n_groups == 1 else f"{path}, row group {group}"
                yield ColumnChunk(partial(_read_group, str(path), group, columns), columns, where)

    words = str(paths[0]) if len(paths) == 1 else f"{len(paths):,} files from {paths[0]} on"
    is_streamed = any(is_compressed(str(path)) for path in paths)
    return Source(words, chunks, partial(_size_of_files, paths, columns), is_streamed=is_streamed)


def _n_groups(path: Path) -> int:
    """Row groups of a file; of one that cannot be opened 1, whose reading says why."""
    parquet: Any = require("pyarrow.parquet", extra="parquet", needed_by="scan")
    try:
        return parquet.read_metadata(path).num_row_groups or 1
    except (OSError, ValueError):
        return 1


def _read_group(path: str, group: int, columns: Columns) -> Iterator[Batch]:
    pa: Any = require("pyarrow", extra="parquet", needed_by="scan")
    parquet: Any = require("pyarrow.parquet", extra="parquet", needed_by="scan")
    try:
        schema = parquet.read_schema(path)
    except (OSError, ValueError) as error:
        raise _unreadable(error) from None
    columns.check(schema.names)
    kinds = {name: str(schema.field(name).type) for name in columns.names}
    text = [name for name, kind in kinds.items() if kind in ("string", "large_string")]
    # Counts are exact whatever the blocks, and quicker in large ones.
    rows = _ROWS_OF_CHUNK if all(kind in _LABELS for kind in kinds.values()) else _ROWS
    # Buffers of a few pages, not of a whole row group.
    buffers = {"pre_buffer": False, "buffer_size": 1 << 20}
    with parquet.ParquetFile(path, **buffers, read_dictionary=text) as file:
        if group >= file.num_row_groups:
            raise InputError("the file has no rows.")
        for batch in file.iter_batches(
            rows, row_groups=[group], columns=columns.names, use_threads=False
        ):
            yield pa.Table.from_batches([batch])


def _unreadable(error: Exception, where: str = "") -> InputError:
    return InputError(f"{where}{' '.join(str(error).split())[:200].rstrip('.')}.")


def _size_of_files(paths: list[Path], columns: Columns) -> Size:
    if any(_suffix(path) in _CSV for path in paths):
        try:
            parts = [n_parts(str(path)) for path in paths]
            n_bytes = sum(path.stat().st_size for path in paths)
        except OSError as error:
            raise _unreadable(error) from None
        known = [each for each in parts if each is not None]
        return Size(n_chunks=sum(known) if len(known) == len(parts) else None, n_bytes=n_bytes)
    parquet: Any = require("pyarrow.parquet", extra="parquet", needed_by="scan")
    n_objects = n_chunks = n_bytes = 0
    wanted = set(columns.names)
    for path in paths:
        try:
            footer = parquet.read_metadata(path)
        except (OSError, ValueError) as error:
            raise _unreadable(error, f"{path}: ") from None
        n_objects += footer.num_rows
        n_chunks += footer.num_row_groups
        for at in range(footer.num_row_groups):
            group = footer.row_group(at)
            parts = (group.column(i) for i in range(group.num_columns))
            n_bytes += sum(
                part.total_uncompressed_size
                for part in parts
                if part.path_in_schema.split(".")[0] in wanted
            )
    return Size(n_objects, n_chunks, n_bytes)


# Frames, in memory or not.


def _frame(source: object, columns: Columns) -> Source:
    import narwhals as nw

    try:
        frame: Any = nw.from_native(cast("Any", source))
        names = frame.collect_schema().names()
    except nw.exceptions.DuplicateError:
        raise InputError("the frame has several columns of one name: rename them.") from None
    except TypeError:
        raise InputError(
            "scan takes files, frames (also those of polars, DuckDB and Dask that are computed "
            f"later), pairs (a, b) or functions that load them, got {type(source).__name__}."
        ) from None
    except OSError as error:  # of a query whose file is not there
        raise _unreadable(error, "the frame could not be read: ") from None
    columns.check(names, "the frame: ")
    kind = frame.implementation
    if not isinstance(frame, nw.LazyFrame):
        chunk = ColumnChunk(partial(_loaded, partial(_selected, source, columns)), columns)
        size = Size(n_objects=len(frame), n_chunks=1)
        return Source("a frame", lambda: iter([chunk]), lambda: size, source)
    if kind.is_dask():
        chunks = partial(_dask_chunks, source, columns)
        n_chunks = cast("Any", source).npartitions
        return Source("a Dask frame", chunks, lambda: Size(n_chunks=n_chunks), source)
    if kind.is_polars():
        chunks = partial(_streamed_chunks, partial(_polars_batches, source, columns), columns)
        return Source("a LazyFrame", chunks, Size, source, is_streamed=True)
    if kind.is_duckdb():
        chunks = partial(_streamed_chunks, partial(_duckdb_batches, source, columns), columns)
        return Source("a DuckDB relation", chunks, Size, source, is_streamed=True)
    raise InputError(f"scan cannot read frames of {kind} in chunks: write them to parquet first.")


def _selected(frame: Any, columns: Columns) -> Any:
    import narwhals as nw

    return nw.from_native(frame, eager_only=True).select(columns.names).to_native()


def _dask_chunks(frame: Any, columns: Columns) -> Iterator[ColumnChunk]:
    for part in frame[columns.names].to_delayed():
        # In one thread: the executor decides where chunks are read, also if it is a Dask worker.
        load = partial(part.compute, scheduler="synchronous")
        yield ColumnChunk(partial(_loaded, load), columns)


def _polars_batches(frame: Any, columns: Columns) -> Iterator[Batch]:
    """Run the query once: another run may give its rows in another order."""
    chosen = frame.select(columns.names)
    if hasattr(chosen, "collect_batches"):
        frames = chosen.collect_batches(chunk_size=_ROWS, maintain_order=True)
    else:  # earlier versions of polars
        frames = iter([chosen.collect()])
    for each in frames:
        yield from each.to_arrow().to_batches()


def _duckdb_batches(relation: Any, columns: Columns) -> Iterator[Batch]:
    chosen = ", ".join('"' + name.replace('"', '""') + '"' for name in columns.names)
    own = relation.project(chosen)
    # DuckDB before 2.0 has the other name; asking for an attribute asks for a column.
    read = own.to_arrow_reader if "to_arrow_reader" in dir(own) else own.fetch_arrow_reader
    yield from read(_ROWS)


def _streamed_chunks(read: ReadBatches, columns: Columns) -> Iterator[ColumnChunk]:
    """Chunks of a fixed size, read one after the other: a query cannot go anywhere."""
    pa: Any = require("pyarrow", extra="parquet", needed_by="scan")
    waiting: list[Any] = []
    n_waiting = n_rows = 0
    for batch in _readable(read):
        n_rows += batch.num_rows
        waiting.append(batch)
        n_waiting += batch.num_rows
        while n_waiting >= _ROWS_OF_CHUNK:
            table = pa.Table.from_batches(waiting)
            yield ColumnChunk(partial(_blocks_of, table.slice(0, _ROWS_OF_CHUNK)), columns)
            rest = table.slice(_ROWS_OF_CHUNK)
            waiting, n_waiting = rest.to_batches(), len(rest)
    if n_waiting:
        yield ColumnChunk(partial(_blocks_of, pa.Table.from_batches(waiting)), columns)
    if n_rows == 0:
        raise InputError("The frame has no rows.")


def _readable(read: ReadBatches) -> Iterator[Batch]:
    """The batches, or one line that says why they end."""
    try:
        yield from read()
    except Exception as error:  # of polars or DuckDB, whatever they raise
        where = f"the frame could not be read: {type(error).__name__}: "
        raise _unreadable(error, where) from error
