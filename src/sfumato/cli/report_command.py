"""``sfumato report``: one page that shows the whole comparison."""

import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.input_files import as_they_stand, read_files, reading_of
from sfumato.cli.plain_errors import plain_errors
from sfumato.cli.shared_options import (
    MEASURES,
    Candidates,
    EmptyOption,
    EmptyRule,
    EngineName,
    EngineOption,
    IdOption,
    KindOption,
    MeasuresOption,
    MissingOption,
    MissingRule,
    NoiseOption,
    NormalizeOption,
    Quantities,
    QuantityOption,
    SeedOption,
    SeparatorOption,
    ToleranceOption,
    Truth,
    engine_of,
    measures_of,
)

__all__ = ["report"]


def report(
    truth: Truth,
    candidates: Candidates,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Where to write the page.", show_default=False)
    ],
    measure: MeasuresOption = MEASURES,
    kind: KindOption = None,
    id_column: IdOption = None,
    separator: SeparatorOption = None,
    empty: EmptyOption = EmptyRule.DEMPSTER,
    noise: NoiseOption = None,
    missing: MissingOption = MissingRule.RAISE,
    normalize: NormalizeOption = False,
    quantity: QuantityOption = Quantities.EXPECTATION,
    engine: EngineOption = EngineName.AUTO,
    tolerance: ToleranceOption = None,
    seed: SeedOption = 0,
    title: Annotated[str, typer.Option(help="Of the page.", show_default=False)] = "",
) -> None:
    """Write one HTML page with the comparison: verdict, tables, pictures, provenance.

    It holds all it needs and can be mailed or kept beside a paper. Pictures need matplotlib.
    --quantity distribution adds pictures of the whole answers.
    """
    with plain_errors():
        from sfumato._files import check_target
        from sfumato.api.evaluate import evaluate

        check_target(output, [truth, *candidates])
        measures, chosen_engine = measures_of(measure), engine_of(engine, tolerance)
        reading = reading_of(kind, id_column, separator, empty, noise, missing, normalize=normalize)
        files = read_files([truth, *candidates], reading)
        reference = files[0].partition
        found = evaluate(
            {file.name: file.partition for file in files[1:]},
            reference,
            measures=measures,
            quantity=quantity.value,
            engine=chosen_engine,
            rng=seed,
        )
        notes = as_they_stand(files)
        replace(found, notes=(*found.notes, *notes)).to_html(
            output,
            title=title or f"{', '.join(file.name for file in files[1:])} against {files[0].name}",
            provenance={
                "command": shlex.join(["sfumato", *sys.argv[1:]]),
                **{f"file {file.shown}": f"sha256 {file.sha256}" for file in files},
            },
        )
