"""Arguments and options that several commands take, and what they mean."""

from collections.abc import Iterable
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, final

import typer

from sfumato.cli.plain_errors import as_options
from sfumato.errors import InputError

if TYPE_CHECKING:
    from sfumato.engines import Engine
    from sfumato.indices.base import Index
    from sfumato.measures import Measure

__all__ = [
    "MEASURES",
    "Candidates",
    "EmptyOption",
    "EmptyRule",
    "EngineName",
    "EngineOption",
    "IdOption",
    "KindOption",
    "MeasuresOption",
    "MissingOption",
    "MissingRule",
    "NoiseOption",
    "NoiseRule",
    "NormalizeOption",
    "OutputOption",
    "Quantities",
    "QuantityOption",
    "SeedOption",
    "SeparatorOption",
    "ToleranceOption",
    "Truth",
    "engine_of",
    "measures_of",
]


@final
class EmptyRule(Enum):
    """What may become of mass on the empty set."""

    DEMPSTER = "dempster"
    YAGER = "yager"
    RAISE = "raise"


@final
class NoiseRule(Enum):
    """What noise may be: the label -1, and rows below 1."""

    CLUSTER = "cluster"
    SINGLETONS = "singletons"
    UNKNOWN = "unknown"
    DROP = "drop"


@final
class MissingRule(Enum):
    """What missing entries may be."""

    RAISE = "raise"
    UNKNOWN = "unknown"
    DROP = "drop"


@final
class EngineName(Enum):
    """The engines that are known by name."""

    AUTO = "auto"
    EXACT = "exact"
    CLOSED_FORM = "closed_form"
    BOUNDS = "bounds"
    SAMPLED = "sampled"


@final
class Quantities(Enum):
    """What may be asked of the value."""

    EXPECTATION = "expectation"
    RANGE = "range"
    DISTRIBUTION = "distribution"


Truth = Annotated[
    Path, typer.Argument(help="The reference; - is stdin, as csv.", show_default=False)
]
Candidates = Annotated[
    list[Path], typer.Argument(help="What to compare with it.", show_default=False)
]
MeasuresOption = Annotated[
    list[str],
    typer.Option(
        "--measure",
        "-m",
        help="As `sfumato measures` lists them (ari, nmi, vi, ... for short), or indices.NAME; "
        "may be repeated.",
    ),
]
KindOption = Annotated[
    list[str] | None,
    typer.Option(
        help="What columns of numbers hold, if they do not tell: rough, fuzzy, possibilistic or "
        "evidential; NAME=KIND is about one file.",
        show_default=False,
    ),
]
IdOption = Annotated[
    str | None,
    typer.Option(
        "--id",
        help="Column of ids, by which files are aligned; the first one if it is called id or "
        "holds text.",
        show_default=False,
    ),
]
SeparatorOption = Annotated[
    str | None,
    typer.Option(help="Between cells, if the header does not tell.", show_default=False),
]
EmptyOption = Annotated[
    EmptyRule,
    typer.Option(
        help="Mass on the empty set {}: rescale the rest, give it to all clusters, or refuse it."
    ),
]
NoiseOption = Annotated[
    NoiseRule | None,
    typer.Option(
        help="Objects labelled -1, and memberships below 1: one cluster, each alone, in a cluster "
        "that is not known, or left out.",
        show_default=False,
    ),
]
MissingOption = Annotated[
    MissingRule,
    typer.Option(help="Empty cells, NA, NaN: refused, in any cluster, or left out."),
]
NormalizeOption = Annotated[
    bool, typer.Option("--normalize", help="Divide rows of numbers by their sums.")
]
EngineOption = Annotated[EngineName, typer.Option(help="Which answers are acceptable.")]
QuantityOption = Annotated[
    Quantities, typer.Option(help="Expectations, or the smallest and largest possible value.")
]
ToleranceOption = Annotated[
    float | None,
    typer.Option(help="Error that estimates aim at (engines auto, sampled).", show_default=False),
]
SeedOption = Annotated[int, typer.Option(min=0, help="One seed gives one answer.")]
OutputOption = Annotated[
    Path | None,
    typer.Option("--output", "-o", help="Write to this file instead.", show_default=False),
]
MEASURES = ["rand", "partition_distance"]


def measures_of(names: Iterable[str]) -> "list[Measure | Index]":
    """The measures and indices of these names, each once."""
    from sfumato.indices.registry import as_index
    from sfumato.measures import as_measure, full_name

    try:
        return [
            (as_index(name) if name.startswith("indices.") else None) or as_measure(name)
            for name in dict.fromkeys(map(full_name, names))
        ]
    except InputError as error:
        raise typer.BadParameter(as_options(str(error)), param_hint="-m") from None


def engine_of(engine: EngineName, tolerance: float | None) -> "Engine":
    """The engine of this name, with the tolerance if one is given."""
    from sfumato.engines import Auto, Sampled, as_engine

    if tolerance is None:
        return as_engine(engine.value)
    takers = {EngineName.AUTO: Auto, EngineName.SAMPLED: Sampled}
    if engine not in takers:
        raise typer.BadParameter(
            f"--engine {engine.value} makes no estimates.", param_hint="--tolerance"
        )
    try:
        return takers[engine](tolerance=tolerance)
    except InputError as error:
        raise typer.BadParameter(as_options(str(error)), param_hint="--tolerance") from None
