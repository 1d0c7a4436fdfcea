"""``sfumato convert``: a partition from one format to another."""

from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.input_files import read_file, reading_of
from sfumato.cli.plain_errors import plain_errors
from sfumato.cli.shared_options import (
    EmptyOption,
    EmptyRule,
    IdOption,
    KindOption,
    MissingOption,
    MissingRule,
    NoiseOption,
    NormalizeOption,
    SeparatorOption,
)

__all__ = ["convert"]


def convert(
    source: Annotated[Path, typer.Argument(help="A partition; - is stdin.", show_default=False)],
    target: Annotated[Path, typer.Argument(help="Where to write it.", show_default=False)],
    kind: KindOption = None,
    id_column: IdOption = None,
    separator: SeparatorOption = None,
    empty: EmptyOption = EmptyRule.DEMPSTER,
    noise: NoiseOption = None,
    missing: MissingOption = MissingRule.RAISE,
    normalize: NormalizeOption = False,
) -> None:
    """Write a partition in another format, which the name of the file says.

    Json and npz keep all of it; parquet and feather are tables that know their kind; csv and tsv
    hold the numbers only.
    """
    with plain_errors():
        from sfumato._files import check_target
        from sfumato.io import write_partition
        from sfumato.io.formats import form_of

        check_target(target, [source])
        form_of(target)
        reading = reading_of(kind, id_column, separator, empty, noise, missing, normalize=normalize)
        reading.check([source])
        write_partition(read_file(source, reading).partition, target)
