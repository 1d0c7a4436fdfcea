"""The law of the value of a measure, and a measure against a hard truth as a ratio of sums.

The truth fixes the column sums of the table, so that only rows and cells are left to sum over.
"""

from typing import NamedTuple

from sfumato._typing import Floats, Ints
from sfumato.families import Affine, Family, Ratio, Separable, psi_sum

__all__ = ["RatioOfSums", "ValueLaw", "ratio_of_sums"]

_ONE = Affine(1.0)


class ValueLaw(NamedTuple):
    """Values with their probabilities.

    ``lost_mass`` bounds what was left out; ``rounding`` is how far a value may have been moved, and
    ``mean_error`` what that does to the mean.
    """

    values: Floats
    masses: Floats
    lost_mass: float
    rounding: float = 0.0
    mean_error: float = 0.0


class RatioOfSums(NamedTuple):
    """numerator / denominator**power. The sum over the columns is part of the offsets."""

    numerator: Affine
    denominator: Affine
    power: float = 1.0
    at_zero: float = 1.0  # the value where the denominator is 0

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
        return RatioOfSums(family.value.with_columns(fixed), _ONE)
    numerator, denominator = (part.with_columns(fixed) for part in family.parts(fixed))
    if denominator.cells != 0 and family.power != 1:
        return None
    return RatioOfSums(numerator, denominator, family.power, family.at_zero)
