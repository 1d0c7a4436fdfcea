"""A partition as a header of plain values and a few arrays, and back, checked on the way."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast, final

import numpy as np
from numpy.typing import NDArray

from sfumato._typing import Name
from sfumato.errors import InputError
from sfumato.partitions import (
    DrawnPartition,
    EvidentialPartition,
    FuzzyPartition,
    HardPartition,
    Partition,
    PossibilisticPartition,
    RoughPartition,
)
from sfumato.partitions.reading.labels import object_array
from sfumato.partitions.reading.tabular import Column, Given, Table

__all__ = ["FORMAT", "VERSION", "Stored", "restored", "stored", "with_fields"]

FORMAT, VERSION = "sfumato partition", 1

Some = TypeVar("Some", bound=Partition)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Stored:
    """What a file of sfumato's own holds.

    The header has values that JSON can hold: format, version, kind, names, notes, what a kind needs
    besides, and arrays of mixed types as lists.
    """

    header: Mapping[str, object]
    arrays: Mapping[str, NDArray[np.generic]]  # of numbers, truth values, text or dates


def stored(partition: Partition) -> Stored:
    """What a file must hold to give the same partition again, to the last bit."""
    header: dict[str, object] = {
        "format": FORMAT,
        "version": VERSION,
        "kind": partition.kind,
        "names": None,
        "notes": list(partition.notes),
    }
    arrays: dict[str, NDArray[Any]] = {}
    match partition:
        case HardPartition():
            arrays = {"codes": partition.codes, "categories": partition.categories}
        case RoughPartition():
            sets = partition.sets.to_mask(partition.n_clusters)
            arrays = {"codes": partition.codes, "sets": sets}
        case FuzzyPartition() if partition.rows.is_sparse:
            rows = partition.rows
            arrays = {"starts": rows.starts, "columns": rows.columns, "values": rows.values}
        case FuzzyPartition():
            arrays = {"memberships": partition.memberships}
        case PossibilisticPartition():
            header["t_norm"] = partition.t_norm
            arrays = {"memberships": partition.memberships}
        case EvidentialPartition():
            header["empty"] = partition.empty
            arrays = {
                "masses": partition.masses,
                "focal_sets": partition.focal_sets,
                "empty_mass": partition.empty_mass,
            }
        case DrawnPartition():
            arrays = {"codes": partition.codes, "weights": partition.weights}
        case _:
            raise InputError(f"A {partition.kind} partition cannot be written to a file.")
    is_hard = isinstance(partition, HardPartition)
    if not is_hard or HardPartition(Column(partition.categories)).names != partition.names:
        header["names"] = _plain(partition.names, "cluster names")
    if partition.index is not None:
        arrays["index"] = partition.index
    if partition.given is not None:
        arrays["is_kept"] = partition.given.is_kept
        if partition.given.index is not None:
            arrays["given_index"] = partition.given.index
    mixed = {name: array for name, array in arrays.items() if array.dtype == object}
    header["mixed"] = {
        name: _plain(cast("Sequence[object]", array.tolist()), "labels")
        for name, array in mixed.items()
    }
    return Stored(header, {name: arrays[name] for name in arrays if name not in mixed})


def _plain(items: Sequence[object], what: str) -> list[object]:
    for item in items:
        if not isinstance(item, str | int | float | bool):
            raise InputError(
                f"A file cannot keep {what} like {item!r}, of the type {type(item).__name__}; use "
                "text or numbers."
            )
    return list(items)


def restored(found: Stored, where: object) -> Partition:
    """The partition that a file holds; nothing in the file is believed unchecked."""
    header = found.header
    if header.get("format") != FORMAT:
        raise InputError(f"{where}: this is no partition that sfumato has written.")
    if header.get("version") != VERSION:
        raise InputError(
            f"{where}: written in version {header.get('version')!r} of the format; this sfumato "
            f"reads version {VERSION}."
        )
    try:
        return _restored(found)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
        raise InputError(
            f"{where}: the file is damaged ({type(error).__name__}: {str(error)[:80]!r}); write it "
            "again."
        ) from None


def _restored(found: Stored) -> Partition:
    header, mixed = found.header, cast("dict[str, list[object]]", found.header["mixed"])
    arrays = dict(found.arrays) | {
        name: object_array(_plain(items, "labels")) for name, items in mixed.items()
    }
    index, given_index = arrays.pop("index", None), arrays.pop("given_index", None)
    is_kept = arrays.pop("is_kept", None)
    names = cast("list[Name] | None", header["names"])
    chosen = None if names is None else tuple(cast("list[Name]", _plain(names, "cluster names")))
    notes = tuple(map(str, cast("list[object]", header["notes"])))
    partition = _built(header, arrays, chosen, index)
    if index is not None and index.shape != (partition.n_objects,):
        raise InputError(f"{index.shape} ids for {partition.n_objects} objects.")
    given = None if is_kept is None else _given(is_kept, given_index, partition.n_objects)
    return with_fields(partition, notes=notes, index=index, given=given)


def _given(is_kept: NDArray[Any], index: "NDArray[np.generic] | None", n_objects: int) -> Given:
    is_right = is_kept.dtype == bool and is_kept.ndim == 1 and is_kept.sum() == n_objects
    if not is_right or (index is not None and index.shape != is_kept.shape):
        raise InputError("which objects were dropped does not fit to those that are left.")
    return Given(np.array(is_kept), index)


def _built(
    header: Mapping[str, object],
    arrays: Mapping[str, NDArray[Any]],
    names: tuple[Name, ...] | None,
    index: "NDArray[np.generic] | None",
) -> Partition:
    match header["kind"]:
        case "hard":
            codes = _codes(arrays["codes"], len(arrays["categories"]))
            return HardPartition(Column(arrays["categories"][codes], index), names=names)
        case "rough":
            sets = np.asarray(arrays["sets"], dtype=bool)
            mask = sets[_codes(arrays["codes"], len(sets))]
            return RoughPartition(Table(mask, names, index))
        case "fuzzy" if "starts" in arrays:
            from scipy.sparse import csr_array

            parts = arrays["values"], arrays["columns"], arrays["starts"]
            matrix = csr_array(parts, shape=(len(parts[2]) - 1, len(names or ())))
            matrix.check_format(full_check=True)
            return FuzzyPartition(Table(cast(Any, matrix), names, index))
        case "fuzzy":
            return FuzzyPartition(Table(_floats(arrays["memberships"]), names, index))
        case "possibilistic":
            table = Table(_floats(arrays["memberships"]), names, index)
            return PossibilisticPartition(table, t_norm=cast(Any, header["t_norm"]))
        case "evidential":
            masses = Table(_floats(arrays["masses"]), None, index)
            sets = Table(np.asarray(arrays["focal_sets"], dtype=bool))
            partition = EvidentialPartition(masses, sets, names=names)
            empty_mass = _floats(arrays["empty_mass"], 1)
            if header["empty"] not in ("dempster", "yager", "raise"):
                raise InputError(f"empty is {header['empty']!r}.")
            if (
                empty_mass.shape != (partition.n_objects,)
                or not ((empty_mass >= 0) & (empty_mass <= 1)).all()
            ):
                raise InputError("masses of the empty set must lie in [0, 1], one per object.")
            return with_fields(partition, empty_mass=empty_mass, empty=header["empty"])
        case "drawn":
            codes = arrays["codes"].astype(np.int64, casting="safe")
            weights = _floats(arrays["weights"], 1)
            drawn = DrawnPartition(Table(codes), weights)
            if not np.allclose(drawn.weights, weights, rtol=1e-9, atol=0.0):
                raise InputError("weights of draws must add up to 1.")
            return with_fields(drawn, weights=weights.copy())
        case kind:
            raise InputError(f"{kind!r} is no kind of partition.")


def _codes(codes: NDArray[Any], n_codes: int) -> NDArray[np.int64]:
    numbers = codes.astype(np.int64, casting="safe")
    if numbers.ndim != 1 or not ((numbers >= 0) & (numbers < n_codes)).all():
        raise InputError(f"codes must lie between 0 and {n_codes - 1}, one per object.")
    return numbers


def _floats(numbers: NDArray[Any], n_dimensions: int = 2) -> NDArray[np.float64]:
    if numbers.ndim != n_dimensions:
        raise InputError(f"an array has {numbers.ndim} dimensions, not {n_dimensions}.")
    return numbers.astype(np.float64, casting="safe")


def with_fields(partition: Some, **fields: object) -> Some:
    """The same partition with other notes, index or what else a file keeps.

    Examples
    --------
    >>> with_fields(HardPartition([0, 1]), notes=("from a file",)).notes
    ('from a file',)
    """
    copied = object.__new__(type(partition))
    copied.__setstate__(partition.__getstate__() | fields)
    return copied
