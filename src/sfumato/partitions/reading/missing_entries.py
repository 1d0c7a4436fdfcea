"""Finding what is missing in columns and tables."""

from typing import cast

import numpy as np
from numpy.typing import NDArray

from sfumato._typing import Bools
from sfumato.algorithms.tables.ragged import owners_of
from sfumato.partitions.reading.tabular import Table, is_sparse

__all__ = ["find_missing", "is_missing", "missing_rows"]


def is_missing(label: object) -> bool:
    """Whether a label is None, NaN, NaT, pandas' NA or an empty cell.

    Examples
    --------
    >>> [is_missing(label) for label in (None, float("nan"), "", "none", 0)]
    [True, True, True, False, False]
    """
    if label is None or type(label).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(label, str):
        return not label or label.isspace()
    if isinstance(label, np.datetime64 | np.timedelta64):
        return str(cast("object", label)) == "NaT"
    return isinstance(label, float | np.floating) and label != label  # NaN


def find_missing(labels: "NDArray[np.generic] | list[object]") -> Bools:
    """Which labels are missing, of shape (n,)."""
    if isinstance(labels, list) or labels.dtype.kind not in "biufmM":
        return np.fromiter(map(is_missing, labels), dtype=bool, count=len(labels))
    if labels.dtype.kind in "biu":
        return np.zeros(len(labels), dtype=bool)
    if labels.dtype.kind == "f":
        return np.isnan(cast("NDArray[np.float64]", labels))
    return np.isnat(cast("NDArray[np.datetime64]", labels))


def missing_rows(table: Table) -> Bools:
    """Which rows hold a NaN, of shape (n,)."""
    values = table.values
    if is_sparse(values):
        is_nan = np.isnan(values.data.astype(np.float64))
        owners = owners_of(values.indptr)
        return np.bincount(owners[is_nan], minlength=values.shape[0]) > 0
    dense = table.dense()
    if dense.dtype == object:
        flat = find_missing(cast("list[object]", dense.ravel().tolist()))
        return np.asarray(flat.reshape(dense.shape).any(axis=1))
    if dense.dtype.kind != "f":
        return np.zeros(len(dense), dtype=bool)
    return np.asarray(np.isnan(cast("NDArray[np.float64]", dense)).any(axis=1))
