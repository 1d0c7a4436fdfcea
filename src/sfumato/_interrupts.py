"""Ctrl-C ends the command ``sfumato`` in one line and with code 130, also while modules load.

This module is loaded first. In any other program than the command it does nothing.
"""

import os
import signal
import sys
import time
from types import FrameType
from typing import Any

__all__ = ["INTERRUPTED", "leave_to_python", "quit_at_once", "raise_once"]

INTERRUPTED = 130  # what the command exits with
_MESSAGE = b"sfumato: Interrupted.\n"
_PAUSE = 1.0  # seconds after an interrupt in which further ones are taken for the same

_last = -_PAUSE


def quit_at_once() -> None:
    """While modules load an interrupt ends the process: there is nothing to tidy up."""
    _replace(signal.default_int_handler, _quit)


def leave_to_python() -> None:
    """An interrupt is what it usually is."""
    _replace(_quit, signal.default_int_handler)


def raise_once() -> None:
    """Interrupts are raised, but not while the command ends because of the one before."""
    _replace(signal.default_int_handler, _raise)


def _replace(known: Any, handler: Any) -> None:
    """Set a handler; one that somebody else has set stays."""
    if signal.getsignal(signal.SIGINT) is known:
        signal.signal(signal.SIGINT, handler)


def _quit(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.write(2, _MESSAGE)
    os._exit(INTERRUPTED)


def _raise(number: int, frame: FrameType | None) -> None:
    global _last
    now = time.monotonic()
    if now - _last > _PAUSE:
        _last = now
        raise KeyboardInterrupt


def _is_command() -> bool:
    """Whether this process is ``sfumato ...`` or ``python -m sfumato ...``."""
    typed = sys.argv[0] if sys.argv else ""
    if typed == "-m":  # until Python has found the module
        return "sfumato" in sys.orig_argv
    return os.path.basename(typed) in ("sfumato", "sfumato.exe")


if _is_command():
    quit_at_once()
