"""Laws of the values of measures of fuzzy partitions."""

from typing import NamedTuple

import numpy as np

from sfumato._typing import Codes, Floats, Ints
from sfumato.algorithms.laws.fixed_columns import RatioOfSums, undefined_value
from sfumato.algorithms.laws.information_law import information_law
from sfumato.algorithms.laws.matching_totals import LawOfTotals, number_of_agreements
from sfumato.algorithms.laws.pair_sums import find_row_sums, joint_pairs, weighted_pairs
from sfumato.algorithms.laws.split_table import split_table
from sfumato.algorithms.tables.pair_counts import pair_counts
from sfumato.families import Matching, Objective, Separable

__all__ = [
    "Against",
    "ValueLaw",
    "law_of_agreements",
    "law_of_information",
    "law_of_matching",
    "law_of_pairs",
]

_UNDEFINED = 1e-12  # a denominator this small is zero: sums of squares are exact


class Against(NamedTuple):
    """A fuzzy partition against a hard one."""

    memberships: Floats  # (n, k1)
    classes: Codes  # (n,)
    class_sizes: Ints  # (k2,)


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


def law_of_matching(objective: Objective, totals: LawOfTotals) -> ValueLaw:
    """The value is affine in the total of the best matching."""
    assert isinstance(objective.family, Matching)
    values = objective.family.offset + objective.family.slope * totals.totals.astype(np.float64)
    order = np.argsort(values, kind="stable")
    return ValueLaw(values[order], totals.probabilities[order], totals.lost_mass)


def law_of_agreements(
    objective: Objective, a: Floats, b: Floats, *, max_lost_mass: float
) -> ValueLaw:
    """Two clusters on either side, by a measure that counts the pairs that differ.

    If T of n objects agree, T (n - T) pairs are joined by one clustering and not by the other.
    """
    assert isinstance(objective.family, Separable)
    value = objective.family.value
    found = number_of_agreements(a, b, max_lost_mass=max_lost_mass)
    agreements = found.origin[0] + np.arange(len(found.law), dtype=np.float64)
    differing = agreements * (objective.n_objects - agreements)
    return ValueLaw(value.offset + 2 * value.rows * differing, found.law, found.lost_mass)


def law_of_pairs(
    objective: Objective, against: Against, ratio: RatioOfSums, *, max_lost_mass: float
) -> ValueLaw:
    """Pair counting against a hard truth: the columns of the table are added one by one."""
    n = objective.n_objects
    split = split_table(
        against.memberships,
        against.classes,
        len(against.class_sizes),
        pair_counts,
        max_lost_mass=max_lost_mass,
    )
    if ratio.counts_pairs:
        found = weighted_pairs(split, row_weight=1, cell_weight=-2)
        offset, rows = ratio.numerator.offset, ratio.numerator.rows
        # The sums of squares are n + 2 pairs.
        values = offset - n * rows + 2 * rows * found.sums.astype(np.float64)
        return ValueLaw(values, found.masses, found.lost_mass)
    pairs = joint_pairs(split)
    squares = (n + 2 * pairs.rows).astype(float), (n + 2 * pairs.cells).astype(float)
    above, below = (part.at(*squares) for part in (ratio.numerator, ratio.denominator))
    is_undefined = np.abs(below) <= _UNDEFINED
    below = np.where(is_undefined, 1.0, below)
    values = above / (below if ratio.power == 1 else below**ratio.power)
    if is_undefined.any():
        rows = find_row_sums(split, int(pairs.rows[is_undefined][0]))
        values[is_undefined] = undefined_value(objective, against.class_sizes, rows)
    return ValueLaw(values, pairs.masses, pairs.lost_mass)


def law_of_information(
    objective: Objective, against: Against, ratio: RatioOfSums, *, max_lost_mass: float
) -> ValueLaw:
    """Information against a hard truth, on a fine grid of values."""
    law = information_law(
        against.memberships,
        against.classes,
        len(against.class_sizes),
        numerator=ratio.numerator,
        denominator=ratio.denominator,
        power=ratio.power,
        max_lost_mass=max_lost_mass,
    )
    values, masses = law.values, law.masses
    if law.undefined_mass > 0:
        value = undefined_value(objective, against.class_sizes, law.undefined_rows)
        values, masses = np.append(values, value), np.append(masses, law.undefined_mass)
    return ValueLaw(values, masses, law.lost_mass, law.rounding, law.mean_error)
