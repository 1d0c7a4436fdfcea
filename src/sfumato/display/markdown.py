"""Write tables for Markdown."""

from collections.abc import Collection, Sequence

__all__ = ["markdown_escape", "markdown_table"]

_SPECIAL = str.maketrans({letter: f"\\{letter}" for letter in "\\`*_{}[]<>#|~$"})


def markdown_escape(text: str) -> str:
    r"""Write any text so that Markdown prints it as it is, HTML included.

    >>> print(markdown_escape("a|b <script>"))
    a\|b \<script\>
    """
    return " ".join(text.split()).replace("&", "&amp;").translate(_SPECIAL)


def markdown_table(
    headers: Sequence[str],
    rows: Sequence[Sequence[str]],
    bold: Collection[int] = (),
    *,
    notes: Sequence[str] = (),
) -> str:
    """Write a table with pipes, and notes as a list below; all that is given is escaped.

    Rows in ``bold`` are set in bold.

    >>> print(markdown_table(["name", "value"], [["a", "0.5"]], bold=[0]))
    | name | value |
    | --- | --- |
    | **a** | **0.5** |
    """
    lines = [[markdown_escape(cell) for cell in row] for row in rows]
    lines = [
        [f"**{cell}**" if at in bold and cell else cell for cell in line]
        for at, line in enumerate(lines)
    ]
    cells = [[markdown_escape(header) for header in headers], ["---"] * len(headers), *lines]
    table = "\n".join(f"| {' | '.join(line)} |" for line in cells)
    listed = "\n".join(f"- {markdown_escape(note)}" for note in notes)
    return f"{table}\n\n{listed}" if notes else table
