"""Parts of csv files: ranges of bytes that end with a line, each read where it is summarised."""

import csv
import gzip
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from io import BufferedReader, BytesIO, TextIOWrapper
from typing import Any, final

import numpy as np

from sfumato._optional import require
from sfumato.api.chunks.arrow_chunk import Columns
from sfumato.errors import InputError

__all__ = ["BYTES_OF_PART", "CsvPart", "is_compressed", "n_parts", "parts_of_csv"]

BYTES_OF_PART = 1 << 24  # up to the end of a line: part of the definition, as sums depend on it
_ROW = re.compile(r"\b(?:row|label) #?(\d+)", re.IGNORECASE)
_WHOLE = re.compile(r"0|-?[1-9]\d{0,17}")  # as Python writes it, within 64 bits


@final
@dataclass(frozen=True)
class CsvPart:
    """Whole lines of a csv file, or of one that was decompressed on the way."""

    path: str
    columns: Columns
    index: int
    start: int  # its bytes are those from here to before stop
    stop: int
    is_last: bool
    header: tuple[str, ...] = ()  # the columns of the file
    types: tuple[tuple[str, Any], ...] = ()  # of columns in the first of several parts, for all
    data: bytes | None = None  # what was decompressed; else it is read from the file
    fault: str = ""  # why the file could not be read from here on, if so

    @property
    def where(self) -> str:
        """Its name in errors."""
        return self.path if self.is_only else f"{self.path}, block {self.index}"

    @property
    def is_only(self) -> bool:
        """Whether it is the whole file."""
        return self.index == 0 and self.is_last

    def table(self) -> Any:
        """Its columns as an Arrow table."""
        data = self.raw()
        header = self.header or _header_of(data, self.path)
        self.columns.check(header)
        if not self.is_only and data.count(b'"') % 2:
            raise InputError(
                "a quoted entry has a line break just where the file is cut into blocks: remove "
                "such line breaks, or write the file to parquet."
            )
        return _parsed(self, data, header)

    def words(self, error: InputError) -> str:
        """What an error says, with the row of the file if it names one of a later part."""
        found = _ROW.search(str(error))
        if self.index == 0 or found is None:
            return str(error)
        row = int(found[1]) + self._first_row()
        return f"{str(error).rstrip('.')} (in the file that is row {row:,}, the first being 0)."

    def raw(self) -> bytes:
        """Its bytes."""
        if self.fault:
            raise InputError(self.fault)
        if self.data is not None:
            return self.data
        try:
            with open(self.path, "rb") as file:
                file.seek(self.start)
                return file.read(self.stop - self.start)
        except OSError as error:
            raise InputError(f"{error.strerror or error}.") from None

    def _first_row(self) -> int:
        """The rows before it: lines that are not empty and end outside of quotes, but the first."""
        rows, at, is_open = -1, 0, False
        with _opened(self.path) as file:
            while at < self.start and (line := file.readline()):
                at += len(line)
                is_open ^= line.count(b'"') % 2 == 1
                rows += not is_open and bool(line.strip())
        return rows


def is_compressed(path: str) -> bool:
    """Whether its parts come one after the other only."""
    return path.lower().endswith(".gz")


def n_parts(path: str) -> int | None:
    """How many parts a file has, from the line where each ends; None if it is compressed."""
    return None if is_compressed(path) else sum(1 for _ in _ranges(path))


def parts_of_csv(path: str, columns: Columns) -> Iterator[CsvPart]:
    """The parts of a file; where it cannot be read, a last one whose reading says why."""
    first: CsvPart | None = None
    part = CsvPart(path, columns, -1, 0, 0, is_last=True)
    try:
        for start, stop, is_last, data in _ranges(path):
            part = CsvPart(path, columns, part.index + 1, start, stop, is_last, data=data)
            if first is None and not is_last:
                part = first = _with_types(part)
            elif first is not None:
                part = replace(part, header=first.header, types=first.types)
            yield part
    except (OSError, EOFError, zlib.error) as error:
        line = " ".join(str(error).split())
        yield CsvPart(path, columns, part.index + 1, part.stop, part.stop, True, fault=f"{line}.")


def _ranges(path: str) -> Iterator[tuple[int, int, bool, bytes | None]]:
    """Where parts begin and end, whether one is the last, and what was decompressed."""
    with _opened(path) as file:
        start, is_last = 0, False
        while not is_last:
            data = None
            if is_compressed(path):
                data = file.read(BYTES_OF_PART) + _rest_of_line(file)
                stop = start + len(data)
            else:
                file.seek(0, 2)
                stop = min(start + BYTES_OF_PART, file.tell())
                file.seek(stop)
                stop += len(_rest_of_line(file))
            is_last = not file.peek(1)
            yield start, stop, is_last, data
            start = stop


def _rest_of_line(file: gzip.GzipFile | BufferedReader) -> bytes:
    """What is left of a line, and empty lines after it: no part has empty lines only."""
    found = file.readline()
    while file.peek(1)[:1] in (b"\n", b"\r"):
        found += file.readline()
    return found


def _opened(path: str) -> gzip.GzipFile | BufferedReader:
    return gzip.open(path, "rb") if is_compressed(path) else open(path, "rb")


def _with_types(part: CsvPart) -> CsvPart:
    """The first of several parts with the types of its columns; as it is where it cannot be read.

    Memberships are numbers with a fraction, also if the first ones are 0 and 1. Labels without
    entries are text.
    """
    pa: Any = require("pyarrow", extra="parquet", needed_by="scan")
    try:
        table = part.table()
        header = _header_of(part.raw(), part.path)
    except InputError:
        return part
    labels = _label_columns(part.columns)
    types: list[tuple[str, Any]] = []
    for field in table.schema:
        kind = field.type
        if field.name not in labels and (pa.types.is_integer(kind) or pa.types.is_null(kind)):
            kind = pa.float64()
        types.append((field.name, pa.string() if pa.types.is_dictionary(kind) else kind))
    return replace(part, header=tuple(header), types=tuple(types))


def _label_columns(columns: Columns) -> set[str]:
    """The columns that are a side of their own."""
    sides = columns.a, columns.b
    several = {name for side in sides if isinstance(side, tuple) for name in side}
    return {side for side in sides if isinstance(side, str)} - several


def _delimiter(path: str) -> str:
    return "\t" if path.lower().removesuffix(".gz").endswith(".tsv") else ","


def _header_of(data: bytes, path: str) -> tuple[str, ...]:
    lines = TextIOWrapper(BytesIO(data), encoding="utf-8-sig", errors="replace", newline="")
    rows = (tuple(row) for row in csv.reader(lines, delimiter=_delimiter(path)) if row)
    found = next(rows, None)
    if found is None:
        raise InputError("the file has no rows.")
    return found


def _parsed(part: CsvPart, data: bytes, header: tuple[str, ...]) -> Any:
    pa: Any = require("pyarrow", extra="parquet", needed_by="scan")
    arrow: Any = require("pyarrow.csv", extra="parquet", needed_by="scan")
    is_first = part.index == 0
    read = arrow.ReadOptions(
        block_size=max(len(data), 1),
        use_threads=False,  # so that errors have rows
        column_names=None if is_first else list(header),
    )
    parse = arrow.ParseOptions(delimiter=_delimiter(part.path), newlines_in_values=True)
    names, labels, types = part.columns.names, _label_columns(part.columns), dict(part.types)
    text = dict.fromkeys(labels, pa.dictionary(pa.int32(), pa.string()))
    convert = arrow.ConvertOptions(
        include_columns=names, column_types=types | text, strings_can_be_null=True
    )
    try:
        table = arrow.read_csv(pa.BufferReader(data), read, parse, convert)
    except ValueError as error:
        line = " ".join(str(error).split())[:200].rstrip(".")
        raise InputError(f"{_in_words(line, part, header)}.") from None
    for name in labels:
        must_be_whole = types[name] == pa.int64() if name in types else None
        column = _column_of_labels(table.column(name), name, must_be_whole=must_be_whole)
        table = table.set_column(names.index(name), name, column)
    return table


def _in_words(line: str, part: CsvPart, header: tuple[str, ...]) -> str:
    """What pyarrow says, with rows counted from 0 after the header, as everywhere else."""
    before = 2 if part.index == 0 else 1
    line = _ROW.sub(lambda row: f"row {int(row[1]) - before}", line)
    found = re.fullmatch(r"In CSV column #(\d+): (row \d+): .* invalid value (.*)", line)
    if found is None:
        return line
    name = header[int(found[1])]
    return (
        f"column {name!r}: {found[2]} has {found[3]}, and the first block of the file has "
        f"{dict(part.types).get(name, 'others')}: give the column one type, as in a parquet file"
    )


def _column_of_labels(column: Any, name: str, *, must_be_whole: bool | None) -> Any:
    """A column of text as labels: `int64` if all are whole numbers, else a dictionary of text.

    So no two labels become one: 01 and 1 are different texts, and numbers beyond 64 bits stay text.
    ``column`` is a dictionary of text. ``must_be_whole`` says whether the first block of the file
    has whole numbers; it is None in the first block itself.
    """
    pa: Any = require("pyarrow", extra="parquet", needed_by="scan")
    entries = column.unify_dictionaries().combine_chunks()
    entries = entries.chunk(0) if hasattr(entries, "chunk") else entries
    texts = [text.strip() for text in entries.dictionary.to_pylist()]
    others = [at for at, text in enumerate(texts) if not _WHOLE.fullmatch(text)]
    if must_be_whole is None:
        _check_numbers(name, texts)
    if others and must_be_whole:
        row = int(np.argmax(np.isin(entries.indices.fill_null(-1), others)))
        raise InputError(
            f"column {name!r}: row {row} has {entries[row].as_py()!r}, and the first block of the "
            "file has int64: give the column one type, as in a parquet file."
        )
    if must_be_whole is False or others or not texts:
        return pa.DictionaryArray.from_arrays(entries.indices, pa.array(texts, pa.string()))
    return pa.array([int(text) for text in texts], pa.int64()).take(entries.indices)


def _check_numbers(name: str, texts: list[str]) -> None:
    try:
        numbers = [float(text) for text in texts]
    except ValueError:
        return
    known: dict[float, str] = {}
    for text, number in zip(texts, numbers, strict=True):
        if number % 1 != 0:
            raise InputError(
                f"column {name!r} has {text!r}: labels must not be fractions, and memberships take "
                "one column per cluster."
            )
        other = known.setdefault(number, text)
        if ("." in other) != ("." in text):
            raise InputError(
                f"column {name!r} has {other!r} and {text!r}: write each label in one way."
            )
