"""Find the law of an information measure of a fuzzy partition against a hard truth.

Values are rounded to a fine grid, and the rounding is stated.
"""

from functools import partial

import numpy as np

from sfumato import _core
from sfumato._typing import Codes, Floats, Ints
from sfumato.algorithms.laws.split_table import SplitCost, bound_split, split_table
from sfumato.algorithms.laws.value_laws import RatioOfSums, ValueLaw
from sfumato.families import xlogx

__all__ = ["bound_information_law", "law_of_information"]

_N_BINS = 1 << 17  # bins for values: they give six digits and fit into the cache
_UNIT = 2e-11  # step of the grid per object, for the sum of N log N over a column
_ARITHMETIC = 1e-13  # error of a mean from adding up many small numbers


def law_of_information(
    memberships: Floats, codes: Codes, n_columns: int, ratio: RatioOfSums, *, max_lost_mass: float
) -> ValueLaw:
    r"""Find the law of a ratio of sums of x log x over rows and cells.

    .. math:: \frac{a + b \sum_i \psi(R_i) + c \sum_{ij} \psi(N_{ij})}
                   {(a' + b' \sum_i \psi(R_i) + c' \sum_{ij} \psi(N_{ij}))^p},
              \qquad \psi(x) = x \log x

    Sums over the cells of a column are rounded to a grid of about 1e-11 per object. Then many sums
    are equal and can be merged. The values are collected in narrow bins; each bin becomes the mean
    of its values.

    Parameters are those of `split_table`, and the ratio, which has the sum over the columns in its
    offsets.

    Notes
    -----
    `bound_information_law` gives the cost.

    Examples
    --------
    >>> from sfumato.families import Affine
    >>> mutual = RatioOfSums(Affine(np.log(2), rows=-0.5, cells=0.5), Affine(1.0))
    >>> memberships, codes = np.array([[0.5, 0.5], [0.0, 1.0]]), np.array([0, 1])
    >>> found = law_of_information(memberships, codes, 2, mutual, max_lost_mass=0.0)
    >>> found.values.round(6).tolist(), found.masses.tolist()
    ([0.0, 0.693147], [0.5, 0.5])
    """
    n = len(memberships)
    unit = _unit(n, n_columns)
    totals = partial(_units, unit)
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
    values, masses = _join_close(values, masses, 2 * mean_error)
    if undefined > 0:  # mass of the tables with a denominator of zero
        values, masses = np.append(values, ratio.at_zero), np.append(masses, undefined)
    rounding = width + 3 * mean_error
    return ValueLaw(values, masses, split.lost_mass + lost, rounding, mean_error)


def _join_close(values: Floats, masses: Floats, gap: float) -> tuple[Floats, Floats]:
    """Replace values that differ by rounding alone by their mean.

    Rounding may put equal values into two neighbouring bins.
    """
    which = np.cumsum(np.diff(values, prepend=values[:1]) > gap)
    joined = np.bincount(which, masses).astype(np.float64)
    return np.bincount(which, masses * values).astype(np.float64) / joined, joined


def bound_information_law(
    memberships: Floats, codes: Codes, n_columns: int, *, max_lost_mass: float
) -> SplitCost:
    """Predict the cost of `law_of_information`."""
    totals = partial(_units, _unit(len(memberships), n_columns))
    return bound_split(memberships, codes, n_columns, totals, max_lost_mass=max_lost_mass)


def _unit(n_objects: int, n_columns: int) -> float:
    return _UNIT * n_objects / max(1, n_columns - 1)


def _units(unit: float, counts: Ints) -> Ints:
    """Sums of x log x over columns, rounded to whole units."""
    return np.rint(xlogx(counts.astype(np.float64)).sum(axis=1) / unit).astype(np.int64)
