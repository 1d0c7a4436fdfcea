"""Credal partitions of evclust for R, written as JSON or CSV."""

import json
from collections.abc import Mapping
from os import PathLike
from pathlib import Path

from sfumato._files import as_path
from sfumato.errors import InputError
from sfumato.io.features import read_features
from sfumato.io.files import check_file
from sfumato.partitions import EvidentialPartition
from sfumato.partitions.evidential import Empty
from sfumato.partitions.reading.foreign import is_credal

__all__ = ["from_credpart"]


def from_credpart(
    path: str | PathLike[str],
    focal_sets: str | PathLike[str] | None = None,
    *,
    empty: Empty = "dempster",
    normalize: bool = False,
) -> EvidentialPartition:
    r"""The credal partition that evclust for R found, from files.

    In R, one of ::

        jsonlite::write_json(unclass(clus)[c("mass", "F")], "clus.json", digits = NA)
        write.csv(clus$mass, "mass.csv", row.names = FALSE)
        write.csv(clus$F, "F.csv", row.names = FALSE)

    Parameters
    ----------
    path : str or path
        The JSON file, or the CSV file of masses, of n lines and f columns.
    focal_sets : str or path, optional
        The CSV file of the focal sets, of f lines and c columns of 0 and 1.
    empty : {"dempster", "yager", "raise"}
        What becomes of mass on the empty set, as in `EvidentialPartition`.
    normalize : bool
        Divide rows of masses by their sums. Masses that were only rounded, as jsonlite does by
        default, are rescaled without it.

    Returns
    -------
    EvidentialPartition

    Raises
    ------
    InputError
        With the file, and what is wrong in it.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "clus.json"
    ...     _ = path.write_text('{"mass": [[0, 0.5, 0.5]], "F": [[0, 0], [1, 0], [1, 1]]}')
    ...     from_credpart(path).plausibility()
    array([[1. , 0.5]])
    """
    source = as_path(path)
    if focal_sets is not None:
        found = {
            "mass": read_features(source).values,
            "F": read_features(as_path(focal_sets)).values,
        }
    elif source.suffix.lower() == ".csv":
        raise InputError(
            f"{source} holds masses, which do not say their sets; pass the CSV file of F as "
            "focal_sets."
        )
    else:
        found = _from_json(source)
    try:
        return EvidentialPartition(found["mass"], found["F"], empty=empty, normalize=normalize)
    except InputError as error:
        raise InputError(f"{source}: {error}") from None


def _from_json(path: Path) -> Mapping[str, object]:
    check_file(path)
    try:
        found: object = json.loads(path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError:
        raise InputError(f"{path} is not text in UTF-8.") from None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}.") from None
    except json.JSONDecodeError as error:
        raise InputError(f"{path} is not JSON: {error}.") from None
    except (ValueError, RecursionError):
        raise InputError(
            f"{path} holds an integer of thousands of digits, or lists nested too deeply; write "
            "masses and focal sets as plain numbers."
        ) from None
    if not is_credal(found):
        raise InputError(
            f"{path} has no fields 'mass' and 'F'; write unclass(clus) of an evclust credpart."
        )
    return found
