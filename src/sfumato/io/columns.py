"""Which columns of a table hold ids and labels."""

import itertools
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from sfumato.api.named import naming
from sfumato.errors import InputError
from sfumato.io.csv_table import CsvTable, open_csv, shown_cell
from sfumato.io.files import form_of

__all__ = [
    "MISSING",
    "begun",
    "has_nameless_column",
    "id_place",
    "is_set",
    "is_text",
    "label_places",
]

MISSING = {"", "na", "n/a", "nan", "null", "none"}


def id_place(names: Sequence[str], first: str | None, column: str | None) -> int:
    """Which column holds ids: the one that the user names, or else the first, or -1 if none does.

    The first one does if it is called id, has no name (as pandas and R write the names of rows), or
    its first cell holds text.

    Examples
    --------
    >>> id_place(["object", "a", "b"], "o17", None)
    0
    >>> id_place(["a", "b"], "0.5", None)
    -1
    """
    if column is not None:
        if column not in names:
            raise InputError(f"there is no column {column!r} of ids; there are {_listed(names)}.")
        if len(names) == 1:
            raise InputError(f"{column!r} is the only column, so it cannot hold ids.")
        return names.index(column)
    if len(names) == 1 or first is None or is_set(names[0]):
        return -1
    return 0 if names[0].lower() in ("id", "") or is_text(first) else -1


def is_text(cell: str) -> bool:
    """Whether a cell holds words, not a number and nothing that stands for a missing one.

    Examples
    --------
    >>> [is_text(cell) for cell in ("o17", "0,5", "nan", "1e3")]
    [True, False, False, False]
    """
    if cell.lower() in MISSING or not any(map(str.isalpha, cell)):
        return False
    try:
        float(cell.replace(",", "."))
    except ValueError:
        return True
    return False


def is_set(name: str) -> bool:
    """Whether a column is named like a set of clusters, as ``{a,b}``."""
    return name.startswith("{") and name.endswith("}")


def has_nameless_column(path: Path, separator: str | None) -> bool:
    """Whether the first column of a csv file has no name, as pandas and R write names of rows."""
    if form_of(path).suffix not in (".csv", ".tsv"):
        return False
    with open_csv(path, separator) as table:
        return table.names[0] == ""


def begun(
    table: CsvTable, id_column: str | None, label_column: str | None = None
) -> tuple[CsvTable, int]:
    """The same table, and its column of ids, or -1, which the first line helps to find.

    If a column of labels is named, nothing is left beside it and the ids.
    """
    first = next(table.lines, None)
    if first is None:
        raise InputError(
            f"{table.path}: there is a header ({table.shown_names}) but no line below it."
        )
    table = replace(table, lines=itertools.chain([first], table.lines))
    with naming(str(table.path)):
        id_at = id_place(table.names, first[1][0], id_column)
        if label_column is None:
            return table, id_at
        kept = label_places(table.names, id_at, label_column)
    return table.select(kept), len(kept) - 2


def label_places(names: Sequence[str], id_at: int, column: str) -> list[int]:
    """Where ids, if there are any, and labels stand.

    Examples
    --------
    >>> label_places(["id", "length", "species"], 0, "species")
    [0, 2]
    """
    if column not in names:
        raise InputError(f"there is no column {column!r} of labels; there are {_listed(names)}.")
    at = names.index(column)
    return [at] if id_at in (-1, at) else [id_at, at]


def _listed(names: Sequence[str]) -> str:
    return ", ".join(map(shown_cell, names[:8])) + ", ..." * (len(names) > 8)
