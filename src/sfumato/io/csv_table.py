"""A csv file as a header and cells; every complaint names the file, the line and the column."""

import csv
import io
import itertools
import re
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import final

from sfumato._wording import either
from sfumato.errors import InputError
from sfumato.io.files import open_bytes
from sfumato.partitions.reading.checks import shown

__all__ = ["SEPARATORS", "CsvTable", "check_separator", "open_csv", "shown_cell"]

SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}

_LONGEST_SHOWN = 60  # characters of a cell in a message
_MOST_SHOWN = 8  # columns in a message
_ODD_BREAKS = re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")  # break lines elsewhere, not in csv
_CLOSED = re.compile(r'"[^"]*"|\{[^}]*\}')  # in quotes or braces nothing separates


def shown_cell(cell: str) -> str:
    r"""A cell in quotes as a message shows it: on one line, and not too long.

    Examples
    --------
    >>> print(shown_cell("a\u2028b"), len(shown_cell("x" * 1000)))
    'a\u2028b' 65
    """
    return repr(cell) if len(cell) <= _LONGEST_SHOWN else f"{cell[:_LONGEST_SHOWN]!r}..."


@final
@dataclass(frozen=True, slots=True)
class CsvTable:
    """An open csv file: the names of its columns, and its lines to come.

    A line is its number in the file, counted from 1, and its stripped cells, as many as names.
    """

    path: Path
    separator: str
    names: tuple[str, ...]  # cells of the header, stripped and distinct; the first may be empty
    is_quoted: bool  # the header begins with a quote: then it is no line of numbers
    lines: Iterator[tuple[int, list[str]]]
    is_whole: bool = True  # these are all columns that the file has

    def select(self, kept: list[int]) -> "CsvTable":
        """The table with these columns only."""
        return replace(
            self,
            names=tuple(self.names[at] for at in kept),
            lines=((line, [cells[at] for at in kept]) for line, cells in self.lines),
            is_whole=False,
        )

    def place(self, line: int, column: int) -> str:
        """Where a cell stands, as the beginning of a message."""
        return f"{self.path}, line {line}, column {shown_cell(self.names[column])}: "

    def refuse(self, line: int, column: int, problem: str) -> None:
        """Raise the error for one cell."""
        raise InputError(self.place(line, column) + problem)

    @property
    def shown_names(self) -> str:
        """The names of the columns, or the first of many, on one line."""
        names = [shown_cell(name)[1:-1] for name in self.names[:_MOST_SHOWN]]
        return ", ".join(names) + ", ..." * (len(self.names) > _MOST_SHOWN)


@contextmanager
def open_csv(path: Path, separator: str | None = None) -> Generator[CsvTable]:
    """Open a file of separated values with a header.

    By default they are separated by tabs if it is called ``.tsv``, else as the header shows.
    What is no such file is refused, now or when its lines are read.
    """
    start = b""
    try:
        with open_bytes(path) as file:
            start = file.read(2)
            file.seek(0)
            text = io.TextIOWrapper(file, "utf-8-sig", newline="")  # -sig: a byte order mark
            yield _table(path, separator, text)
    except UnicodeDecodeError:
        seen = "UTF-16" if start in (b"\xff\xfe", b"\xfe\xff") else "not UTF-8"
        raise InputError(f"{path}: this is {seen} text; save it as csv in UTF-8.") from None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}.") from None


def _table(path: Path, separator: str | None, file: Iterator[str]) -> CsvTable:
    lines = _text_lines(path, file)
    first = next(lines, "")
    if not first.strip():
        if not any(line.strip() for line in lines):
            raise InputError(f"{path}: there are only blank lines; a header is needed.")
        raise InputError(f"{path}, line 1: a blank line; begin with a header.")
    if separator is None:
        is_tsv = path.name.lower().removesuffix(".gz").endswith(".tsv")
        separator = "\t" if is_tsv else _separator(path, first)
    records = _records(path, separator, itertools.chain([first], lines))
    _, header = next(records)
    names = _names(path, header, separator)
    is_quoted = first.lstrip().startswith('"')
    return CsvTable(path, separator, names, is_quoted, _rows(path, names, records))


def check_separator(separator: object) -> None:
    """Refuse what cannot stand between cells; None leaves it to the header."""
    if separator is None or (isinstance(separator, str) and separator in SEPARATORS):
        return
    known = ", ".join(map(repr, SEPARATORS))
    raise InputError(f"separator is {shown(separator)}; pass one of {known}.")


def _separator(path: Path, header: str) -> str:
    bare = _CLOSED.sub("", header)
    found = [separator for separator in SEPARATORS if separator in bare.strip(" \r\n")]
    if len(found) > 1:
        words = [SEPARATORS[separator] for separator in found]
        ways = either(
            f"separator={' or '.join(map(repr, found))}", f"--separator {' or '.join(words)}"
        )
        raise InputError(
            f"{path}, line 1: the header holds {' and '.join(f'{word}s' for word in words)}; say "
            f"which separates the cells, by {ways}."
        )
    return found[0] if found else ","


def _records(path: Path, separator: str, lines: Iterator[str]) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(lines, delimiter=separator, strict=True, skipinitialspace=True)
    while True:
        line = reader.line_num + 1  # where the record begins: quoted cells may hold line breaks
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise InputError(f"{path}, line {line}: {error}; check the quotes.") from None
        if cells is None:
            return
        yield line, [cell.strip() for cell in cells]


def _text_lines(path: Path, file: Iterator[str]) -> Iterator[str]:
    for number, text in enumerate(file, 1):
        if "\0" in text:
            raise InputError(f"{path}, line {number}: a NUL byte; this is not a csv file.")
        yield text


def _names(path: Path, header: list[str], separator: str) -> tuple[str, ...]:
    if odd := next(filter(None, map(_ODD_BREAKS.search, header)), None):
        raise InputError(
            f"{path}, line 1: the character {odd[0]!r} in the header ends no line of a csv "
            "file; save it with plain line ends."
        )
    names = _join_sets(header) if separator == "," else header
    if "" in names[1:] or names == [""]:  # the first may count the rows
        column = names.index("", len(names) > 1) + 1
        raise InputError(f"{path}, line 1: column {column} has no name; name it.")
    name, times = Counter(names).most_common(1)[0]
    if times > 1:
        first = names.index(name)
        second = names.index(name, first + 1)
        raise InputError(
            f"{path}, line 1: columns {first + 1} and {second + 1} are both called "
            f"{shown_cell(name)}; names must differ."
        )
    return tuple(names)


def _join_sets(header: list[str]) -> list[str]:
    """Put together the names of sets that were cut at their commas for want of quotes."""
    names: list[str] = []
    for cell in header:
        if names and names[-1].startswith("{") and "}" not in names[-1]:
            names[-1] += f",{cell}"
        else:
            names.append(cell)
    return names


def _rows(
    path: Path, names: tuple[str, ...], records: Iterator[tuple[int, list[str]]]
) -> Iterator[tuple[int, list[str]]]:
    blank = None
    for line, cells in records:
        if not any(cells) and len(cells) <= 1:
            blank = line if blank is None else blank
            continue
        if blank is not None:  # blank lines at the end do no harm; elsewhere an object is missing
            raise InputError(f"{path}, line {blank}: a blank line; fill it in or drop the object.")
        if len(cells) != len(names):
            raise InputError(
                f"{path}, line {line}: {len(cells)} cells where the header has {len(names)}; "
                "give every line one cell per column."
            )
        yield line, cells
