"""Partitions as NumPy archives, without pickles: no code in a file is ever run."""

import io
import json
import lzma
import math
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from sfumato.errors import CostError, InputError
from sfumato.io.files import check_file, check_inside
from sfumato.io.stored import Stored

__all__ = ["npz_bytes", "read_npz"]

_HEADER = "header"
_MOST_ARRAYS = 32
_BROKEN = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, OSError),
    *(NotImplementedError, RuntimeError, ValueError, TypeError, KeyError, OverflowError),
    *(SyntaxError, UnicodeError, RecursionError),
)


def npz_bytes(content: Stored) -> bytes:
    """What an archive holds: the header as JSON text, and one entry per array."""
    header = np.array(json.dumps(content.header, allow_nan=False))
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, **{_HEADER: header}, **cast(Any, content.arrays))
    return file.getvalue()


def read_npz(path: Path) -> Stored:
    """Read the header and the arrays of an archive, sizes first; without header it is empty.

    Archives that hold Python objects are refused.
    """
    check_file(path)
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
            if len(entries) > _MOST_ARRAYS:
                raise InputError(f"{path}: {len(entries):,} arrays; this is no partition.")
            check_inside(path, sum(entry.file_size for entry in entries))
            arrays = {
                entry.filename.removesuffix(".npy"): _array(path, archive, entry)
                for entry in entries
            }
        header = json.loads(str(arrays.pop(_HEADER, "{}")))
    except (InputError, CostError):
        raise
    except _BROKEN as error:
        raise InputError(
            f"{path}: no archive that sfumato wrote ({type(error).__name__}); write it again with "
            "sfumato.write_partition, or save the table as csv."
        ) from None
    if not isinstance(header, dict):
        raise InputError(f"{path}: the header is no JSON object; write the file again.")
    return Stored(cast("dict[str, object]", header), arrays)


def _array(path: Path, archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> NDArray[np.generic]:
    with archive.open(entry) as file:
        version = npy.read_magic(file)
        readers = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
        shape, is_fortran, dtype = readers[version](file)
        if dtype.hasobject:
            raise InputError(
                f"{path}: the array {entry.filename!r} holds Python objects (a pickle), which "
                "could run code; such files are not read."
            )
        # Not more than the entry has: a false shape must not ask for memory.
        if math.prod(shape) * dtype.itemsize > entry.file_size:
            raise ValueError("the array is cut off")
        content = bytearray(file.read())  # not bytes: the array may be written to
    array = np.frombuffer(content, dtype, count=math.prod(shape))
    return array.reshape(shape, order="F" if is_fortran else "C")
