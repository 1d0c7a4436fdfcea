"""evclust: credal partitions as dictionaries (Python), and in JSON or CSV files (R)."""

import json
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import cast

import numpy as np

from sfumato._files import as_path
from sfumato._typing import Floats, PartitionLike
from sfumato.errors import InputError
from sfumato.io.features import read_features
from sfumato.io.files import check_file
from sfumato.partitions import EvidentialPartition, as_partition
from sfumato.partitions.base import independent
from sfumato.partitions.evidential import Empty
from sfumato.partitions.reading.checks import shown
from sfumato.partitions.reading.foreign import is_credal

__all__ = ["from_credpart", "from_evclust", "to_evclust"]


def from_evclust(
    result: Mapping[str, object], *, empty: Empty = "dempster", normalize: bool = False
) -> EvidentialPartition:
    """The evidential partition in a dictionary of evclust, as ``ecm`` and others return it.

    Parameters
    ----------
    result : mapping
        With ``mass`` of shape (n, f) and ``F`` of shape (f, c), 0 and 1; the rest is not used.
    empty : {"dempster", "yager", "raise"}
        What becomes of mass on the empty set, as in `EvidentialPartition`.
    normalize : bool
        Divide rows of masses by their sums.

    Returns
    -------
    EvidentialPartition

    Examples
    --------
    >>> from_evclust({"mass": [[0.0, 0.5, 0.5]], "F": [[0, 0], [1, 0], [1, 1]]}).n_clusters
    2
    """
    if not is_credal(result):
        raise InputError(
            f"result must be a dictionary of evclust with 'mass' and 'F'; got {_seen(result)}."
        )
    return EvidentialPartition(result["mass"], result["F"], empty=empty, normalize=normalize)


def _seen(result: object) -> str:
    if not isinstance(result, Mapping):
        return shown(result)
    keys = list(cast("Mapping[object, object]", result))
    return f"one with {', '.join(map(repr, keys[:8])) or 'nothing'}"


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


def to_evclust(partition: PartitionLike) -> dict[str, object]:
    """The dictionary that evclust would hold of a partition of any kind.

    Parameters
    ----------
    partition : Partition or anything `as_partition` takes
        Not a possibilistic partition with a t-norm, whose objects are not independent.

    Returns
    -------
    dict
        ``F`` (f, c) with the empty set in row 0 and ``mass`` (n, f) with the mass it was given,
        and what evclust derives of them: ``mass_n``, ``pl``, ``pl_n``, ``p``, ``bel``, ``bel_n``,
        ``betp``, ``betp_n``, ``y_pl``, ``y_bel`` (0-based), ``Y``, ``Ynd``, ``outlier``, the
        approximations as lists of objects, and ``N``, the mean nonspecificity as a share of the
        largest.

    Notes
    -----
    O(n f c), memory O(n f). Read back with `from_evclust`, the partition is the same up to
    rounding.

    Examples
    --------
    >>> import sfumato as sf
    >>> to_evclust(sf.HardPartition(["a", "b"]))["mass"]
    array([[0., 1., 0.],
           [0., 0., 1.]])
    """
    evidential = independent(as_partition(partition), "to_evclust").to_evidential()
    conflict = evidential.empty_mass
    if evidential.empty == "yager":  # that mass is on all clusters already
        conflict = np.zeros_like(conflict)
    focal = np.vstack([np.zeros(evidential.n_clusters), evidential.focal_sets.astype(np.float64)])
    scale = (1 - conflict)[:, None]
    mass = np.column_stack([conflict, evidential.masses * scale])
    sizes = focal.sum(axis=1)
    singles = [np.flatnonzero((sizes == 1) & (focal[:, c] == 1)) for c in range(focal.shape[1])]
    bel = np.column_stack([mass[:, at].sum(axis=1) for at in singles])
    pl = mass @ focal
    betp = mass[:, 1:] @ (focal[1:] / sizes[1:, None])
    top = focal[np.argmax(mass, axis=1)]
    undominated = (pl >= bel.max(axis=1, keepdims=True)).astype(np.float64)
    most = np.log(focal.shape[1])
    nonspecific = (mass[:, 1:] @ np.log(sizes[1:]) + conflict * most).mean()
    return {
        "method": "sfumato",
        "F": focal,
        "mass": mass,
        "conf": conflict,
        "mass_n": mass[:, 1:] / scale,
        "pl": pl,
        "pl_n": pl / scale,
        "p": pl / pl.sum(axis=1, keepdims=True),
        "bel": bel,
        "bel_n": bel / scale,
        "y_pl": np.argmax(pl, axis=1),
        "y_bel": np.argmax(bel, axis=1),
        "betp": betp,
        "betp_n": betp / scale,
        "Y": top,
        "outlier": np.flatnonzero(top.sum(axis=1) == 0),
        "lower_approx": _objects(top, is_sure=True),
        "upper_approx": _objects(top, is_sure=False),
        "Ynd": undominated,
        "lower_approx_nd": _objects(undominated, is_sure=True),
        "upper_approx_nd": _objects(undominated, is_sure=False),
        "N": float(nonspecific / most) if most > 0 else 0.0,
    }


def _objects(sets: Floats, *, is_sure: bool) -> list[np.ndarray[tuple[int], np.dtype[np.intp]]]:
    """Objects of each cluster: those in no other, or all."""
    is_listed = sets.sum(axis=1) == 1 if is_sure else np.ones(len(sets), dtype=bool)
    return [np.flatnonzero(column.astype(bool) & is_listed) for column in sets.T]
