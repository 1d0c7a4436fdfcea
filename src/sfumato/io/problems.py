"""All that is wrong with the cells of a csv file, not only the first of it."""

from pathlib import Path

from sfumato.errors import InputError
from sfumato.io.cells import as_index, read_cells
from sfumato.io.columns import begun
from sfumato.io.csv_table import open_csv
from sfumato.io.files import form_of

__all__ = ["cell_problems"]

_MOST = 20


def cell_problems(
    path: Path,
    id_column: str | None,
    label_column: str | None,
    separator: str | None,
    *,
    may_miss: bool = False,
) -> list[str]:
    """Cells that cannot be what they should be, with their places; at most 20.

    An empty list says nothing of sums and kinds, only that every cell can be read.
    """
    found: list[str] = []
    n_found = 0

    def refuse(line: int, column: int, problem: str) -> None:
        nonlocal n_found
        n_found += 1
        if n_found <= _MOST:
            found.append(table.place(line, column) + problem)

    if form_of(path).suffix not in (".csv", ".tsv"):
        return []
    try:
        with open_csv(path, separator) as opened:
            table, id_at = begun(opened, id_column, label_column)
            as_index(read_cells(table, id_at, may_miss=may_miss, refuse=refuse), path)
    except InputError as error:
        return [*found, str(error)] if found else []
    if n_found > _MOST:
        found.append(f"{path}: and {n_found - _MOST:,} more cells like these.")
    return found
