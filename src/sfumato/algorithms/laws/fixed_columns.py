"""Measures of a fuzzy partition against a hard one, whose column sums are fixed."""

from typing import NamedTuple

from sfumato._typing import Ints
from sfumato.algorithms.tables.margins import table_with_margins
from sfumato.families import Affine, Family, Objective, Ratio, Separable, psi_sum

__all__ = ["RatioOfSums", "ratio_of_sums", "undefined_value"]

_ONE = Affine(1.0)


class RatioOfSums(NamedTuple):
    """numerator / denominator**power; the sum over the columns is part of the offsets."""

    numerator: Affine
    denominator: Affine
    power: float

    @property
    def counts_pairs(self) -> bool:
        """Whether the value counts differing pairs, if psi is the square."""
        value = self.numerator
        as_if_even = Affine(value.offset, value.rows, value.rows, value.cells)
        return self.denominator == _ONE and Separable("square", as_if_even).counts_pairs


def ratio_of_sums(family: Family | None, class_sizes: Ints) -> RatioOfSums | None:
    """The measure in terms of the sums of psi over rows and cells; None if it has no such form."""
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
    """The measure's own value where its denominator is zero, which depends on margins alone."""
    return float(objective.of_tables(table_with_margins(rows, class_sizes)))
