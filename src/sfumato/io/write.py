"""Writing a partition to a file."""

import csv
import gzip
import io
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from sfumato._files import check_target, write_bytes
from sfumato._typing import Name, PartitionLike
from sfumato.errors import InputError
from sfumato.io.arrow_file import arrow_bytes
from sfumato.io.cells import LONGEST, is_fraction, written_twice
from sfumato.io.columns import MISSING, is_set
from sfumato.io.csv_table import check_separator
from sfumato.io.files import form_of
from sfumato.io.json_file import json_bytes
from sfumato.io.npz_file import npz_bytes
from sfumato.io.stored import stored
from sfumato.partitions import (
    EvidentialPartition,
    FuzzyPartition,
    HardPartition,
    Partition,
    PossibilisticPartition,
    RoughPartition,
    as_partition,
)
from sfumato.partitions.reading.checks import unused_name

__all__ = ["write_partition"]


def write_partition(
    partition: PartitionLike, path: str | PathLike[str], *, separator: str | None = None
) -> None:
    r"""Write a partition to a file, in the format that the name of the file says.

    Parameters
    ----------
    partition : Partition or anything `as_partition` takes
    path : str or path
        Ends with ``.csv``, ``.tsv``, ``.txt``, ``.json``, ``.npz``, ``.parquet`` or ``.feather``,
        the first four also with ``.gz`` behind.
    separator : {",", ";", "\\t", "|"}, optional
        Of cells in text; a comma by default, a tab for ``.tsv``.

    Raises
    ------
    InputError
        If the format is unknown, or cannot hold a name or a label.
    MissingExtraError
        For parquet and feather if pyarrow is not installed.

    Notes
    -----
    The file is written under another name and renamed, so that none is ever half written; a
    symbolic link is kept. What is written is read back to the last bit by `read_partition`. Json
    and npz keep all of a partition. Parquet and feather leave out the mass that the empty set had.
    Text holds the numbers and names only: the reader is told of ``kind`` and ``t_norm`` again, and
    names, labels and ids come back as whole numbers where all of them look so, else as text.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "candidate.csv"
    ...     write_partition([[0.9, 0.1], [0.2, 0.8]], path)
    ...     print(path.read_text())
    "0","1"
    0.9,0.1
    0.2,0.8
    <BLANKLINE>
    """
    target = check_target(path)
    form = form_of(Path(path))
    check_separator(separator)
    whole = as_partition(partition)
    match form.suffix:
        case ".json":
            content = json_bytes(stored(whole))
        case ".npz":
            content = npz_bytes(stored(whole))
        case ".parquet" | ".feather":
            names, columns = _columns(whole, is_typed=True)
            content = arrow_bytes(form.suffix, names, columns, dict(stored(whole).header))
        case suffix:
            between = separator or ("\t" if suffix == ".tsv" else ",")
            content = _text(whole, between).encode("utf-8")
    if form.is_zipped:
        content = gzip.compress(content, mtime=0)
    write_bytes(target, content)


def _text(partition: Partition, separator: str) -> str:
    names, columns = _columns(partition, is_typed=False)
    file = io.StringIO()
    # A header in quotes is no line of numbers.
    header = csv.writer(file, delimiter=separator, quoting=csv.QUOTE_ALL, lineterminator="\n")
    header.writerow(names)
    rows = csv.writer(file, delimiter=separator, lineterminator="\n")
    rows.writerows(zip(*(_cells(column) for column in columns), strict=True))
    return file.getvalue()


def _cells(column: "NDArray[np.generic] | list[object]") -> list[object]:
    if isinstance(column, list):
        return column
    # The csv module writes floats by repr: the shortest text that gives the same number.
    return cast("Any", column.astype(np.int64) if column.dtype == bool else column).tolist()


def _columns(
    partition: Partition, *, is_typed: bool
) -> "tuple[list[str], list[NDArray[np.generic] | list[object]]]":
    """Names and columns of the table: ids if there are any, then what is said of the objects."""
    columns: list[Any]
    match partition:
        case HardPartition():
            labels = partition.labels
            names = [unused_name("label", map(str, partition.names))]
            columns = [labels if is_typed else [str(label) for label in labels.tolist()]]
            if not is_typed:
                _texts(partition.names, "label")
        case RoughPartition():
            names, columns = _texts(partition.names), list(partition.mask.T)
        case FuzzyPartition() | PossibilisticPartition():
            names, columns = _texts(partition.names), list(partition.memberships.T)
        case EvidentialPartition():
            names, columns = _mass_columns(partition)
        case _:
            raise InputError(
                f"A {partition.kind} partition cannot be written as a table: write json or npz."
            )
    has_names = not isinstance(partition, HardPartition | EvidentialPartition)
    if has_names and not is_typed and len(names) == 1:
        raise InputError(
            "A single column of numbers would be read as labels; write json or npz, or the "
            "hardened partition."
        )
    if has_names and all(map(is_set, names)):
        raise InputError(
            f"Clusters called {names[0]} would be read as sets with masses; rename them, or write "
            "json or npz."
        )
    if (ids := partition.index) is None:
        return names, columns
    if not is_typed:
        _texts(cast("Sequence[Name]", ids.tolist()), "id")
    return [unused_name("id", names), *names], [ids, *columns]


def _mass_columns(partition: EvidentialPartition) -> "tuple[list[str], list[NDArray[Any]]]":
    """One column per focal set, named so that clusters are read back in their order."""
    texts = _texts(partition.names)
    for text in texts:
        if set(text) & set("{},"):
            raise InputError(
                f"Cluster {text!r} cannot be in a set like {{a,b}}; rename it, or write json "
                "or npz."
            )
    sets, columns = partition.focal_sets, list(partition.masses.T)
    met = list(dict.fromkeys(np.nonzero(sets)[1].tolist()))
    if met != list(range(len(texts))):  # the set of all clusters, first, names them in order
        at = np.flatnonzero(sets.all(axis=1))
        every = columns.pop(at[0]) if len(at) else np.zeros(partition.n_objects)
        sets = np.vstack([np.ones((1, len(texts)), dtype=bool), np.delete(sets, at, axis=0)])
        columns.insert(0, every)
    clusters = np.array(texts, dtype=object)
    return ["{" + ",".join(clusters[members]) + "}" for members in sets], columns


def _texts(items: Sequence[Name], what: str = "cluster name") -> list[str]:
    """Names as text; refused if another text, or another meaning, would be read back."""
    texts = [str(item) for item in items]
    for text in texts:
        if (
            text != text.strip()
            or text.lower() in MISSING
            or len(text) > LONGEST
            or not text.isprintable()
            or (what == "label" and is_fraction(text))
        ):
            raise InputError(
                f"The {what} {text[:60]!r} would not be read back from a table; rename it, or "
                "write json or npz."
            )
    if what == "label" and (twice := written_twice(texts)):
        raise InputError(
            f"The label {twice} with and without decimals would not be read back from a table; "
            "rename one, or write json or npz."
        )
    if len(set(texts)) < len(set(items)):
        raise InputError(f"Two {what}s are the same text; rename one, or write json or npz.")
    return texts
