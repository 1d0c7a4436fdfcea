"""The one way benchmarks take time and memory, and the rows that they give."""

import tracemalloc
from collections.abc import Callable
from time import perf_counter, process_time
from typing import Any, TypeAlias

Row: TypeAlias = tuple[str, float, str]  # what is measured, a ratio, and a remark


def best_time(function: Callable[[], object], repeats: int = 5) -> float:
    """Shortest of a few runs, after one that does not count."""
    function()
    times = []
    for _ in range(repeats):
        start = perf_counter()
        function()
        times.append(perf_counter() - start)
    return min(times)


def cpu_time(function: Callable[[], Any], repeats: int = 3) -> tuple[float, Any]:
    """Least seconds of the processor, of all threads together, and what is returned."""
    times, found = [], None
    for _ in range(repeats):
        start = process_time()
        found = function()
        times.append(process_time() - start)
    return min(times), found


def peak_bytes(function: Callable[[], object]) -> int:
    """Most bytes held at one time; NumPy reports its own, and what was there before is not."""
    tracemalloc.start()
    function()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak
