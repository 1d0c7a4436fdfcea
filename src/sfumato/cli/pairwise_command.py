"""``sfumato pairwise``: every file against every other."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.input_files import as_they_stand, read_files, reading_of
from sfumato.cli.output import (
    FormatOption,
    JsonOption,
    OutputFormat,
    csv_text,
    emit,
    form_of_output,
)
from sfumato.cli.plain_errors import as_options, plain_errors
from sfumato.cli.shared_options import (
    EmptyOption,
    EmptyRule,
    EngineName,
    EngineOption,
    IdOption,
    KindOption,
    MissingOption,
    MissingRule,
    NoiseOption,
    NormalizeOption,
    OutputOption,
    SeedOption,
    SeparatorOption,
    ToleranceOption,
    engine_of,
    measures_of,
)
from sfumato.errors import InputError

if TYPE_CHECKING:
    from sfumato.results.report import Pairwise

__all__ = ["pairwise"]


def pairwise(
    files: Annotated[list[Path], typer.Argument(help="Two or more.", show_default=False)],
    measure: Annotated[
        str, typer.Option("--measure", "-m", help="As `sfumato measures` lists them.")
    ] = "rand",
    kind: KindOption = None,
    id_column: IdOption = None,
    separator: SeparatorOption = None,
    empty: EmptyOption = EmptyRule.DEMPSTER,
    noise: NoiseOption = None,
    missing: MissingOption = MissingRule.RAISE,
    normalize: NormalizeOption = False,
    engine: EngineOption = EngineName.AUTO,
    tolerance: ToleranceOption = None,
    seed: SeedOption = 0,
    form: FormatOption = None,
    json: JsonOption = False,
    output: OutputOption = None,
) -> None:
    """Compare every clustering with every other, and with an independent copy of itself.

    Rows are compared with columns as the reference.
    """
    with plain_errors():
        from sfumato.api.evaluate import pairwise as compare_all

        chosen = form_of_output(form, json, output, files)
        (asked,), chosen_engine = measures_of([measure]), engine_of(engine, tolerance)
        if len(files) < 2:
            raise InputError(f"{files[0]} is one file; pairwise takes two or more.")
        reading = reading_of(kind, id_column, separator, empty, noise, missing, normalize=normalize)
        read = read_files(files, reading, has_reference=False)
        named = {file.name: file.partition for file in read}
        found = compare_all(named, measure=asked, engine=chosen_engine, rng=seed)
        emit(_written(found, chosen, seed, as_they_stand(read)), output)


def _written(found: "Pairwise", form: OutputFormat, seed: int, notes: tuple[str, ...]) -> str:
    rows = [{"a": a, "b": b, **each.to_dict()} for (a, b), each in found.comparisons.items()]
    match form:
        case OutputFormat.JSON:
            from sfumato.io import json_text

            head = {"format": "sfumato pairs", "version": 1, "seed": seed}
            return json_text({**head, "rows": rows, "notes": list(notes)})
        case OutputFormat.CSV:
            return csv_text(rows)
        case OutputFormat.LATEX:
            return found.to_latex()
        case OutputFormat.MARKDOWN:
            return found.to_markdown()
        case OutputFormat.TABLE:
            return as_options("\n".join([repr(found), *(f"note: {note}" for note in notes)]))
