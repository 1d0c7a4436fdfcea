"""``sfumato check``: what a file holds, and what is wrong with it."""

from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.file_reading import FileReading
from sfumato.cli.input_files import InputFile, on_disk, read_file
from sfumato.cli.plain_errors import complain
from sfumato.errors import InputError

__all__ = ["check"]


def check(
    file: Annotated[Path, typer.Argument(help="A partition; - is stdin.", show_default=False)],
    *,
    reading: FileReading,
) -> None:
    """Say what a file holds: kind, sizes, ids; or its problems with their lines and columns."""
    from sfumato.io.problems import cell_problems

    reading.check([file])
    with on_disk(file) as place:
        try:
            found = read_file(file, reading, place=place)
        except InputError:
            asked = reading.of(file)
            problems = cell_problems(
                place,
                asked["id_column"],
                asked["label_column"],
                asked["separator"],
                may_miss=asked["missing"] != "raise",
            )
            if not problems:
                raise
            for problem in problems:
                complain(problem if place == file else problem.replace(str(place), "stdin"))
            raise typer.Exit(3) from None
    reading.check_kinds({file: found.partition.kind})
    typer.echo(_described(found))


def _described(found: InputFile) -> str:
    from sfumato.partitions import IndependentPartition

    partition = found.partition
    index = partition.index
    ids = "none: rows are taken as they stand"
    if index is not None:
        ids = f"{index[0]!s} to {index[-1]!s}" if len(index) > 1 else str(index[0])
    lines = [
        f"{found.shown}: {partition!r}",
        f"clusters  {', '.join(map(str, partition.names[:8]))}"
        + ", ..." * (partition.n_clusters > 8),
        f"ids       {ids}",
        f"sha256    {found.sha256}",
        *(f"note      {note}" for note in partition.notes),
        "",
        *([repr(partition.describe())] if isinstance(partition, IndependentPartition) else []),
    ]
    return "\n".join(lines)
