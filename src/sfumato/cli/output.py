"""Where results go, and in which form."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Annotated, final

import typer

__all__ = ["FormatOption", "JsonOption", "OutputFormat", "csv_text", "emit", "form_of_output"]


@final
class OutputFormat(Enum):
    """What results may be written as."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    LATEX = "latex"
    MARKDOWN = "markdown"


FormatOption = Annotated[
    OutputFormat | None,
    typer.Option(
        "--format",
        help="By default a table, or what the name of the output says.",
        show_default=False,
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="The same as --format json.")]

_BY_SUFFIX = {
    ".json": OutputFormat.JSON,
    ".csv": OutputFormat.CSV,
    ".tex": OutputFormat.LATEX,
    ".md": OutputFormat.MARKDOWN,
}


def form_of_output(
    chosen: OutputFormat | None, is_json: bool, output: Path | None, inputs: Iterable[Path]
) -> OutputFormat:
    """The form that options ask for; refused before the work where the file cannot be written."""
    if is_json and chosen not in (None, OutputFormat.JSON):
        raise typer.BadParameter("--json is --format json.", param_hint="--json")
    if output is not None:
        from sfumato._files import check_target

        check_target(output, inputs)
    if is_json:
        return OutputFormat.JSON
    if chosen is None and output is not None:
        return _BY_SUFFIX.get(output.suffix.lower(), OutputFormat.TABLE)
    return chosen or OutputFormat.TABLE


def emit(text: str, output: Path | None) -> None:
    """Write a text to a file, whole or not at all, or to stdout."""
    if output is None:
        typer.echo(text)
        return
    from sfumato.io import write_text

    write_text(output, text + "\n")


def csv_text(rows: Sequence[Mapping[str, object]]) -> str:
    """Rows as comma-separated text; an empty cell is what is not known.

    Examples
    --------
    >>> print(csv_text([{"name": "a", "std": None}]))
    name,std
    a,
    """
    file = io.StringIO()
    writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue().rstrip("\n")
