"""``sfumato report``: one page that shows the whole comparison."""

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli import shared_options as options
from sfumato.cli.compare_command import evaluated
from sfumato.cli.file_reading import FileReading
from sfumato.cli.input_files import read_files

__all__ = ["report"]


def report(
    truth: options.Truth,
    candidates: options.Candidates,
    *,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Where to write the page.", show_default=False)
    ],
    measure: options.MeasuresOption = options.MEASURES,
    reading: FileReading,
    quantity: options.QuantityOption = "expectation",
    computing: options.Computing,
    seed: options.SeedOption = 0,
    title: Annotated[str, typer.Option(help="Of the page.", show_default=False)] = "",
) -> None:
    """Write one HTML page with the comparison: verdict, tables, pictures, provenance.

    It holds all it needs and can be mailed or kept beside a paper. Pictures need matplotlib.
    --quantity distribution adds pictures of the whole answers.
    """
    from sfumato._files import check_target

    if output.suffix.lower() not in (".html", ".htm"):
        raise typer.BadParameter(
            f"{output} is a page; name it .html. `sfumato compare` writes other formats.",
            param_hint="--output",
        )
    check_target(output, [truth, *candidates])
    measures, engine = options.measures_of(measure), computing.chosen()
    files = read_files([truth, *candidates], reading)
    evaluated(files, measures, quantity, engine, seed).to_html(
        output,
        title=title or f"{', '.join(file.name for file in files[1:])} against {files[0].name}",
        provenance={
            "command": shlex.join(["sfumato", *sys.argv[1:]]),
            **{f"file {file.shown}": f"sha256 {file.sha256}" for file in files},
        },
    )
