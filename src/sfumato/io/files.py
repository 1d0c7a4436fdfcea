"""Files: looked at before they are opened, written whole or not at all."""

import gzip
import io
import os
import tempfile
import zlib
from os import PathLike
from pathlib import Path
from typing import BinaryIO, cast

from sfumato.errors import CostError, InputError

__all__ = [
    "LARGEST",
    "as_path",
    "check_file",
    "check_target",
    "open_bytes",
    "write_bytes",
    "write_text",
]

LARGEST = 1 << 30  # bytes that are read from one file, after decompression
_PIECE = 1 << 20


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


def check_file(path: Path, largest: int = LARGEST) -> None:
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
    if status.st_size > largest:
        raise _too_large(path, f"{status.st_size:,} bytes are", largest)


def open_bytes(path: Path) -> BinaryIO:
    """Open a file that was checked, decompressed if its name ends with ``.gz``.

    Raises
    ------
    InputError
        If it is no gzip file.
    CostError
        If it holds more than ``LARGEST`` bytes: no more than these are ever decompressed.
    """
    check_file(path)
    if path.suffix.lower() != ".gz":
        return path.open("rb")
    content = bytearray()
    try:
        with gzip.open(path) as file:
            while len(content) <= LARGEST and (piece := file.read(_PIECE)):
                content += piece
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path}: no whole gzip file ({error}); save it again.") from None
    if len(content) > LARGEST:
        raise _too_large(path, "The bytes inside are", LARGEST)
    if not content:
        raise InputError(f"{path}: the file is empty; a header and one line per object are needed.")
    return io.BytesIO(content)


def _too_large(path: Path, seen: str, largest: int) -> CostError:
    return CostError(
        f"{path}: {seen} more than the {largest:,} that are read from such a file; load it in "
        "Python and pass the array to sfumato.compare."
    )


def write_text(path: Path, text: str) -> None:
    """Write a text file in UTF-8, as `write_bytes` does.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_text(Path(folder) / "a.txt", "whole")
    ...     (Path(folder) / "a.txt").read_text()
    'whole'
    """
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file under a temporary name and rename it, so that none is ever half written.

    A symbolic link stays one: the file that it points to is written.

    Raises
    ------
    InputError
        If there is no folder for it, or it is a folder itself.
    """
    path = check_target(path)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        # mkstemp makes a private file: give it the rights that open() would.
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def check_target(path: object) -> Path:
    """Where a file will be written, links followed; refused before the work if it cannot be.

    Raises
    ------
    InputError
        If there is no folder for it, or it is a folder itself.
    """
    given = as_path(path)
    real = Path(os.path.realpath(given))
    if not real.parent.is_dir():
        raise InputError(f"{given}: there is no folder {real.parent}; make it first.")
    if real.is_dir():
        raise InputError(f"{given}: this is a folder; name a file in it.")
    return real
