"""Files that are written whole or not at all."""

import os
import stat
import tempfile
from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import cast

from sfumato.errors import InputError

__all__ = ["as_path", "check_target", "write_bytes", "write_text"]


def as_path(path: object) -> Path:
    """The path of a file; an open file, bytes, nothing, and text with a NUL are refused."""
    if not isinstance(path, str | PathLike):
        seen = repr(path) if isinstance(path, bytes | int | None) else f"a {type(path).__name__}"
        raise InputError(f"Expected the path of a file, got {seen}; pass it as text or a Path.")
    text = os.fspath(cast("str | PathLike[str]", path))
    if not isinstance(cast(object, text), str) or "\0" in text:
        raise InputError(f"{text!r} is no path of a file; pass it as text without a NUL.")
    return Path(text)


def check_target(path: object, inputs: Iterable[Path] = ()) -> Path:
    """Where a file will be written, links followed; refused before the work if it cannot be."""
    given = as_path(path)
    real = Path(os.path.realpath(given))
    if not os.path.isdir(real.parent):
        raise InputError(f"{given}: there is no folder {given.parent}; make it first.")
    try:
        mode = given.stat().st_mode  # not of the real path: a pipe has none
    except FileNotFoundError:
        return real
    except OSError as error:
        raise InputError(f"{given}: {error.strerror}; name another file.") from None
    if stat.S_ISDIR(mode):
        raise InputError(f"{given}: this is a folder; name a file in it.")
    if not stat.S_ISREG(mode):
        raise InputError(f"{given}: this is a device or a pipe, not a file; name a file.")
    if any(os.path.exists(other) and real.samefile(other) for other in inputs):
        raise InputError(f"{given}: this is one of the inputs; name another file.")
    return real


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
    """
    path = check_target(path)
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".sfumato.")
    except OSError as error:
        raise InputError(
            f"{path}: no file can be made in this folder ({error.strerror}); choose another."
        ) from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        # mkstemp makes a private file: give it the rights that open() would.
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
        os.replace(name, path)
    except OSError as error:
        os.unlink(name)
        raise InputError(
            f"{path}: the file cannot be written ({error.strerror}); choose another place."
        ) from None
    except BaseException:
        os.unlink(name)
        raise
