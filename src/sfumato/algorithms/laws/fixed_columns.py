"""Write a measure against a hard truth in terms of sums over rows and cells only.

The column sums of the table are fixed by the truth.
"""

from typing import NamedTuple

from sfumato._typing import Ints
from sfumato.algorithms.tables.margins import table_with_margins
from sfumato.families import Affine, Family, Objective, Ratio, Separable, psi_sum

__all__ = ["RatioOfSums", "ratio_of_sums", "undefined_value"]

_ONE = Affine(1.0)


class RatioOfSums(NamedTuple):
    """numerator / denominator**power. The sum over the columns is part of the offsets."""

    numerator: Affine
    denominator: Affine
    power: float

    @property
    def counts_pairs(self) -> bool:
        """Whether the value counts pairs that differ, assuming that psi is the square."""
        value = self.numerator
        as_if_even = Affine(value.offset, value.rows, value.rows, value.cells)
        return self.denominator == _ONE and Separable("square", as_if_even).counts_pairs


def ratio_of_sums(family: Family | None, class_sizes: Ints) -> RatioOfSums | None:
    """Write the measure as a ratio of sums of psi over rows and cells; None if it is not one."""
    if not isinstance(family, Separable | Ratio):
        return None
    fixed = float(psi_sum(family.psi, class_sizes))
    if isinstance(family, Separable):
        return RatioOfSums(family.value.with_columns(fixed), _ONE, 1.0)
    numerator, denominator = (part.with_columns(fixed) for part in family.parts(fixed))
    if denominator.cells != 0 and family.power != 1:
        return None
    return RatioOfSums(numerator, denominator, family.power)


def undefined_value(objective: Objective, class_sizes: Ints, rows: Ints) -> float:
    """The value of the measure where its denominator is zero. It depends on the margins alone."""
    return float(objective.of_tables(table_with_margins(rows, class_sizes)))
