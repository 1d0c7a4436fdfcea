"""First lines that are no headers: an object would be lost."""

from collections.abc import Collection

from sfumato._wording import either
from sfumato.errors import InputError
from sfumato.io.cells import Cells, number_of
from sfumato.io.csv_table import CsvTable, shown_cell

__all__ = ["refuse_label_as_header", "refuse_numbers_as_header"]


def refuse_label_as_header(
    table: CsvTable, cells: Cells, labels: Collection[str | None], *, may_guess: bool
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
