"""The pictures of a report page: whole answers, uncertain objects, and where objects go."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from sfumato.display.page import Section, figure
from sfumato.errors import SfumatoError
from sfumato.results.comparison import Comparison

if TYPE_CHECKING:
    from sfumato.display.plot import Display
    from sfumato.results.report import Report

__all__ = ["in_two_widths", "picture_sections"]

T = TypeVar("T")

_MOST_PICTURES = 6  # candidates that are drawn
_MOST_SHARES = 20_000  # objects up to which their shares are computed
_MOST_OBJECTS = 20  # of these are drawn


def picture_sections(
    report: "Report", measure: str, names: Sequence[str], labels: Sequence[object] | None
) -> tuple[Section, ...]:
    """Three sections about the first candidates by one measure; without parts if none is drawn."""
    rows = {name: report[name, measure] for name in names[:_MOST_PICTURES]}
    found = {name: row for name, row in rows.items() if isinstance(row, Comparison)}
    tables = {
        name: each.expected_table() for name, each in found.items() if "drawn" not in each.kinds
    }
    soft = {
        name: found[name]
        for name, table in tables.items()
        if set(found[name].kinds) != {"hard"} and table.expected.sum() <= _MOST_SHARES
    }
    cells = {
        name: (table.display(name), f"{name}: expected counts of objects in each pair of clusters.")
        for name, table in tables.items()
    }
    laws = _drawn("law", found, _law)
    shares = _drawn("objects", soft, lambda name, each: _shares(name, each, labels))
    places = _drawn("cells", cells, lambda _, drawn: drawn)
    return (
        Section("laws", "The whole answers", "whole answers", laws),
        Section("objects", "Which objects make it uncertain?", "objects", shares),
        Section("cells", "Where do the objects go?", "where objects go", places),
    )


def in_two_widths(name: str, display: "Callable[..., Display]") -> list[str]:
    """The same picture for a wide and for a narrow page, which shows one of the two."""
    return [
        figure(display(width="two").to_svg(name=f"{name}2"), classes="wide broad"),
        figure(display(width="one").to_svg(name=f"{name}1"), classes="narrow"),
    ]


def _drawn(
    anchor: str,
    found: Mapping[str, T],
    draw: "Callable[[str, T], tuple[Display, str] | None]",
) -> tuple[str, ...]:
    """The pictures of the candidates that have one, side by side."""
    figures: list[str] = []
    for at, (name, each) in enumerate(found.items()):
        try:
            drawn = draw(name, each)
        except SfumatoError:  # too costly, or not defined for this kind
            continue
        if drawn is not None:
            display, caption = drawn
            figures.append(figure(display.to_svg(name=f"{anchor}{at}"), caption))
    return ('<div class="pair">', *figures, "</div>") if figures else ()


def _law(name: str, found: Comparison) -> "tuple[Display, str] | None":
    if found.distribution is None:
        return None
    return found.display(name), f"{name}: all that is known of the value."


def _shares(
    name: str, found: Comparison, labels: Sequence[object] | None
) -> "tuple[Display, str] | None":
    display = found.shares_display(labels=labels, most=_MOST_OBJECTS)
    if not display.order:
        return None
    caption = (
        f"{name}: shares of the variance that comes from partial assignment."
        if display.of == "variance"
        else f"{name}: how much the interval narrows once an object is known; shares do not add up."
    )
    return display, caption
