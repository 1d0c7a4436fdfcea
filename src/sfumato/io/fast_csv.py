"""Read large csv files through pyarrow, where it is installed; the plain reader has the last word.

Whatever pyarrow refuses, and whatever it might read in another way than the plain reader, is left
to the plain reader: so both give the same cells, and complaints come from one place.
"""

from importlib.util import find_spec
from typing import Any

import numpy as np

from sfumato._optional import require
from sfumato.io.arrow_file import ArrowTable
from sfumato.io.cells import LONGEST, Cells, is_fraction
from sfumato.io.columns import MISSING, is_set
from sfumato.io.csv_table import CsvTable
from sfumato.io.files import open_bytes

__all__ = ["fast_cells", "is_worth_it"]

_WORTH_IT = 1 << 20  # bytes: below, importing pyarrow takes longer than reading


def is_worth_it(table: CsvTable) -> bool:
    """Whether a file is large enough for pyarrow and read whole, and pyarrow is there."""
    is_large = table.is_whole and table.path.stat().st_size >= _WORTH_IT
    return is_large and find_spec("pyarrow") is not None


def fast_cells(table: CsvTable, id_at: int) -> Cells | None:
    """Read all lines of a csv file at once; None if the plain reader must look at it."""
    with open_bytes(table.path) as file:
        content = file.read()
    start, stop = content.find(b"\n") + 1, len(content)
    while stop > start and content[stop - 1] in b"\r\n":  # blank lines at the end do no harm
        stop -= 1
    is_plain = (
        start < stop
        and content.count(b'"', 0, start) % 2 == 0
        and content.find(b'"', start) < 0
        and content.find(b"\0", start) < 0
        and (b"\r" not in content or content.count(b"\r") == content.count(b"\r\n"))
    )
    if not is_plain:
        return None
    kept = [at for at in range(len(table.names)) if at != id_at]
    names = tuple(table.names[at] for at in kept)
    has_labels = len(names) == 1 and not is_set(names[0])
    label_at = kept[0] if has_labels else -1
    found = _parsed(memoryview(content)[start:stop], table, id_at, label_at)
    if found is None:
        return None
    lines = range(2, found.num_rows + 2)
    ids = _texts(found, id_at) if id_at >= 0 else None
    if id_at >= 0 and ids is None:
        return None
    if has_labels:
        labels = _texts(found, label_at)
        if labels is None or any(map(is_fraction, set(labels))):
            return None
        return Cells(names, ids, list(labels), None, lines)
    values = np.empty((found.num_rows, len(kept)))
    for column, at in enumerate(kept):
        values[:, column] = found.column(at).to_numpy()
    return Cells(names, ids, None, values, lines) if np.isfinite(values).all() else None


def _parsed(body: memoryview, table: CsvTable, id_at: int, label_at: int) -> ArrowTable | None:
    pyarrow: Any = require("pyarrow", extra="parquet", needed_by="The fast reader")
    csv: Any = require("pyarrow.csv", extra="parquet", needed_by="The fast reader")
    columns = [str(at) for at in range(len(table.names))]
    types = dict.fromkeys(columns, pyarrow.float64())
    if id_at >= 0:
        types[columns[id_at]] = pyarrow.string()
    if label_at >= 0:  # labels recur, so that each is kept once
        types[columns[label_at]] = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
    for point in ".," if table.separator == ";" else ".":
        try:
            return csv.read_csv(
                pyarrow.BufferReader(pyarrow.py_buffer(body)),
                read_options=csv.ReadOptions(column_names=columns),
                parse_options=csv.ParseOptions(
                    delimiter=table.separator,
                    quote_char=False,
                    double_quote=False,
                    ignore_empty_lines=False,
                ),
                convert_options=csv.ConvertOptions(
                    column_types=types, null_values=[], decimal_point=point
                ),
            )
        except (pyarrow.ArrowException, OSError):
            continue
    return None


def _texts(found: ArrowTable, at: int) -> list[str] | None:
    """A column of text; None if the plain reader would change or refuse one of its cells."""
    texts: list[str] = []
    for chunk in found.column(at).chunks:
        is_coded = hasattr(chunk, "dictionary")
        known: list[str] = (chunk.dictionary if is_coded else chunk).to_pylist()
        if (
            list(map(str.strip, known)) != known
            or max(map(len, known)) > LONGEST
            or not MISSING.isdisjoint(map(str.lower, known))
        ):
            return None
        texts += map(known.__getitem__, chunk.indices.to_pylist()) if is_coded else known
    return texts
