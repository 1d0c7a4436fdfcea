"""Write the table of methods into docs/methods.md, from what the methods declare.

Run as ``python tools/methods_table.py``; a test holds the page to it.
"""

from pathlib import Path

from sfumato.families import FAMILY_KINDS
from sfumato.methods.base import Method, Scope
from sfumato.planner import METHODS

PAGE = Path(__file__).parents[1] / "docs" / "methods.md"
FIRST, LAST = "<!-- methods: begin -->\n", "<!-- methods: end -->\n"
HEAD = "| method | answers | of measures | guarantee | cost |\n|---|---|---|---|---|\n"


def table() -> str:
    """One row for each scope of each method, in the order in which they are asked."""
    rows = [_row(method, scope) for method in METHODS for scope in method.scopes]
    return HEAD + "".join(rows)


def _row(method: Method, scope: Scope) -> str:
    cells = [f"`{method.name}`", _questions(scope), _measures(scope)]
    cells += [" or ".join(scope.guarantees), method.cost]
    return "| " + " | ".join(cells) + " |\n"


def _questions(scope: Scope) -> str:
    parts = [", ".join(scope.theories)]
    if scope.t_norms is not None:
        parts.append(f"by {' and '.join(scope.t_norms)}")
    if scope.needs_hard_side:
        parts.append("against hard")
    if scope.most_clusters is not None:
        parts.append(f"up to {scope.most_clusters} clusters a side")
    if len(scope.quantities) < 3:
        parts.append(f"{' and '.join(scope.quantities)} only")
    if scope.is_last_resort:
        parts.append("where nothing else answers")
    return "; ".join(parts)


def _measures(scope: Scope) -> str:
    if scope.families is None:
        return "any"
    if scope.families == FAMILY_KINDS:
        return "of known structure"
    return ", ".join(scope.families)


def page(text: str) -> str:
    """The page with its table made anew."""
    before, rest = text.split(FIRST)
    _, after = rest.split(LAST)
    return before + FIRST + table() + LAST + after


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text()))
