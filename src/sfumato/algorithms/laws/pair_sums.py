"""Find the law of pair counts of a fuzzy partition against a hard truth."""

from typing import NamedTuple

import numpy as np

from sfumato import _core
from sfumato._typing import Codes, Floats, Ints
from sfumato.algorithms.laws.column_laws import sums_by_column
from sfumato.algorithms.laws.split_table import SplitTable
from sfumato.algorithms.tables.pair_counts import pair_counts

__all__ = [
    "JointPairs",
    "WeightedPairs",
    "bound_joint_pairs",
    "find_row_sums",
    "joint_pairs",
    "weighted_pairs",
]

_MOST_DENSE_KEYS = 2.0**24
_DEVIATIONS = 7.5  # so many standard deviations hold about all but 1e-13 of a law


class WeightedPairs(NamedTuple):
    """Law of a weighted sum of pair counts."""

    sums: Ints  # (v,)
    masses: Floats  # (v,)
    lost_mass: float


class JointPairs(NamedTuple):
    """Joint law of the pairs of objects that share a row and those that share a cell."""

    rows: Ints  # (v,)
    cells: Ints  # (v,)
    masses: Floats  # (v,)
    lost_mass: float


def weighted_pairs(split: SplitTable, *, row_weight: int, cell_weight: int) -> WeightedPairs:
    r"""Find the law of a weighted sum of pair counts.

    .. math:: v \sum_i \binom{R_i}{2} + w \sum_{ij} \binom{N_{ij}}{2}

    Parameters
    ----------
    split : SplitTable
        Its totals must count pairs.
    row_weight, cell_weight : int
        v and w. With 1 and -2 the sum counts the pairs on which two clusterings differ, up to a
        constant.

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
    return WeightedPairs(sums, masses, split.lost_mass + lost)


def joint_pairs(split: SplitTable) -> JointPairs:
    """Find the joint law of the pairs that share a row and those that share a cell.

    Both counts are packed into one number: the first is multiplied by a number larger than the
    second can be. The rest is as in `weighted_pairs`.
    """
    own, last = split.totals, pair_counts(split.last)
    least = int(own.min() + last.min())
    width = int(own.max() + last.max()) - least + 1
    found = weighted_pairs(split, row_weight=width, cell_weight=1)
    rows, cells = np.divmod(found.sums - least, width)
    return JointPairs(rows, cells + least, found.masses, found.lost_mass)


def find_row_sums(split: SplitTable, n_pairs: int) -> Ints:
    """Find the row sums of some table in which ``n_pairs`` pairs share a row."""
    own, last = pair_counts(split.rows), pair_counts(split.last)
    for rows, before in zip(split.rows, own, strict=True):
        at = np.flatnonzero(before + last + split.last @ rows == n_pairs)
        if len(at):
            return rows + split.last[at[0]]
    raise AssertionError("the number of pairs comes from this table")


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
