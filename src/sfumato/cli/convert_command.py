"""``sfumato convert``: a partition from one format to another."""

from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.file_reading import FileReading
from sfumato.cli.input_files import read_file
from sfumato.cli.output import check_partition_file

__all__ = ["convert"]


def convert(
    source: Annotated[Path, typer.Argument(help="A partition; - is stdin.", show_default=False)],
    target: Annotated[Path, typer.Argument(help="Where to write it.", show_default=False)],
    *,
    reading: FileReading,
) -> None:
    """Write a partition in another format, which the name of the file says.

    Json and npz keep all of it; parquet and feather are tables that know their kind; csv and tsv
    hold the numbers only.
    """
    from sfumato.io import write_partition

    check_partition_file(target, [source], option="TARGET")
    reading.check([source])
    found = read_file(source, reading).partition
    reading.check_kinds({source: found.kind})
    write_partition(found, target)
