"""What an algorithm may exploit of a measure: the structure of its formula, as data.

Write R, C and N for the row sums, the column sums and the cells of a table, and A, B and S for the
sums of psi over them, with psi(x) = x**2 (pair counting) or psi(x) = x log x (information). Most
measures are built from A, B and S.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import isclose, nan
from typing import Literal, TypeAlias, TypeVar, final, get_args

import numpy as np

from sfumato._typing import Floats, Ints, Tables, Values

__all__ = [
    "FAMILY_KINDS",
    "Adjusted",
    "Affine",
    "Difference",
    "Family",
    "FamilyKind",
    "Majority",
    "Matching",
    "Objective",
    "Psi",
    "Ratio",
    "Separable",
    "psi_of",
    "psi_sum",
    "xlogx",
]

Psi: TypeAlias = Literal["square", "xlogx"]
FamilyKind: TypeAlias = Literal[
    "pairs",
    "information",
    "pair ratio",
    "information ratio",
    "adjusted information",
    "matching",
    "majority",
    "difference",
]
FAMILY_KINDS: tuple[FamilyKind, ...] = get_args(FamilyKind)
_Sum = TypeVar("_Sum", float, Floats)


def xlogx(x: Floats) -> Floats:
    """X log x, 0 at 0."""
    positive = np.where(x > 0.0, x, 1.0)
    return positive * np.log(positive)


def psi_of(psi: Psi, x: Floats) -> Floats:
    """Psi of each number."""
    return x**2 if psi == "square" else xlogx(x)


def psi_sum(psi: Psi, counts: Ints) -> Floats:
    """Sum of psi over the last axis."""
    return psi_of(psi, counts.astype(np.float64)).sum(axis=-1)


@final
@dataclass(frozen=True, slots=True)
class Affine:
    """offset + rows * A + columns * B + cells * S."""

    offset: float = 0.0
    rows: float = 0.0
    columns: float = 0.0
    cells: float = 0.0

    def of_sums(self, rows: _Sum, columns: _Sum, cells: _Sum) -> _Sum:
        """Value for given A, B and S."""
        return self.offset + self.rows * rows + self.columns * columns + self.cells * cells

    def at(self, rows: Floats, cells: Floats) -> Floats:
        """Values for given A and S, where B is fixed and part of the offset."""
        return np.asarray(self.offset + self.rows * rows + self.cells * cells)

    def with_columns(self, columns: float) -> "Affine":
        """The same where B is known: it becomes part of the offset."""
        return Affine(self.offset + self.columns * columns, self.rows, 0.0, self.cells)

    def turned(self) -> "Affine":
        """The same of the transposed table."""
        return Affine(self.offset, self.columns, self.rows, self.cells)


@final
@dataclass(frozen=True, slots=True)
class Separable:
    """The value is affine in A, B and S (Rand, mutual information, VI)."""

    psi: Psi
    value: Affine

    @property
    def kind(self) -> FamilyKind:
        """Pair counting or information."""
        return "pairs" if self.psi == "square" else "information"

    @property
    def distance_scale(self) -> float | None:
        """The scale if the value is offset + scale * (A + B - 2 S), else None.

        A + B - 2 S is a distance: for squares, the ordered pairs of objects on which the two
        clusterings differ; for x log x, n times the variation of information.
        """
        scale = -self.value.cells / 2
        is_even = isclose(self.value.rows, scale) and isclose(self.value.columns, scale)
        return scale if is_even else None

    @property
    def counts_pairs(self) -> bool:
        """Whether the value only counts the pairs of objects on which the clusterings differ."""
        return self.psi == "square" and self.distance_scale is not None

    def of_sums(self, rows: float, columns: float, cells: float) -> float:
        """Value for given A, B and S."""
        return self.value.of_sums(rows, columns, cells)

    def turned(self) -> "Separable":
        """The family of the transposed table."""
        return Separable(self.psi, self.value.turned())


@final
@dataclass(frozen=True, slots=True)
class Ratio:
    """The value is numerator / denominator**power, both affine in A, B and S.

    ``parts(B)`` gives numerator and denominator when the sum over the columns is known; they are
    affine in it. Where
    ``needs_fixed_columns`` is true the parts hold only for tables that share that sum, as they do
    against a hard truth. Zero over zero is ``at_zero``: two clusterings that leave nothing to tell
    apart mostly count as equal.
    """

    psi: Psi
    parts: Callable[[float], tuple[Affine, Affine]]
    power: float = 1.0
    needs_fixed_columns: bool = False
    at_zero: float = 1.0

    @property
    def kind(self) -> FamilyKind:
        """Pair counting or information."""
        return "pair ratio" if self.psi == "square" else "information ratio"

    @property
    def is_even(self) -> bool:
        """Whether rows and columns weigh the same in a plain ratio of pair counts."""
        return (
            self.psi == "square"
            and self.power == 1.0
            and not self.needs_fixed_columns
            and all(part.rows == part.columns for part in self.parts(0.0))
        )

    def of_sums(self, rows: float, columns: float, cells: float) -> float:
        """Value for given A, B and S; nan where it has none."""
        numerator, denominator = self.parts(columns)
        below = denominator.of_sums(rows, columns, cells)
        if below <= 0.0:
            return nan
        return numerator.of_sums(rows, columns, cells) / below**self.power

    def turned(self) -> "Ratio":
        """The family of the transposed table; only where no sum has to be fixed."""
        assert not self.needs_fixed_columns

        def parts(column_sum: float) -> tuple[Affine, Affine]:
            numerator, denominator = self.parts(column_sum)
            return numerator.turned(), denominator.turned()

        return replace(self, parts=parts)


@final
@dataclass(frozen=True, slots=True)
class Matching:
    """The value is offset + slope * (largest total of a one-to-one matching of clusters)."""

    offset: float
    slope: float
    kind: FamilyKind = "matching"


@final
@dataclass(frozen=True, slots=True)
class Majority:
    """The value is slope * (sum over rows of their largest cell)."""

    slope: float
    kind: FamilyKind = "majority"


@final
@dataclass(frozen=True, slots=True)
class Adjusted:
    """The value is (u - e) / (1 - e), a share u of information adjusted for the share e of chance.

    u is the mutual information I over an average of the two entropies, and e is the mean of I over
    all tables with the same margins, over the same average. Neither minds the order of the sides.
    The average of two arrays of entropies grows with both, scales with them, and is one of the
    arithmetic and geometric means, the smaller and the larger one.
    """

    share: Ratio  # I over the arithmetic mean of the entropies
    shares: Callable[[Tables], Values]  # its values
    average: Callable[[Floats, Floats], Floats]
    kind: FamilyKind = "adjusted information"

    @property
    def is_arithmetic(self) -> bool:
        """Whether the average is the arithmetic mean, as in ``share``."""
        return float(self.average(np.array(1.0), np.array(3.0))) == 2.0


@final
@dataclass(frozen=True, slots=True, eq=False)
class Difference:
    """The value of one candidate minus that of another, against one truth.

    A row of the table is a pair of clusters, one of each candidate. Rows that share the cluster of
    a candidate add up to a row of the table of this candidate alone.
    """

    first: "Objective"  # the same measure on the tables of either candidate
    second: "Objective"
    first_rows: Ints  # (k,): the cluster of either candidate that each row stands for
    second_rows: Ints
    kind: FamilyKind = "difference"


Family: TypeAlias = Separable | Ratio | Adjusted | Matching | Majority | Difference


@final
@dataclass(frozen=True, slots=True, eq=False)
class Objective:
    """All that a solver sees of a measure: what to find the ends, the mean or the law of."""

    family: Family | None  # structure of the formula; None if nothing is known of it
    shape: tuple[int, int]  # rows and columns of the table
    n_objects: int
    bounds: tuple[float, float]  # no value lies outside
    of_tables: Callable[[Tables], Values]
    is_symmetric: bool  # whether the transposed table has the same value

    @property
    def n_cells(self) -> int:
        """Cells of the table."""
        return self.shape[0] * self.shape[1]

    @property
    def spread(self) -> float:
        """Length of the bounds."""
        return self.bounds[1] - self.bounds[0]

    def clip(self, value: float) -> float:
        """The value, which rounding may have carried past a bound."""
        return min(max(value, self.bounds[0]), self.bounds[1])

    def unadjusted(self) -> "Objective":
        """The share of information alone, not adjusted for chance; of an `Adjusted` measure."""
        family = self.family
        assert isinstance(family, Adjusted)
        return replace(self, family=family.share, bounds=(0.0, 1.0), of_tables=family.shares)

    @property
    def is_turnable(self) -> bool:
        """Whether the structure of the formula is known for the transposed table too."""
        match self.family:
            case Majority() | Ratio(needs_fixed_columns=True):
                return self.is_symmetric
            case Difference():  # the candidates are the rows
                return False
            case _:
                return True

    def turned(self) -> "Objective":
        """The same question asked of the transposed table; only where `is_turnable` holds."""
        assert self.is_turnable
        if self.is_symmetric:
            return replace(self, shape=self.shape[::-1])
        family = self.family
        if isinstance(family, Separable | Ratio):  # the others do not mind the order of the sides
            family = family.turned()
        values = _Transposed(self.of_tables)
        return replace(self, family=family, shape=self.shape[::-1], of_tables=values)


@final
@dataclass(frozen=True, slots=True)
class _Transposed:
    """Values of transposed tables."""

    of_tables: Callable[[Tables], Values]

    def __call__(self, tables: Tables) -> Values:
        return self.of_tables(np.ascontiguousarray(tables.swapaxes(-1, -2)))
