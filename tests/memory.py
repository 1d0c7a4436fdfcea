"""How much memory a call takes at its peak."""

import tracemalloc
from collections.abc import Callable
from typing import Any


def peak_of(run: Callable[[], Any]) -> tuple[Any, int]:
    """What the call returns, and the most bytes of Python and NumPy it held at one time."""
    tracemalloc.start()
    try:
        found = run()
        return found, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
