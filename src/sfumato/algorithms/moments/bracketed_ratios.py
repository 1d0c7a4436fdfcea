"""Bracket the mean of a ratio index over the random table of two fuzzy partitions, without draws.

The numerator and the denominator are affine in the sums A, B and S of psi over rows, columns and
cells, or have a product of A and B too. Their moments and what the denominator stays above give the
bracket; see `quotient_bracket`. docs/theory.md has the proofs.
"""

from math import exp

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.ends.denominators import extreme_sums, least_denominator
from sfumato.algorithms.moments.chance_information import ChanceInformation, chance_information
from sfumato.algorithms.moments.fuzzy_table import FuzzyTable
from sfumato.algorithms.moments.known_moments import SumMoments
from sfumato.algorithms.moments.power_sums import PowerSums
from sfumato.algorithms.moments.quotient_bracket import (
    Floor,
    Form,
    MeanBracket,
    bracket_quotient,
    bracket_root,
)
from sfumato.algorithms.moments.sum_moments import sum_moments
from sfumato.algorithms.tables.ragged import owners_of
from sfumato.algorithms.tables.rows import Rows, row_blocks
from sfumato.families import Adjusted, Objective, Ratio, psi_of

__all__ = ["MeanBracket", "bracket_ratio_mean", "can_bracket_ratio"]

# Probabilities with which the margins may leave their limits; the best one is taken.
_RISKS = (0.0, *(10.0**-power for power in (3, 4, 5, 6, 8, 10, 12, 14, 16, 18, 20, 24)))
_ROUNDING = 1e-11  # no bracket is narrower to either side
_LEAST_CHANCE = 1e-6  # of the likeliest table, to be looked at
_EPS = float(np.finfo(np.float64).eps)


def can_bracket_ratio(objective: Objective, *, is_hard: bool) -> bool:
    """Whether `bracket_ratio_mean` knows the structure; ``is_hard`` says if the columns are."""
    family = objective.family
    if isinstance(family, Adjusted):
        return is_hard and family.is_arithmetic
    if not isinstance(family, Ratio) or family.power not in (0.5, 1.0):
        return False
    return family.parts(0.0)[1].cells <= 0.0


def bracket_ratio_mean(objective: Objective, table: FuzzyTable) -> MeanBracket:
    """Bracket the mean of a ratio index, for which `can_bracket_ratio` holds.

    Notes
    -----
    O(n k1 k2), and O(k1 k2) series; from power sums the series only. The half-width falls about as
    1 / n^2 where clusters grow with n, to 1e-11: there rounding takes over, and nothing less is
    claimed.

    Examples
    --------
    >>> from sfumato.algorithms.moments.fuzzy_table import fuzzy_table
    >>> from sfumato.algorithms.tables.rows import dense_rows, hard_rows
    >>> from sfumato.measures import Dice
    >>> n, dice = 4000, Dice()
    >>> objective = Objective(dice.family(n), (2, 2), n, (0.0, 1.0), dice.of_tables, True)
    >>> codes = np.arange(n) % 2
    >>> table = fuzzy_table(dense_rows(0.2 + 0.6 * np.eye(2)[codes]), hard_rows(codes, 2))
    >>> found = bracket_ratio_mean(objective, table)
    >>> round(found.mean, 6), found.high - found.low < 1e-6
    (0.679946, True)
    """
    found = _bracket(objective, table)
    if not isinstance(table.objects, PowerSums):
        found = _with_likeliest_table(found, objective, *table.objects)
    low, high = min(found.low, found.mean - _ROUNDING), max(found.high, found.mean + _ROUNDING)
    return _within(found, max(objective.bounds[0], low), min(objective.bounds[1], high))


def _within(found: MeanBracket, low: float, high: float) -> MeanBracket:
    """The same with these limits."""
    return found._replace(low=low, high=high, mean=min(max(found.mean, low), high))


def _bracket(objective: Objective, table: FuzzyTable) -> MeanBracket:
    family = objective.family
    chance = None
    if isinstance(family, Adjusted):
        family, chance = family.share, chance_information(table)
    assert isinstance(family, Ratio)
    if _is_always_zero_over_zero(family, table):
        return MeanBracket(family.at_zero, family.at_zero, family.at_zero, 0.0, 0.0)
    moments = sum_moments(family.psi, table)
    above, below = _forms(family, table, moments)
    n = table.n_objects
    floors: list[Floor] = [
        (risk, least_denominator(family, *table.margins(risk), n)) for risk in _RISKS
    ]
    if family.power != 1.0:
        return bracket_root(moments, above, below, floors)
    if chance is not None:
        above, below = _less_chance(above, chance, n), _less_chance(below, chance, n)
        floors = [(risk + chance.risk, least - chance.highest / n) for risk, least in floors]
    return bracket_quotient(objective.bounds, moments, above, below, floors)


def _with_likeliest_table(
    found: MeanBracket, objective: Objective, a: Rows, b: Rows
) -> MeanBracket:
    """Use the value of the likeliest table: no others matter where memberships are nearly hard."""
    log_chance = sum(
        float(np.log(_largest_of_rows(block)).sum())
        for side in (a, b)
        for block in row_blocks(side)
    )
    chance = min(exp(log_chance) * (1 - 1e-9), 1.0)
    if chance < _LEAST_CHANCE:
        return found
    rows, columns = (
        np.concatenate([_likeliest(block) for block in row_blocks(side)]) for side in (a, b)
    )
    cells = np.bincount(rows * b.width + columns, minlength=objective.n_cells)
    value = chance * float(objective.of_tables(cells.reshape(objective.shape)))
    low, high = (value + (1 - chance) * end for end in objective.bounds)
    return _within(found, max(found.low, low - 1e-13), min(found.high, high + 1e-13))


def _largest_of_rows(rows: Rows) -> Floats:
    """The probability of the likeliest cluster of each object."""
    if rows.is_sparse:
        return np.maximum.reduceat(rows.values, rows.starts[:-1])
    return rows.values.reshape(-1, rows.width).max(axis=1) if rows.is_dense else np.ones(1)


def _likeliest(rows: Rows) -> Ints:
    """The likeliest cluster of each object."""
    if rows.is_sparse:
        owners = owners_of(rows.starts)
        at = np.flatnonzero(rows.values == _largest_of_rows(rows)[owners])
        return rows.columns[at[np.unique(owners[at], return_index=True)[1]]]
    if rows.is_dense:
        return rows.values.reshape(-1, rows.width).argmax(axis=1)
    return rows.columns.astype(np.int64, copy=False)


def _is_always_zero_over_zero(family: Ratio, table: FuzzyTable) -> bool:
    """Whether the denominator is that of a hard partition of one cluster, and nothing else."""
    if not table.is_hard or np.count_nonzero(table.columns.means) > 1:
        return False
    psi_of_all = float(psi_of(family.psi, np.array(float(table.n_objects))))
    below = family.parts(psi_of_all)[1]
    return below.rows == below.cells == 0.0


# Numerator and denominator as functions of A, B and S.


def _forms(family: Ratio, table: FuzzyTable, moments: SumMoments) -> tuple[Form, Form]:
    """A and B are independent, so that the mean of their product is that of their means."""
    rows, columns, cells = moments.means.tolist()
    at_means = family.parts(columns)
    n = table.n_objects
    extremes = extreme_sums(family.psi, n)
    first, last = (family.parts(float(columns)) for columns in extremes)
    length = extremes[1] - extremes[0]
    forms = list[Form]()
    for part, one, other in zip(at_means, first, last, strict=True):
        product = 0.0 if table.is_hard else (other.rows - one.rows) / length
        by_column = part.columns + (other.offset - one.offset) / length + rows * product
        slopes = np.array([part.rows, 0.0 if table.is_hard else by_column, part.cells])
        sizes = abs(part.offset) + np.abs([part.rows, part.columns, part.cells]) @ moments.means
        error = float(np.abs(slopes) @ moments.errors) + 16 * _EPS * float(sizes)
        error += abs(product) * float(moments.errors[0] * moments.errors[1])
        forms.append(Form(part.of_sums(rows, columns, cells), slopes, product, error))
    return forms[0], forms[1]


def _less_chance(form: Form, chance: ChanceInformation, n_objects: int) -> Form:
    return form._replace(
        at_means=form.at_means - chance.mean / n_objects,
        error=form.error + chance.error / n_objects,
        std=chance.std / n_objects,
        fourth=chance.fourth_norm / n_objects,
    )
