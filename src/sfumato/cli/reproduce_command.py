"""``sfumato reproduce``: the paper's experiment again."""

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["reproduce"]


def reproduce(
    extended: Annotated[
        bool, typer.Option("--extended", help="Wine, breast cancer and digits by all measures.")
    ] = False,
    json: Annotated[
        Path | None,
        typer.Option(help="Write values, seeds and versions to this file.", show_default=False),
    ] = None,
) -> None:
    """Repeat the paper's experiment on Iris, beside the paper's values."""
    from sfumato._files import check_target
    from sfumato.io import json_text, write_text

    if json is not None:
        check_target(json)
    words, found = _beyond_iris() if extended else _iris()
    typer.echo(words)
    if json is not None:
        write_text(json, json_text(found) + "\n")


def _iris() -> tuple[str, dict[str, object]]:
    from sfumato.experiments.iris import run, text

    found = run()
    return text(found), found.to_dict()


def _beyond_iris() -> tuple[str, dict[str, object]]:
    from sfumato.experiments.extended import run, text

    found = run()
    return text(found), found.to_dict()
