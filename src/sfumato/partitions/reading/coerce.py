"""Making a partition out of whatever the user has."""

import re
from typing import get_args

import numpy as np

from sfumato._typing import Floats, Kind, Name
from sfumato._wording import either, option, row_of
from sfumato.errors import InputError
from sfumato.partitions.base import Partition
from sfumato.partitions.drawn import DrawnPartition
from sfumato.partitions.evidential import Empty, EvidentialPartition
from sfumato.partitions.fuzzy import FuzzyPartition
from sfumato.partitions.hard import HardPartition
from sfumato.partitions.possibilistic import PossibilisticPartition
from sfumato.partitions.reading.checks import (
    check_choice,
    check_entries,
    clip_rounding,
    rows_sum_to_one,
    shown_sum,
)
from sfumato.partitions.reading.foreign import is_credal, refuse_foreign
from sfumato.partitions.reading.inputs import read, read_numbers
from sfumato.partitions.reading.open_labels import read_labels, reread
from sfumato.partitions.reading.open_rows import (
    read_memberships,
    read_open_masses,
    read_open_sets,
    read_vacuous,
)
from sfumato.partitions.reading.reading_options import Missing, Noise, Reading
from sfumato.partitions.reading.tabular import Column, Table
from sfumato.partitions.rough import RoughPartition

__all__ = ["as_partition", "read_as", "read_masses"]

_SET = r"\s*\{(.*)\}\s*"  # a name like "{a,b}"


def as_partition(
    x: object,
    kind: Kind | None = None,
    *,
    noise: Noise | None = None,
    noise_label: Name = -1,
    missing: Missing = "raise",
    new_class: bool = False,
    normalize: bool = False,
) -> Partition:
    """Make a partition of labels, memberships, masks or a dataframe.

    Parameters
    ----------
    x : Partition, array-like, sparse matrix, series, dataframe, or a result
        One dimension holds labels (hard); two dimensions with rows that sum to 1 hold memberships
        (fuzzy). Anything else needs `kind`. Objects are rows: the orientation is never guessed.
        Results are estimators with a ``partition_`` and dictionaries of evclust; for those of
        other packages see `sfumato.interop`.
    kind : {"hard", "rough", "fuzzy", "possibilistic", "evidential", "drawn"}, optional
        "rough" also takes a list of sets of cluster names, "evidential" a dataframe with columns
        named after focal sets, like ``{}``, ``{a}`` and ``{a,b}``. For "drawn" rows are draws and
        columns are objects. A partition is converted where the other kind is more general.
    noise : {None, "cluster", "singletons", "unknown", "drop"}
        What noise is, in labels and in memberships whose rows sum to less than 1: one more
        cluster; objects in no cluster, each alone; objects in a cluster that is not known, which
        makes labels rough and memberships evidential; or left out of comparisons, on both sides.
        None takes noise labels for a cluster and leaves a note, and refuses rows below 1. See
        ``docs/noise.md``.
    noise_label : hashable
        The label that marks noise, also as text; the cluster of noise is called so.
    missing : {"raise", "unknown", "drop"}
        What None, NaN, NA and empty labels, and rows with a NaN, are: an error; any of the
        clusters seen; or left out of comparisons, on both sides.
    new_class : bool
        Unknown labels may also be of one class that was not seen.
    normalize : bool
        Divide rows of memberships or masses by their sums. Rows of numbers that were rounded are
        rescaled without it, with a note.

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
    >>> as_partition([0, 1, -1, 1], noise="unknown").kind
    'rough'
    """
    return read_as(x, kind, Reading(noise, noise_label, missing, new_class, normalize))


def read_as(x: object, kind: Kind | None, reading: Reading) -> Partition:
    """The partition that `as_partition` makes, with its options checked already."""
    if kind is not None:
        check_choice(kind, get_args(Kind), "kind")
    if isinstance(x, Partition):
        if isinstance(x, HardPartition) and reading.noise is not None:
            x = reread(x, reading)
        return x if kind in (None, x.kind) else _convert(x, kind)
    fitted = getattr(x, "partition_", None)
    if isinstance(fitted, Partition):
        return read_as(fitted, kind, reading)
    if is_credal(x):
        credal = EvidentialPartition(x["mass"], x["F"], normalize=reading.normalize)
        return read_as(credal, kind, reading)
    refuse_foreign(x)
    found = read(x, "The input")
    is_table = isinstance(found, Table)
    match kind:
        case None:
            return _guess(found, reading)
        case "hard":
            return HardPartition(found) if is_table else read_labels(found, reading)
        case "rough":
            if is_table:
                return read_vacuous(found, reading, RoughPartition)
            return read_open_sets(found, reading)
        case "fuzzy":
            return read_memberships(found, reading) if is_table else FuzzyPartition(found)
        case "possibilistic":
            if is_table:
                return read_vacuous(found, reading, PossibilisticPartition)
            return PossibilisticPartition(found)
        case "evidential":
            return read_masses(found, reading)
        case "drawn":
            if (reading.noise, reading.missing, reading.normalize) != (None, "raise", False):
                raise InputError(
                    "Draws take no noise=, missing= or normalize=: their labels are read as they "
                    "are."
                )
            return DrawnPartition(found)


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


def read_masses(found: Column | Table, reading: Reading, empty: Empty = "dempster") -> Partition:
    """Masses in columns that are named after sets, like ``{}``, ``{a}`` and ``{a,b}``."""
    if isinstance(found, Column) or found.names is None:
        raise InputError(
            f"Masses alone do not say which sets they belong to; {_how_to_name_sets()}."
        )
    sets = [_parse_set(name) for name in found.names]
    names = list(dict.fromkeys(name for members in sets for name in members))
    table = Table(found.values, None, found.index)
    return read_open_masses(table, sets, reading, empty=empty, names=names)


def _parse_set(name: Name) -> tuple[str, ...]:
    inside = re.fullmatch(_SET, str(name))
    members = () if inside is None else tuple(part.strip() for part in inside[1].split(","))
    if inside is None or (len(members) > 1 and "" in members):
        raise InputError(
            f"Column {name!r} does not name a set like '{{a,b}}'; {_how_to_name_sets()}."
        )
    return () if members == ("",) else members


def _how_to_name_sets() -> str:
    return either(
        "use EvidentialPartition(masses, focal_sets)", "name columns like {}, {a} and {a,b}"
    )


def _guess(found: Column | Table, reading: Reading) -> Partition:
    if isinstance(found, Column):
        is_any = isinstance(found.values, list) or found.values.dtype == object
        if is_any and any(isinstance(item, set | frozenset) for item in found.values):
            raise InputError(f"The input is a list of sets; pass {option('kind', 'rough')}.")
        return read_labels(found, reading)
    if found.names is not None and all(re.fullmatch(_SET, str(name)) for name in found.names):
        raise InputError(
            f"The columns are named like sets of clusters; pass {option('kind', 'evidential')}."
        )
    try:
        return read_memberships(found, reading)
    except InputError:  # say what the input might be instead
        if reading.normalize:
            raise
        values = read_numbers(found, "The input")
        if reading.missing != "raise":
            values[np.isnan(values).any(axis=1)] = np.eye(1, values.shape[1])  # they sum to 1
        clip_rounding(values, found.tolerance)
        check_entries(values, "The input", largest=np.inf)
        with np.errstate(over="ignore"):
            above = values.sum(axis=1) - 1
        off = np.abs(above) if reading.noise is None else above
        if off.max() <= found.tolerance:
            raise
        raise InputError(_why_not(values, int(np.argmax(off)), found.tolerance)) from None


def _why_not(values: Floats, row: int, tolerance: float) -> str:
    with np.errstate(over="ignore"):
        sums = values.sum(axis=1)
    seen = f"Rows do not sum to 1 ({row_of(row)} sums to {shown_sum(float(sums[row]))})"
    if values.shape[1] == 1:
        flat = either("x.ravel() of an array, frame['column'] of a frame", "--label COLUMN")
        return f"{seen} in the only column; pass labels in one dimension: {flat}."
    normalize = option("normalize", True, to_reader=True)
    if rows_sum_to_one(values.T, tolerance):
        return f"{seen} but columns do: objects must be rows, so pass the transpose (.T)."
    if ((values == 0) | (values == 1)).all():
        return (
            f"{seen} in a matrix of 0 and 1; pass {normalize} for equal shares, or "
            f"{option('kind', 'rough')} if ones mark possible clusters."
        )
    if values.max() > 1:
        labels = either(
            "pass labels", "--id COLUMN or --label COLUMN if one column holds ids or labels"
        )
        return f"{seen} and entries exceed 1; pass {normalize} for weights, or {labels}."
    if sums.max() <= 1 + tolerance:
        return (
            f"{seen} and none to more than 1; pass "
            f"{option('noise', 'unknown', 'cluster', 'singletons')} if the rest is noise, or "
            f"{normalize} to divide rows by their sums."
        )
    return (
        f"{seen}; pass {normalize} for weights, or {option('kind', 'possibilistic')} for degrees "
        "of possibility."
    )
