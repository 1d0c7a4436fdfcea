"""All that is wrong with the cells of a csv file, not only the first of it."""

import math
from pathlib import Path

from sfumato.errors import CostError, InputError
from sfumato.io.cells import MISSING, id_place, is_set
from sfumato.io.csv_table import open_csv, shown_cell
from sfumato.io.formats import form_of

__all__ = ["cell_problems"]

_MOST = 20


def cell_problems(path: Path, id_column: str | None, separator: str | None) -> list[str]:
    """Cells that are no numbers where numbers are needed, with their places; at most 20.

    An empty list says nothing of sums and kinds, only that every cell can be read.
    """
    found: list[str] = []
    n_found = 0
    try:
        if form_of(path).suffix not in (".csv", ".tsv"):
            return []
        with open_csv(path, separator) as table:
            id_at: int | None = None
            for line, cells in table.lines:
                if id_at is None:
                    id_at = id_place(table.names, cells[0], id_column, path)
                kept = [at for at in range(len(cells)) if at != id_at]
                if len(kept) == 1 and not is_set(table.names[kept[0]]):
                    return []
                for at in kept:
                    problem = _problem(cells[at], table.separator)
                    if problem:
                        n_found += 1
                        if n_found <= _MOST:
                            found.append(str(table.complain(line, at, problem)))
    except (InputError, CostError) as error:
        found.append(str(error))
        return found if n_found else []
    if n_found > _MOST:
        found.append(f"{path}: and {n_found - _MOST:,} more cells like these.")
    return found


def _problem(cell: str, separator: str) -> str:
    if cell.lower() in MISSING:
        return f"the value is missing ({cell!r}); fill it in or drop the object."
    try:
        value = float(cell.replace(",", ".") if separator == ";" else cell)
    except ValueError:
        return f"{shown_cell(cell)} is not a number."
    if not math.isfinite(value):
        return f"{shown_cell(cell)} is not a finite number; fill it in or drop the object."
    return "" if value >= 0 else f"{shown_cell(cell)} is negative; entries must not be."
