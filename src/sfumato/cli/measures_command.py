"""``sfumato measures``: what -m takes."""

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from sfumato.measures import Measure

__all__ = ["measures"]


def measures() -> None:
    """List the measures."""
    from sfumato.display.text import table
    from sfumato.measures import measures as listed

    headers = ["name", "better", "range", "symmetric", "metric", "formula", "cost"]
    typer.echo(table(headers, [_facts(measure) for measure in listed().values()]))


def _facts(measure: "Measure") -> list[str]:
    low, high = measure.bounds
    return [
        measure.name,
        measure.better,
        f"{low:g} to {high:g}",
        "yes" if measure.symmetric else "no",
        "yes" if measure.is_metric else "no",
        measure.formula,
        measure.cost,
    ]
