"""A time to stop at, and how work that cannot look at a clock is left behind."""

import threading
import time
from collections.abc import Callable, Iterable
from math import inf
from typing import TypeAlias, TypeVar, final

import numpy as np
from numpy.typing import NDArray

__all__ = ["Clock", "Deadline", "in_threads", "interruptible", "kernel_limits"]

S = TypeVar("S")
T = TypeVar("T")
Clock: TypeAlias = Callable[[], float]  # seconds that never run backwards


@final
class Deadline:
    """Says whether time is over: so many seconds from now, or because the work was called off.

    Work looks at it between pieces that are short; compiled searches look at every node.

    Parameters
    ----------
    seconds : float
        From now on; may be infinite.
    clock : callable
        Tells the time in seconds.

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


def interruptible(call: Callable[[], T]) -> T:
    """Run a call that does not notice Ctrl-C, such that waiting for it does.

    The call goes on behind the scenes until its own limit of time, but no one waits for it. On
    other threads than the main one, which Ctrl-C does not reach, it is just run.
    """
    if threading.current_thread() is not threading.main_thread():
        return call()
    results: list[T] = []
    failures: list[BaseException] = []

    def run() -> None:
        try:
            results.append(call())
        except BaseException as failure:  # handed on to the caller
            failures.append(failure)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join()
    if failures:
        raise failures[0]
    return results[0]
