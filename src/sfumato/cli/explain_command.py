"""``sfumato explain``: the plan, without the work."""

import typer

from sfumato.cli import shared_options as options
from sfumato.cli.file_reading import FileReading
from sfumato.cli.input_files import read_files

__all__ = ["explain"]


def explain(
    truth: options.Truth,
    candidates: options.Candidates,
    *,
    measure: options.MeasuresOption = options.MEASURES,
    reading: FileReading,
    quantity: options.QuantityOption = "expectation",
    computing: options.Computing,
) -> None:
    """Say how `compare` would answer, at what cost and with what guarantee."""
    from sfumato.api.compare import explain as plan
    from sfumato.measures import Measure

    measures, engine = options.measures_of(measure), computing.chosen()
    reference, *files = read_files([truth, *candidates], reading)
    for file in files:
        for asked in measures:
            if not isinstance(asked, Measure):
                typer.echo(f"{file.name}: {asked.label} is a formula; nothing is planned.")
                continue
            sides = file.partition, reference.partition
            found = plan(*sides, measure=asked, quantity=quantity, engine=engine)
            typer.echo(f"{file.name}: {found!r}")
