"""The one way benchmarks take time."""

from collections.abc import Callable
from time import perf_counter


def best_time(function: Callable[[], object], repeats: int = 5) -> float:
    """Shortest of a few runs, after one that does not count."""
    function()
    times = []
    for _ in range(repeats):
        start = perf_counter()
        function()
        times.append(perf_counter() - start)
    return min(times)
