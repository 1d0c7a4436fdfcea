"""``sfumato rank``: which candidate is better against a reference, and how sure."""

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
    Candidates,
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
    Truth,
    engine_of,
    measures_of,
)
from sfumato.errors import InputError

if TYPE_CHECKING:
    from sfumato.results.ranking import Ranking

__all__ = ["rank"]


def rank(
    truth: Truth,
    candidates: Candidates,
    measure: Annotated[
        str, typer.Option("--measure", "-m", help="As `sfumato measures` lists them.")
    ] = "rand",
    margin: Annotated[float, typer.Option(help="Lead that counts, in units of the measure.")] = 0.0,
    confidence: Annotated[
        float, typer.Option(help="Of all brackets that rest on draws, together.")
    ] = 0.95,
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
    """Rank clusterings against one reference, and say how sure that is.

    D is the lead of one candidate over another under the same truth. A candidate is better if the
    lower expectation of D is above the margin.
    """
    with plain_errors():
        from sfumato.api.rank import rank as rank_all
        from sfumato.measures import Measure

        chosen = form_of_output(form, json, output, [truth, *candidates])
        (asked,), chosen_engine = measures_of([measure]), engine_of(engine, tolerance)
        if not isinstance(asked, Measure):
            raise InputError(f"{measure} is an index: a ranking needs a measure.")
        reading = reading_of(kind, id_column, separator, empty, noise, missing, normalize=normalize)
        files = read_files([truth, *candidates], reading)
        found = rank_all(
            {file.name: file.partition for file in files[1:]},
            files[0].partition,
            measure=asked,
            margin=margin,
            engine=chosen_engine,
            confidence=confidence,
            rng=seed,
        )
        emit(_written(found, chosen, seed, as_they_stand(files)), output)


def _written(found: "Ranking", form: OutputFormat, seed: int, notes: tuple[str, ...]) -> str:
    match form:
        case OutputFormat.JSON:
            from sfumato.io import json_text

            head = {"format": "sfumato ranking", "version": 1, "seed": seed}
            whole = found.to_dict()
            return json_text({**head, **whole, "notes": [*found.notes, *notes]})
        case OutputFormat.CSV:
            return csv_text(found.rows)
        case OutputFormat.LATEX:
            return found.to_latex()
        case OutputFormat.MARKDOWN:
            return found.to_markdown()
        case OutputFormat.TABLE:
            return as_options("\n".join([repr(found), *(f"note: {note}" for note in notes)]))
