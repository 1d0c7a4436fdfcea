"""The command line: data on stdout, complaints in one line on stderr, never a traceback."""

from typing import Annotated

import typer

from sfumato.cli.check_command import check
from sfumato.cli.cluster_command import cluster
from sfumato.cli.compare_command import compare
from sfumato.cli.convert_command import convert
from sfumato.cli.explain_command import explain
from sfumato.cli.indices_command import indices
from sfumato.cli.measures_command import measures
from sfumato.cli.pairwise_command import pairwise
from sfumato.cli.rank_command import rank
from sfumato.cli.report_command import report
from sfumato.cli.reproduce_command import reproduce

__all__ = ["app"]

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help: no markup to import, and errors stay on one line
)

# In the order of the help: from the question to what goes with it.
for command in (
    *(compare, rank, pairwise, report, explain),
    *(check, convert, cluster),
    *(measures, indices, reproduce),
):
    app.command()(command)


def _show_version(is_asked: bool) -> None:
    if is_asked:
        import sfumato

        typer.echo(f"sfumato {sfumato.__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Compare soft clusterings, and say how sure the comparison is."""
