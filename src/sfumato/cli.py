"""The command line: data on stdout, complaints in one line on stderr, never a traceback."""

import re
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, final

import typer

from sfumato.errors import CostError, InputError, SfumatoError, UnsupportedError

if TYPE_CHECKING:
    from sfumato.engines import Engine
    from sfumato.measures import Measure
    from sfumato.partitions import Partition

__all__ = ["app"]

# What a command exits with.
_USAGE, _BAD_DATA, _OVER_BUDGET, _INTERRUPTED = 2, 3, 4, 130

app = typer.Typer(
    help="Compare soft clusterings, and say how sure the comparison is.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help: no markup to import, and errors stay on one line
)


@final
class FileKind(Enum):
    """What columns of numbers may hold."""

    ROUGH = "rough"
    FUZZY = "fuzzy"
    POSSIBILISTIC = "possibilistic"
    EVIDENTIAL = "evidential"


@final
class EmptyRule(Enum):
    """What may become of mass on the empty set."""

    DEMPSTER = "dempster"
    YAGER = "yager"
    RAISE = "raise"


@final
class EngineName(Enum):
    """The engines that are known by name."""

    AUTO = "auto"
    EXACT = "exact"
    CLOSED_FORM = "closed_form"
    BOUNDS = "bounds"
    SAMPLED = "sampled"


_Truth = Annotated[Path, typer.Argument(help="The reference, a csv file.", show_default=False)]
_Candidates = Annotated[
    list[Path], typer.Argument(help="Csv files to compare with it.", show_default=False)
]
_Measures = Annotated[
    list[str],
    typer.Option("--measure", "-m", help="As `sfumato measures` lists them; may be repeated."),
]
_Kind = Annotated[
    FileKind | None,
    typer.Option(help="What columns of numbers hold, if they do not tell.", show_default=False),
]
_Empty = Annotated[
    EmptyRule,
    typer.Option(
        help="Mass on the empty set {}: rescale the rest, give it to all clusters, or refuse it."
    ),
]
_Engine = Annotated[EngineName, typer.Option(help="Which answers are acceptable.")]
_Tolerance = Annotated[
    float | None,
    typer.Option(help="Error that estimates aim at (engines auto, sampled).", show_default=False),
]
_MEASURES = ["rand", "partition_distance"]


@app.command()
def compare(
    truth: _Truth,
    candidates: _Candidates,
    measure: _Measures = _MEASURES,
    kind: _Kind = None,
    empty: _Empty = EmptyRule.DEMPSTER,
    engine: _Engine = EngineName.AUTO,
    tolerance: _Tolerance = None,
    seed: Annotated[int, typer.Option(min=0, help="One seed gives one answer.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="Write JSON instead of a table.")] = False,
) -> None:
    """Compare clusterings with a reference.

    Files are comma-separated with a header and one line per object: one column of labels (hard);
    one column per cluster (fuzzy if rows sum to 1, else see --kind); or one column per set of
    clusters, named like {}, {a} and {a,b} (evidential).
    """
    with _plain_errors():
        from sfumato.api.evaluate import evaluate
        from sfumato.io import json_text

        measures, chosen_engine = _known(measure), _engine(engine, tolerance)
        reference, named = _read(truth, candidates, kind, empty)
        report = evaluate(named, reference, measures=measures, engine=chosen_engine, rng=seed)
        if json:
            found = report.comparisons.items()
            rows = [{"name": name, **result.to_dict()} for (name, _), result in found]
            typer.echo(json_text({"truth": str(truth), "seed": seed, "rows": rows}))
            return
        typer.echo(_as_options(repr(report)))


@app.command()
def explain(
    truth: _Truth,
    candidates: _Candidates,
    measure: _Measures = _MEASURES,
    kind: _Kind = None,
    empty: _Empty = EmptyRule.DEMPSTER,
    engine: _Engine = EngineName.AUTO,
    tolerance: _Tolerance = None,
) -> None:
    """Say how `compare` would answer, at what cost and with what guarantee."""
    with _plain_errors():
        from sfumato.api.compare import explain as plan

        measures, chosen_engine = _known(measure), _engine(engine, tolerance)
        reference, named = _read(truth, candidates, kind, empty)
        for name, candidate in named.items():
            for chosen in measures:
                found = plan(candidate, reference, measure=chosen, engine=chosen_engine)
                typer.echo(f"{name}: {found!r}")


@app.command()
def measures() -> None:
    """List the measures."""
    with _plain_errors():
        from sfumato.display.text import table
        from sfumato.measures import measures as listed

        headers = ["name", "better", "range", "symmetric", "metric", "formula", "cost"]
        typer.echo(table(headers, [_facts(measure) for measure in listed().values()]))


@app.command()
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
    with _plain_errors():
        from sfumato.io import json_text, write_text

        if json is not None and not json.parent.is_dir():
            raise InputError(f"{json}: there is no folder {json.parent}; make it first.")
        if json is not None and json.is_dir():
            raise InputError(f"{json}: this is a folder; name a file in it.")
        words, found = _beyond_iris() if extended else _iris()
        typer.echo(words)
        if json is not None:
            write_text(json, json_text(found) + "\n")


def _iris() -> tuple[str, dict[str, object]]:
    from sfumato.experiments.iris import run
    from sfumato.experiments.iris_text import text

    found = run()
    return text(found), found.to_dict()


def _beyond_iris() -> tuple[str, dict[str, object]]:
    from sfumato.experiments.extended import run
    from sfumato.experiments.extended_text import text

    found = run()
    return text(found), found.to_dict()


@contextmanager
def _plain_errors() -> Generator[None]:
    """One line on stderr and an exit code, for everything that can go wrong."""
    try:
        yield
    except SfumatoError as error:
        message, code = _as_options(str(error)), _code(error)
    except MemoryError:
        message, code = "Memory ran out; try --engine bounds or fewer objects.", _OVER_BUDGET
    except BrokenPipeError:
        raise  # whoever reads stdout has seen enough: nothing to complain about
    except OSError as error:
        message, code = f"{error.filename or 'output'}: {error.strerror}.", _BAD_DATA
    except KeyboardInterrupt:
        message, code = "Interrupted.", _INTERRUPTED
    else:
        return
    typer.echo(f"sfumato: {message}", err=True)
    raise typer.Exit(code)


def _code(error: SfumatoError) -> int:
    if isinstance(error, CostError):
        return _OVER_BUDGET
    return _USAGE if isinstance(error, UnsupportedError) else _BAD_DATA


# What messages offer in Python, and what does the same here.
_TYPED = {
    "engine=Exact()": "--engine exact",
    "engine=Sampled()": "--engine sampled",
    "engine=Sampled(tolerance=...)": "--engine sampled with --tolerance",
    "sfumato.measures() lists": "`sfumato measures` lists",
    "use EvidentialPartition(masses, focal_sets)": "name columns like {}, {a} and {a,b}",
    "pass normalize=True for weights": "divide weights by the sums of their rows",
    "pass normalize=True to divide rows by their sums": "divide rows by their sums",
}


def _as_options(message: str) -> str:
    """A message that names keyword arguments, for someone who types options."""
    message = re.sub(r"\b(kind|empty)=\"(\w+)\"", r"--\1 \2", message)
    message = re.sub(r"\bengine='(\w+)'", r"--engine \1", message)
    for written, typed in _TYPED.items():
        message = message.replace(written, typed)
    return message


def _known(names: Iterable[str]) -> "list[Measure]":
    from sfumato.measures import as_measure

    try:
        return [as_measure(name) for name in dict.fromkeys(names)]
    except InputError as error:
        raise typer.BadParameter(_as_options(str(error)), param_hint="-m") from None


def _engine(engine: EngineName, tolerance: float | None) -> "Engine":
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
        raise typer.BadParameter(_as_options(str(error)), param_hint="--tolerance") from None


def _read(
    truth: Path, candidates: list[Path], kind: FileKind | None, empty: EmptyRule
) -> "tuple[Partition, dict[str, Partition]]":
    from sfumato.io import read_partition

    chosen = None if kind is None else kind.value
    reference = read_partition(truth, chosen, empty=empty.value)
    if len({str(path) for path in candidates}) < len(candidates):
        twice = max(candidates, key=candidates.count)
        raise InputError(f"{twice} is given twice; give each candidate once.")
    stems = [path.stem for path in candidates]
    named: dict[str, Partition] = {}
    for path in candidates:
        candidate = read_partition(path, chosen, empty=empty.value)
        if candidate.n_objects != reference.n_objects:
            raise InputError(
                f"{path} has {candidate.n_objects} objects but {truth} has "
                f"{reference.n_objects}; both must describe the same ones."
            )
        named[path.stem if stems.count(path.stem) == 1 else str(path)] = candidate
    return reference, named


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
