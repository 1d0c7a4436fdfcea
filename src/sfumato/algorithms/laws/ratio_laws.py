"""Find the law of a ratio of sums of psi, of a fuzzy partition against a hard truth.

The truth fixes the column sums of the table, so that only rows and cells are left to sum over. The
columns are added one by one; see `split_table`. Sums of squares are counts of pairs, and their laws
are exact. Sums of x log x are rounded to a fine grid, and the rounding is stated.
"""

from math import isclose
from typing import NamedTuple

import numpy as np

from sfumato import _core
from sfumato._typing import Codes, Floats, Ints
from sfumato.algorithms.laws.column_laws import sums_by_column
from sfumato.algorithms.laws.split_table import (
    CellTotals,
    SplitCost,
    SplitTable,
    bound_split,
    split_table,
)
from sfumato.algorithms.tables.pair_counts import pair_counts
from sfumato.families import Affine, Family, Ratio, Separable, psi_sum, xlogx

__all__ = [
    "RatioOfSums",
    "ValueLaw",
    "bound_information_law",
    "bound_joint_pairs",
    "joint_pairs",
    "law_of_information",
    "law_of_pairs",
    "ratio_of_sums",
    "weighted_pairs",
]

_UNDEFINED = 1e-12  # a denominator this small is zero: sums of squares are exact
_MOST_DENSE_KEYS = 2.0**24
_DEVIATIONS = 7.5  # so many standard deviations hold about all but 1e-13 of a law
_N_BINS = 1 << 17  # bins for values: they give six digits and fit into the cache
_UNIT = 2e-11  # step of the grid per object, for the sum of N log N over a column
_ARITHMETIC = 1e-13  # error of a mean from adding up many small numbers


class ValueLaw(NamedTuple):
    """Values of a measure with their probabilities.

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
        return self.denominator == Affine(1.0) and isclose(value.rows, -value.cells / 2)


def ratio_of_sums(family: Family | None, class_sizes: Ints) -> RatioOfSums | None:
    """Write the measure as a ratio of sums of psi over rows and cells; None if it is not one."""
    if not isinstance(family, Separable | Ratio):
        return None
    fixed = float(psi_sum(family.psi, class_sizes))
    if isinstance(family, Separable):
        return RatioOfSums(family.value.with_columns(fixed), Affine(1.0))
    numerator, denominator = (part.with_columns(fixed) for part in family.parts(fixed))
    if denominator.cells != 0 and family.power != 1:
        return None
    return RatioOfSums(numerator, denominator, family.power, family.at_zero)


def law_of_pairs(
    memberships: Floats, codes: Codes, n_columns: int, ratio: RatioOfSums, *, max_lost_mass: float
) -> ValueLaw:
    """The law of a ratio of sums of squares, as exact as floats are.

    Parameters are those of `split_table`, and the ratio.
    """
    n = len(memberships)
    split = split_table(memberships, codes, n_columns, pair_counts, max_lost_mass=max_lost_mass)
    if ratio.counts_pairs:
        sums, masses, lost = weighted_pairs(split, row_weight=1, cell_weight=-2)
        offset, slope = ratio.numerator.offset, ratio.numerator.rows
        # The sums of squares are n + 2 pairs.
        return ValueLaw(offset - n * slope + 2 * slope * sums.astype(np.float64), masses, lost)
    rows, cells, masses, lost = joint_pairs(split)
    squares = (n + 2 * rows).astype(float), (n + 2 * cells).astype(float)
    above, below = (part.at(*squares) for part in (ratio.numerator, ratio.denominator))
    is_undefined = np.abs(below) <= _UNDEFINED
    below = np.where(is_undefined, 1.0, below)
    values = above / (below if ratio.power == 1 else below**ratio.power)
    return ValueLaw(np.where(is_undefined, ratio.at_zero, values), masses, lost)


def weighted_pairs(
    split: SplitTable, *, row_weight: int, cell_weight: int
) -> tuple[Ints, Floats, float]:
    r"""Find the law of a weighted sum of pair counts: values, masses and the lost mass.

    .. math:: v \sum_i \binom{R_i}{2} + w \sum_{ij} \binom{N_{ij}}{2}

    With the weights 1 and -2 the sum counts the pairs on which two clusterings differ, up to a
    constant. One addition for each pair of a state and a last column that is not too unlikely.
    """
    sums, masses, lost = _core.pair_law(
        split.rows,
        split.starts,
        split.totals,
        split.masses,
        split.last,
        pair_counts(split.last),
        split.last_masses,
        row_weight,
        cell_weight,
        split.drop,
    )
    return sums, masses, split.lost_mass + lost


def joint_pairs(split: SplitTable) -> tuple[Ints, Ints, Floats, float]:
    """Find the joint law of the pairs that share a row and those that share a cell.

    Both counts are packed into one number: the first is multiplied by a number larger than the
    second can be. The rest is as in `weighted_pairs`.
    """
    own, last = split.totals, pair_counts(split.last)
    least = int(own.min() + last.min())
    width = int(own.max() + last.max()) - least + 1
    sums, masses, lost = weighted_pairs(split, row_weight=width, cell_weight=1)
    rows, cells = np.divmod(sums - least, width)
    return rows, cells + least, masses, lost


def bound_joint_pairs(memberships: Floats, codes: Codes, n_columns: int, n_sums: float) -> float:
    """Predict the bytes that `joint_pairs` takes for up to ``n_sums`` additions.

    Both counts of pairs differ from their means by a few standard deviations of their linear part.
    They can also be larger by the squares of the deviations of single counts.
    """
    variance = float((memberships * (1 - memberships)).sum())
    by_column = sums_by_column(memberships, codes, n_columns)
    width = 1.0
    for sizes in (by_column.sum(axis=0)[None, :], by_column[codes]):
        linear = (memberships * sizes**2).sum() - ((memberships * sizes).sum(axis=1) ** 2).sum()
        strays = 2 * _DEVIATIONS * max(float(linear), 0.0) ** 0.5
        width *= strays + _DEVIATIONS**2 / 2 * variance + 1
    return 8.0 * width if width <= _MOST_DENSE_KEYS else 64.0 * min(width, n_sums)


def law_of_information(
    memberships: Floats, codes: Codes, n_columns: int, ratio: RatioOfSums, *, max_lost_mass: float
) -> ValueLaw:
    r"""Find the law of a ratio of sums of x log x over rows and cells.

    .. math:: \frac{a + b \sum_i \psi(R_i) + c \sum_{ij} \psi(N_{ij})}
                   {(a' + b' \sum_i \psi(R_i) + c' \sum_{ij} \psi(N_{ij}))^p},
              \qquad \psi(x) = x \log x

    Sums over the cells of a column are rounded to a grid of about 1e-11 per object. Then many sums
    are equal and can be merged. The values are collected in narrow bins; each bin becomes the mean
    of its values. Parameters are those of `split_table`, and the ratio.

    Examples
    --------
    >>> mutual = RatioOfSums(Affine(np.log(2), rows=-0.5, cells=0.5), Affine(1.0))
    >>> memberships, codes = np.array([[0.5, 0.5], [0.0, 1.0]]), np.array([0, 1])
    >>> found = law_of_information(memberships, codes, 2, mutual, max_lost_mass=0.0)
    >>> found.values.round(6).tolist(), found.masses.tolist()
    ([0.0, 0.693147], [0.5, 0.5])
    """
    n = len(memberships)
    unit, totals = _grid(n, n_columns)
    split = split_table(memberships, codes, n_columns, totals, max_lost_mass=max_lost_mass)
    values, masses, width, steepest, lost, undefined = _core.value_grid(
        split.rows,
        split.starts,
        unit * split.totals.astype(np.float64),
        split.masses,
        split.last,
        xlogx(split.last.astype(np.float64)).sum(axis=1),
        split.last_masses,
        xlogx(np.arange(n + 1, dtype=np.float64)),
        np.array([[part.offset, part.rows, part.cells] for part in ratio[:2]]),
        ratio.power,
        _N_BINS,
        split.drop,
    )
    mean_error = steepest * (n_columns - 1) * unit / 2 + _ARITHMETIC
    # Rounding may put equal values into two neighbouring bins: they are replaced by their mean.
    which = np.cumsum(np.diff(values, prepend=values[:1]) > 2 * mean_error)
    joined = np.bincount(which, masses).astype(np.float64)
    values = np.bincount(which, masses * values).astype(np.float64) / joined
    if undefined > 0:  # mass of the tables with a denominator of zero
        values, joined = np.append(values, ratio.at_zero), np.append(joined, undefined)
    rounding = width + 3 * mean_error
    return ValueLaw(values, joined, split.lost_mass + lost, rounding, mean_error)


def bound_information_law(
    memberships: Floats, codes: Codes, n_columns: int, *, max_lost_mass: float
) -> SplitCost:
    """Predict the cost of `law_of_information`."""
    _, totals = _grid(len(memberships), n_columns)
    return bound_split(memberships, codes, n_columns, totals, max_lost_mass=max_lost_mass)


def _grid(n_objects: int, n_columns: int) -> tuple[float, CellTotals]:
    """The unit of the grid, and sums of x log x over columns in whole units."""
    unit = _UNIT * n_objects / max(1, n_columns - 1)

    def totals(counts: Ints) -> Ints:
        return np.rint(xlogx(counts.astype(np.float64)).sum(axis=1) / unit).astype(np.int64)

    return unit, totals
