"""A time to stop at, and how work that cannot look at a clock is left behind."""

import atexit
import os
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from math import inf
from typing import TypeAlias, TypeVar, final

import numpy as np
from numpy.typing import NDArray

from sfumato import _core
from sfumato._core import OutOfTimeError

__all__ = [
    "Clock",
    "Deadline",
    "OutOfTimeError",
    "in_threads",
    "interruptible",
    "kernel_limits",
    "look",
    "seconds_left",
    "work_until",
]

S = TypeVar("S")
T = TypeVar("T")
_SECONDS_BETWEEN_LOOKS, _PATIENCE = 0.05, 0.1  # while waiting for a call
_LONGEST_WAIT = 60.0  # seconds, for one that was left behind
_SOON = 5.0  # seconds after Ctrl-C in which a process that ends is ended by it
_INTERRUPTED = 130  # what a process says that Ctrl-C ended

Clock: TypeAlias = Callable[[], float]  # seconds that never run backwards


@final
class Deadline:
    """Says whether time is over: so many seconds from now, or because the work was called off.

    Work looks at it between pieces that are short; compiled searches look at every node.

    Examples
    --------
    >>> ticks = iter([0.0, 1.0, 3.0])
    >>> deadline = Deadline(2.0, clock=lambda: next(ticks))
    >>> deadline.is_over, deadline.is_over
    (False, True)
    """

    def __init__(self, seconds: float = inf, *, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._began: float = clock()
        self._end = self._began + seconds
        self.flag: NDArray[np.uint8] = np.zeros(1, dtype=np.uint8)  # kernels read it as they run

    @property
    def spent(self) -> float:
        """Seconds since it was made."""
        return self._clock() - self._began

    @property
    def is_set(self) -> bool:
        """Whether time is limited at all."""
        return self._end < inf

    @property
    def left(self) -> float:
        """Seconds left; none once the work was called off."""
        if self.flag[0]:
            return 0.0
        return inf if self._end == inf else self._end - self._clock()

    @property
    def is_called_off(self) -> bool:
        """Whether nobody waits for the work any more."""
        return bool(self.flag[0])

    @property
    def is_over(self) -> bool:
        """Whether to stop."""
        return self.left <= 0.0

    def call_off(self) -> None:
        """Stop all work that looks at this deadline, on any thread."""
        self.flag[0] = 1

    def part(self, share: float, *, least: float = 0.0) -> "Deadline":
        """One that is over after a share of the time that is left, or if this one is called off.

        It has ``least`` seconds at least.
        """
        other = Deadline(max(share * self.left, least), clock=self._clock)
        other.flag = self.flag
        return other


@final
class _Work(threading.local):
    deadline: Deadline | None = None


_work = _Work()  # that is done on each thread


@contextmanager
def work_until(deadline: Deadline) -> Generator[None]:
    """End what has no answer of its own for a deadline: by `OutOfTimeError`.

    It is raised on this thread by `look`, which long loops call, and by compiled loops that allow
    interrupts.
    """
    outer = _work.deadline
    _set(deadline)
    try:
        yield
    finally:
        _set(outer)


def _set(deadline: Deadline | None) -> None:
    _work.deadline = deadline
    if deadline is None:
        _core.unlimit_time()
    else:
        _core.limit_time(deadline.left, deadline.flag)


def seconds_left() -> float:
    """How much is left of the time that `work_until` gave; without it, all of it."""
    return inf if _work.deadline is None else _work.deadline.left


def look() -> None:
    """Raise `OutOfTimeError` if the time that `work_until` gave is over."""
    if seconds_left() <= 0.0:
        raise OutOfTimeError


def kernel_limits(deadline: Deadline | None) -> tuple[float, NDArray[np.uint8]]:
    """What a compiled search takes: its seconds, and a flag that ends it."""
    deadline = Deadline() if deadline is None else deadline
    return deadline.left, deadline.flag


def in_threads(
    work: Callable[[S], T], items: Iterable[S], n_threads: int, deadline: Deadline | None
) -> list[T]:
    """Work on items side by side; an error or Ctrl-C calls the deadline off, so that all end."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(n_threads) as pool:
        try:
            return list(pool.map(work, items))
        except BaseException:
            if deadline is not None:
                deadline.call_off()
            raise


def interruptible(call: Callable[[], T], deadline: Deadline | None = None) -> T:
    """Run a call that notices neither Ctrl-C nor the time, such that waiting for it does.

    The call goes on behind the scenes until its own limit of time, but no one waits for it.

    Raises
    ------
    OutOfTimeError
        If the time that `work_until` gave is over, or if the deadline was called off or is over
        for longer than such a call may take to notice.
    """
    results: list[T] = []
    failures: list[BaseException] = []

    def run() -> None:
        try:
            results.append(call())
        except BaseException as failure:  # handed on to the caller
            failures.append(failure)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(_SECONDS_BETWEEN_LOOKS)
            is_late = deadline is not None and (
                deadline.is_called_off or deadline.left < -_PATIENCE
            )
            if thread.is_alive() and (is_late or seconds_left() <= 0.0):
                raise OutOfTimeError
    except BaseException as stop:
        is_off = deadline is not None and deadline.is_called_off  # by Ctrl-C in the main thread
        is_interrupted = is_off or isinstance(stop, KeyboardInterrupt)
        atexit.register(_leave, thread, time.monotonic() if is_interrupted else None)
        raise
    if failures:
        raise failures[0]
    return results[0]


def _leave(thread: threading.Thread, interrupted: float | None) -> None:
    """Before Python ends: a solver that is torn down at work would abort the process.

    A call that was stopped by the time ends soon by its own limit. Where Ctrl-C ends the process,
    no one waits, also not for threads of the solver that outlive the call.
    """
    if interrupted is not None and (thread.is_alive() or time.monotonic() < interrupted + _SOON):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(_INTERRUPTED)
    thread.join(_LONGEST_WAIT)
