"""Find the exact upper expectation of the matching, for three clusters against three hard classes.

The matching of a table is the number of objects that its best one-to-one matching of rows to
columns covers. Objects draw focal sets at random.
"""

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.laws.column_laws import VectorLaw
from sfumato.algorithms.laws.hard_matching import largest_of_columns
from sfumato.algorithms.laws.step_sums import law_of_steps

__all__ = ["most_matching_of_three"]

_MOST_STATES = 2e4  # of a column
_MOST_MERGES = 3e8


def most_matching_of_three(
    masses: list[Floats], sets: Ints, *, max_lost_mass: float
) -> tuple[float, float] | None:
    r"""Find the upper expectation of the matching, for three clusters against three hard classes.

    An object can be covered if its set holds the cluster that is matched to its class. Let
    :math:`N_{ij}` be the number of objects of class j whose set holds cluster i. Then the largest
    total is :math:`\max_\pi \sum_j N_{\pi(j) j}`. Every class is matched once. So only the mean of
    :math:`\sum_j N_{3j}` and the differences :math:`N_{1j} - N_{3j}` and :math:`N_{2j} - N_{3j}`
    are needed: one law in the plane for each class.

    ``masses`` are those of the objects of each class, of shape (n_j, f); a class may have none.
    ``sets``, of shape (f, 3), has the members of each set as 0 and 1. The result is the mean and
    the mass that was left out, or None if the laws would be too large.

    Notes
    -----
    O(s_1 s_2), where s_1 and s_2 are the numbers of states of the two smaller laws. A law has at
    most (2 n_j + 1)^2 states; the number grows like n_j.

    Examples
    --------
    >>> sets = np.array([[1, 0, 0], [1, 1, 0]])
    >>> halves, none = np.array([[0.5, 0.5]]), np.empty((0, 2))
    >>> most_matching_of_three([halves, halves, none], sets, max_lost_mass=0.0)
    (1.75, 0.0)
    """
    steps = sets[:, :2] - sets[:, 2:] + 1  # -1, 0, 1 become 0, 1, 2
    columns: list[VectorLaw] = []
    for own in masses:
        column = _difference_law(own, steps, max_lost_mass=max_lost_mass / 6)
        if column is None:
            return None
        columns.append(column)
    sizes = sorted(len(column.masses) for column in columns)
    if sizes[0] * sizes[1] > _MOST_MERGES:
        return None
    law = largest_of_columns(columns, 3, max_lost_mass=max_lost_mass / 2)
    n_objects = sum(map(len, masses))
    third = sum(float((own @ sets[:, 2]).sum()) for own in masses)
    share = float(law.probabilities.sum())
    mean = float((law.totals - n_objects) @ law.probabilities) / share + third
    return mean, law.lost_mass


def _difference_law(masses: Floats, steps: Ints, *, max_lost_mass: float) -> VectorLaw | None:
    """Law of the differences of one class, plus its size; None if the law is too large."""
    n_objects = len(masses)
    if n_objects == 0:
        return VectorLaw(np.zeros((1, 3), dtype=np.int64), np.ones(1), 0.0)
    means = masses @ steps
    variances = np.maximum((masses @ steps**2 - means**2).sum(axis=0), 0.0)
    # Twelve standard deviations below and above the mean hold all but 1e-30 of a normal law.
    widths = np.minimum(2 * n_objects + 1, 24 * np.sqrt(variances) + 24)
    if widths.prod() > _MOST_STATES:
        return None
    found = law_of_steps(masses, steps, max_lost_mass=max_lost_mass)
    at = np.nonzero(found.law)
    probabilities = found.law[at]
    values = np.full((len(probabilities), 3), n_objects, dtype=np.int64)
    values[:, :2] = np.stack(at, axis=1) + found.origin
    order = np.argsort(-probabilities, kind="stable")
    return VectorLaw(values[order], probabilities[order], found.lost_mass)
