"""Focal sets and what becomes of the empty one."""

from collections.abc import Iterable
from typing import TypeGuard, cast

import numpy as np

from sfumato._typing import Bools, Floats, Name
from sfumato._wording import option, row_of
from sfumato.algorithms.tables.group import group_rows
from sfumato.errors import InputError
from sfumato.partitions.reading.checks import (
    check_divisors,
    check_entries,
    clip_rounding,
    counted,
    given_names,
    match_names,
    rows_sum_to_one,
    shown_sum,
)
from sfumato.partitions.reading.inputs import read_numbers, read_sets
from sfumato.partitions.reading.probabilities import rescaled_note, rounding_of
from sfumato.partitions.reading.tabular import Table

__all__ = [
    "check_focal_sets",
    "is_list_of_sets",
    "read_focal_sets",
    "read_mass_rows",
    "resolve_empty",
]


def read_mass_rows(table: Table, *, normalize: bool) -> tuple[Floats, str]:
    """Rows of masses that sum to 1, and a note where that took more than rounding.

    Rows off by no more than rounding are left as they are, so that reading a partition's own
    arrays back changes nothing.
    """
    values = read_numbers(table, "masses")
    if not normalize:
        clip_rounding(values, table.tolerance)
    check_entries(values, "masses", largest=np.inf if normalize else 1 + table.tolerance)
    with np.errstate(over="ignore"):  # an infinite sum is refused
        sums = values.sum(axis=1)
    if normalize:
        check_divisors(sums, "masses", "fill it in or drop the object")
    deviation = np.abs(sums - 1)
    worst = int(np.argmax(deviation))
    rounding = rounding_of(table, float(deviation[worst]))
    if deviation[worst] > rounding.tolerance and not normalize:
        remedy = f"pass {option('normalize', True)} to divide rows by their sums"
        if rows_sum_to_one(values.T, table.tolerance):
            remedy = "the columns do: objects are rows, so pass the transpose (.T)"
        raise InputError(
            f"masses: rows must sum to 1; {row_of(worst)} sums to {shown_sum(float(sums[worst]))}; "
            f"{remedy}."
        )
    is_off = deviation > 4 * values.shape[1] * np.finfo(np.float64).eps
    if not is_off.any():
        return values, ""
    values[is_off] /= sums[is_off, None]
    subject = f"masses: {counted(int(is_off.sum()), 'row')}"
    return values, rescaled_note(subject, float(deviation[worst]), rounding)


def is_list_of_sets(x: object) -> TypeGuard[list[object]]:
    """Whether focal sets are given as sets, not as rows of 0 and 1."""
    return isinstance(x, list | tuple) and any(
        isinstance(item, set | frozenset) for item in cast("list[object]", x)
    )


def read_focal_sets(sets: object, names: Iterable[Name] | None) -> tuple[Table, tuple[Name, ...]]:
    """Sets of cluster names as rows of a mask, and all names.

    Where names are given and the sets do not hold them, they hold numbers of clusters.
    """
    given = None if names is None else given_names(names)
    found, every = read_sets(sets, given)
    if given is not None and all(
        isinstance(member, int) and 0 <= member < len(every) and member not in every
        for members in found
        for member in members
    ):
        found = [frozenset(every[cast(int, member)] for member in members) for members in found]
    if not every:
        raise InputError("No focal set holds a cluster; at least one set must not be empty.")
    mask = np.zeros((len(found), len(every)), dtype=bool)
    for row, members in enumerate(found):
        mask[row, match_names(tuple(members), every, "names")] = True
    return Table(mask), every


def check_focal_sets(mask: Bools, n_columns: int) -> None:
    """Refuse focal sets that do not match the columns of masses or appear twice."""
    if len(mask) != n_columns:
        raise InputError(
            f"masses has {counted(n_columns, 'column')} but there "
            f"{'is' if len(mask) == 1 else 'are'} {counted(len(mask), 'focal set')}."
        )
    codes, first = group_rows(np.packbits(mask, axis=1))
    if len(first) < len(mask):
        second = int(np.argmax(first[codes] != np.arange(len(mask))))
        raise InputError(
            f"focal_sets: rows {int(first[codes[second]])} and {second} are the same set; "
            "add their masses and keep one."
        )


def resolve_empty(masses: Floats, mask: Bools, empty: str) -> tuple[Floats, Bools, Floats, str]:
    """Masses (n, f) and sets (f, k) without the empty set, the mass that it had, and a note."""
    is_empty = ~mask.any(axis=1)
    if not is_empty.any():
        return masses, mask, np.zeros(len(masses)), ""
    empty_mass = masses[:, is_empty].sum(axis=1)
    rest, sets = np.ascontiguousarray(masses[:, ~is_empty]), mask[~is_empty]
    if not empty_mass.any():
        return rest, sets, empty_mass, ""
    said = f"mean mass {float(empty_mass.mean()):.3g} of the empty set"
    if empty == "raise":
        row = int(np.argmax(empty_mass > 0))
        raise InputError(
            f"masses: {row_of(row)} has mass {float(empty_mass[row]):.6g} on the empty set; "
            f"pass {option('empty', 'dempster')} to condition on the rest or "
            f"{option('empty', 'yager')} to move it to all."
        )
    if empty == "yager":
        is_all = sets.all(axis=1)
        if is_all.any():
            rest[:, is_all] += empty_mass[:, None]
        else:
            sets = np.vstack([sets, np.ones((1, sets.shape[1]), dtype=bool)])
            rest = np.column_stack([rest, empty_mass])
        return rest, sets, empty_mass, f"{said} moved to all clusters"
    is_affected = empty_mass > 0
    # The sum of the rest, not 1 - m(empty), which cancels when m(empty) is near 1.
    totals = rest[is_affected].sum(axis=1)
    if (totals == 0).any():
        row = int(np.flatnonzero(is_affected)[np.argmax(totals == 0)])
        raise InputError(
            f"masses: {row_of(row)} has all its mass on the empty set and cannot be conditioned; "
            f"pass {option('empty', 'yager')} to move it to the set of all clusters."
        )
    rest[is_affected] /= totals[:, None]
    return rest, sets, empty_mass, f"{said} conditioned away"
