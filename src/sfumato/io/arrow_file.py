"""Partitions as parquet and feather, through pyarrow: a table that other tools read too."""

import io
import json
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from sfumato._optional import require
from sfumato._typing import Floats
from sfumato.errors import CostError, InputError
from sfumato.io.files import LARGEST, check_file, check_inside

__all__ = ["ArrowTable", "arrow_bytes", "arrow_header", "pandas_index", "read_arrow"]

ArrowTable: TypeAlias = Any  # a pyarrow.Table: pyarrow has no types

_KEY = b"sfumato"
_MAGIC, _START = b"ARROW1", 8  # how a feather file begins, and where its messages do
_HEADER, _DATA, _BUFFERS, _COMPRESSION = 2, 1, 2, 3  # places of fields in Arrow's schema


def arrow_bytes(
    suffix: str,
    names: Sequence[str],
    columns: "Sequence[NDArray[np.generic] | list[object] | Floats]",
    header: dict[str, object],
) -> bytes:
    """What a parquet or feather file holds; the header goes into its metadata."""
    pyarrow: Any = require("pyarrow", extra="parquet", needed_by=f"Writing {suffix} files")
    try:
        arrays = [pyarrow.array(column) for column in columns]
    except (pyarrow.ArrowException, OverflowError, UnicodeError) as error:
        said = " ".join(str(error).split())[:120]
        raise InputError(
            f"A {suffix[1:]} file cannot hold these labels or ids ({said}); write json or npz."
        ) from None
    table = pyarrow.table(arrays, names=list(names)).replace_schema_metadata(
        {_KEY: json.dumps(header)}
    )
    file = io.BytesIO()
    if suffix == ".parquet":
        _module("parquet").write_table(table, file)
    else:
        _module("feather").write_feather(table, file, compression="uncompressed")
    return file.getvalue()


def read_arrow(path: Path, suffix: str) -> ArrowTable:
    """Read a parquet or feather file, sizes first."""
    pyarrow: Any = require("pyarrow", extra="parquet", needed_by=f"Reading {suffix} files")
    check_file(path)
    try:
        table = _parquet(path) if suffix == ".parquet" else _feather(pyarrow, path)
        table.validate(full=True)
    except (pyarrow.ArrowException, OSError, ValueError, KeyError, TypeError) as error:
        said = " ".join(str(error).split())[:120]
        raise InputError(f"{path}: no {suffix[1:]} file that can be read ({said}).") from None
    return table


def _parquet(path: Path) -> Any:
    parquet = _module("parquet")
    with parquet.ParquetFile(path) as file:
        about = file.metadata
        _check_cells(path, about.num_rows, about.num_columns)
        sizes = (about.row_group(at).total_byte_size for at in range(about.num_row_groups))
        check_inside(path, sum(sizes))
        texts = [
            field.name for field in file.schema_arrow if str(field.type) in ("string", "binary")
        ]
    # Text stays a dictionary: a repeated long one must not be laid out.
    return parquet.read_table(path, read_dictionary=texts, partitioning=None)


def _module(name: str) -> Any:
    return require(f"pyarrow.{name}", extra="parquet", needed_by=f"A {name} file")


def _feather(pyarrow: Any, path: Path) -> Any:
    with pyarrow.memory_map(str(path)) as looked_at:
        if looked_at.read(len(_MAGIC)) != _MAGIC:
            raise ValueError("not an Arrow file")
        looked_at.seek(_START)
        messages = pyarrow.ipc.MessageReader.open_stream(looked_at)
        check_inside(path, sum(map(_unpacked_bytes, messages)))
    with pyarrow.OSFile(str(path)) as source:
        source.seek(_START)
        # As a stream: the table of contents at the end might name other bytes than were looked at.
        with pyarrow.ipc.open_stream(source) as stream:
            batches: list[Any] = []
            for batch in stream:
                batches.append(batch)
                _check_cells(path, sum(map(len, batches)), len(stream.schema))
            return pyarrow.Table.from_batches(batches, stream.schema)


def _unpacked_bytes(message: Any) -> int:
    """Bytes that the body of a message takes: compressed buffers tell their sizes first.

    pyarrow does not say, so the place of each buffer is looked up in the metadata of the message,
    a flatbuffer: a table begins with the way back to its list of fields, and that list says how
    far behind the beginning of the table each field stands.
    """
    metadata, body = memoryview(message.metadata), message.body
    if body is None or message.type == "schema":
        return 0
    try:
        batch = _pointed(metadata, _field(metadata, _pointed(metadata, 0), _HEADER))
        if message.type == "dictionary":
            batch = _pointed(metadata, _field(metadata, batch, _DATA))
        if not _field(metadata, batch, _COMPRESSION):
            return body.size
        return _compressed(metadata, _pointed(metadata, _field(metadata, batch, _BUFFERS)), body)
    except struct.error as error:
        raise ValueError(f"damaged metadata: {error}") from None


def _compressed(metadata: memoryview, buffers: int, body: Any) -> int:
    total = 0
    content = memoryview(body)
    (count,) = struct.unpack_from("<I", metadata, buffers)
    for at in range(buffers + 4, buffers + 4 + 16 * count, 16):
        start, length = struct.unpack_from("<qq", metadata, at)
        if length > 0:
            total += max(length, *struct.unpack_from("<q", content, start))  # -1: as it is
    return total


def _field(metadata: memoryview, table: int, number: int) -> int:
    """Where a field of a table stands, or 0 if it was left out."""
    fields = table - struct.unpack_from("<i", metadata, table)[0]
    (size,) = struct.unpack_from("<H", metadata, fields)
    if 4 + 2 * number >= size:
        return 0
    (offset,) = struct.unpack_from("<H", metadata, fields + 4 + 2 * number)
    return table + offset if offset else 0


def _pointed(metadata: memoryview, at: int) -> int:
    return at + struct.unpack_from("<I", metadata, at)[0]


def _check_cells(path: Path, n_rows: int, n_columns: int) -> None:
    if 8 * n_rows * n_columns > LARGEST:
        raise CostError(
            f"{path}: {n_rows:,} rows of {n_columns:,} columns are more than the {LARGEST >> 3:,} "
            "cells that are read; load it in Python and pass the array to sfumato.compare."
        )


def arrow_header(table: ArrowTable) -> dict[str, object] | None:
    """The header that sfumato wrote into the metadata, if it did."""
    return _metadata(table, _KEY)


def pandas_index(table: ArrowTable) -> list[str]:
    """The columns that are the index of a dataframe of pandas, by what pandas wrote of it."""
    found = (_metadata(table, b"pandas") or {}).get("index_columns")
    columns = cast("list[object]", found) if isinstance(found, list) else []
    return [name for name in columns if isinstance(name, str)]


def _metadata(table: ArrowTable, key: bytes) -> dict[str, object] | None:
    try:
        metadata = cast("dict[bytes, bytes]", table.schema.metadata or {})
        found: object = json.loads(metadata[key])
    except (KeyError, ValueError, RecursionError):
        return None
    return cast("dict[str, object]", found) if isinstance(found, dict) else None
