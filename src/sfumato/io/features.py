"""Tables of numbers to be clustered."""

from dataclasses import dataclass
from pathlib import Path
from typing import final

import numpy as np
from numpy.typing import NDArray

from sfumato._files import as_path
from sfumato._typing import Floats
from sfumato.errors import InputError
from sfumato.io.cells import as_index, read_cells
from sfumato.io.columns import begun
from sfumato.io.csv_table import CsvTable, open_csv

__all__ = ["Features", "read_features"]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """Numbers of shape (n, d) that describe n objects, and the ids of these."""

    values: Floats
    index: "NDArray[np.generic] | None"


def read_features(
    path: Path,
    *,
    id_column: str | None = None,
    separator: str | None = None,
    ignore: tuple[str, ...] = (),
) -> Features:
    """Read a csv file of numbers with a header, one line per object."""
    with open_csv(as_path(path), separator) as whole:
        table, id_at = begun(_without(whole, ignore), id_column)
        cells = read_cells(table, id_at, is_partition=False)
    assert cells.values is not None
    if not np.isfinite(cells.values).all():
        row, column = np.argwhere(~np.isfinite(cells.values))[0].tolist()
        raise InputError(
            f"{path}, line {cells.lines[row]}, column {cells.names[column]!r}: not a finite "
            "number; fill it in or drop the object."
        )
    return Features(cells.values, as_index(cells, path))


def _without(table: CsvTable, ignore: tuple[str, ...]) -> CsvTable:
    for name in ignore:
        if name not in table.names:
            raise InputError(
                f"{table.path}: there is no column {name!r} to leave out; there are "
                f"{table.shown_names}."
            )
    kept = [at for at, name in enumerate(table.names) if name not in ignore]
    if not kept:
        raise InputError(f"{table.path}: no column is left.")
    return table.select(kept)
