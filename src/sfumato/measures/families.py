"""What a method may exploit of a measure: the structure of its formula, as data.

Write R, C and N for the row sums, the column sums and the cells of a table. Most measures are
built from three sums, of psi(R), psi(C) and psi(N), with psi(x) = x**2 (pair counting) or
psi(x) = x log x (information).
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import nan
from typing import Literal, TypeAlias, final

__all__ = ["Affine", "Family", "Majority", "Matching", "Psi", "Ratio", "Separable"]

Psi: TypeAlias = Literal["square", "xlogx"]


@final
@dataclass(frozen=True, slots=True)
class Affine:
    """offset + rows * sum psi(R) + columns * sum psi(C) + cells * sum psi(N)."""

    offset: float = 0.0
    rows: float = 0.0
    columns: float = 0.0
    cells: float = 0.0

    def of_sums(self, rows: float, columns: float, cells: float) -> float:
        """Value for given sums of psi over rows, columns and cells."""
        return self.offset + self.rows * rows + self.columns * columns + self.cells * cells


@final
@dataclass(frozen=True, slots=True)
class Separable:
    """The value is affine in the three sums (Rand, mutual information, VI)."""

    psi: Psi
    value: Affine

    def of_sums(self, rows: float, columns: float, cells: float) -> float:
        """Value for given sums of psi over rows, columns and cells."""
        return self.value.of_sums(rows, columns, cells)


@final
@dataclass(frozen=True, slots=True)
class Ratio:
    """The value is numerator / denominator**power, both affine in the three sums.

    ``parts(column_sum)`` gives numerator and denominator when the sum of psi(C) is known. Where
    ``needs_fixed_columns`` is true the parts hold only for tables that share that sum, as they do
    against a hard truth. Zero over zero is ``at_zero``: two clusterings that leave nothing to tell
    apart mostly count as equal.
    """

    psi: Psi
    parts: Callable[[float], tuple[Affine, Affine]]
    power: float = 1.0
    needs_fixed_columns: bool = False
    at_zero: float = 1.0

    def of_sums(self, rows: float, columns: float, cells: float) -> float:
        """Value for given sums of psi over rows, columns and cells; nan where it has none."""
        numerator, denominator = self.parts(columns)
        below = denominator.of_sums(rows, columns, cells)
        if below <= 0.0:
            return nan
        return numerator.of_sums(rows, columns, cells) / below**self.power


@final
@dataclass(frozen=True, slots=True)
class Matching:
    """The value is offset + slope * (largest total of a one-to-one matching of clusters)."""

    offset: float
    slope: float


@final
@dataclass(frozen=True, slots=True)
class Majority:
    """The value is slope * (sum over rows of their largest cell)."""

    slope: float


Family: TypeAlias = Separable | Ratio | Matching | Majority
