"""``sfumato explain``: the plan, without the work."""

import typer

from sfumato.cli.input_files import read_files, reading_of
from sfumato.cli.plain_errors import as_options, plain_errors
from sfumato.cli.shared_options import (
    MEASURES,
    Candidates,
    EmptyOption,
    EmptyRule,
    EngineName,
    EngineOption,
    IdOption,
    KindOption,
    MeasuresOption,
    MissingOption,
    MissingRule,
    NoiseOption,
    NormalizeOption,
    Quantities,
    QuantityOption,
    SeparatorOption,
    ToleranceOption,
    Truth,
    engine_of,
    measures_of,
)

__all__ = ["explain"]


def explain(
    truth: Truth,
    candidates: Candidates,
    measure: MeasuresOption = MEASURES,
    kind: KindOption = None,
    id_column: IdOption = None,
    separator: SeparatorOption = None,
    empty: EmptyOption = EmptyRule.DEMPSTER,
    noise: NoiseOption = None,
    missing: MissingOption = MissingRule.RAISE,
    normalize: NormalizeOption = False,
    quantity: QuantityOption = Quantities.EXPECTATION,
    engine: EngineOption = EngineName.AUTO,
    tolerance: ToleranceOption = None,
) -> None:
    """Say how `compare` would answer, at what cost and with what guarantee."""
    with plain_errors():
        from sfumato.api.compare import explain as plan
        from sfumato.measures import Measure

        measures, chosen_engine = measures_of(measure), engine_of(engine, tolerance)
        reading = reading_of(kind, id_column, separator, empty, noise, missing, normalize=normalize)
        reference, *files = read_files([truth, *candidates], reading)
        for file in files:
            for chosen in measures:
                if not isinstance(chosen, Measure):
                    typer.echo(f"{file.name}: {chosen.label} is a formula; nothing is planned.")
                    continue
                found = plan(
                    file.partition,
                    reference.partition,
                    measure=chosen,
                    quantity=quantity.value,
                    engine=chosen_engine,
                )
                typer.echo(as_options(f"{file.name}: {found!r}"))
