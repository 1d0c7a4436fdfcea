"""One self-contained page: every text is escaped, nothing is loaded, the script only sorts tables.

Plain data in, HTML out. The page works without its script, follows light and dark mode, and its
content security policy forbids whatever is not in the file itself.
"""

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from importlib.resources import files
from math import isfinite
from string import Template
from typing import TypeAlias, final

from sfumato.display.words import legible

__all__ = [
    "Cell",
    "Section",
    "bullets",
    "facts_list",
    "figure",
    "page",
    "paragraph",
    "quote",
    "sortable_table",
]

_BEST, _NUMBER = ' class="best"', ' class="number"'

Cell: TypeAlias = str | tuple[str, float]  # a text, or a text and the number to sort by


@final
@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page."""

    anchor: str  # where links lead; letters only
    heading: str
    link: str  # what the list of sections calls it
    parts: tuple[str, ...]  # HTML, made by the functions of this module


def page(
    *,
    title: str,
    verdict: str,
    scope: str,
    counts: Sequence[tuple[str, str]],
    sections: Sequence[Section],
) -> str:
    """The whole page.

    >>> text = page(title="a < b", verdict="", scope="", counts=[], sections=[])
    >>> "<title>a &lt; b</title>" in text, "http://" in text
    (True, False)
    """
    folder = files("sfumato.display.page")
    script = folder.joinpath("sort.js").read_text("utf-8")
    template = Template(folder.joinpath("page.html").read_text("utf-8"))
    text = template.substitute(
        title=escape(title),
        verdict=escape(verdict),
        scope=escape(scope),
        style=folder.joinpath("page.css").read_text("utf-8"),
        script=script,
        script_hash=b64encode(sha256(script.encode()).digest()).decode(),
        counts="".join(f"<li><b>{escape(n)}</b> {escape(what)}</li>" for n, what in counts),
        links="".join(f'<a href="#{s.anchor}">{escape(s.link)}</a>' for s in sections),
        body="\n".join(map(_section, sections)),
    )
    return legible(text)


def _section(section: Section) -> str:
    heading = f'<h2 id="{section.anchor}">{escape(section.heading)}</h2>'
    return (
        f'<section aria-labelledby="{section.anchor}">{heading}{"".join(section.parts)}</section>'
    )


def figure(svg: str, caption: str = "", *, classes: str = "") -> str:
    """A picture with its caption; the SVG must be safe already."""
    tail = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    return f'<figure class="{escape(classes)}">{svg}{tail}</figure>'


def sortable_table(
    caption: str,
    note: str,
    headers: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    *,
    best: int | None = None,
) -> str:
    """A table whose first column names the rows; a script, if it runs, lets it be sorted.

    >>> text = sortable_table("Rand", "", ["name", "value"], [["<a>", ("0.5", 0.5)]])
    >>> '<th scope="row">&lt;a&gt;</th><td data-value="0.5">0.5</td>' in text
    True
    """
    are_numbers = [
        at > 0 and all(isinstance(row[at], tuple) for row in rows) for at in range(len(headers))
    ]
    head = "".join(
        f'<th scope="col"{_NUMBER if is_number else ""}>{escape(header)}</th>'
        for header, is_number in zip(headers, are_numbers, strict=True)
    )
    body = "".join(
        f"<tr{_BEST if at == best else ''}>{''.join(_cells(row))}</tr>"
        for at, row in enumerate(rows)
    )
    small = f" <small>{escape(note)}</small>" if note else ""
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(caption)}">'
        f'<table class="sortable"><caption>{escape(caption)}{small}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _cells(row: Sequence[Cell]) -> Iterable[str]:
    for at, cell in enumerate(row):
        text, value = cell if isinstance(cell, tuple) else (cell, None)
        sort = "" if value is None else f' data-value="{_sortable(value)}"'
        shown = escape(text)
        yield f'<th scope="row"{sort}>{shown}</th>' if at == 0 else f"<td{sort}>{shown}</td>"


def _sortable(value: float) -> str:
    """A number as JavaScript reads it; what is no number comes first."""
    if isfinite(value):
        return f"{value:.9g}"
    return "Infinity" if value > 0 else "-Infinity"


def paragraph(text: str, *, classes: str = "") -> str:
    """A paragraph of plain text."""
    return f'<p class="{escape(classes)}">{escape(text)}</p>'


def quote(text: str) -> str:
    """A text to be copied."""
    return f"<blockquote>{escape(text)}</blockquote>"


def bullets(items: Iterable[tuple[str, str]]) -> str:
    """A list whose items begin with a word in bold; the word may be empty."""
    lines = (
        f"<b>{escape(word)}</b> {escape(text)}" if word else escape(text) for word, text in items
    )
    return f"<ul>{''.join(f'<li>{line}</li>' for line in lines)}</ul>"


def facts_list(facts: Mapping[str, str]) -> str:
    """Names and values, one below the other."""
    lines = (f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in facts.items())
    return f"<dl>{''.join(lines)}</dl>"
