"""The cells of a table as ids, labels and numbers, each complaint with its place."""

import math
import re
from array import array
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from sfumato._typing import Floats, Name
from sfumato._wording import either, option
from sfumato.errors import InputError
from sfumato.io.columns import MISSING, is_set, is_text
from sfumato.io.csv_table import CsvTable, shown_cell

__all__ = [
    "LONGEST",
    "Cells",
    "alike",
    "as_index",
    "is_fraction",
    "number_of",
    "numbered",
    "read_cells",
    "refuse_label_as_header",
    "refuse_numbers_as_header",
    "written_twice",
]

LONGEST = 200  # characters of an id or a label

_WHOLE = re.compile(r"0|-?[1-9]\d{0,17}")  # as Python writes it, within 64 bits
_WRITTEN = re.compile(r"([+-]?)0*([0-9]+?)(?:\.0*)?")  # the same in other ways


@final
@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """What a table of text holds below its header: labels or values, and perhaps ids."""

    names: tuple[str, ...]  # of the columns but for that of ids
    ids: list[str] | None
    labels: list[str | None] | None  # of a single column; None where one is missing and may be
    values: Floats | None  # (n, k): of several columns, or of one that is named like a set
    lines: Sequence[int]  # (n,): where in the file each object stands


def read_cells(
    table: CsvTable,
    id_at: int,
    *,
    is_partition: bool = True,
    may_miss: bool = False,
    refuse: Callable[[int, int, str], None] | None = None,
) -> Cells:
    """Read all lines of a csv file, one after the other; ``id_at`` is the column of ids, or -1.

    In a partition a single column may hold labels. Cells that may be missing are None among labels
    and nan among numbers. ``refuse`` is told the line, the column and the problem of every cell
    that is refused; by default the first one is an error.
    """
    ids: list[str] = []
    labels: list[str | None] = []
    lines, values = array("q"), array("d")
    known: dict[str, str | None] = {}  # equal labels share one string
    kept = [at for at in range(len(table.names)) if at != id_at]
    names = tuple(table.names[at] for at in kept)
    has_labels = is_partition and len(kept) == 1 and not is_set(names[0])
    tell = refuse or table.refuse
    for line, cells in table.lines:
        lines.append(line)
        if id_at >= 0:
            ids.append(cells.pop(id_at))
            if problem := _text_problem(ids[-1], "id", "drop the object"):
                tell(line, id_at, problem)
        if has_labels:
            label = cells[0]
            if label not in known:
                if may_miss and label.lower() in MISSING:
                    known[label] = None
                elif problem := _label_problem(label):
                    tell(line, kept[0], problem)
                else:
                    known[label] = label
            labels.append(known.get(label))
            continue
        try:
            row = [float(cell) for cell in cells] if refuse is None else None
        except ValueError:
            row = None
        if row is None:
            row = [math.nan] * len(cells)
            for at, cell in enumerate(cells):
                row[at], problem = _number(table, cell, is_partition, may_miss)
                if problem:
                    is_text_column = is_partition and len(lines) == 1 and is_text(cell)
                    tell(line, kept[at], problem + _hint(names, at, id_at) * is_text_column)
        values.extend(row)
    # float() also reads 'nan' and 'inf'; the partition refuses them with their place.
    return Cells(
        names,
        ids if id_at >= 0 else None,
        labels if has_labels else None,
        None if has_labels else np.frombuffer(values, dtype=np.float64).reshape(-1, len(names)),
        lines,
    )


def _hint(names: tuple[str, ...], at: int, id_at: int) -> str:
    """What text among numbers may be: labels beside ids that are numbers, or beside other data."""
    if (id_at, at, len(names)) == (-1, 1, 2):
        way = either(f"id_column={names[0]!r}", f"--id {names[0]}")
        return f" If {shown_cell(names[0])} holds ids, pass {way}."
    way = either(f"label_column={names[at]!r}", f"--label {names[at]}")
    return f" If the column holds labels, pass {way}."


def _text_problem(cell: str, what: str, way_out: str) -> str:
    if cell.lower() in MISSING:
        return f"the {what} is missing ({cell!r}); fill it in, or {way_out}."
    if len(cell) > LONGEST:
        return f"the {what} {shown_cell(cell)} has {len(cell):,} characters; use at most {LONGEST}."
    return ""


def _label_problem(label: str) -> str:
    if is_fraction(label):
        return (
            f"{shown_cell(label)[1:-1]} is a fraction, not a label; memberships take one column "
            "per cluster."
        )
    return _text_problem(label, "label", f"pass {option('missing', 'unknown', 'drop')}")


def is_fraction(label: str) -> bool:
    """Whether a label is a number that is not whole."""
    value = number_of(label)
    return value is not None and not value.is_integer()


def number_of(text: str) -> float | None:
    """The finite number that a text stands for, if it is one."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _number(table: CsvTable, cell: str, is_partition: bool, may_miss: bool) -> tuple[float, str]:
    """The number in a cell, and what is wrong with it; semicolons go with decimal commas."""
    if cell.lower() in MISSING:
        way_out = f"pass {option('missing', 'unknown', 'drop')}" * is_partition
        problem = f"the value is missing ({cell!r}); fill it in, or {way_out or 'drop the object'}."
        return math.nan, "" if may_miss else problem
    try:
        value = float(cell.replace(",", ".") if table.separator == ";" else cell)
    except ValueError:
        hint = "; write decimals with a point" if "," in cell else ""
        return math.nan, f"{shown_cell(cell)} is not a number{hint}."
    if not math.isfinite(value):
        return value, f"{shown_cell(cell)} is not a finite number; fill it in or drop the object."
    is_wrong = is_partition and value < 0
    return value, f"{shown_cell(cell)} is negative; entries must not be." if is_wrong else ""


def numbered(texts: Sequence[str]) -> Sequence[Name]:
    """Whole numbers where all texts are written as such, else the texts.

    Examples
    --------
    >>> numbered(["3", "-1"]), numbered(["3", "03"]), numbered(["3", "x"])
    ([3, -1], ['3', '03'], ['3', 'x'])
    """
    return [int(text) for text in texts] if all(map(_WHOLE.fullmatch, texts)) else texts


def written_twice(texts: Collection[str]) -> str | None:
    """A whole number that stands among the texts in two ways, as 1 and 1.0.

    Examples
    --------
    >>> written_twice({"1", "2.0", "2"}), written_twice({"1.0", "2.0"})
    ('2', None)
    """
    known = set(texts)
    for text in known:
        whole, point, zeros = text.partition(".")
        if point and not zeros.strip("0") and whole in known and _WHOLE.fullmatch(whole):
            return whole
    return None


def alike(texts: Collection[str]) -> tuple[str, str] | None:
    """Two texts that are one whole number, as 1, 01 and 1.0, or one truth value, as True and true.

    Examples
    --------
    >>> alike({"1", "2.0", "2"}), alike({"1.0", "02", "True", "False"})
    (('2', '2.0'), None)
    """
    known: dict[str, str] = {}
    for text in sorted(set(texts)):
        meant = text.lower()
        if number := _WRITTEN.fullmatch(text):
            sign, digits = number.groups()
            meant = digits if digits == "0" else sign.strip("+") + digits
        elif meant not in ("true", "false"):
            continue
        if meant in known:
            return known[meant], text
        known[meant] = text
    return None


def as_index(cells: Cells, where: object) -> "NDArray[np.generic] | None":
    """The ids as row labels of shape (n,), each of which must stand on one line only."""
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


def refuse_label_as_header(
    table: CsvTable, cells: Cells, labels: Collection[str], *, may_guess: bool
) -> None:
    """Refuse a header that names the column of labels like one of them.

    Ids beside them, if their column was found by its looks (``may_guess``) and not by its name, do
    not tell a header from a line of data.
    """
    name = cells.names[0]
    if cells.ids is None:
        if number_of(name) is not None or name in labels:
            raise InputError(
                f"{table.path}, line 1: {shown_cell(name)} looks like a label; the first line must "
                "be a header, for instance 'label'."
            )
    elif may_guess and table.names[0].lower() not in ("id", "") and name in labels:
        way = either(f"id_column={table.names[0]!r}", f"--id {table.names[0]}")
        raise InputError(
            f"{table.path}, line 1: {table.shown_names} looks like data, as {shown_cell(name)} is "
            f"a label below, too; the first line must be a header. If it is one, pass {way}."
        )


def refuse_numbers_as_header(table: CsvTable) -> None:
    """Refuse a header of numbers between 0 and 1, which are memberships."""
    numbers = [number_of(name) for name in table.names]
    if all(number is not None and 0 <= number <= 1 for number in numbers):
        raise InputError(
            f"{table.path}, line 1: {table.shown_names} looks like data; the first line must "
            "be a header that names the columns."
        )
