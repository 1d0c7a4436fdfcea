"""Rows of which some are missing, or sum to less than 1: memberships, masks, sets and masses."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np

from sfumato._typing import Bools, Floats, Ints, Name
from sfumato._wording import option, row_of
from sfumato.algorithms.tables.ragged import owners_of, starts_of
from sfumato.algorithms.tables.rows import Rows, dense_rows, sparse_rows
from sfumato.errors import InputError
from sfumato.partitions.base import Partition
from sfumato.partitions.evidential import Empty, EvidentialPartition
from sfumato.partitions.fuzzy import FuzzyPartition
from sfumato.partitions.reading.checks import check_divisors, check_names, counted, shown_sum
from sfumato.partitions.reading.labels import find_missing
from sfumato.partitions.reading.open_labels import UNSEEN, Layout, missing_note
from sfumato.partitions.reading.probabilities import copy_table, rounding_of
from sfumato.partitions.reading.reading_options import Reading
from sfumato.partitions.reading.tabular import Column, Table, is_sparse
from sfumato.partitions.rough import RoughPartition

__all__ = ["read_memberships", "read_open_masses", "read_open_sets", "read_vacuous"]


def read_memberships(table: Table, reading: Reading) -> Partition:
    r"""A fuzzy partition of rows, or an evidential one where some mass is on no single cluster.

    What a row lacks to 1 is the probability of noise. It becomes mass on all clusters
    (``noise="unknown"``), the membership in one cluster of noise ("cluster") or in a cluster of
    its own ("singletons"), or it is conditioned away ("drop": rows are divided by their sums, and
    rows of zeros are dropped).

    O(n + entries). Sparse memberships stay sparse, and singletons make them so.

    Examples
    --------
    >>> rows = Table(np.array([[0.5, 0.25], [0.0, 1.0]]))
    >>> read_memberships(rows, Reading(noise="unknown")).masses
    array([[0.5 , 0.25, 0.25],
           [0.  , 1.  , 0.  ]])
    >>> read_memberships(rows, Reading(noise="cluster")).memberships
    array([[0.5 , 0.25, 0.25],
           [0.  , 1.  , 0.  ]])
    """
    missing = _missing_rows(table, reading)
    table = _fill_rows(table, missing, 0.0)
    if not missing.any() and (reading.noise is None or reading.normalize):
        return FuzzyPartition(table, normalize=reading.normalize)
    return _opened(table, missing, reading)


def _missing_rows(table: Table, reading: Reading) -> Bools:
    """Which rows hold a NaN and may, of shape (n,)."""
    values = table.values
    missing = np.zeros(values.shape[0], dtype=bool)
    if reading.missing == "raise":
        return missing
    if is_sparse(values):
        is_nan = np.isnan(values.data.astype(np.float64))
        missing[owners_of(values.indptr)[is_nan]] = True
    elif (dense := table.dense()).dtype.kind in "fO":
        missing |= find_missing(dense.ravel()).reshape(dense.shape).any(axis=1)
    return missing


def _fill_rows(table: Table, rows: Bools, value: float) -> Table:
    """The table with one value in all cells of some rows; a copy, sparse only for zero."""
    if not rows.any():
        return table
    values = table.values
    if is_sparse(values) and value == 0:
        values.data[rows[owners_of(values.indptr)]] = 0  # the matrix is a copy already
        return table
    filled = np.array(table.dense())
    filled[rows] = value
    return replace(table, values=filled)


def _opened(table: Table, missing: Bools, reading: Reading) -> Partition:
    largest = np.inf if reading.normalize else 1 + table.tolerance
    rows, _ = copy_table(table, "memberships", largest)
    if rows.width == 1:  # all that is unknown is in the one cluster: entries may coincide
        rows = dense_rows(_sums(rows)[:, None])
    sums = _sums(rows)
    rest = _rest(table, np.where(missing, 1.0, sums), reading)
    is_noise = (sums == 0) & ~missing & (reading.noise == "drop")
    if reading.noise != "drop" and not (missing.any() or rest.any()):
        return FuzzyPartition(table)  # all rows sum to 1, but for rounding
    is_dropped = is_noise | (missing & (reading.missing == "drop"))
    if is_dropped.all():
        raise InputError("All rows are missing or noise, so nothing is left after dropping them.")
    layout = Layout(check_names(table.names, rows.width), reading, np.flatnonzero(rest), missing)
    noisy, unknown, gone = layout.noisy, layout.unknown, np.flatnonzero(is_dropped)
    parts = [
        (gone, np.zeros(len(gone), np.int64), np.ones(len(gone))),  # anywhere
        (noisy, layout.noise_columns, rest[noisy]),
        (unknown, np.full(len(unknown), layout.missing_column), np.ones(len(unknown))),
    ]
    is_whole = np.abs(sums - 1) <= 4 * rows.width * np.finfo(np.float64).eps  # but for rounding
    rescaled = np.where((rest > 0) | (sums == 0) | is_whole, 1.0, sums)
    wide = _widened(rows, rescaled, parts, layout)
    fuzzy = FuzzyPartition.from_rows(wide, (*layout.names, *layout.set_sizes), table.index)
    partition = fuzzy
    if layout.set_sizes:
        statements = replace(
            fuzzy.statements(),
            set_starts=layout.sets.starts,
            set_members=layout.sets.members,
            n_clusters=len(layout.names),
        )
        partition = EvidentialPartition.from_statements(statements, like=fuzzy, names=layout.names)
    notes = (
        _divided_note(sums[~missing], table.tolerance, reading),
        _noise_note(rest, is_noise, reading),
        missing_note(missing, rows.width, reading, "rows"),
    )
    return partition.noted(*notes).drop(is_dropped)


def _rest(table: Table, sums: Floats, reading: Reading) -> Floats:
    """What each row lacks to 1 beyond rounding, if that means something; refuse what does not."""
    lack = 1 - sums
    if reading.normalize:
        remedy = f"fill it in, or pass {option('noise', 'drop')} without normalize"
        check_divisors(sums, "memberships", remedy)
        return np.zeros_like(lack)
    off = np.abs(lack) if reading.noise is None else np.maximum(-lack, 0.0)
    worst = int(np.argmax(off))
    if off[worst] > rounding_of(table, off[worst]).tolerance:
        raise InputError(
            f"memberships: {row_of(worst)} sums to {shown_sum(float(sums[worst]))}"
            + (
                f", above 1; pass {option('normalize', True)} to divide rows by their sums."
                if lack[worst] < 0
                else f"; pass {option('normalize', True)} to divide rows by their sums, or "
                f"{option('noise', 'unknown', 'cluster', 'singletons')} for the rest."
            )
        )
    largest = float(np.abs(lack).max())
    if reading.noise in (None, "drop") or largest <= rounding_of(table, largest).tolerance:
        return np.zeros_like(lack)
    return np.where(lack > table.tolerance, lack, 0.0)


def _widened(
    rows: Rows, divisors: Floats, parts: list[tuple[Ints, Ints, Floats]], layout: Layout
) -> Rows:
    """Rows divided by numbers, with further entries: in rows, in columns, of values."""
    width = len(layout.names) + len(layout.set_sizes)
    if not rows.is_sparse and len(layout.names) <= rows.width + 2:
        wide = np.zeros((rows.n_rows, width))
        wide[:, : rows.width] = rows.values.reshape(-1, rows.width) / divisors[:, None]
        for owners, columns, values in parts:
            wide[owners, columns] += values
        return dense_rows(wide)
    listed = sparse_rows(rows)
    own = owners_of(listed.starts)
    entries = [(own, listed.columns, listed.values / divisors[own]), *parts]
    owners = np.concatenate([entry[0] for entry in entries])
    columns = np.concatenate([entry[1] for entry in entries])
    values = np.concatenate([entry[2] for entry in entries])
    order = np.lexsort((columns, owners))
    starts = starts_of(np.bincount(owners, minlength=rows.n_rows))
    return Rows(starts, columns[order], values[order], width)


def _sums(rows: Rows) -> Floats:
    if not rows.is_sparse:
        with np.errstate(over="ignore"):  # an infinite sum is refused
            return rows.values.reshape(-1, rows.width).sum(axis=1)
    owners = owners_of(rows.starts)
    return np.bincount(owners, rows.values, rows.n_rows).astype(np.float64)


def _divided_note(sums: Floats, tolerance: float, reading: Reading) -> str:
    if reading.noise not in (None, "drop") and not reading.normalize:
        return ""
    n_off = int((np.abs(sums - 1) > tolerance).sum())
    if not n_off:
        return ""
    condition = ", given that the object is no noise" if reading.noise == "drop" else ""
    return f"memberships: {counted(n_off, 'row')} divided by their sums{condition}"


_WHAT_THE_REST_IS = {
    "cluster": "the rest is membership in one cluster of noise",
    "singletons": "the rest is membership in no cluster, each object alone",
    "unknown": "the rest is mass on all clusters",
}


def _noise_note(rest: Floats, is_noise: Bools, reading: Reading) -> str:
    if reading.noise == "drop" and (n_noise := int(is_noise.sum())):
        said = f"{n_noise:,} of {len(rest):,} rows are all noise and dropped"
        return f"{said} ({option('noise', 'drop')})."
    if not rest.any() or reading.noise not in _WHAT_THE_REST_IS:
        return ""
    return (
        f"{np.count_nonzero(rest):,} of {len(rest):,} rows sum to less than 1 (to "
        f"{float(1 - rest.mean()):.3g} on average of all): "
        f"{_WHAT_THE_REST_IS[reading.noise]} ({option('noise', reading.noise)})."
    )


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
    return _closed(make(_fill_rows(table, missing, 1.0)), missing, n_seen, reading, "rows")


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
    values = np.array(_fill_rows(table, missing, 0.0).dense())
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


def _closed(
    opened: Partition, missing: Bools, n_seen: int, reading: Reading, what: str
) -> Partition:
    if reading.missing == "drop" and missing.all():
        raise InputError(f"All {what} are missing, so nothing is left after dropping them.")
    noted = opened.noted(missing_note(missing, n_seen, reading, what))
    return noted.drop(missing) if reading.missing == "drop" else noted
