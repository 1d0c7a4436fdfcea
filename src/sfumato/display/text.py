"""Write numbers, intervals, times and tables as plain text."""

from collections.abc import Sequence
from decimal import ROUND_CEILING, Context
from math import ceil, floor, isfinite, isinf

__all__ = ["degree", "duration", "ends", "interval", "number", "rounded_up", "table", "typeset"]

_BOUNDS = {"certified", "confidence"}  # guarantees of ends that hold something
_SURE = 1e-12  # what lies closer to 0 or 1 differs by rounding only
_NOISE = 1e-9  # of the last digit: what rounding errors leave is not rounded up


def number(value: float, digits: int = 4) -> str:
    """Write a value with a fixed number of decimals; what rounds to zero has no sign.

    >>> number(0.87374), number(-1e-17), number(float("inf"))
    ('0.8737', '0.0000', 'inf')
    """
    return f"{value}" if isinf(value) else f"{value:z.{digits}f}"


def degree(value: float, digits: int = 3) -> str:
    """Write a belief or plausibility: what is not sure does not look like 0 or 1.

    >>> degree(0.997, 2), degree(0.003, 2), degree(1.0, 2), degree(0.875, 2)
    ('0.99', '0.01', '1.00', '0.88')
    """
    step = 10.0**-digits
    if _SURE < value < 1 - _SURE:
        value = min(max(value, step), 1 - step)
    return number(value, digits)


def ends(
    lower: float, upper: float, *, guarantee: str = "exact", digits: int = 4
) -> tuple[str, str]:
    """Write two ends: bounds are rounded outwards, so that they stay true, others to the nearest.

    >>> ends(0.24996, 0.75004), ends(0.24996, 0.75004, guarantee="certified")
    (('0.2500', '0.7500'), ('0.2499', '0.7501'))
    """
    if guarantee in _BOUNDS and lower < upper:
        scale = 10.0**digits
        if isfinite(lower):
            lower = floor(lower * scale + _NOISE) / scale
        if isfinite(upper):
            upper = ceil(upper * scale - _NOISE) / scale
    return number(lower, digits), number(upper, digits)


def interval(
    lower: float, upper: float, *, is_precise: bool, guarantee: str = "exact", digits: int = 4
) -> str:
    """Write a value, or the two ends of an interval, rounded as in `ends`.

    >>> interval(0.5, 1.0, is_precise=False), interval(0.5, 0.5, is_precise=True)
    ('[0.5000, 1.0000]', '0.5000')
    """
    if is_precise:
        return number(lower, digits)
    return f"[{', '.join(ends(lower, upper, guarantee=guarantee, digits=digits))}]"


def rounded_up(error: float, digits: int) -> str:
    """Write an error so that it does not look smaller than it is.

    >>> rounded_up(0.1234, 3), rounded_up(0.000123, 3), rounded_up(float("inf"), 3)
    ('0.124', '1.3e-04', 'any distance')
    """
    if not isfinite(error):
        return "any distance"
    scale = 10.0**digits
    if 0 < error * scale < 1:
        few = Context(prec=2, rounding=ROUND_CEILING)
        return f"{float(few.create_decimal_from_float(error * (1 - _NOISE))):.1e}"
    return f"{ceil(error * scale - _NOISE) / scale:.{digits}f}"


def typeset(numbers: str) -> str:
    """Numbers with true minus signs, for pages and pictures; texts to be pasted keep hyphens.

    >>> typeset("[-0.5, 1e-09]")
    '[−0.5, 1e−09]'
    """
    return numbers.replace("-", "\N{MINUS SIGN}")


def duration(seconds: float) -> str:
    """Write a time in microseconds, milliseconds or seconds.

    >>> duration(0.0123), duration(75.0)
    ('12 ms', '75.0 s')
    """
    if seconds < 0.001:
        return f"{1e6 * seconds:.0f} us"
    return f"{1000 * seconds:.0f} ms" if seconds < 1.0 else f"{seconds:.1f} s"


def table(
    headers: Sequence[str], rows: Sequence[Sequence[str]], *, notes: Sequence[str] = ()
) -> str:
    """Align the cells of a table in columns; notes stand below.

    >>> print(table(["name", "value"], [["fcm", "0.88"]]))
    name  value
    fcm   0.88
    """
    lines = [list(headers), *map(list, rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(headers))]
    aligned = (
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )
    return "\n".join([*aligned, *(f"note: {note}" for note in notes)])
