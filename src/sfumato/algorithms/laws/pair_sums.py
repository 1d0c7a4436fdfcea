"""Find the law of a measure that counts pairs, of a fuzzy partition against a hard truth."""

import numpy as np

from sfumato import _core
from sfumato._typing import Codes, Floats, Ints
from sfumato.algorithms.laws.column_laws import sums_by_column
from sfumato.algorithms.laws.split_table import SplitTable, split_table
from sfumato.algorithms.laws.value_laws import RatioOfSums, ValueLaw
from sfumato.algorithms.tables.pair_counts import pair_counts

__all__ = ["bound_joint_pairs", "joint_pairs", "law_of_pairs", "weighted_pairs"]

_UNDEFINED = 1e-12  # a denominator this small is zero: sums of squares are exact
_MOST_DENSE_KEYS = 2.0**24
_DEVIATIONS = 7.5  # so many standard deviations hold about all but 1e-13 of a law


def law_of_pairs(
    memberships: Floats, codes: Codes, n_columns: int, ratio: RatioOfSums, *, max_lost_mass: float
) -> ValueLaw:
    """The law of a ratio of sums of squares; the columns of the table are added one by one.

    Parameters are those of `split_table`, and the ratio, which has B in its offsets.
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
    r"""Find the law of a weighted sum of pair counts.

    .. math:: v \sum_i \binom{R_i}{2} + w \sum_{ij} \binom{N_{ij}}{2}

    Parameters
    ----------
    split : SplitTable
        Its totals must count pairs.
    row_weight, cell_weight : int
        v and w. With 1 and -2 the sum counts the pairs on which two clusterings differ, up to a
        constant.

    Returns
    -------
    sums, masses : ndarrays of shape (v,)
    lost_mass : float

    Notes
    -----
    One addition for each pair of a state and a last column that is not too unlikely.
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
