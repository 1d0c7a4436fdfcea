"""Where results go, and in which form."""

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias, final

import typer

from sfumato.errors import InputError

if TYPE_CHECKING:
    from sfumato.results.pairwise import Pairwise
    from sfumato.results.ranking import Ranking
    from sfumato.results.report import Report

__all__ = ["Output", "check_partition_file", "csv_text"]


OutputFormat: TypeAlias = Literal["table", "json", "csv", "latex", "markdown"]

_BY_SUFFIX: dict[str, OutputFormat] = {
    ".txt": "table",
    ".json": "json",
    ".csv": "csv",
    ".tex": "latex",
    ".md": "markdown",
}


@final
@dataclass(frozen=True, slots=True)
class Output:
    """Where results go, and in which form."""

    form: Annotated[
        OutputFormat | None,
        typer.Option(
            "--format",
            help="By default a table, or what the name of the output says.",
            show_default=False,
        ),
    ] = None
    json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write to this file instead.", show_default=False),
    ] = None

    def chosen(self, inputs: Iterable[Path]) -> OutputFormat:
        """The form asked for; refused before the work where the file cannot be written."""
        if self.json and self.form not in (None, "json"):
            raise typer.BadParameter("--json is --format json.", param_hint="--json")
        if self.output is not None:
            from sfumato._files import check_target

            check_target(self.output, inputs)
        if self.json or self.form is not None:
            return self.form or "json"
        suffix = ".txt" if self.output is None else self.output.suffix.lower() or ".txt"
        if suffix not in _BY_SUFFIX:
            raise typer.BadParameter(
                f"{self.output} does not say a format; name it {', '.join(_BY_SUFFIX)}, or say "
                "--format. A page in html is written by `sfumato report`.",
                param_hint="--output",
            )
        return _BY_SUFFIX[suffix]

    def write(
        self,
        form: OutputFormat,
        found: "Report | Pairwise | Ranking",
        *,
        content: Callable[[], Mapping[str, object]],
        rows: Callable[[], Sequence[Mapping[str, object]]],
        table: Callable[[], str],
    ) -> None:
        """Write results to the file, whole or not at all, or to stdout.

        ``content`` is what JSON holds, ``rows`` what csv holds, whose notes go to stderr.
        """
        from sfumato.io import json_text, write_text

        match form:
            case "json":
                text = json_text(content())
            case "csv":
                text = csv_text(rows())
                for note in found.notes:
                    typer.echo(f"note: {note}", err=True)
            case "latex":
                text = found.to_latex()
            case "markdown":
                text = found.to_markdown()
            case "table":
                text = table()
        if self.output is None:
            typer.echo(text)
        else:
            # Names of files and clusters may hold what UTF-8 lacks: it is written by its code.
            whole = text.encode("utf-8", "backslashreplace").decode("utf-8")
            write_text(self.output, whole + "\n")


def check_partition_file(target: Path, inputs: Iterable[Path], *, option: str) -> None:
    """Refuse a file before the work if it cannot be written, or its name says no format."""
    from sfumato._files import check_target
    from sfumato.io.files import form_of

    check_target(target, inputs)
    try:
        form_of(target)
    except InputError as error:
        raise typer.BadParameter(str(error), param_hint=option) from None


def csv_text(rows: Sequence[Mapping[str, object]]) -> str:
    """Rows as comma-separated text; an empty cell is what is not known, a list is JSON.

    Examples
    --------
    >>> print(csv_text([{"name": "a", "std": None, "bracket": [0, 1]}]))
    name,std,bracket
    a,,"[0, 1]"
    """
    file = io.StringIO()
    writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    for row in rows:
        lists = {name: dumps(cell) for name, cell in row.items() if isinstance(cell, list)}
        writer.writerow({**row, **lists})
    return file.getvalue().rstrip("\n")
