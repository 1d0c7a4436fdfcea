"""The cells of a table as ids, labels and numbers, each complaint with its place."""

import math
import re
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from sfumato._typing import Floats, Name
from sfumato.errors import InputError
from sfumato.io.csv_table import CsvTable, shown_cell

__all__ = [
    "LONGEST",
    "MISSING",
    "Cells",
    "as_index",
    "id_place",
    "is_fraction",
    "is_set",
    "is_text",
    "numbered",
    "read_cells",
]

MISSING = {"", "na", "n/a", "nan", "null", "none"}
LONGEST = 200  # characters of an id or a label

_WHOLE = re.compile(r"0|-?[1-9]\d{0,17}")  # as Python writes it, within 64 bits


@final
@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """What a table of text holds below its header.

    Attributes
    ----------
    names : tuple of str
        Of the columns but for that of ids.
    ids : list of str or None
    labels : list of str and None, or None
        Of a single column; None where a label is missing and may be.
    values : ndarray of shape (n, k) or None
        Of several columns, or of one that is named like a set.
    lines : sequence of n int
        Where in the file each object stands.
    """

    names: tuple[str, ...]
    ids: list[str] | None
    labels: list[str | None] | None
    values: Floats | None
    lines: Sequence[int]


def id_place(names: Sequence[str], first: str | None, column: str | None, where: object) -> int:
    """Which column holds ids: the one that is named, or the first if it holds text; else -1.

    Parameters
    ----------
    names : sequence of str
    first : str or None
        The first cell of the first column, if there is one.
    column : str or None
        What the user calls the column of ids.
    where : object
        The file, for the message.

    Examples
    --------
    >>> id_place(["object", "a", "b"], "o17", None, "a.csv")
    0
    >>> id_place(["a", "b"], "0.5", None, "a.csv")
    -1
    """
    if column is not None:
        if column not in names:
            shown = ", ".join(map(shown_cell, names[:8])) + ", ..." * (len(names) > 8)
            raise InputError(f"{where}: there is no column {column!r} of ids; there are {shown}.")
        if len(names) == 1:
            raise InputError(f"{where}: {column!r} is the only column, so it cannot hold ids.")
        return names.index(column)
    if len(names) == 1 or first is None or is_set(names[0]):
        return -1
    return 0 if names[0].lower() == "id" or is_text(first) else -1


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


def read_cells(
    table: CsvTable, id_at: int, *, has_labels: bool = True, may_miss: bool = False
) -> Cells:
    """Read all lines of a csv file, one after the other; a single column may hold labels.

    Cells that are missing are refused, or None among labels and nan among numbers.

    Raises
    ------
    InputError
        With the line and the column.
    """
    ids: list[str] = []
    labels: list[str | None] = []
    lines, values = array("q"), array("d")
    known: dict[str, str] = {}  # equal labels share one string
    kept = [at for at in range(len(table.names)) if at != id_at]
    has_labels = has_labels and len(kept) == 1 and not is_set(table.names[kept[0]])
    for line, cells in table.lines:
        if id_at >= 0:
            ids.append(_checked(table, line, id_at, cells.pop(id_at), "id"))
        if has_labels:
            label = cells[0]
            if may_miss and label.lower() in MISSING:
                labels.append(None)
                lines.append(line)
                continue
            if label not in known:
                _refuse_fraction(table, line, kept[0], _checked(table, line, kept[0], label))
            labels.append(known.setdefault(label, label))
        else:
            try:
                row = [float(cell) for cell in cells]
            except ValueError:
                row = list(_decimals(table, line, kept, cells, may_miss=may_miss))
            values.extend(row)
        lines.append(line)
    names = tuple(table.names[at] for at in kept)
    # float() also reads 'nan' and 'inf'; the partition refuses them with their place.
    matrix = np.frombuffer(values, dtype=np.float64).reshape(-1, len(names))
    return Cells(
        names,
        ids if id_at >= 0 else None,
        labels if has_labels else None,
        None if has_labels else matrix,
        lines,
    )


def _checked(table: CsvTable, line: int, column: int, cell: str, what: str = "label") -> str:
    if cell.lower() in MISSING:
        way_out = 'pass missing="unknown" or "drop"' if what == "label" else "drop the object"
        raise table.complain(
            line, column, f"the {what} is missing ({cell!r}); fill it in, or {way_out}."
        )
    if len(cell) > LONGEST:
        raise table.complain(
            line,
            column,
            f"the {what} {shown_cell(cell)} has {len(cell):,} characters; use at most {LONGEST}.",
        )
    return cell


def _refuse_fraction(table: CsvTable, line: int, column: int, label: str) -> None:
    if is_fraction(label):
        raise table.complain(
            line,
            column,
            f"{shown_cell(label)[1:-1]} is a fraction, not a label; memberships take one column "
            "per cluster.",
        )


def is_fraction(label: str) -> bool:
    """Whether a label is a number that is not whole."""
    try:
        value = float(label)
    except ValueError:
        return False
    return math.isfinite(value) and not value.is_integer()


def _decimals(
    table: CsvTable, line: int, kept: list[int], cells: list[str], *, may_miss: bool
) -> Iterable[float]:
    """Numbers of a line that are not all plain: semicolons go with decimal commas."""
    for column, cell in zip(kept, cells, strict=True):
        text = cell.replace(",", ".") if table.separator == ";" else cell
        if may_miss and cell.lower() in MISSING:
            yield math.nan
            continue
        try:
            yield float(text)
        except ValueError:
            if cell.lower() in MISSING:
                raise table.complain(
                    line,
                    column,
                    f"the value is missing ({cell!r}); fill it in or drop the object.",
                ) from None
            hint = "; write decimals with a point" if "," in cell else ""
            raise table.complain(
                line, column, f"{shown_cell(cell)} is not a number{hint}."
            ) from None


def numbered(texts: Sequence[str]) -> Sequence[Name]:
    """Whole numbers where all texts are written as such, else the texts.

    Examples
    --------
    >>> numbered(["3", "-1"]), numbered(["3", "03"]), numbered(["3", "x"])
    ([3, -1], ['3', '03'], ['3', 'x'])
    """
    return [int(text) for text in texts] if all(map(_WHOLE.fullmatch, texts)) else texts


def as_index(cells: Cells, where: object) -> "NDArray[np.generic] | None":
    """The ids as row labels of shape (n,).

    Raises
    ------
    InputError
        If an id stands on two lines.
    """
    if cells.ids is None:
        return None
    if len(set(cells.ids)) < len(cells.ids):
        seen: dict[str, int] = {}
        for name, line in zip(cells.ids, cells.lines, strict=True):
            if name in seen:
                raise InputError(
                    f"{where}: the id {shown_cell(name)} stands on lines {seen[name]} and {line}; "
                    "ids must differ, and numbers are needed in columns of memberships."
                )
            seen[name] = line
    return np.array(numbered(cells.ids))
