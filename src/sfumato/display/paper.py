"""Tables for papers: one row for each thing that is known of a number."""

from collections.abc import Sequence

from sfumato.display.known import Known, surely_best
from sfumato.display.latex import latex_table
from sfumato.display.markdown import markdown_table
from sfumato.display.text import number
from sfumato.display.words import in_words

__all__ = ["latex_rows", "markdown_rows", "paper_cells"]

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


def latex_rows(
    rows: Sequence[Known],
    *,
    caption: str | None = None,
    label: str | None = None,
    notes: Sequence[str] = (),
) -> str:
    """A booktabs table; for each measure, the row that surely is best is bold."""
    headers, cells = paper_cells(rows)
    return latex_table(headers, cells, bold=_bold(rows), caption=caption, label=label, notes=notes)


def markdown_rows(rows: Sequence[Known], *, notes: Sequence[str] = ()) -> str:
    """A Markdown table, bold as in `latex_rows`; notes are listed below."""
    headers, cells = paper_cells(rows)
    return markdown_table(headers, cells, bold=_bold(rows), notes=notes)


def _bold(rows: Sequence[Known]) -> set[int]:
    measures = {row.measure for row in rows}
    best = [surely_best([row for row in rows if row.measure == each]) for each in measures]
    return {at for at, row in enumerate(rows) if any(row is each for each in best)}
