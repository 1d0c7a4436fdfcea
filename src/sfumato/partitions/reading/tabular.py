"""Columns and tables as they come in, before anyone has looked at their entries."""

import sys
from dataclasses import dataclass
from typing import Protocol, TypeAlias, TypeGuard, final

import numpy as np
from numpy.typing import NDArray

from sfumato._typing import Bools, Ints, Name

__all__ = ["Column", "Given", "Index", "SparseMatrix", "Table", "is_sparse"]

Index: TypeAlias = NDArray[np.generic] | None  # (n,): row labels of a dataframe


class SparseMatrix(Protocol):
    """The part of a SciPy sparse matrix that is used here."""

    shape: tuple[int, ...]
    data: NDArray[np.generic]
    indices: Ints
    indptr: Ints

    def tocsr(self, copy: bool = ...) -> "SparseMatrix":
        """Convert to compressed rows."""
        ...

    def toarray(self) -> NDArray[np.generic]:
        """Fill in the zeros."""
        ...

    def sum_duplicates(self) -> None:
        """Sort the entries of each row and add up those in one place."""
        ...

    def eliminate_zeros(self) -> None:
        """Drop entries that are zero."""
        ...


def is_sparse(x: object) -> TypeGuard[SparseMatrix]:
    """Whether x is a SciPy sparse matrix; SciPy is not imported to find out."""
    scipy_sparse = sys.modules.get("scipy.sparse")
    return scipy_sparse is not None and bool(scipy_sparse.issparse(x))


@final
@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """The objects that a partition was made of, before some were dropped."""

    is_kept: Bools  # (n,)
    index: Index

    def __post_init__(self) -> None:
        self.is_kept.flags.writeable = False


@final
@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """One entry per object."""

    values: "NDArray[np.generic] | list[object]"
    index: Index = None


@final
@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """One row per object; columns may have names."""

    values: "NDArray[np.generic] | SparseMatrix"
    names: tuple[Name, ...] | None = None
    index: Index = None

    @property
    def tolerance(self) -> float:
        """How far from 1 a row may sum: single precision carries more rounding."""
        dtype = self.values.data.dtype if is_sparse(self.values) else self.dense().dtype
        return 1e-5 if dtype == np.float32 else 1e-6

    def dense(self) -> NDArray[np.generic]:
        """The values as an array of shape (n, k)."""
        return self.values.toarray() if is_sparse(self.values) else np.asarray(self.values)
