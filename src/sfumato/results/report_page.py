"""A report as one page: the verdict, the table, the pictures, and where all of it comes from."""

import platform
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from math import inf, isnan
from typing import TYPE_CHECKING

import numpy as np

from sfumato._wording import listed
from sfumato.display.known import Known, by_worse_end, surely_best
from sfumato.display.page import (
    Cell,
    Section,
    bullets,
    facts_list,
    page,
    paragraph,
    quote,
    sortable_table,
)
from sfumato.display.text import duration, number, typeset
from sfumato.display.words import in_words
from sfumato.errors import InputError
from sfumato.partitions.reading.checks import shown
from sfumato.results.comparison import Comparison
from sfumato.results.ranking_section import ranking_section
from sfumato.results.report_pictures import in_two_widths, picture_sections

if TYPE_CHECKING:
    from sfumato.results.report import Report

__all__ = ["report_page"]

_MOST_NOTES = 50
_MOST_NAMED = 12  # in one sentence
_MOST_SENTENCES = 20

_THEORY = (
    "Campagner, A., Ciucci, D. and Denœux, T. (2022). A distributional approach for soft "
    "clustering comparison and evaluation. In Belief Functions: Theory and Applications (BELIEF "
    "2022), Lecture Notes in Computer Science 13506, pp. 3-12. Springer."
)
_WORDS = (
    (
        "Width",
        "(bar, [a, b]) is ambiguity: sets of clusters are given, and nothing says which. "
        "Only more knowledge narrows it.",
    ),
    (
        "Std",
        "(pale band) is partial assignment: the value of a clustering drawn from the "
        "memberships spreads that much.",
    ),
    (
        "Error",
        "(dark whisker) is the computer's: Monte Carlo, or a bracket that is not closed. "
        "More time narrows it; without a whisker the answer is exact.",
    ),
    (
        "Hardened",
        "(hollow pin) is the value after each object is put into its likeliest cluster. "
        "It answers another question: an expected value rewards sharp memberships.",
    ),
    (
        "Guarantee:",
        "exact, both ends are those of the definition; certified, the interval surely "
        "contains the true one; confidence, the ends lie within the error with that probability; "
        "inner, attained values only, and the true ends may lie further out.",
    ),
)


def report_page(
    report: "Report",
    *,
    title: str,
    provenance: Mapping[str, str],
    labels: Sequence[object] | None,
) -> str:
    """The page of a report as HTML.

    ``provenance`` is what is known of the inputs and of how the report was made; ``labels`` are
    the names of the objects, by default their ids or rows.
    """
    _check_labels(report, labels)
    rows = report.known()
    panels: dict[str, dict[str, Known]] = {}
    for row in rows:
        panels.setdefault(row.measure, {})[row.name] = row
    first = next(iter(panels))
    names = [row.name for row in by_worse_end(list(panels[first].values()))]
    ordered = {measure: [panel[name] for name in names] for measure, panel in panels.items()}
    n_objects = provenance.get("objects", "")
    sections = [
        _candidates(report, ordered),
        ranking_section(report, first, has_pictures=_has_pictures()),
        *(picture_sections(report, first, names, labels) if _has_pictures() else ()),
        Section("reading", "How to read it", "how to read it", (bullets(_WORDS),)),
        _for_a_paper(report, first, names),
        _provenance(report, provenance),
    ]
    return page(
        title=title,
        verdict=_verdict(report, ordered[first]),
        scope=_scope(n_objects, provenance.get("rows", "")),
        counts=_counts(rows, ordered, n_objects),
        sections=[section for section in sections if section.parts],
    )


def _has_pictures() -> bool:
    return find_spec("matplotlib") is not None


def _check_labels(report: "Report", labels: Sequence[object] | None) -> None:
    compared = [each for each in report.comparisons.values() if isinstance(each, Comparison)]
    if labels is None or not compared:
        return
    if isinstance(labels, str) or not hasattr(labels, "__len__"):
        raise InputError(f"labels is {shown(labels)}; pass a list with a name for each object.")
    n_objects = round(float(compared[0].expected_table().expected.sum()))
    if len(labels) != n_objects:
        raise InputError(f"There are {n_objects:,} objects, but {len(labels):,} labels.")
    orders = [each.objects for each in compared if each.objects is not None]
    if not all(np.array_equal(orders[0], order) for order in orders):
        raise InputError(
            "The candidates differ in the ids or the order of their objects, so one list of labels "
            "does not fit them all: leave labels out to see the ids."
        )


def _verdict(report: "Report", panel: Sequence[Known]) -> str:
    """Who comes first by the first measure, how sure that is, and what is not decided."""
    best = panel[0]
    if len(panel) == 1:
        found = report[best.name, best.measure]
        if isinstance(found, Comparison):
            return found.sentence(best.name)
        return f"{in_words(best.measure)} of {best.name}: {typeset(best.value_text())}."
    worse = best.ends[0]
    undecided = [row.name for row in panel[1:] if row.ends[1] >= worse]
    n_beaten = len(panel) - 1 - len(undecided)
    said = (
        f"{best.name} comes first by the {in_words(best.measure)}: {typeset(best.value_text())} "
        f"({best.trust_text()}), better than {n_beaten} of {len(panel) - 1} others."
    )
    return f"{said} Not decided: {listed(_capped(undecided), 'and')}." if undecided else said


def _capped(names: Sequence[str]) -> list[str]:
    """Names for one sentence; how many are left out is said."""
    if len(names) <= _MOST_NAMED:
        return list(names)
    return [*names[: _MOST_NAMED - 1], f"{len(names) - _MOST_NAMED + 1} others"]


def _scope(n_objects: str, rows: str) -> str:
    where = f"On these {n_objects} objects" if n_objects else "On these objects"
    return (
        f"{where}, with memberships as they are stated and the two sides independent. Not decided "
        "means that the intervals of the two expectations meet. Candidates are sorted by their "
        "worse end by the first measure, so that none gains a place by being vague."
        + (f" Rows were {rows}." if rows else "")
    )


def _counts(
    rows: Sequence[Known], panels: Mapping[str, Sequence[Known]], n_objects: str
) -> list[tuple[str, str]]:
    trust = Counter(row.trust_text() for row in rows)
    n_candidates, n_measures = len({row.name for row in rows}), len(panels)
    return [
        (str(n_candidates), "candidate" if n_candidates == 1 else "candidates"),
        *([(n_objects, "objects")] if n_objects else []),
        (str(n_measures), "measure" if n_measures == 1 else "measures"),
        *((f"{count} of {len(rows)}", f"results: {words}") for words, count in trust.items()),
    ]


def _candidates(report: "Report", panels: Mapping[str, Sequence[Known]]) -> Section:
    parts = (*_forest(report), *(_table(panel) for panel in panels.values()))
    return Section("candidates", "Candidates against the reference", "candidates", parts)


def _table(panel: Sequence[Known]) -> str:
    headers = ["candidate", "kind", "value", "width", "std", "error", "guarantee", "hardened"]
    sure = surely_best(panel)
    return sortable_table(
        in_words(panel[0].measure),
        f"{panel[0].better} is better" + ("; bold: surely the best" if sure else ""),
        headers,
        [_cells(row) for row in panel],
        best=None if sure is None else panel.index(sure),
    )


def _cells(row: Known) -> list[Cell]:
    std = max((0.0 if isnan(std) else std) for std in row.stds)
    return [
        row.name,
        row.kind,
        (typeset(row.value_text()), row.worse_end),
        ("0" if row.is_single else f"{row.upper - row.lower:.3f}", row.upper - row.lower),
        (row.std_text() or "0", std),
        (typeset(row.error_text()), row.error),
        row.trust_text(),
        ("", -inf) if row.hardened is None else (typeset(number(row.hardened, 3)), row.hardened),
    ]


def _forest(report: "Report") -> list[str]:
    if not _has_pictures():
        return [paragraph("Pictures are left out: matplotlib is not installed.", classes="note")]
    return in_two_widths("forest", report.display)


def _for_a_paper(report: "Report", measure: str, names: Sequence[str]) -> Section:
    """What was done, and what was found, in sentences to be pasted."""
    parts = [
        quote(
            f"Each clustering was compared with the reference by the {in_words(measure)} as "
            "a distributional measure (Campagner, Ciucci and Denœux, 2022), computed with sfumato "
            f"{_version('sfumato')}."
        )
    ]
    found = {name: report[name, measure] for name in names}
    said = [
        quote(each.sentence(name)) for name, each in found.items() if isinstance(each, Comparison)
    ]
    parts += said[:_MOST_SENTENCES]
    if len(said) > _MOST_SENTENCES:
        parts.append(paragraph(f"and {len(said) - _MOST_SENTENCES:,} more.", classes="note"))
    parts.append(paragraph(_THEORY, classes="note"))
    return Section("paper", "For a paper", "for a paper", tuple(parts))


def _provenance(report: "Report", provenance: Mapping[str, str]) -> Section:
    found = report.comparisons.values()
    packages = ("sfumato", "numpy", "scipy", "matplotlib")
    facts = {
        **provenance,
        "plan": _plan(report),
        "time": duration(sum(each.seconds for each in found)),
        "versions": ", ".join(
            [f"{name} {_version(name)}" for name in packages if _version(name)]
            + [f"Python {platform.python_version()}"]
        ),
    }
    said = report.notes
    notes = [("", note) for note in said[:_MOST_NOTES]]
    if len(said) > _MOST_NOTES:
        notes.append(("", f"and {len(said) - _MOST_NOTES:,} more notes."))
    parts = (facts_list(facts), *([bullets(notes)] if notes else []))
    return Section("provenance", "Provenance", "provenance", parts)


def _plan(report: "Report") -> str:
    """By which method each answer was found."""
    methods: dict[str, list[str]] = {}
    for (name, measure), found in report.comparisons.items():
        methods.setdefault(found.method, []).append(f"{name} by {measure}")
    return "; ".join(f"{method}: {', '.join(_capped(about))}" for method, about in methods.items())


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
