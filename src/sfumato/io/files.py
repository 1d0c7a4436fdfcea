"""Files: looked at before they are opened."""

import gzip
import io
import zlib
from pathlib import Path
from typing import BinaryIO

from sfumato.errors import CostError, InputError

__all__ = ["LARGEST", "check_file", "open_bytes"]

LARGEST = 1 << 30  # bytes that are read from one file, after decompression
_PIECE = 1 << 20


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
