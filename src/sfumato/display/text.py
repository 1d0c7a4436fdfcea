"""Write numbers, intervals, times and tables as plain text."""

from collections.abc import Sequence
from math import isinf

__all__ = ["duration", "interval", "number", "table"]


def number(value: float, digits: int = 4) -> str:
    """Write a value with a fixed number of decimals.

    Examples
    --------
    >>> number(0.87374), number(float("inf"))
    ('0.8737', 'inf')
    """
    return f"{value}" if isinf(value) else f"{value:.{digits}f}"


def interval(lower: float, upper: float, *, is_precise: bool, digits: int = 4) -> str:
    """Write a value, or the two ends of an interval.

    Examples
    --------
    >>> interval(0.5, 1.0, is_precise=False), interval(0.5, 0.5, is_precise=True)
    ('[0.5000, 1.0000]', '0.5000')
    """
    if is_precise:
        return number(lower, digits)
    return f"[{number(lower, digits)}, {number(upper, digits)}]"


def duration(seconds: float) -> str:
    """Write a time in microseconds, milliseconds or seconds.

    Examples
    --------
    >>> duration(0.0123), duration(75.0)
    ('12 ms', '75.0 s')
    """
    if seconds < 0.001:
        return f"{1e6 * seconds:.0f} us"
    return f"{1000 * seconds:.0f} ms" if seconds < 1.0 else f"{seconds:.1f} s"


def table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Align the cells of a table in columns.

    Examples
    --------
    >>> print(table(["name", "value"], [["fcm", "0.88"]]))
    name  value
    fcm   0.88
    """
    lines = [list(headers), *map(list, rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(headers))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )
