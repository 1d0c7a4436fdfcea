"""Law of an information measure against a hard truth, on a fine grid."""

from typing import NamedTuple

import numpy as np

from sfumato import _core
from sfumato._typing import Codes, Floats, Ints
from sfumato.algorithms.laws.split_table import SplitCost, bound_split, split_table
from sfumato.families import Affine, xlogx

__all__ = ["InformationLaw", "bound_information_law", "information_law"]

_N_BINS = 1 << 17  # of values: enough for six digits, and they stay in the cache
_UNIT = 2e-11  # of the sum of N log N over a column, per object
_ARITHMETIC = 1e-13  # what adding up many small numbers may do to a mean


class InformationLaw(NamedTuple):
    """Law of a value, of which each was replaced by the mean of all in a narrow bin."""

    values: Floats  # (v,): increasing
    masses: Floats  # (v,)
    lost_mass: float
    rounding: float  # how far a value may have been moved
    mean_error: float  # what that does to the mean
    undefined_mass: float  # of tables with a denominator of zero
    undefined_rows: Ints  # (k1,): row sums of one of them, or empty


def information_law(
    memberships: Floats,
    codes: Codes,
    n_columns: int,
    *,
    numerator: Affine,
    denominator: Affine,
    power: float,
    max_lost_mass: float,
) -> InformationLaw:
    r"""Law of a ratio of sums of x log x over rows and cells.

    .. math:: \frac{a + b \sum_i \psi(R_i) + c \sum_{ij} \psi(N_{ij})}
                   {(a' + b' \sum_i \psi(R_i) + c' \sum_{ij} \psi(N_{ij}))^p},
              \qquad \psi(x) = x \log x

    Sums over the cells of a column are rounded to a grid of about 1e-11 per object, so that columns
    can be merged; the values are collected in narrow bins, each represented by its mean.

    Parameters
    ----------
    memberships : ndarray of shape (n, k1)
        Rows sum to 1.
    codes : ndarray of shape (n,)
        The column of each object.
    n_columns : int
    numerator, denominator : Affine
        The column sums are fixed and part of the offsets.
    power : float
        1 where the denominator depends on the cells.
    max_lost_mass : float
        Most probability to leave out.

    Notes
    -----
    Cost as given by `bound_information_law`.

    Examples
    --------
    >>> found = information_law(  # the mutual information of two objects
    ...     np.array([[0.5, 0.5], [0.0, 1.0]]),
    ...     np.array([0, 1]),
    ...     2,
    ...     numerator=Affine(np.log(2), rows=-0.5, cells=0.5),
    ...     denominator=Affine(1.0),
    ...     power=1.0,
    ...     max_lost_mass=0.0,
    ... )
    >>> found.values.round(6).tolist(), found.masses.tolist()
    ([0.0, 0.693147], [0.5, 0.5])
    """
    n = len(memberships)
    unit = _unit(n, n_columns)
    split = split_table(
        memberships,
        codes,
        n_columns,
        lambda counts: _units(counts, unit),
        max_lost_mass=max_lost_mass,
    )
    values, masses, width, steepest, lost, undefined, undefined_rows = _core.value_grid(
        split.rows,
        split.starts,
        unit * split.totals.astype(np.float64),
        split.masses,
        split.last,
        xlogx(split.last.astype(np.float64)).sum(axis=1),
        split.last_masses,
        xlogx(np.arange(n + 1, dtype=np.float64)),
        np.array([[part.offset, part.rows, part.cells] for part in (numerator, denominator)]),
        power,
        _N_BINS,
        split.drop,
    )
    mean_error = steepest * (n_columns - 1) * unit / 2 + _ARITHMETIC
    values, masses = _join_close(values, masses, 2 * mean_error)
    return InformationLaw(
        values=values,
        masses=masses,
        lost_mass=split.lost_mass + lost,
        rounding=width + 3 * mean_error,
        mean_error=mean_error,
        undefined_mass=undefined,
        undefined_rows=undefined_rows,
    )


def _join_close(values: Floats, masses: Floats, gap: float) -> tuple[Floats, Floats]:
    """Values told apart by rounding alone, on the two sides of a bin's edge, become their mean."""
    which = np.cumsum(np.diff(values, prepend=values[:1]) > gap)
    joined = np.bincount(which, masses).astype(np.float64)
    return np.bincount(which, masses * values).astype(np.float64) / joined, joined


def bound_information_law(
    memberships: Floats, codes: Codes, n_columns: int, *, max_lost_mass: float
) -> SplitCost:
    """What `information_law` takes, at most about."""
    unit = _unit(len(memberships), n_columns)
    return bound_split(
        memberships,
        codes,
        n_columns,
        lambda counts: _units(counts, unit),
        max_lost_mass=max_lost_mass,
    )


def _unit(n_objects: int, n_columns: int) -> float:
    return _UNIT * n_objects / max(1, n_columns - 1)


def _units(counts: Ints, unit: float) -> Ints:
    """Sums of x log x over columns in whole units."""
    return np.rint(xlogx(counts.astype(np.float64)).sum(axis=1) / unit).astype(np.int64)
