"""``sfumato indices``: classical soft indices that -m takes too."""

import typer

from sfumato.cli.plain_errors import plain_errors

__all__ = ["indices"]


def indices() -> None:
    """List the classical soft indices; -m takes them as indices.NAME."""
    with plain_errors():
        from sfumato.indices import available

        typer.echo(repr(available()))
