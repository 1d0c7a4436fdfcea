"""``sfumato check``: what a file holds, and what is wrong with it."""

from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.input_files import FileReading, InputFile, read_file, reading_of
from sfumato.cli.plain_errors import as_options, plain_errors
from sfumato.cli.shared_options import (
    EmptyOption,
    EmptyRule,
    IdOption,
    KindOption,
    MissingOption,
    MissingRule,
    NoiseOption,
    NormalizeOption,
    SeparatorOption,
)
from sfumato.errors import InputError

__all__ = ["check"]


def check(
    file: Annotated[Path, typer.Argument(help="A partition; - is stdin.", show_default=False)],
    kind: KindOption = None,
    id_column: IdOption = None,
    separator: SeparatorOption = None,
    empty: EmptyOption = EmptyRule.DEMPSTER,
    noise: NoiseOption = None,
    missing: MissingOption = MissingRule.RAISE,
    normalize: NormalizeOption = False,
) -> None:
    """Say what a file holds: kind, sizes, ids; or its problems with their lines and columns."""
    with plain_errors():
        reading = reading_of(kind, id_column, separator, empty, noise, missing, normalize=normalize)
        reading.check([file])
        try:
            found = read_file(file, reading)
        except InputError as error:
            for problem in _problems(file, reading, str(error)):
                typer.echo(f"sfumato: {as_options(problem)}", err=True)
            raise typer.Exit(3) from None
        typer.echo(_described(found))


def _problems(path: Path, reading: FileReading, first: str) -> list[str]:
    """The first problem, and others of the same sort if the file can be read again."""
    from sfumato.io.problems import cell_problems

    listed = [] if str(path) == "-" else cell_problems(path, reading.id_column, reading.separator)
    return listed or [first]


def _described(found: InputFile) -> str:
    partition = found.partition
    index = partition.index
    ids = "none: rows are taken as they stand"
    if index is not None:
        ids = f"{index[0]!s} to {index[-1]!s}" if len(index) > 1 else str(index[0])
    lines = [
        f"{found.path}: {partition!r}",
        f"clusters  {', '.join(map(str, partition.names[:8]))}"
        + ", ..." * (partition.n_clusters > 8),
        f"ids       {ids}",
        f"sha256    {found.sha256}",
        *(f"note      {note}" for note in partition.notes),
        "",
        repr(partition.describe()),
    ]
    return "\n".join(lines)
