"""What messages call the options, rows and columns of whoever reads them.

One check speaks to someone who passed keyword arguments and to someone who typed options, and it
looks at an array that may have been a file. So messages ask here what a thing is called, and the
door at which the user came in says it once.
"""

from collections.abc import Generator, Iterable, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, final

__all__ = [
    "column_of",
    "either",
    "in_a_file",
    "listed",
    "option",
    "read_by",
    "row_of",
    "typed_options",
]


@final
@dataclass(frozen=True, slots=True)
class _Wording:
    is_typed: bool = False
    reader: str = "as_partition"
    lines: Sequence[int] | None = None
    columns: Sequence[str] | None = None


_PLAIN = _Wording()
_WORDING: ContextVar[_Wording] = ContextVar("wording", default=_PLAIN)


def either(passed: str, typed: str) -> str:
    """The first text for someone who calls functions, the second for someone who types."""
    return typed if _WORDING.get().is_typed else passed


def option(name: str, *values: str | bool, to_reader: bool = False) -> str:
    """An option, by its keyword, with one value or several to choose from.

    ``to_reader`` adds the function that takes it, where the one that was called may not.

    Examples
    --------
    >>> option("missing", "unknown", "drop", to_reader=True)
    'missing="unknown" or "drop" to as_partition'
    >>> with typed_options():
    ...     option("missing", "unknown", "drop", to_reader=True), option("new_class", True)
    ('--missing unknown or drop', '--new-class')
    """
    wording = _WORDING.get()
    if wording.is_typed:
        flag = f"--{name.replace('_', '-')}"
        return flag if values == (True,) else f"{flag} {listed(map(str, values))}"
    texts = (str(value) if isinstance(value, bool) else f'"{value}"' for value in values)
    return f"{name}={listed(texts)}" + f" to {wording.reader}" * to_reader


def row_of(row: int) -> str:
    """A row of an array, or the line of a file that it was.

    Examples
    --------
    >>> with in_a_file(lines=[2, 3], columns=["'a'", "'b'"]):
    ...     f"{row_of(1)}, {column_of(0)}"
    "line 3, column 'a'"
    """
    lines = _WORDING.get().lines
    return f"row {row}" if lines is None else f"line {lines[row]}"


def column_of(column: int) -> str:
    """A column of an array, or its name in a file."""
    columns = _WORDING.get().columns
    return f"column {column}" if columns is None else f"column {columns[column]}"


def typed_options() -> AbstractContextManager[None]:
    """Whoever reads the messages has typed a command."""
    return _worded(is_typed=True)


def read_by(function: str) -> AbstractContextManager[None]:
    """Options are passed to this function, as those of reading are to `as_partition`."""
    return _worded(reader=function)


def in_a_file(lines: Sequence[int], columns: Sequence[str]) -> AbstractContextManager[None]:
    """Rows and columns of an array stand in a file, on these lines and under these names."""
    return _worded(lines=lines, columns=columns)


@contextmanager
def _worded(**changes: Any) -> Generator[None]:
    token = _WORDING.set(replace(_WORDING.get(), **changes))
    try:
        yield
    finally:
        _WORDING.reset(token)


def listed(texts: Iterable[str], before_last: str = "or") -> str:
    """Texts in one sentence.

    Examples
    --------
    >>> listed("abc"), listed("a"), listed("ab", "and")
    ('a, b or c', 'a', 'a and b')
    """
    *first, last = texts
    return f"{', '.join(first)} {before_last} {last}" if first else last
