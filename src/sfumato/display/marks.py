"""Mark the cells of a table that are not exact, and say below what the marks mean."""

from collections.abc import Iterable

from sfumato.display.known import Known
from sfumato.display.text import rounded_up

__all__ = ["legend", "mark"]

_MARKS = {"confidence": "*", "certified": "†", "inner": "‡"}


def mark(known: Known) -> str:
    """The mark of a cell; nothing for an exact value.

    Examples
    --------
    >>> mark(Known("", "fuzzy", "rand", "higher", 0.5, 0.5, guarantee="certified"))
    '†'
    """
    return _MARKS.get(_trust(known), "")


def legend(cells: Iterable[Known]) -> list[str]:
    """What each mark means that these cells bear, with the largest error of those.

    Examples
    --------
    >>> legend([Known("", "fuzzy", "rand", "higher", 0.5, 0.5, guarantee="confidence",
    ...               brackets=((0.4, 0.6), (0.4, 0.6)), confidence=0.95)])
    ['* estimated to within 0.100, at 95% confidence each']
    """
    groups: dict[str, list[Known]] = {}
    for cell in cells:
        groups.setdefault(_trust(cell), []).append(cell)
    return [
        f"{sign} {_meaning(name, groups[name])}" for name, sign in _MARKS.items() if name in groups
    ]


def _trust(known: Known) -> str:
    """The guarantee; an index that was drawn is an estimate, too."""
    is_drawn = known.guarantee == "index" and known.confidence is not None
    return "confidence" if is_drawn else known.guarantee


def _meaning(guarantee: str, cells: list[Known]) -> str:
    error = rounded_up(max(cell.error for cell in cells), 3)
    if guarantee == "inner":
        return "attained values only: the true ends may lie further out"
    if guarantee == "certified":
        return f"certified to within {error}"
    levels = [cell.confidence for cell in cells if cell.confidence is not None]
    if len(levels) < len(cells):
        return "estimated; some errors are not known"
    return f"estimated to within {error}, at {min(levels):.0%} confidence each"
