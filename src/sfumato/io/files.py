"""Files: which format they have by their names, and a look at them before they are opened."""

import gzip
import io
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, final

from sfumato.errors import CostError, InputError

__all__ = ["LARGEST", "Form", "check_file", "check_inside", "form_of", "open_bytes", "stem_of"]

LARGEST = 1 << 30  # bytes that are read from one file, after decompression
_PIECE = 1 << 20
_SUFFIXES = {
    ".csv": ".csv",
    ".tsv": ".tsv",
    ".txt": ".csv",
    ".json": ".json",
    ".npz": ".npz",
    ".parquet": ".parquet",
    ".pq": ".parquet",
    ".feather": ".feather",
    ".arrow": ".feather",
}
_TABLES = (".csv", ".tsv", ".parquet", ".feather")
_TEXT = (".csv", ".tsv", ".json")


@final
@dataclass(frozen=True, slots=True)
class Form:
    """A format, by its usual suffix, and whether gzip is around it."""

    suffix: str
    is_zipped: bool

    @property
    def has_columns(self) -> bool:
        """Whether it is a table, whose columns can be named; other formats say what they hold."""
        return self.suffix in _TABLES


def form_of(path: Path) -> Form:
    """The format of a file.

    Examples
    --------
    >>> form_of(Path("found.tsv.gz"))
    Form(suffix='.tsv', is_zipped=True)
    """
    name = path.name.lower()
    is_zipped = name.endswith(".gz")
    suffix = _SUFFIXES.get(Path(name.removesuffix(".gz")).suffix)
    if suffix is None or (is_zipped and suffix not in _TEXT):
        known = ", ".join(dict.fromkeys(_SUFFIXES))
        raise InputError(
            f"{path}: the name does not say which format it is; use {known}, or .gz behind text."
        )
    return Form(suffix, is_zipped)


def stem_of(path: Path) -> str:
    """The name of a file without what says its format.

    Examples
    --------
    >>> stem_of(Path("found.v2.csv.gz"))
    'found.v2'
    """
    name = path.name
    return Path(name[:-3] if name.lower().endswith(".gz") else name).stem


def check_file(path: Path, largest: int = LARGEST) -> None:
    """Refuse what is no regular file, cannot be looked at, is empty or is too large to load."""
    try:
        status = path.stat()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; check the name of the file.") from None
    if not path.is_file():
        raise InputError(f"{path}: not a regular file; save the table to one first.")
    if status.st_size == 0:
        raise _empty(path)
    if status.st_size > largest:
        raise _too_large(path, f"{status.st_size:,} bytes are", largest)


def open_bytes(path: Path) -> BinaryIO:
    """Open a file, decompressed if its name ends with ``.gz``, but for more than ``LARGEST``."""
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
        raise _empty(path)
    return io.BytesIO(content)


def check_inside(path: Path, n_bytes: int) -> None:
    """Refuse a file that holds too many bytes, once they are unpacked."""
    if n_bytes > LARGEST:
        raise CostError(
            f"{path}: {n_bytes:,} bytes inside are more than the {LARGEST:,} that are read; load "
            "it in Python and pass the array to sfumato.compare."
        )


def _empty(path: Path) -> InputError:
    return InputError(f"{path}: the file is empty; a header and one line per object are needed.")


def _too_large(path: Path, seen: str, largest: int) -> CostError:
    return CostError(
        f"{path}: {seen} more than the {largest:,} that are read from such a file; load it in "
        "Python and pass the array to sfumato.compare."
    )
