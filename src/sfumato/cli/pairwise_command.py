"""``sfumato pairwise``: every file against every other."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.file_reading import FileReading
from sfumato.cli.input_files import as_they_stand, read_files
from sfumato.cli.output import Output
from sfumato.cli.shared_options import Computing, MeasureOption, SeedOption, measures_of

__all__ = ["pairwise"]


def pairwise(
    files: Annotated[list[Path], typer.Argument(help="Two or more.", show_default=False)],
    *,
    measure: MeasureOption = "rand",
    reading: FileReading,
    computing: Computing,
    seed: SeedOption = 0,
    output: Output,
) -> None:
    """Compare every clustering with every other, and with an independent copy of itself.

    Rows are compared with columns as the reference.
    """
    from sfumato.api.evaluate import pairwise as compare_all

    if len(files) < 2:
        raise typer.BadParameter(f"{files[0]} is one file; give two or more.", param_hint="FILES")
    form = output.chosen(files)
    (asked,), engine = measures_of([measure]), computing.chosen()
    read = read_files(files, reading, has_reference=False)
    named = {file.name: file.partition for file in read}
    found = compare_all(named, measure=asked, engine=engine, rng=seed)
    found = replace(found, notes=(*found.notes, *as_they_stand(read)))

    def rows() -> list[dict[str, object]]:
        return [{"a": a, "b": b, **each.to_dict()} for (a, b), each in found.comparisons.items()]

    output.write(
        form,
        found,
        content=lambda: {
            "format": "sfumato pairs",
            "version": 1,
            "seed": seed,
            "rows": rows(),
            "notes": list(found.notes),
        },
        rows=rows,
        table=lambda: repr(found),
    )
