"""``sfumato cluster``: fit a soft clustering to a table of data."""

import warnings
from pathlib import Path
from typing import Annotated, Literal

import typer

from sfumato.cli.input_files import on_disk
from sfumato.cli.output import check_partition_file
from sfumato.cli.plain_errors import complain
from sfumato.cli.shared_options import SeedOption, SeparatorOption

__all__ = ["cluster"]


def cluster(
    data: Annotated[
        Path, typer.Argument(help="A csv file of numbers; - is stdin.", show_default=False)
    ],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="Where to write the partition.", show_default=False),
    ],
    n_clusters: Annotated[
        int, typer.Option("-k", min=1, help="Number of clusters.", show_default=False)
    ],
    algorithm: Annotated[
        Literal["fcm", "pcm", "ecm", "rkm"],
        typer.Option(help="Fuzzy, possibilistic or evidential c-means, or rough k-means."),
    ] = "fcm",
    ignore: Annotated[
        list[str] | None,
        typer.Option(help="Column to leave out; may be repeated.", show_default=False),
    ] = None,
    id_column: Annotated[
        str | None,
        typer.Option(
            "--id",
            metavar="COLUMN",
            help="Column of ids; the first one if it is called id, has no name or holds text.",
            show_default=False,
        ),
    ] = None,
    separator: SeparatorOption = None,
    standardize: Annotated[
        bool, typer.Option("--standardize", help="Give every column mean 0 and variance 1.")
    ] = False,
    seed: SeedOption = 0,
) -> None:
    """Fit a soft clustering and write it as a partition.

    As csv, the outputs of pcm and rkm are read with --kind possibilistic and --kind rough; as json,
    npz, parquet and feather they know what they are.
    """
    from sfumato.io import write_partition
    from sfumato.io.features import read_features
    from sfumato.io.stored import with_fields

    check_partition_file(output, [data], option="--output")
    with on_disk(data) as place:
        features = read_features(
            place, id_column=id_column, separator=separator, ignore=tuple(ignore or ())
        )
    values = features.values
    if standardize:
        spread = values.std(axis=0)
        values = (values - values.mean(axis=0)) / (spread + (spread == 0))
    from sfumato.cluster import EvidentialCMeans, FuzzyCMeans, PossibilisticCMeans, RoughKMeans

    estimators = {
        "fcm": FuzzyCMeans,
        "pcm": PossibilisticCMeans,
        "ecm": EvidentialCMeans,
        "rkm": RoughKMeans,
    }
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        fitted = estimators[algorithm](n_clusters, random_state=seed).fit(values)
    for warning in said:
        complain(str(warning.message))
    write_partition(with_fields(fitted.partition_, index=features.index), output)
