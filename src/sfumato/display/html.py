"""Write tables as HTML, for notebooks."""

from collections.abc import Sequence
from html import escape

__all__ = ["html_table"]


def html_table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a table as HTML. All cells are escaped.

    Examples
    --------
    >>> html_table(["a"], [["<1"]])
    '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>&lt;1</td></tr></tbody></table>'
    """
    head = "".join(f"<th>{escape(cell)}</th>" for cell in headers)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
