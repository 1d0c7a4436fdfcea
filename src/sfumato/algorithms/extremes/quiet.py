"""Keeps a line that HiGHS prints whatever its options say out of standard output."""

import ctypes
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from threading import Lock
from typing import BinaryIO

__all__ = ["without_solver_lines"]

_MARK = b"HighsMipSolverData::"
_lock = Lock()
_inside = 0
_kept: tuple[int, BinaryIO] | None = None  # the real standard output, and what is written instead


@contextmanager
def without_solver_lines() -> Generator[None]:
    """Standard output without the solver's lines; all else arrives when the block ends.

    HiGHS up to 1.12 writes a line about its own workings with a plain ``printf`` when it mends a
    solution, which would spoil data that is written there. Blocks may overlap in several threads.

    Examples
    --------
    >>> with without_solver_lines():
    ...     pass
    """
    global _inside
    with _lock:
        _inside += 1
        if _inside == 1:
            _divert()
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if _inside == 0:
                _restore()


def _divert() -> None:
    global _kept
    if sys.platform == "win32":  # its standard output cannot be flushed from here
        return
    _flush()
    try:
        real = os.dup(1)
    except OSError:  # there is none
        return
    from tempfile import TemporaryFile

    written = TemporaryFile()  # noqa: SIM115 (_restore closes it)
    os.dup2(written.fileno(), 1)
    _kept = real, written


def _restore() -> None:
    global _kept
    if _kept is None:
        return
    real, written = _kept
    _kept = None
    _flush()
    os.dup2(real, 1)
    os.close(real)
    with written:
        written.seek(0)
        rest = b"".join(line for line in written if _MARK not in line)
    while rest:
        rest = rest[os.write(1, rest) :]


def _flush() -> None:
    """Write out what the C library holds back."""
    ctypes.CDLL(None).fflush(None)
