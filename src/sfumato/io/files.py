"""Files: looked at before they are opened, written whole or not at all."""

import os
import tempfile
from os import PathLike
from pathlib import Path
from typing import cast

from sfumato.errors import CostError, InputError

__all__ = ["as_path", "check_file", "write_text"]

_LARGEST = 1 << 30  # bytes


def as_path(path: object) -> Path:
    """The path of a file.

    Raises
    ------
    InputError
        If it is none: an open file, bytes, nothing, or text with a NUL.

    Examples
    --------
    >>> as_path("a.csv").name
    'a.csv'
    """
    if not isinstance(path, str | PathLike):
        seen = repr(path) if isinstance(path, bytes | int | None) else f"a {type(path).__name__}"
        raise InputError(f"Expected the path of a file, got {seen}; pass it as text or a Path.")
    text = os.fspath(cast("str | PathLike[str]", path))
    if not isinstance(cast(object, text), str) or "\0" in text:
        raise InputError(f"{text!r} is no path of a file; pass it as text without a NUL.")
    return Path(text)


def check_file(path: Path) -> None:
    """Refuse what is no regular file, cannot be looked at, is empty or is too large to load.

    Raises
    ------
    InputError, CostError
    """
    try:
        status = path.stat()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; check the name of the file.") from None
    if not path.is_file():
        raise InputError(f"{path}: not a regular file; save the table to one first.")
    if status.st_size == 0:
        raise InputError(f"{path}: the file is empty; a header and one line per object are needed.")
    if status.st_size > _LARGEST:
        raise CostError(
            f"{path}: {status.st_size:,} bytes are more than the {_LARGEST:,} that are read from "
            "text; load it in Python and pass the array to sfumato.compare."
        )


def write_text(path: Path, text: str) -> None:
    """Write a file under a temporary name and rename it, so that none is ever half written.

    A symbolic link stays one: the file that it points to is written.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_text(Path(folder) / "a.txt", "whole")
    ...     (Path(folder) / "a.txt").read_text()
    'whole'
    """
    path = Path(os.path.realpath(as_path(path)))
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        # mkstemp makes a private file: give it the rights that open() would.
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
