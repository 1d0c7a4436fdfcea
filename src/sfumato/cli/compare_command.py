"""``sfumato compare``: candidates against a reference."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sfumato._typing import Quantity
from sfumato.cli import shared_options as options
from sfumato.cli.file_reading import FileReading
from sfumato.cli.input_files import InputFile, as_they_stand, read_files
from sfumato.cli.output import Output

if TYPE_CHECKING:
    from sfumato.engines import Engine
    from sfumato.indices.base import Index
    from sfumato.measures import Measure
    from sfumato.results.report import Report

__all__ = ["compare", "evaluated"]

_MEANING = (
    "std: spread from partial assignment; [a, b]: ambiguity; error: what the computation left "
    "open;",
    "hardened: the value after each object is put into its likeliest cluster, another question.",
)

_MORE_NUMBERS = (  # of csv output, behind the columns of a report
    *("lower_std", "upper_std", "lower_bracket", "upper_bracket", "confidence", "n_samples"),
)


def compare(
    truth: options.Truth,
    candidates: options.Candidates,
    *,
    measure: options.MeasuresOption = options.MEASURES,
    reading: FileReading,
    quantity: options.QuantityOption = "expectation",
    computing: options.Computing,
    seed: options.SeedOption = 0,
    output: Output,
) -> None:
    """Compare clusterings with a reference.

    Files (csv, tsv, json, npz, parquet, feather) have a header and one line per object: one column
    of labels (hard); one column per cluster (fuzzy if rows sum to 1, else see --kind); or one
    column per set of clusters, named like {}, {a} and {a,b} (evidential). A first column of ids
    aligns files whose rows are in another order.
    """
    form = output.chosen([truth, *candidates])
    measures, engine = options.measures_of(measure), computing.chosen()
    files = read_files([truth, *candidates], reading)
    report = evaluated(files, measures, quantity, engine, seed)
    output.write(
        form,
        report,
        content=lambda: {
            "format": "sfumato comparisons",
            "version": 1,
            "truth": files[0].shown,
            "seed": seed,
            "rows": [
                {"name": name, **found.to_dict(), "hardened": found.hardened}
                for (name, _), found in report.comparisons.items()
            ],
            "notes": list(report.notes),
        },
        rows=lambda: _csv_rows(report),
        table=lambda: _table(report, files[0]),
    )


def evaluated(
    files: Sequence[InputFile],
    measures: "Sequence[Measure | Index]",
    quantity: Quantity,
    engine: "Engine",
    seed: int,
) -> "Report":
    """The report on all files but the first, which is their reference."""
    from sfumato.api.evaluate import evaluate

    report = evaluate(
        {file.name: file.partition for file in files[1:]},
        files[0].partition,
        measures=measures,
        quantity=quantity,
        engine=engine,
        rng=seed,
    )
    return replace(report, notes=(*report.notes, *as_they_stand(files)))


def _csv_rows(report: "Report") -> list[dict[str, object]]:
    """The rows of the report, and what else JSON holds of numbers; indices leave cells empty."""
    known = [found.to_dict() for found in report.comparisons.values()]
    return [
        {**row, **{name: fields.get(name) for name in _MORE_NUMBERS}}
        for row, fields in zip(report.rows, known, strict=True)
    ]


def _table(report: "Report", reference: InputFile) -> str:
    from sfumato.display.known import by_worse_end, surely_best
    from sfumato.display.paper import paper_cells
    from sfumato.display.text import table
    from sfumato.display.words import in_words
    from sfumato.partitions.reading.checks import counted

    truth, rows = reference.partition, report.known()
    lines = [
        f"reference: {reference.shown}, a {truth.kind} partition of "
        f"{counted(truth.n_objects, 'object')} into {counted(truth.n_clusters, 'cluster')}",
        table(*paper_cells(rows)),
    ]
    for measure in dict.fromkeys(row.measure for row in rows):
        panel = [row for row in rows if row.measure == measure]
        if len(panel) > 1:
            first = by_worse_end(panel)[0].name
            sure = "surely" if surely_best(panel) else "by its worse end; not surely"
            lines.append(f"best by {in_words(measure)}: {first} ({sure})")
    return "\n".join([*lines, *_MEANING, *(f"note: {note}" for note in report.notes)])
