"""Show a progress bar for long work, but only on a terminal."""

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager

__all__ = ["progress_bar"]

_WORTH_SHOWING = 2.0  # seconds

_shown: list[str] = []  # labels of bars on the screen: only one bar is drawn at a time


@contextmanager
def progress_bar(label: str, expected_seconds: float) -> Generator[Callable[[float], None]]:
    """Give a function that takes the share of the work done and updates the bar.

    Nothing is drawn for short work, nor if there is no terminal.

    >>> with progress_bar("drawing", 0.1) as report:
    ...     report(0.5)
    """
    if expected_seconds < _WORTH_SHOWING or _shown or not sys.stderr.isatty():
        yield lambda share: None
        return
    from rich.console import Console
    from rich.progress import Progress

    _shown.append(label)
    try:
        with Progress(console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(label, total=1.0)
            yield lambda share: bar.update(task, completed=share)
    finally:
        _shown.remove(label)
