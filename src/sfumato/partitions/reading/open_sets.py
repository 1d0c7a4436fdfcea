"""Masks, possibilities, sets and masses of which some rows are missing."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np

from sfumato._typing import Bools, Name
from sfumato.errors import InputError
from sfumato.partitions.base import Partition
from sfumato.partitions.evidential import Empty, EvidentialPartition
from sfumato.partitions.reading.checks import check_names
from sfumato.partitions.reading.layout import UNSEEN
from sfumato.partitions.reading.missing_entries import find_missing, missing_rows
from sfumato.partitions.reading.open_labels import missing_note
from sfumato.partitions.reading.open_rows import fill_rows
from sfumato.partitions.reading.reading_options import Reading
from sfumato.partitions.reading.tabular import Column, Table
from sfumato.partitions.rough import RoughPartition

__all__ = ["read_open_masses", "read_open_sets", "read_vacuous"]

# A missing row is read as one that says nothing, and then dropped if that is asked for: so
# complaints about other rows name their right places.


def read_vacuous(table: Table, reading: Reading, make: Callable[[Table], Partition]) -> Partition:
    """Rows of 0 and 1, or of possibilities; a missing one has a 1 for every cluster."""
    missing = _missing_rows(table, reading)
    if not missing.any():
        return make(table)
    n_seen = table.values.shape[1]
    if reading.new_class:
        names = (*check_names(table.names, n_seen), UNSEEN)
        wide = np.column_stack([table.dense(), np.zeros(len(missing))])
        table = Table(wide, names, table.index)
    return _closed(make(fill_rows(table, missing, 1.0)), missing, n_seen, reading, "rows")


def read_open_sets(column: Column, reading: Reading) -> Partition:
    """Sets of cluster names; a missing one is the set of all names."""
    if reading.missing == "raise" or not (missing := find_missing(list(column.values))).any():
        return RoughPartition.from_sets(column)
    known: list[object] = [
        entry for entry, gap in zip(column.values, missing, strict=True) if not gap
    ]
    if not known:
        raise InputError("All sets are missing, so no class was seen; pass sets for some objects.")
    seen = RoughPartition.from_sets(Column(known)).names
    anything = frozenset((*seen, UNSEEN) if reading.new_class else seen)
    filled = [anything if gap else entry for entry, gap in zip(column.values, missing, strict=True)]
    opened = RoughPartition.from_sets(Column(filled, column.index))
    return _closed(opened, missing, len(seen), reading, "sets")


def read_open_masses(
    table: Table,
    sets: Sequence[Iterable[Name]],
    reading: Reading,
    *,
    empty: Empty,
    names: Sequence[Name],
) -> Partition:
    """Masses on sets of names; a missing row has all its mass on all clusters."""
    missing = _missing_rows(table, reading)
    if not missing.any():
        return EvidentialPartition.from_sets(
            table, sets, empty=empty, names=names, normalize=reading.normalize
        )
    anything = (*names, UNSEEN) if reading.new_class else tuple(names)
    members = [frozenset(each) for each in sets]
    values = np.array(fill_rows(table, missing, 0.0).dense())
    if frozenset(anything) not in members:
        members.append(frozenset(anything))
        values = np.column_stack([values, np.zeros(len(missing))])
    values[missing, members.index(frozenset(anything))] = 1.0
    opened = EvidentialPartition.from_sets(
        replace(table, values=values),
        members,
        empty=empty,
        names=anything,
        normalize=reading.normalize,
    )
    return _closed(opened, missing, len(names), reading, "rows")


def _missing_rows(table: Table, reading: Reading) -> Bools:
    if reading.missing == "raise":
        return np.zeros(table.values.shape[0], dtype=bool)
    return missing_rows(table)


def _closed(
    opened: Partition, missing: Bools, n_seen: int, reading: Reading, what: str
) -> Partition:
    if reading.missing == "drop" and missing.all():
        raise InputError(f"All {what} are missing, so nothing is left after dropping them.")
    noted = opened.noted(missing_note(missing, n_seen, reading, what))
    return noted.drop(missing) if reading.missing == "drop" else noted
