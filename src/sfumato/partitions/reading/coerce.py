"""Making a partition out of whatever the user has."""

import re
from collections.abc import Callable

import numpy as np

from sfumato._typing import Floats, Kind, Name
from sfumato.errors import InputError
from sfumato.partitions.base import Partition
from sfumato.partitions.evidential import Empty, EvidentialPartition
from sfumato.partitions.fuzzy import FuzzyPartition
from sfumato.partitions.hard import HardPartition
from sfumato.partitions.possibilistic import PossibilisticPartition
from sfumato.partitions.reading.checks import check_choice, check_entries, rows_sum_to_one
from sfumato.partitions.reading.inputs import read, read_numbers
from sfumato.partitions.reading.tabular import Column, Table
from sfumato.partitions.rough import RoughPartition

__all__ = ["as_partition", "read_masses"]

_KINDS = ("hard", "rough", "fuzzy", "possibilistic", "evidential")


def as_partition(x: object, kind: Kind | None = None) -> Partition:
    """Make a partition of labels, memberships, masks or a dataframe.

    Parameters
    ----------
    x : Partition, array-like, sparse matrix, series or dataframe
        One dimension holds labels (hard); two dimensions with rows that sum to 1 hold memberships
        (fuzzy). Anything else needs `kind`. Objects are rows: the orientation is never guessed.
    kind : {"hard", "rough", "fuzzy", "possibilistic", "evidential"}, optional
        "rough" also takes a list of sets of cluster names, "evidential" a dataframe with columns
        named after focal sets, like ``{}``, ``{a}`` and ``{a,b}``. A partition is converted where
        the other kind is more general.

    Returns
    -------
    Partition

    Raises
    ------
    InputError
        Where the kind cannot be told, or the data does not fit it.

    Examples
    --------
    >>> as_partition([0, 0, 1]).kind
    'hard'
    >>> as_partition([[0.2, 0.8], [1.0, 0.0]]).kind
    'fuzzy'
    >>> as_partition([[1, 1], [1, 0]], kind="rough").kind
    'rough'
    """
    if kind is not None:
        check_choice(kind, _KINDS, "kind")
    if isinstance(x, Partition):
        return x if kind in (None, x.kind) else _convert(x, kind)
    found = read(x, "The input")
    if kind is None:
        return _guess(found)
    return _READERS[kind](found)


def _convert(partition: Partition, kind: Kind | None) -> Partition:
    match partition, kind:
        case HardPartition(), "rough":
            return partition.to_rough()
        case HardPartition(), "fuzzy":
            return partition.to_fuzzy()
        case HardPartition() | RoughPartition() | FuzzyPartition(), "evidential":
            return partition.to_evidential()
        case _:
            raise InputError(
                f"A {partition.kind} partition is not a special {kind} one; "
                "say how with .simplest(), .support(), .pignistic(), .harden() or .to_evidential()."
            )


def _read_rough(found: Column | Table) -> RoughPartition:
    if isinstance(found, Table):
        return RoughPartition(found)
    return RoughPartition.from_sets(found)


def read_masses(found: Column | Table, empty: Empty = "dempster") -> EvidentialPartition:
    """Masses in columns that are named after sets, like ``{}``, ``{a}`` and ``{a,b}``."""
    if isinstance(found, Column) or found.names is None:
        raise InputError(
            "Masses alone do not say which sets they belong to; "
            "use EvidentialPartition(masses, focal_sets)."
        )
    sets = [_parse_set(name) for name in found.names]
    names = list(dict.fromkeys(name for members in sets for name in members))
    table = Table(found.values, None, found.index)
    return EvidentialPartition.from_sets(table, sets, empty=empty, names=names)


_SET = r"\s*\{(.*)\}\s*"  # a name like "{a,b}"


def _parse_set(name: Name) -> tuple[str, ...]:
    inside = re.fullmatch(_SET, str(name))
    members = () if inside is None else tuple(part.strip() for part in inside[1].split(","))
    if inside is None or (len(members) > 1 and "" in members):
        raise InputError(
            f"Column {name!r} does not name a set like '{{a,b}}'; "
            "use EvidentialPartition(masses, focal_sets)."
        )
    return () if members == ("",) else members


_READERS: dict[Kind, Callable[[Column | Table], Partition]] = {
    "hard": HardPartition,
    "rough": _read_rough,
    "fuzzy": FuzzyPartition,
    "possibilistic": PossibilisticPartition,
    "evidential": read_masses,
}


def _guess(found: Column | Table) -> Partition:
    if isinstance(found, Column):
        is_any = isinstance(found.values, list) or found.values.dtype == object
        if is_any and any(isinstance(item, set | frozenset) for item in found.values):
            raise InputError('The input is a list of sets; pass kind="rough".')
        return HardPartition(found)
    if found.names is not None and all(re.fullmatch(_SET, str(name)) for name in found.names):
        raise InputError('The columns are named like sets of clusters; pass kind="evidential".')
    try:
        return FuzzyPartition(found)
    except InputError:  # say what the input might be instead
        values = read_numbers(found, "The input")
        check_entries(values, "The input", largest=np.inf)
        if rows_sum_to_one(values, found.tolerance):
            raise
        raise InputError(_why_not(values, found.tolerance)) from None


def _why_not(values: Floats, tolerance: float) -> str:
    with np.errstate(over="ignore"):
        sums = values.sum(axis=1)
    row = int(np.argmax(np.abs(sums - 1)))
    seen = f"Rows do not sum to 1 (row {row} sums to {float(sums[row]):.6g})"
    if rows_sum_to_one(values.T, tolerance):
        return f"{seen} but columns do: objects must be rows, so pass the transpose (.T)."
    if ((values == 0) | (values == 1)).all():
        return f'{seen} in a matrix of 0 and 1; pass kind="rough" if ones mark possible clusters.'
    if values.max() > 1:
        return f"{seen} and entries exceed 1; pass labels, or memberships in [0, 1]."
    return (
        f'{seen}, and the kind is not guessed: pass kind="possibilistic" for degrees of '
        "possibility, or FuzzyPartition(x, normalize=True) for weights."
    )
