"""Write tables for LaTeX with booktabs; no other package is needed."""

from collections.abc import Collection, Sequence

__all__ = ["latex_escape", "latex_table"]

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "±": r"$\pm$",
    "≤": r"$\leq$",
    "−": r"$-$",
    "…": r"\ldots{}",
    **{letter: f"\\{letter}" for letter in "&%$#_{}"},
}


def latex_escape(text: str) -> str:
    r"""Write any text so that LaTeX prints it and runs nothing of it.

    Examples
    --------
    >>> print(latex_escape(r"50% of c_1 \input{x}"))
    50\% of c\_1 \textbackslash{}input\{x\}
    """
    plain = " ".join(text.split())  # a blank line would end the row
    return "".join(_SPECIAL.get(letter, letter) for letter in plain)


def latex_table(
    headers: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    bold: Collection[int] = (),
    caption: str | None = None,
    label: str | None = None,
    notes: Sequence[str] = (),
) -> str:
    r"""Write a table with booktabs rules. All cells are escaped; minus signs are typeset.

    Parameters
    ----------
    headers, rows : cells
    bold : places of rows that are set in bold
    caption, label : str or None
        With either, the table stands in a ``table`` environment.
    notes : sequence of str
        Written below as comments of LaTeX, which are not printed.

    Examples
    --------
    >>> print(latex_table(["name", "value"], [["a_1", "-0.5"]]))
    % needs \usepackage{booktabs}
    \begin{tabular}{ll}
    \toprule
    name & value \\
    \midrule
    a\_1 & $-$0.5 \\
    \bottomrule
    \end{tabular}
    """
    lines = [
        r"% needs \usepackage{booktabs}",
        *(f"% {' '.join(note.split())}" for note in notes),
        rf"\begin{{tabular}}{{{'l' * len(headers)}}}",
        r"\toprule",
        f"{' & '.join(map(latex_escape, headers))} \\\\",
        r"\midrule",
        *(
            " & ".join(_cell(cell, is_bold=at in bold) for cell in row) + r" \\"
            for at, row in enumerate(rows)
        ),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    if caption is None and label is None:
        return "\n".join(lines)
    head = [r"\begin{table}", r"\centering"]
    head += [] if caption is None else [rf"\caption{{{latex_escape(caption)}}}"]
    head += [] if label is None else [rf"\label{{{label}}}"]
    return "\n".join([lines[0], *head, *lines[1:], r"\end{table}"])


def _cell(text: str, *, is_bold: bool) -> str:
    written = _with_minus(latex_escape(text))
    return rf"\textbf{{{written}}}" if is_bold and text else written


def _with_minus(text: str) -> str:
    """Typeset the hyphens before digits as minus signs: of numbers, not of names."""
    import re

    return re.sub(r"(^|[\[ ,(])-(?=\d)", r"\1$-$", text)
