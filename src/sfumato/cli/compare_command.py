"""``sfumato compare``: candidates against a reference."""

from dataclasses import replace
from typing import TYPE_CHECKING

from sfumato.cli.input_files import InputFile, as_they_stand, read_files, reading_of
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
    OutputOption,
    Quantities,
    QuantityOption,
    SeedOption,
    SeparatorOption,
    ToleranceOption,
    Truth,
    engine_of,
    measures_of,
)

if TYPE_CHECKING:
    from sfumato.results.report import Report

__all__ = ["compare"]

_MEANING = (
    "std: spread from partial assignment; [a, b]: ambiguity; error: what the computation left "
    "open;",
    "hardened: the value after each object is put into its likeliest cluster, another question.",
)


def compare(
    truth: Truth,
    candidates: Candidates,
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
    form: FormatOption = None,
    json: JsonOption = False,
    output: OutputOption = None,
) -> None:
    """Compare clusterings with a reference.

    Files (csv, tsv, json, npz, parquet, feather) have a header and one line per object: one column
    of labels (hard); one column per cluster (fuzzy if rows sum to 1, else see --kind); or one
    column per set of clusters, named like {}, {a} and {a,b} (evidential). A first column of ids
    aligns files whose rows are in another order.
    """
    with plain_errors():
        from sfumato.api.evaluate import evaluate

        chosen = form_of_output(form, json, output, [truth, *candidates])
        measures, chosen_engine = measures_of(measure), engine_of(engine, tolerance)
        reading = reading_of(kind, id_column, separator, empty, noise, missing, normalize=normalize)
        files = read_files([truth, *candidates], reading)
        report = evaluate(
            {file.name: file.partition for file in files[1:]},
            files[0].partition,
            measures=measures,
            quantity=quantity.value,
            engine=chosen_engine,
            rng=seed,
        )
        report = replace(report, notes=(*report.notes, *as_they_stand(files)))
        emit(_written(report, files[0], chosen, seed), output)


def _written(report: "Report", reference: InputFile, form: OutputFormat, seed: int) -> str:
    match form:
        case OutputFormat.JSON:
            from sfumato.io import json_text

            rows = [
                {"name": name, **found.to_dict(), "hardened": found.hardened}
                for (name, _), found in report.comparisons.items()
            ]
            return json_text(
                {
                    "format": "sfumato comparisons",
                    "version": 1,
                    "truth": reference.shown,
                    "seed": seed,
                    "rows": rows,
                    "notes": list(report.notes),
                }
            )
        case OutputFormat.CSV:
            return csv_text(report.rows)
        case OutputFormat.LATEX:
            return report.to_latex()
        case OutputFormat.MARKDOWN:
            return report.to_markdown()
        case OutputFormat.TABLE:
            return as_options(_table(report, reference))


def _table(report: "Report", reference: InputFile) -> str:
    from sfumato.display.known import by_worse_end, surely_best
    from sfumato.display.paper import paper_cells
    from sfumato.display.text import table
    from sfumato.display.words import in_words

    truth, rows = reference.partition, report.known()
    lines = [
        f"reference: {reference.shown}, a {truth.kind} partition of {truth.n_objects:,} objects "
        f"into {truth.n_clusters:,} clusters",
        table(*paper_cells(rows)),
    ]
    for measure in dict.fromkeys(row.measure for row in rows):
        panel = [row for row in rows if row.measure == measure]
        if len(panel) > 1:
            first = by_worse_end(panel)[0].name
            sure = "surely" if surely_best(panel) else "by its worse end; not surely"
            lines.append(f"best by {in_words(measure)}: {first} ({sure})")
    return "\n".join([*lines, *_MEANING, *(f"note: {note}" for note in report.notes)])
