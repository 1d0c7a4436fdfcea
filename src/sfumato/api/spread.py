"""Give many comparisons to an executor, and take their answers in order."""

import re
from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from functools import partial
from typing import Any, TypeVar

from sfumato.errors import InputError
from sfumato.results.comparison import Comparison

__all__ = ["check_executor", "is_client", "spread", "without_means"]

Result = TypeVar("Result")


def spread(
    function: Callable[..., Result], jobs: Iterable[tuple[Any, ...]], executor: object
) -> list[Callable[[], Result]]:
    """What gives the result of each job, called with its arguments where the executor runs.

    Without an executor a job is done when its result is asked for.
    """
    check_executor(executor)
    if executor is None:
        return [partial(function, *job) for job in jobs]
    options = {"pure": False} if is_client(executor) else {}
    submit: Callable[..., Any] = getattr(executor, "submit")  # noqa: B009 - Dask's has no type
    return [partial(_result, submit(function, *job, **options)) for job in jobs]


def check_executor(executor: object) -> None:
    """Complain about what is no executor."""
    if executor is None or _is_pool(executor) or is_client(executor):
        return
    raise InputError(
        f"executor must be a concurrent.futures executor or a Dask Client, got "
        f"{type(executor).__name__}."
    )


def is_client(executor: object) -> bool:
    """Whether it is the client of a Dask cluster."""
    return not _is_pool(executor) and hasattr(executor, "submit") and hasattr(executor, "gather")


def _is_pool(executor: object) -> bool:
    from concurrent.futures import Executor  # takes as long to load as a small comparison

    return isinstance(executor, Executor)


def _result(future: Any) -> Any:
    try:
        return future.result()
    except Exception as error:
        # Of a local function Python 3.13 says only that it cannot be got.
        if not re.search("pickle|local object", str(error)):
            raise
        raise InputError(
            f"The comparison cannot go to another process ({' '.join(str(error).split())[:120]}): "
            "use threads, or measures that are defined in a module."
        ) from error


def without_means(found: Comparison) -> Comparison:
    """The answer as plain data, without the means to find out more: it can travel."""
    means = [field.name for field in fields(found) if field.name.startswith("find_")]
    return replace(found, **dict.fromkeys(means))
