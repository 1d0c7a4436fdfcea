"""Tables for papers: one row for each thing that is known of a number."""

from collections.abc import Sequence

from sfumato.display.known import Known, surely_best
from sfumato.display.text import number
from sfumato.display.words import in_words

__all__ = ["paper_cells", "paper_table"]

_FULL = ("candidate", "kind", "measure", "better", "value", "std", "error", "guarantee", "hardened")


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
