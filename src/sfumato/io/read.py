"""Reading a partition from a csv file."""

import math
import re
from array import array
from os import PathLike
from typing import TypeAlias, get_args

import numpy as np

from sfumato._typing import Floats, Kind
from sfumato.errors import InputError
from sfumato.io.csv_table import CsvTable, open_csv, shown_cell
from sfumato.io.files import as_path
from sfumato.partitions import HardPartition, Partition, as_partition
from sfumato.partitions.evidential import Empty
from sfumato.partitions.reading.checks import check_choice
from sfumato.partitions.reading.coerce import read_masses
from sfumato.partitions.reading.tabular import Table

__all__ = ["read_partition"]

_Lines: TypeAlias = "array[int]"  # (n,): where in the file each object stands

_MISSING = {"", "na", "n/a", "nan", "null", "none"}


def read_partition(
    path: str | PathLike[str], kind: Kind | None = None, *, empty: Empty = "dempster"
) -> Partition:
    r"""Read a partition from a comma-separated file with a header, one line per object.

    One column holds labels (hard). Columns named after sets, as ``{}``, ``{a}`` and ``{a,b}``,
    hold masses (evidential). Other columns, one per cluster, hold memberships (fuzzy) if their
    rows sum to 1; what else they may be is said by ``kind``.

    Parameters
    ----------
    path : str or path
    kind : {"rough", "fuzzy", "possibilistic", "evidential"}, optional
        What columns of numbers hold. Labels and columns named after sets speak for themselves
        whatever the kind, so that one kind can be given for a truth and its candidates.
    empty : {"dempster", "yager", "raise"}
        What becomes of mass on the empty set, as in `EvidentialPartition`.

    Returns
    -------
    Partition
        Clusters are called as the columns.

    Raises
    ------
    InputError
        With the file, the line and the column.
    CostError
        If the file is larger than a gigabyte.

    Notes
    -----
    Time and memory O(size of the file), eight bytes per number.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "candidate.csv"
    ...     _ = path.write_text("a,b\n0.9,0.1\n0.2,0.8\n")
    ...     read_partition(path)
    FuzzyPartition(2 objects, 2 clusters, 2 uncertain objects)
    """
    check_choice(empty, get_args(Empty), "empty")
    with open_csv(as_path(path)) as table:
        if len(table.names) == 1 and not _is_set(table.names[0]):
            return _labels(table)
        return _from_numbers(table, kind, empty)


def _labels(table: CsvTable) -> HardPartition:
    labels: list[str] = []
    distinct: dict[str, str] = {}  # equal labels share one string
    for line, (label,) in table.lines:
        if label.lower() in _MISSING:
            raise table.complain(
                line,
                0,
                f"the label is missing ({label!r}); fill it in or drop the object.",
            )
        if label not in distinct:
            _refuse_fraction(table, line, label)
        labels.append(distinct.setdefault(label, label))
    _refuse_no_rows(table, len(labels))
    if table.names[0] in distinct or _number(table.names[0]) is not None:
        raise InputError(
            f"{table.path}, line 1: {shown_cell(table.names[0])} looks like a label; the first "
            "line must be a header, for instance 'label'."
        )
    return HardPartition(labels)


def _refuse_fraction(table: CsvTable, line: int, label: str) -> None:
    value = _number(label)
    if value is not None and not value.is_integer():
        raise table.complain(
            line,
            0,
            f"{shown_cell(label)[1:-1]} is a fraction, not a label; memberships take one column "
            "per cluster.",
        )


def _from_numbers(table: CsvTable, kind: Kind | None, empty: Empty) -> Partition:
    values, lines = _numbers(table)
    _refuse_no_rows(table, len(values))
    _refuse_numbers_as_header(table)
    found = Table(values, table.names)
    try:
        if kind == "evidential" or all(map(_is_set, table.names)):
            return read_masses(found, empty=empty)
        return as_partition(found, kind=kind)
    except InputError as error:
        raise InputError(_in_the_file(table, lines, str(error))) from None


def _numbers(table: CsvTable) -> tuple[Floats, _Lines]:
    lines, values = array("q"), array("d")
    for line, cells in table.lines:
        try:
            values.extend(map(float, cells))
        except ValueError:
            _refuse_cell(table, line, cells)
        lines.append(line)
    # float() also reads 'nan' and 'inf'; the partition refuses them with their place.
    return np.frombuffer(values, dtype=np.float64).reshape(-1, len(table.names)), lines


def _refuse_cell(table: CsvTable, line: int, cells: list[str]) -> None:
    column = next(at for at, cell in enumerate(cells) if _number(cell) is None)
    cell = cells[column]
    if cell.lower() in _MISSING:
        raise table.complain(
            line,
            column,
            f"the value is missing ({cell!r}); fill it in or drop the object.",
        )
    hint = "; write decimals with a point" if "," in cell else ""
    raise table.complain(line, column, f"{shown_cell(cell)} is not a number{hint}.")


def _refuse_no_rows(table: CsvTable, n_rows: int) -> None:
    if n_rows == 0:
        raise InputError(
            f"{table.path}: there is a header ({table.shown_names}) but no line below it."
        )


def _refuse_numbers_as_header(table: CsvTable) -> None:
    header = [_number(name) for name in table.names]
    if all(value is not None and 0 <= value <= 1 for value in header):
        raise InputError(
            f"{table.path}, line 1: {table.shown_names} looks like data; the first line must "
            "be a header that names the columns."
        )


def _in_the_file(table: CsvTable, lines: _Lines, message: str) -> str:
    """A complaint about an array, with rows and columns as they are found in the file."""
    message = re.sub(
        r"\bcolumn (\d+)", lambda found: f"column {shown_cell(table.names[int(found[1])])}", message
    )
    message = re.sub(r"\brow (\d+)", lambda found: f"line {lines[int(found[1])]}", message)
    return f"{table.path}: {message}"


def _is_set(name: str) -> bool:
    return name.startswith("{") and name.endswith("}")


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return None if math.isnan(value) or math.isinf(value) else value
