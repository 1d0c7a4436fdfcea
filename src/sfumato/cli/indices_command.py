"""``sfumato indices``: classical soft indices that -m takes too."""

import typer

__all__ = ["indices"]


def indices() -> None:
    """List the classical soft indices; -m takes them as indices.NAME."""
    from sfumato.indices import available

    typer.echo(repr(available()))
