"""Find the law of the matching of two fuzzy partitions with two or three clusters.

The matching of a table is the number of objects that its best one-to-one matching of rows to
columns covers.
"""

from typing import NamedTuple

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.laws.ratio_laws import ValueLaw
from sfumato.algorithms.laws.step_sums import law_of_line_steps, law_of_steps, window_widths
from sfumato.families import Matching, Objective, Separable

__all__ = [
    "LawOfTotals",
    "agreement_law",
    "bound_permutation_law",
    "collect_totals",
    "law_of_agreements",
    "law_of_matching",
    "permutation_law",
]


class LawOfTotals(NamedTuple):
    """Probabilities of the number of objects that the best matching covers."""

    totals: Ints  # (v,): increasing
    probabilities: Floats  # (v,)
    lost_mass: float


def collect_totals(totals: Ints, masses: Floats, lost_mass: float) -> LawOfTotals:
    """Add up the probabilities of equal totals."""
    first = int(totals.min())
    law = np.bincount((totals - first).ravel(), masses.ravel())
    kept = np.flatnonzero(law > 0)
    return LawOfTotals(first + kept, law[kept].astype(np.float64), lost_mass)


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
    agreements, masses, lost = _agreements(a, b, max_lost_mass)
    differing = (agreements * (objective.n_objects - agreements)).astype(np.float64)
    return ValueLaw(value.offset + 2 * value.rows * differing, masses, lost)


def _pad(memberships: Floats, n_clusters: int) -> Floats:
    missing = n_clusters - memberships.shape[1]
    return np.pad(memberships, ((0, 0), (0, missing))) if missing else memberships


def _agreements(a: Floats, b: Floats, max_lost_mass: float) -> tuple[Ints, Floats, float]:
    """Values of N_11 + N_22 for at most two clusters on each side, their law and what is lost."""
    p, q = _pad(a, 2), _pad(b, 2)
    agree = (p * q).sum(axis=1)
    differ = (p * q[:, ::-1]).sum(axis=1)  # 1 - agree would lose digits
    found = law_of_line_steps(np.stack([differ, agree], axis=1), max_lost_mass=max_lost_mass)
    return found.origin[0] + np.arange(len(found.law)), found.law, found.lost_mass


def agreement_law(a: Floats, b: Floats, *, max_lost_mass: float) -> LawOfTotals:
    r"""Find the law of the largest matching for at most two clusters on each side.

    .. math:: \max(T, n - T), \qquad T = N_{11} + N_{22}

    The number of agreements T has a Poisson binomial law. O(n log n).

    Examples
    --------
    >>> a, b = np.array([[0.5, 0.5], [1.0, 0.0]]), np.array([[1.0, 0.0], [1.0, 0.0]])
    >>> found = agreement_law(a, b, max_lost_mass=0.0)
    >>> found.totals.tolist(), found.probabilities.tolist()
    ([1, 2], [0.5, 0.5])
    """
    agreements, masses, lost = _agreements(a, b, max_lost_mass)
    return collect_totals(np.maximum(agreements, len(a) - agreements), masses, lost)


def _shift_weights(a: Floats, b: Floats) -> Floats:
    """Cell probabilities by (shift, reflection), shape (n, 3, 3).

    Cell (i, j) of a 3 x 3 table has the shift j - i and the reflection i + j, both modulo 3. The
    two determine the cell. Each of the six matchings is all cells of one shift, or all cells of
    one reflection. The shift and the reflection that vary most come last.
    """
    p, q = _pad(a, 3), _pad(b, 3)
    i, j = np.divmod(np.arange(9), 3)
    weights = np.empty((len(p), 3, 3))
    weights[:, (j - i) % 3, (i + j) % 3] = p[:, i] * q[:, j]
    shifts, reflections = weights.sum(axis=2), weights.sum(axis=1)
    by_shift, by_reflection = (
        np.argsort((side * (1 - side)).sum(axis=0)) for side in (shifts, reflections)
    )
    return weights[:, by_shift][:, :, by_reflection]


def bound_permutation_law(a: Floats, b: Floats, *, max_lost_mass: float) -> float:
    """Predict the cells of the box in which `permutation_law` works."""
    weights = _shift_weights(a, b)
    sides = np.stack([weights.sum(axis=2), weights.sum(axis=1)])  # (2, n, 3)
    is_open = (sides > 0) & (sides < 1)
    widths = window_widths(
        (sides * is_open).sum(axis=1),
        (sides * (1 - sides)).sum(axis=1),
        is_open.sum(axis=1),
        max_lost_mass=max_lost_mass,
    )
    return float(widths[:, :2].prod())


def permutation_law(a: Floats, b: Floats, *, max_lost_mass: float) -> LawOfTotals:
    r"""Find the law of the largest matching for at most three clusters on each side.

    A 3 x 3 table has six matchings: three shifts, whose totals sum to n, and three reflections,
    whose totals sum to n. So four dimensions are enough, where the table has eight. O(9 m c) for m
    uncertain objects and c cells; `bound_permutation_law` gives c.

    Examples
    --------
    >>> a = np.array([[0.5, 0.5, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    >>> found = permutation_law(a, np.eye(3), max_lost_mass=0.0)
    >>> found.totals.tolist(), found.probabilities.tolist()
    ([2, 3], [0.5, 0.5])
    """
    n = len(a)
    weights = _shift_weights(a, b)
    units = np.eye(3, 2, dtype=np.int64)
    steps = np.concatenate([np.repeat(units, 3, axis=0), np.tile(units, (3, 1))], axis=1)
    found = law_of_steps(weights.reshape(n, 9), steps, max_lost_mass=max_lost_mass)
    values = [
        first + np.arange(width, dtype=np.int64)
        for first, width in zip(found.origin, found.law.shape, strict=True)
    ]
    by_shift, by_reflection = (
        np.maximum(np.maximum(one[:, None], two), n - one[:, None] - two)
        for one, two in (values[:2], values[2:])
    )
    best = np.maximum.outer(by_shift, by_reflection)
    return collect_totals(best, found.law, found.lost_mass)
