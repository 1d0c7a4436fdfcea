"""Reading rows that sum to 1, dense or sparse, and how far rounded ones may miss it."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, NoReturn, cast

import numpy as np
from numpy.typing import NDArray

from sfumato._typing import Bools, Floats
from sfumato._wording import option, row_of
from sfumato.algorithms.tables.rows import (
    Rows,
    RowSummary,
    copy_rows,
    copy_single_rows,
    dense_rows,
    rescale_rows,
)
from sfumato.errors import InputError
from sfumato.partitions.reading.checks import (
    check_entries,
    clip_rounding,
    counted,
    first_true,
    shown_sum,
)
from sfumato.partitions.reading.inputs import read_numbers
from sfumato.partitions.reading.tabular import SparseMatrix, Table, is_sparse

__all__ = [
    "MANY_NUMBERS",
    "Rounding",
    "copy_table",
    "read_probabilities",
    "rescaled_note",
    "rounding_of",
]

MANY_NUMBERS = 1 << 20  # of single precision stay so, to save memory

_DECIMALS = range(2, 10)  # one decimal is too coarse to be told from other numbers
_MOST = 0.1  # what misses 1 by more is no longer a matter of rounding
_FEW = 1 << 10


def read_probabilities(table: Table, what: str, *, normalize: bool) -> tuple[Rows, str]:
    """A private copy of rows of probabilities, and a note where they were rescaled.

    Rows that miss 1 by rounding are divided by their sums, all rows if ``normalize``; those off by
    no more than the rounding of arithmetic stay as they are, so that reading a partition's own
    arrays back changes nothing. Entries below 0 by no more than the tolerance of sums are 0.

    One pass, two where rows are rescaled. Sparse matrices stay sparse, and large ones in single
    precision stay so: their rows are divided by their sums whenever they are read.

    Examples
    --------
    >>> rows, note = read_probabilities(Table(np.array([[1, 3]])), "x", normalize=True)
    >>> rows.values.tolist(), note
    ([0.25, 0.75], 'x: 1 row divided by their sums (4 to 4)')
    """
    largest = np.inf if normalize else 1 + table.tolerance
    rows, found = (_copy_single if _is_large_single(table) else copy_table)(table, what, largest)
    deviation = abs(_worst(found)[1] - 1)
    rounding = rounding_of(table, deviation)
    if normalize:
        _refuse_hopeless(found, what)
    elif deviation > rounding.tolerance:
        _refuse_sums(rows, found, what, table.tolerance)
    if found.n_off == 0:
        return rows, ""
    if not rows.is_single:
        rescale_rows(rows.values, width=rows.width, starts=rows.starts)
    subject = f"{what}: {counted(found.n_off, 'row')}"
    if normalize:
        return rows, (
            f"{subject} divided by their sums ({found.lowest_sum:.3g} to {found.highest_sum:.3g})"
        )
    return rows, rescaled_note(subject, deviation, rounding)


def copy_table(table: Table, what: str, largest: float) -> tuple[Rows, RowSummary]:
    """A private copy of rows and what their sums are; refuse entries out of [0, ``largest``]."""
    if is_sparse(table.values):
        _clip(table.values.data, table, largest)  # the matrix is a copy already
        return _copy_sparse(table.values, what, largest)
    return _copy_dense(table, what, largest)


def _clip(values: NDArray[Any], table: Table, largest: float) -> None:
    """Set what rounding left below 0 to 0; weights of any size show no such thing."""
    if largest < np.inf and values.dtype.kind == "f":
        clip_rounding(values, table.tolerance)


def _is_large_single(table: Table) -> bool:
    if is_sparse(table.values) or table.dense().dtype.char != "f":
        return False
    return table.dense().size >= MANY_NUMBERS and table.dense().dtype.isnative


def _copy_single(table: Table, what: str, largest: float) -> tuple[Rows, RowSummary]:
    given = cast("NDArray[np.float32]", table.dense())
    copied = np.empty(given.shape, dtype=np.float32)
    found = copy_single_rows(given, copied, largest=largest)
    if found.has_bad_entry:
        _clip(copied, table, largest)
        check_entries(copied.astype(np.float64), what, largest=largest)
        found = copy_single_rows(copied, copied, largest=largest)
    return dense_rows(copied), found


def _copy_dense(table: Table, what: str, largest: float) -> tuple[Rows, RowSummary]:
    given = table.dense()
    is_plain = given.dtype.char in "df" and given.dtype.isnative and given.flags.aligned
    if is_plain and given.flags.c_contiguous:
        values = cast("NDArray[np.float64]", given)
        copied: Floats = np.empty(given.shape)
    else:
        values = copied = read_numbers(table, what)
    width = copied.shape[1]
    found = copy_rows(values.reshape(-1), copied.reshape(-1), width=width, largest=largest)
    if found.has_bad_entry:
        _clip(copied, table, largest)
        check_entries(copied, what, largest=largest)
        found = copy_rows(copied.reshape(-1), copied.reshape(-1), width=width, largest=largest)
    return dense_rows(copied), found


def _copy_sparse(matrix: SparseMatrix, what: str, largest: float) -> tuple[Rows, RowSummary]:
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    column = Table(matrix.data[:, None])
    values = read_numbers(column, what).reshape(-1)
    rows = Rows(
        matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64), values, matrix.shape[1]
    )
    found = copy_rows(values, values, width=rows.width, largest=largest, starts=rows.starts)
    if found.has_bad_entry:

        def place(flags: Bools) -> tuple[int, int]:
            at = first_true(flags)[0]
            return int(np.searchsorted(rows.starts, at, side="right")) - 1, int(rows.columns[at])

        check_entries(values[:, None], what, largest=largest, place=place)
    return rows, found


def _extremes(found: RowSummary) -> tuple[tuple[int, float], tuple[int, float]]:
    """The rows of the least and of the largest sum, each with its sum."""
    return (found.lowest_row, found.lowest_sum), (found.highest_row, found.highest_sum)


def _worst(found: RowSummary) -> tuple[int, float]:
    """The row that is furthest from 1, and its sum; of two, that of the least sum."""
    return max(_extremes(found), key=lambda extreme: abs(extreme[1] - 1))


def _refuse_hopeless(found: RowSummary, what: str) -> None:
    for row, total in sorted(_extremes(found)):
        if total in (0.0, np.inf):
            raise InputError(
                f"{what}: {row_of(row)} sums to {total} and cannot be normalised; "
                "fill it in or drop the object."
            )


def _refuse_sums(rows: Rows, found: RowSummary, what: str, tolerance: float) -> NoReturn:
    row, total = _worst(found)
    remedy = f"pass {option('normalize', True)} to divide rows by their sums"
    if total < 1:
        remedy += (
            f", or {option('noise', 'unknown', 'cluster', to_reader=True)} if the rest is noise"
        )
    sums = (
        np.bincount(rows.columns, weights=rows.values, minlength=rows.width)
        if rows.is_sparse
        else rows.values.reshape(-1, rows.width).sum(axis=0)
    )
    if np.abs(sums - 1).max() <= tolerance:
        remedy = "the columns do: objects are rows, so pass the transpose (.T)"
    seen = f"{row_of(row)} sums to {shown_sum(total)}"
    raise InputError(f"{what}: rows must sum to 1; {seen}; {remedy}.")


class Rounding(NamedTuple):
    """What rows may miss 1 by, and why."""

    tolerance: float
    reason: str  # empty if it is the rounding of arithmetic only


def rounding_of(table: Table, deviation: float) -> Rounding:
    """How far the rows of a table may miss 1, looking at the values only if they miss it.

    Rounding to d decimals moves each of k values by at most half a unit of the last decimal, and
    half precision moves them by less than 0.001 of the sum.

    Examples
    --------
    >>> rounding_of(Table(np.array([[0.333, 0.333, 0.333]])), 0.001).reason
    'values look rounded to 3 decimals'
    """
    arithmetic = Rounding(table.tolerance, "")
    if not table.tolerance < deviation <= _MOST:
        return arithmetic
    values = table.values.data if is_sparse(table.values) else table.dense().ravel()
    if values.dtype.kind != "f":
        return arithmetic
    numbers = cast("NDArray[np.float64]", values)
    half_precision = float(np.finfo(np.float16).eps)
    if deviation <= half_precision and _is_kept(numbers, _halved):
        return Rounding(half_precision, "values in half precision")
    for decimals in _DECIMALS:
        if _is_kept(numbers, partial(np.round, decimals=decimals)):
            half_units = table.values.shape[1] * 0.5 * 10.0**-decimals * (1 + 1e-9)
            if deviation <= half_units:
                return Rounding(half_units, f"values look rounded to {decimals} decimals")
            break
    return arithmetic


def rescaled_note(subject: str, deviation: float, rounding: Rounding) -> str:
    """What is said of rows that were rescaled."""
    reason = f"; {rounding.reason}" if rounding.reason else ""
    return f"{subject} rescaled to sum to 1 (largest deviation {deviation:.1g}{reason})"


def _is_kept(values: Floats, rounded: Callable[[Floats], NDArray[np.floating]]) -> bool:
    """Whether rounding changes no value; a few, as a rule, show that it does."""
    return all(bool((rounded(part) == part).all()) for part in (values[:_FEW], values))


def _halved(values: Floats) -> NDArray[np.float16]:
    with np.errstate(over="ignore"):
        return values.astype(np.float16)
