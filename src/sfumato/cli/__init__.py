"""The command line: data on stdout, complaints in one line on stderr, never a traceback."""

from collections.abc import Callable
from dataclasses import is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Annotated, Any

import typer

from sfumato.cli.check_command import check
from sfumato.cli.cluster_command import cluster
from sfumato.cli.compare_command import compare
from sfumato.cli.convert_command import convert
from sfumato.cli.explain_command import explain
from sfumato.cli.indices_command import indices
from sfumato.cli.measures_command import measures
from sfumato.cli.pairwise_command import pairwise
from sfumato.cli.plain_errors import OneLineGroup
from sfumato.cli.rank_command import rank
from sfumato.cli.report_command import report
from sfumato.cli.reproduce_command import reproduce

__all__ = ["app"]


def _as_command(function: Callable[..., None]) -> Callable[..., None]:
    """The function for typer, where every parameter that is a dataclass becomes its fields.

    Commands share options by sharing such a group.
    """
    groups: dict[str, tuple[type[Any], list[str]]] = {}
    parameters: list[Parameter] = []
    for name, parameter in signature(function, eval_str=True).parameters.items():
        kind: Any = parameter.annotation
        if isinstance(kind, type) and is_dataclass(kind):
            options = signature(kind, eval_str=True).parameters
            groups[name] = kind, list(options)
            parameters += options.values()
        else:
            parameters.append(parameter)

    @wraps(function)
    def command(**given: Any) -> None:
        for name, (group, options) in groups.items():
            given[name] = group(**{option: given.pop(option) for option in options})
        function(**given)

    of_keywords = [each.replace(kind=Parameter.KEYWORD_ONLY) for each in parameters]
    vars(command)["__signature__"] = Signature(of_keywords)
    command.__annotations__ = {each.name: each.annotation for each in parameters}
    return command


app = typer.Typer(
    cls=OneLineGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help: no markup to import
)

# In the order of the help: from the question to what goes with it.
for command in (
    *(compare, rank, pairwise, report, explain),
    *(check, convert, cluster),
    *(measures, indices, reproduce),
):
    app.command(command.__name__)(_as_command(command))


def _show_version(is_asked: bool) -> None:
    if is_asked:
        import sfumato

        typer.echo(f"sfumato {sfumato.__version__}")
        raise typer.Exit


@app.callback()
def main(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Compare soft clusterings, and say how sure the comparison is."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), err=True)
        raise typer.Exit(2)
