"""Arguments and options that several commands take, and what they mean."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias, final

import typer

from sfumato._typing import Quantity
from sfumato.errors import InputError

if TYPE_CHECKING:
    from sfumato.engines import Engine
    from sfumato.indices.base import Index
    from sfumato.measures import Measure

__all__ = [
    "MEASURES",
    "Candidates",
    "Computing",
    "MeasureOption",
    "MeasuresOption",
    "QuantityOption",
    "SeedOption",
    "SeparatorOption",
    "Truth",
    "measures_of",
]

_SEPARATORS = {
    **{"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"},
    **{",": ",", ";": ";", "\t": "\t", "|": "|", r"\t": "\t"},
}


EngineName: TypeAlias = Literal["auto", "exact", "closed_form", "bounds", "sampled"]


def _separator(typed: str | None) -> str | None:
    if typed is not None and typed not in _SEPARATORS:
        raise typer.BadParameter(f"{typed!r} is none of comma, semicolon, tab, bar.")
    return None if typed is None else _SEPARATORS[typed]


Truth = Annotated[
    Path, typer.Argument(help="The reference; - is stdin, as csv.", show_default=False)
]
Candidates = Annotated[
    list[Path], typer.Argument(help="What to compare with it.", show_default=False)
]
MeasureOption = Annotated[
    str,
    typer.Option("--measure", "-m", metavar="NAME", help="As `sfumato measures` lists them."),
]
MeasuresOption = Annotated[
    list[str],
    typer.Option(
        "--measure",
        "-m",
        metavar="NAME",
        help="As `sfumato measures` lists them (ari, nmi, vi, ... for short), or indices.NAME; "
        "may be repeated.",
    ),
]
SeparatorOption = Annotated[
    str | None,
    typer.Option(
        callback=_separator,
        metavar="NAME",
        help="Between cells, if the header does not tell: comma, semicolon, tab or bar.",
        show_default=False,
    ),
]
QuantityOption = Annotated[
    Quantity, typer.Option(help="Expectations, or the smallest and largest possible value.")
]
SeedOption = Annotated[int, typer.Option(min=0, help="One seed gives one answer.")]
MEASURES = ["rand", "partition_distance"]


@final
@dataclass(frozen=True, slots=True)
class Computing:
    """Which answers are acceptable."""

    engine: Annotated[EngineName, typer.Option(help="Which answers are acceptable.")] = "auto"
    tolerance: Annotated[
        float | None,
        typer.Option(
            help="Error that estimates aim at (engines auto, sampled); with auto 0.001, and less "
            "for more than 1,000 objects.",
            show_default=False,
        ),
    ] = None

    def chosen(self) -> "Engine":
        """The engine of this name, with the tolerance if one is given."""
        from sfumato.engines import Auto, Sampled, as_engine

        if self.tolerance is None:
            return as_engine(self.engine)
        takers = {"auto": Auto, "sampled": Sampled}
        if self.engine not in takers:
            raise typer.BadParameter(
                f"--engine {self.engine} makes no estimates.", param_hint="--tolerance"
            )
        try:
            return takers[self.engine](tolerance=self.tolerance)
        except InputError as error:
            raise typer.BadParameter(str(error), param_hint="--tolerance") from None


def measures_of(names: Iterable[str]) -> "list[Measure | Index]":
    """The measures and indices of these names, each once."""
    from sfumato.api.asked import asked_of
    from sfumato.measures import full_name

    try:
        return [asked_of(name) for name in dict.fromkeys(map(full_name, names))]
    except InputError as error:
        raise typer.BadParameter(str(error), param_hint="-m") from None
