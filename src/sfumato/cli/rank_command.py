"""``sfumato rank``: which candidate is better against a reference, and how sure."""

from dataclasses import replace
from typing import Annotated

import typer

from sfumato.cli import shared_options as options
from sfumato.cli.file_reading import FileReading
from sfumato.cli.input_files import as_they_stand, read_files
from sfumato.cli.output import Output

__all__ = ["rank"]


def rank(
    truth: options.Truth,
    candidates: options.Candidates,
    *,
    measure: options.MeasureOption = "rand",
    margin: Annotated[
        float, typer.Option(min=0, help="Lead that counts, in units of the measure.")
    ] = 0.0,
    confidence: Annotated[
        float, typer.Option(help="Of all brackets that rest on draws, together.")
    ] = 0.95,
    reading: FileReading,
    computing: options.Computing,
    seed: options.SeedOption = 0,
    output: Output,
) -> None:
    """Rank clusterings against one reference, and say how sure that is.

    D is the lead of one candidate over another under the same truth. A candidate is better if the
    lower expectation of D is above the margin.
    """
    from sfumato.api.ranking.rank import rank as rank_all
    from sfumato.measures import Measure

    if not 0 < confidence < 1:
        raise typer.BadParameter(
            f"{confidence} is not between 0 and 1; 0.95 is usual.", param_hint="--confidence"
        )
    form = output.chosen([truth, *candidates])
    (asked,), engine = options.measures_of([measure]), computing.chosen()
    if not isinstance(asked, Measure):
        raise typer.BadParameter(f"{measure} is an index; give a measure.", param_hint="-m")
    files = read_files([truth, *candidates], reading)
    found = rank_all(
        {file.name: file.partition for file in files[1:]},
        files[0].partition,
        measure=asked,
        margin=margin,
        engine=engine,
        confidence=confidence,
        rng=seed,
    )
    found = replace(found, notes=(*found.notes, *as_they_stand(files)))
    output.write(
        form,
        found,
        content=lambda: {
            "format": "sfumato ranking",
            "version": 1,
            "seed": seed,
            **found.to_dict(),
        },
        rows=lambda: found.rows,
        table=lambda: repr(found),
    )
