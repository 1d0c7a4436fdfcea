"""Tables for papers: rows for what is known of numbers, and marks of cells that are not exact."""

from collections.abc import Iterable, Sequence

from sfumato.display.known import Known, surely_best
from sfumato.display.text import number, rounded_up
from sfumato.display.words import in_words

__all__ = ["legend", "mark", "paper_cells", "paper_table"]

_FULL = ("candidate", "kind", "measure", "better", "value", "std", "error", "guarantee", "hardened")
_MARKS = {"confidence": "*", "certified": "†", "inner": "‡"}


def paper_cells(rows: Sequence[Known]) -> tuple[list[str], list[list[str]]]:
    """Headers and cells; columns that are empty in all rows are left out."""
    cells = [
        [
            row.name,
            row.kind,
            in_words(row.measure),
            row.better,
            row.value_text(),
            row.std_text(),
            row.error_text(),
            row.trust_text(),
            "" if row.hardened is None else number(row.hardened, 3),
        ]
        for row in rows
    ]
    kept = [at for at in range(len(_FULL)) if any(line[at] for line in cells)]
    return [_FULL[at] for at in kept], [[line[at] for at in kept] for line in cells]


def paper_table(rows: Sequence[Known]) -> tuple[list[str], list[list[str]], set[int]]:
    """Headers, cells, and the rows in bold: for each measure the one that surely is best."""
    measures = {row.measure for row in rows}
    best = [surely_best([row for row in rows if row.measure == each]) for each in measures]
    bold = {at for at, row in enumerate(rows) if any(row is each for each in best)}
    return *paper_cells(rows), bold


def mark(known: Known) -> str:
    """The mark of a cell; nothing for an exact value.

    >>> mark(Known("", "fuzzy", "rand", "higher", 0.5, 0.5, guarantee="certified"))
    '†'
    """
    return _MARKS.get(_trust(known), "")


def legend(cells: Iterable[Known]) -> list[str]:
    """What each mark means that these cells bear, with the largest error of those.

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
