"""Reading a partition from a file."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any, cast, final, get_args

import numpy as np

from sfumato._files import as_path
from sfumato._typing import Kind, Name
from sfumato._wording import either, in_a_file
from sfumato.api.named import naming
from sfumato.errors import InputError
from sfumato.io.arrow_file import ArrowTable, arrow_header, pandas_index, read_arrow
from sfumato.io.cells import (
    Cells,
    alike,
    as_index,
    numbered,
    read_cells,
    refuse_label_as_header,
    refuse_numbers_as_header,
    written_twice,
)
from sfumato.io.columns import begun, id_place, is_set, label_places
from sfumato.io.csv_table import CsvTable, check_separator, open_csv, shown_cell
from sfumato.io.fast_csv import fast_cells, is_worth_it
from sfumato.io.files import check_file, form_of
from sfumato.io.json_file import read_json
from sfumato.io.npz_file import read_npz
from sfumato.io.stored import restored, with_fields
from sfumato.partitions import DrawnPartition, Partition, PossibilisticPartition
from sfumato.partitions.evidential import Empty
from sfumato.partitions.reading.checks import check_choice, shown
from sfumato.partitions.reading.coerce import read_as, read_masses
from sfumato.partitions.reading.inputs import read
from sfumato.partitions.reading.open_labels import AS_A_CLUSTER
from sfumato.partitions.reading.reading_options import Missing, Noise, Reading
from sfumato.partitions.reading.tabular import Column, Table

__all__ = ["read_partition"]

_UNNAMED = r"[A-Za-z.]?\d+"  # how R, pandas and others call columns that have no name


def read_partition(
    path: str | PathLike[str],
    kind: Kind | None = None,
    *,
    id_column: str | None = None,
    label_column: str | None = None,
    separator: str | None = None,
    empty: Empty = "dempster",
    noise: Noise | None = None,
    noise_label: Name = -1,
    missing: Missing = "raise",
    new_class: bool = False,
    normalize: bool = False,
) -> Partition:
    r"""Read a partition from a file: csv, tsv, json, npz, parquet or feather, by its name.

    A table has a header and one line per object. One column holds labels (hard). Columns named
    after sets, as ``{}``, ``{a}`` and ``{a,b}``, hold masses (evidential). Other columns, one per
    cluster, hold memberships (fuzzy) if their rows sum to 1; what else they may be is said by
    ``kind``. Ids of objects may stand beside them, and align two files whatever their order.

    Parameters
    ----------
    path : str or path
        Text may be compressed, with ``.gz`` behind.
    kind : {"rough", "fuzzy", "possibilistic", "evidential", "drawn"}, optional
        What columns of numbers hold. For "drawn" lines are draws and columns are objects, as in a
        matrix that R's ``write.csv`` wrote; an npz file may also be NumPy's own, with one matrix
        and perhaps ``weights``. Labels, columns named after sets and files that sfumato wrote
        as json, npz, parquet or feather speak for themselves whatever the kind, so that one kind
        can be given for a truth and its candidates.
    id_column : str, optional
        The column of ids; by default the first one if it is called ``id``, has no name or holds
        text, or the index of a dataframe of pandas in parquet and feather.
    label_column : str, optional
        The column of labels in a table that holds other things, too, which are left out.
    separator : {",", ";", "\\t", "|"}, optional
        Between cells of text; by default found in the header. Semicolons go with decimal commas.
    empty : {"dempster", "yager", "raise"}
        What becomes of mass on the empty set, as in `EvidentialPartition`.
    noise, noise_label, missing, new_class, normalize
        As in `as_partition`; empty cells, NA, NaN and null are missing. In partitions that sfumato
        wrote, noise is told from labels only, nothing is missing, and rows have their sums.

    Returns
    -------
    Partition
        Clusters are called as the columns, and ``index`` holds the ids. Names, labels and ids that
        are all whole numbers become numbers.

    Raises
    ------
    InputError
        With the file, the line and the column.
    CostError
        If the file holds more than a gigabyte; sizes are looked at before anything is loaded.
    MissingExtraError
        For parquet and feather if pyarrow is not installed.

    Notes
    -----
    Time and memory O(size of the file). Text above a megabyte is read by pyarrow where that is
    installed, with the same result. Nothing in a file is ever run: npz files with pickles are
    refused.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "candidate.csv"
    ...     _ = path.write_text("flower,a,b\nf1,0.9,0.1\nf2,0.2,0.8\n")
    ...     found = read_partition(path)
    >>> found
    FuzzyPartition(2 objects, 2 clusters, 2 uncertain objects)
    >>> found.index.tolist()
    ['f1', 'f2']
    """
    check_choice(empty, get_args(Empty), "empty")
    check_separator(separator)
    if kind is not None:
        check_choice(kind, get_args(Kind), "kind")
    for name, column in (("id_column", id_column), ("label_column", label_column)):
        if column is not None and not isinstance(cast(object, column), str):
            raise InputError(f"{name} is {shown(column)}; pass the name of a column.")
    reading = Reading(noise, noise_label, missing, new_class, normalize)
    options = _Options(kind, id_column, label_column, empty, reading)
    place = as_path(path)
    check_file(place)
    form = form_of(place)
    if not form.has_columns and (id_column, label_column) != (None, None):
        which = either("id_column and label_column name", "--id and --label name")
        raise InputError(
            f"{place}: {which} columns of a table; a {form.suffix} file says what it holds, leave "
            "them out."
        )
    match form.suffix:
        case ".json":
            return _with_noise(restored(read_json(place), place), reading)
        case ".npz":
            found = read_npz(place)
            if kind == "drawn" and not found.header:
                return _from_arrays(place, found.arrays)
            return _with_noise(restored(found, place), reading)
        case ".parquet" | ".feather":
            return _from_arrow(place, read_arrow(place, form.suffix), options)
        case _:
            return _from_csv(place, separator, options)


def _from_arrays(path: Path, arrays: Mapping[str, "np.ndarray[Any, Any]"]) -> Partition:
    """Draws as NumPy writes them: one matrix under any name, and perhaps weights."""
    matrices = [name for name, array in arrays.items() if array.ndim == 2]
    if len(matrices) != 1 or set(arrays) - {"weights", *matrices}:
        raise InputError(
            f"{path}: the arrays {', '.join(arrays)}; draws are one matrix, draws by objects, and "
            "perhaps weights."
        )
    with naming(str(path)):
        return DrawnPartition(arrays[matrices[0]], arrays.get("weights"))


@final
@dataclass(frozen=True, slots=True)
class _Options:
    """How a table is read."""

    kind: Kind | None
    id_column: str | None
    label_column: str | None
    empty: Empty
    reading: Reading


def _from_csv(path: Path, separator: str | None, options: _Options) -> Partition:
    with open_csv(path, separator) as opened:
        table, id_at = begun(opened, options.id_column, options.label_column)
        cells = fast_cells(table, id_at) if is_worth_it(table) else None
        if cells is None:
            cells = read_cells(table, id_at, may_miss=options.reading.missing != "raise")
        return _partition(table, cells, options)


def _partition(table: CsvTable, cells: Cells, options: _Options) -> Partition:
    index = as_index(cells, table.path)
    if cells.labels is not None:
        texts = {label for label in cells.labels if label is not None}
        is_said = options.id_column is not None or options.label_column is not None
        refuse_label_as_header(table, cells, texts, may_guess=not is_said)
        if twice := written_twice(texts):
            raise InputError(
                f"{table.path}: the label {twice} stands there with and without decimals, which "
                "would be two clusters; write it in one way."
            )
        named: dict[str | None, object] = dict(zip(texts, numbered(list(texts)), strict=True))
        labels = [named.get(label) for label in cells.labels]  # those that are missing are None
        with naming(str(table.path)):
            found = read_as(Column(labels, index), None, options.reading)
        if two := alike(texts):
            note = f"The labels {two[0]!r} and {two[1]!r} are two clusters."
            found = with_fields(found, notes=(*found.notes, note))
        return found
    assert cells.values is not None
    if cells.ids is None and not table.is_quoted:
        refuse_numbers_as_header(table)
    names = tuple(numbered(cells.names))
    with (
        naming(str(table.path)),
        in_a_file(cells.lines, [shown_cell(name) for name in cells.names]),
    ):
        return _of_table(Table(cells.values, names, index), cells.names, options)


def _of_table(table: Table, columns: tuple[str, ...], options: _Options) -> Partition:
    if options.kind == "drawn":
        is_given = not all(re.fullmatch(_UNNAMED, name) for name in columns)
        return read_as(
            replace(table, names=columns if is_given else None), "drawn", options.reading
        )
    if table.index is None:
        _refuse_counted_rows(table, columns)
    if options.kind != "evidential" and not all(map(is_set, columns)):
        return read_as(table, options.kind, options.reading)
    found = read_masses(replace(table, names=columns), options.reading, empty=options.empty)
    names = numbered([str(name) for name in found.names])
    return with_fields(found, names=tuple(names))


def _refuse_counted_rows(table: Table, columns: tuple[str, ...]) -> None:
    """Refuse a first column 0, 1, 2, ...: divided by the sum of its row it would be a cluster."""
    first = np.asarray(cast(Any, table.values)[:, 0])
    if len(first) < 3 or len(columns) == 1 or first[0] not in (0, 1):
        return
    if np.array_equal(first, np.arange(len(first)) + first[0]):
        way = either(f"id_column={columns[0]!r}", f"--id {columns[0]}")
        raise InputError(
            f"column {shown_cell(columns[0])} counts the rows, so it is no cluster; if it holds "
            f"ids, pass {way}, else leave it out."
        )


def _from_arrow(path: Path, table: ArrowTable, options: _Options) -> Partition:
    if table.num_rows == 0 or table.num_columns == 0:
        raise InputError(
            f"{path}: a table of {table.num_rows} rows and {table.num_columns} columns."
        )
    names = [str(name) for name in table.column_names]
    if len(set(names)) < len(names):
        raise InputError(f"{path}: two columns have the same name; names must differ.")
    header = arrow_header(table)
    with naming(str(path)):
        id_at = _arrow_ids(table, names, options.id_column)
        if options.label_column is not None:
            kept = label_places(names, id_at, options.label_column)
            names, table = [names[at] for at in kept], table.select(kept)
            id_at = len(kept) - 2
        index = None if id_at < 0 else _arrow_index(table, id_at)
        rest = table if id_at < 0 else table.remove_column(id_at)
        columns = tuple(name for at, name in enumerate(names) if at != id_at)
        reading = options.reading
        if header is not None:
            kind = cast("Kind | None", header.get("kind"))
            options = replace(options, kind=kind, reading=replace(reading, noise=None))
        is_hard = header is None or options.kind == "hard"
        if len(columns) == 1 and not is_set(columns[0]) and is_hard:
            labels = cast("Column", read(rest.column(0), f"column {columns[0]!r}"))
            found = read_as(replace(labels, index=index), None, options.reading)
        else:
            numbers = replace(cast("Table", read(rest, "The table")), index=index)
            found = _of_table(replace(numbers, names=tuple(numbered(columns))), columns, options)
    return found if header is None else _with_noise(_with_header(found, header, path), reading)


def _with_noise(found: Partition, reading: Reading) -> Partition:
    """A partition that a file keeps, its noise as asked for; a note that nobody did is void."""
    if reading.noise is None:
        return found
    notes = tuple(note for note in found.notes if AS_A_CLUSTER not in note)
    return read_as(with_fields(found, notes=notes), None, reading)


def _arrow_ids(table: ArrowTable, names: list[str], column: str | None) -> int:
    if column is None:
        column = next((name for name in pandas_index(table) if name in names), None)
    first = str(table.column(0)[0].as_py())
    is_string = "string" in str(table.schema.field(0).type)
    return id_place(names, first if is_string or names[0].lower() == "id" else "0", column)


def _arrow_index(table: ArrowTable, at: int) -> "np.ndarray[Any, Any]":
    ids = cast("Column", read(table.column(at), f"column {table.column_names[at]!r}"))
    index = np.asarray(ids.values)
    if len(set(index.tolist())) < len(index):
        raise InputError(f"ids in column {table.column_names[at]!r} must differ.")
    return index


def _with_header(found: Partition, header: dict[str, object], path: Path) -> Partition:
    """What a table does not say: names that are no text, notes, and the reading."""
    names, notes = header.get("names"), header.get("notes")
    fields: dict[str, object] = {}
    if isinstance(notes, list):
        fields["notes"] = tuple(map(str, cast("list[object]", notes)))
    if isinstance(names, list) and [str(name) for name in cast("list[Name]", names)] == [
        str(name) for name in found.names
    ]:
        fields["names"] = tuple(cast("list[Name]", names))
    if isinstance(found, PossibilisticPartition) and header.get("t_norm") is not None:
        check_choice(header["t_norm"], ("min", "product", "lukasiewicz"), f"{path}: t_norm")
        fields["t_norm"] = header["t_norm"]
    return with_fields(found, **fields)
