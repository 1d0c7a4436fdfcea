"""The section of a report page that says which candidate is better, and how sure."""

import re
from collections.abc import Mapping
from math import inf, isnan
from typing import TYPE_CHECKING

from sfumato.display.known import Known
from sfumato.display.page import Cell, Section, bullets, paragraph, sortable_table
from sfumato.display.text import degree, typeset
from sfumato.display.words import in_words
from sfumato.errors import SfumatoError
from sfumato.results.comparison import Comparison
from sfumato.results.ranking import Ranking
from sfumato.results.report_pictures import in_two_widths

if TYPE_CHECKING:
    from sfumato.results.report import Report

__all__ = ["ranking_section"]

_MOST_CANDIDATES = 8
_MINUS = re.compile(r"(?<=[\[ ])-(?=\d)")  # of numbers; names keep their hyphens
_READING = (
    "D is the value of the row's candidate minus that of the best, turned so that more is better, "
    "under the same unknown truth. So a pair may be decided although the two intervals meet. "
    "Decided means that even the lower expectation of D, bracket included, is on one side of "
)


def ranking_section(report: "Report", measure: str, *, has_pictures: bool) -> Section:
    """Who leads whom by one measure; no parts where there is nothing to rank."""
    parts: tuple[str, ...] = ()
    n_candidates = len({name for name, _ in report.comparisons})
    is_measure = all(
        isinstance(found, Comparison)
        for (_, about), found in report.comparisons.items()
        if about == measure
    )
    if n_candidates > 1 and is_measure and report.find_ranking is not None:
        parts = _parts(report, measure, n_candidates, has_pictures=has_pictures)
    return Section("ranking", "Which is better, and how sure?", "ranking", parts)


def _parts(
    report: "Report", measure: str, n_candidates: int, *, has_pictures: bool
) -> tuple[str, ...]:
    if n_candidates > _MOST_CANDIDATES:
        said = f"Of more than {_MOST_CANDIDATES} candidates the ranking is left out: report.rank()."
        return (paragraph(said, classes="note"),)
    try:
        found = report.rank(measure)
    except SfumatoError as error:  # too costly, or no theory joins them
        return (paragraph(f"No ranking: {error}", classes="note"),)
    return (
        paragraph(_MINUS.sub(typeset("-"), found.verdict)),
        *(in_two_widths("ranking", found.display) if has_pictures else []),
        _table(found),
        paragraph(f"{_READING}{found.margin:g}.", classes="note"),
        *([bullets([("", note) for note in found.notes])] if found.notes else []),
    )


def _table(found: Ranking) -> str:
    return sortable_table(
        f"Against {found.best}",
        f"D by the {in_words(found.measure)}",
        ["candidate", "D", "belief", "plausibility", "hardened", "standing"],
        [_row(row, found[row.name, found.best]) for row in found.known()],
    )


def _row(known: Known, pair: Mapping[str, object]) -> list[Cell]:
    belief, plausibility, hardened = (
        0.0 + float(str(pair[name])) for name in ("belief", "plausibility", "hardened")
    )
    return [
        known.name,
        (typeset(known.value_text()), known.worse_end),
        (degree(belief), belief),
        (degree(plausibility), plausibility),
        ("", -inf) if isnan(hardened) else (typeset(f"{hardened:.3f}"), hardened),
        str(pair["standing"]),
    ]
