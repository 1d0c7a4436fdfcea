"""One thread for BLAS, so that the order of summation does not depend on the machine."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache, partial
from threading import Lock
from typing import Any, ParamSpec, TypeVar, final

__all__ = ["one_blas_thread", "with_one_blas_thread"]

_Args = ParamSpec("_Args")
_Result = TypeVar("_Result")


@final
class _Limit:
    """The limit that is set, shared by all who want it at the time."""

    lock = Lock()
    n_users = 0
    held: Any = None


@contextmanager
def one_blas_thread() -> Generator[None]:
    """Keep BLAS to one thread meanwhile: more of them split sums, which changes their last bits.

    The number of threads belongs to the whole process. The first who enters sets it and the last
    who leaves sets it back, whatever the order in between.

    Notes
    -----
    About 50 microseconds for the limit itself; a few milliseconds the first time.

    Examples
    --------
    >>> with one_blas_thread():
    ...     2 + 2
    4
    """
    with _Limit.lock:
        if _Limit.n_users == 0:
            _Limit.held = _thread_pools().limit(limits=1, user_api="blas")
        _Limit.n_users += 1
    try:
        yield
    finally:
        with _Limit.lock:
            _Limit.n_users -= 1
            if _Limit.n_users == 0:
                _free()
                _Limit.held.restore_original_limits()
                _free()


def with_one_blas_thread(function: Callable[_Args, _Result]) -> Callable[_Args, _Result]:
    """The same function, to be called later, with BLAS kept to one thread.

    It can be pickled if the function can.
    """
    return partial(_limited, function)


def _limited(
    function: Callable[_Args, _Result], *args: _Args.args, **options: _Args.kwargs
) -> _Result:
    with one_blas_thread():
        return function(*args, **options)


def _free() -> None:
    """Let any thread change the limit: newer threadpoolctl heeds only the one that set it."""
    for library in _thread_pools().lib_controllers:
        if hasattr(library, "clear_controlling_thread"):
            library.clear_controlling_thread(force=True)


@cache
def _thread_pools() -> Any:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()  # looks through all loaded libraries, so once is enough
