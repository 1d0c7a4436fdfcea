"""Write tables for LaTeX with booktabs; no other package is needed."""

import re
from collections.abc import Collection, Iterable, Sequence

from sfumato.errors import InputError

__all__ = ["latex_escape", "latex_table"]

_GREEK = (
    *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"),
    *("lambda", "mu", "nu", "xi", "", "pi", "rho", "varsigma", "sigma", "tau", "upsilon", "phi"),
    *("chi", "psi", "omega"),
)
_CAPITALS = (2, 3, 7, 10, 13, 15, 18, 20, 21, 23, 24)  # the others look like Latin letters
_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"{''}",  # \textquotedbl is not there in the default encoding, " is a command of babel
    "±": r"$\pm$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "−": r"$-$",
    "…": r"\ldots{}",
    **{letter: f"\\{letter}" for letter in "&%$#_{}"},
    **{chr(ord("α") + at): f"$\\{name}$" for at, name in enumerate(_GREEK) if name},
    **{chr(ord("Α") + at): f"$\\{_GREEK[at].capitalize()}$" for at in _CAPITALS},
}
# Letters that pdfLaTeX has without further packages: Latin ones, and some signs.
_PLAIN = re.compile("[\x00-\u017f–—‘’“”†‡•€]*")
_NOT_IN_LABELS = frozenset("\\{}%#~^&$")


def latex_escape(text: str) -> str:
    r"""Write any text so that LaTeX prints it and runs nothing of it.

    >>> print(latex_escape(r"50% of c_1 \input{x}"))
    50\% of c\_1 \textbackslash{}input\{x\}
    """
    return "".join(_SPECIAL.get(letter, letter) for letter in _plain(text))


def _plain(text: str) -> str:
    """One line, since a blank one would end a row, of letters that a file of LaTeX may hold."""
    return re.sub(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]", "", " ".join(text.split()))


def latex_table(
    headers: Sequence[str],
    rows: Sequence[Sequence[str]],
    bold: Collection[int] = (),
    *,
    caption: str | None = None,
    label: str | None = None,
    legend: Sequence[str] = (),
    notes: Sequence[str] = (),
) -> str:
    r"""Write a table with booktabs rules. All cells are escaped; minus signs are typeset.

    Rows in ``bold`` are set in bold. With a caption or a label the table stands in a ``table``
    environment; a label is written as it is, so one that LaTeX would run or refuse is an error.
    The legend is printed below the last rule, notes are comments above, which are not printed.

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
    _check_texts(caption, label)
    texts = [caption or "", *headers, *legend, *(cell for row in rows for cell in row)]
    others = dict.fromkeys(letter for text in texts for letter in latex_escape(text))
    foreign = "".join(letter for letter in others if not _PLAIN.fullmatch(letter))
    lines = [
        r"% needs \usepackage{booktabs}",
        *([f"% {foreign} need LuaLaTeX or XeLaTeX, and a font that has them"] if foreign else []),
        *(f"% {_plain(note)}" for note in notes),
        rf"\begin{{tabular}}{{{'l' * len(headers)}}}",
        r"\toprule",
        _row(map(latex_escape, headers)),
        r"\midrule",
        *(_row(_cell(cell, is_bold=at in bold) for cell in row) for at, row in enumerate(rows)),
        r"\bottomrule",
        *(rf"\multicolumn{{{len(headers)}}}{{l}}{{{latex_escape(line)}}} \\" for line in legend),
        r"\end{tabular}",
    ]
    if caption is None and label is None:
        return "\n".join(lines)
    head = [r"\begin{table}", r"\centering"]
    head += [] if caption is None else [rf"\caption{{{latex_escape(caption)}}}"]
    head += [] if label is None else [rf"\label{{{label}}}"]
    return "\n".join([lines[0], *head, *lines[1:], r"\end{table}"])


def _check_texts(caption: object, label: object) -> None:
    for name, given in (("caption", caption), ("label", label)):
        if not (given is None or isinstance(given, str)):
            raise InputError(f"{name} is a string or None, got {given!r}.")
    if isinstance(label, str) and (
        not label or not label.isprintable() or not _NOT_IN_LABELS.isdisjoint(label)
    ):
        raise InputError(
            f"label is a name for \\ref, as 'tab:results'; got {label!r}: leave out control "
            f"characters and {' '.join(sorted(_NOT_IN_LABELS))}."
        )


def _row(cells: Iterable[str]) -> str:
    """A row that does not begin as an option of the rule or of the end of the row before it."""
    written = " & ".join(cells)
    return f"{'{}' * written.startswith(('[', '*'))}{written} \\\\"


def _cell(text: str, *, is_bold: bool) -> str:
    written = _with_minus(latex_escape(text))
    return rf"\textbf{{{written}}}" if is_bold and text else written


def _with_minus(text: str) -> str:
    """Typeset the hyphens before digits as minus signs: of numbers, not of names."""
    return re.sub(r"(^|[\[ ,(])-(?=\d)", r"\1$-$", text)
