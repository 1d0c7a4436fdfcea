"""Write tables as HTML, for notebooks."""

from collections.abc import Callable, Sequence
from html import escape
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.display.plot import Display

_MOST_MARKS = 150

__all__ = ["html_notes", "html_table", "with_picture"]


def html_table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a table as HTML. All cells are escaped.

    >>> html_table(["a"], [["<1"]])
    '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>&lt;1</td></tr></tbody></table>'
    """
    head = "".join(f"<th>{escape(cell)}</th>" for cell in headers)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def html_notes(notes: Sequence[str]) -> str:
    """Write notes as an HTML list; nothing if there are none.

    >>> html_notes(["1 < 2"])
    '<ul><li>1 &lt; 2</li></ul>'
    """
    items = "".join(f"<li>{escape(note)}</li>" for note in notes)
    return f"<ul>{items}</ul>" if items else ""


def with_picture(page: str, make: "Callable[[], Display]", *, n_marks: int = 1) -> str:
    """Add a small picture to a page of a notebook, if matplotlib is installed.

    Pictures of more than 150 marks take too long for a page that nobody asked for.
    """
    if find_spec("matplotlib") is None or n_marks > _MOST_MARKS:
        return page
    display = make()
    return f"{page}<div>{display.to_svg(name=f'sf{id(display):x}')}</div>"
