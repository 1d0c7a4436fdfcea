"""Adjusted mutual information."""

import math
from dataclasses import dataclass
from functools import partial
from typing import final

import numpy as np

from sfumato._typing import Bools, Floats, Ints, Values
from sfumato.algorithms.ends.sum_ranges import sum_range
from sfumato.algorithms.tables.entropy import entropy
from sfumato.algorithms.tables.expected_information import (
    expected_information_of_sizes,
    expected_mutual_information,
)
from sfumato.algorithms.tables.likely_sizes import SizeLimits
from sfumato.algorithms.tables.pair_counts import divide
from sfumato.families import Adjusted, Family, Ratio
from sfumato.measures.base import AffineInCells, CellMeasure, SizeBounded
from sfumato.measures.contingency import Contingency
from sfumato.measures.mutual_information import MutualInformation
from sfumato.measures.normalized_mutual_information import (
    AVERAGES,
    Average,
    NormalizedMutualInformation,
    average_entropy,
)
from sfumato.measures.options import check_choice

__all__ = ["AdjustedMutualInformation"]


@final
@dataclass(frozen=True, slots=True)
class AdjustedMutualInformation(CellMeasure, AffineInCells, SizeBounded):
    r"""Mutual information rescaled so that chance scores 0 and equality 1.

    .. math:: \frac{I - E[I]}{\operatorname{avg}(H(R), H(C)) - E[I]}

    where the expectation runs over random clusterings with the same cluster sizes.

    Parameters
    ----------
    average : {"arithmetic", "geometric", "min", "max"}
        Average of the two entropies.

    Notes
    -----
    O(k1 k2 s) per table, s the standard deviation of an overlap of two clusters. No lower bound
    holds for all tables; `bounds_for_sizes` gives one for cluster sizes within limits. Where one
    clustering is a single cluster or all singletons, mutual information is the same for all
    clusterings with these sizes: the value is 1 for equivalent clusterings and otherwise 0. (With
    average="min" and all singletons scikit-learn divides two rounding errors there; otherwise the
    values agree.) Defined in :cite:`vinh2010information`.

    Examples
    --------
    >>> import numpy as np
    >>> round(float(AdjustedMutualInformation().of_tables(np.array([[1, 1], [1, 1]]))), 6)
    -0.5
    """

    average: Average = "arithmetic"

    name = "adjusted_mutual_information"
    better = "higher"
    bounds = (-math.inf, 1.0)
    symmetric = True
    is_metric = False
    formula = "(mutual information - expected) / (average entropy - expected)"
    cost = "O(k1 k2 s), s the standard deviation of an overlap"
    reference = "vinh2010information"
    psi = "xlogx"

    def __post_init__(self) -> None:
        check_choice("AdjustedMutualInformation(average=...)", self.average, AVERAGES)

    def of_contingency(self, contingency: Contingency) -> Values:
        """Values of a batch of tables given by cells and margins."""
        n, rows, columns = contingency.n_objects, contingency.rows, contingency.columns
        mutual = MutualInformation().of_contingency(contingency)
        expected = expected_mutual_information(rows, columns)
        largest = average_entropy(entropy(rows, n), entropy(columns, n), self.average)
        # Mutual information never exceeds an average entropy, so only rounding makes this negative.
        room = np.asarray(np.maximum(largest - expected, 0.0))
        value = np.minimum(divide(np.asarray(mutual - expected), room, at_zero=0.0), 1.0)
        value = np.where(_is_constant(rows, columns, n), 0.0, value)
        return np.where(contingency.is_equivalence, 1.0, value)

    def family(self, n_objects: int) -> Family | None:
        """Normalised mutual information, adjusted for chance."""
        normalized = NormalizedMutualInformation()
        share = normalized.family(n_objects)
        if not isinstance(share, Ratio):
            return None
        average = partial(average_entropy, average=self.average)
        return Adjusted(share, normalized.of_tables, average)

    def bounds_for_sizes(
        self, n_objects: int, rows: SizeLimits, columns: SizeLimits
    ) -> tuple[float, float]:
        r"""Bounds over all tables whose row and column sums keep to the limits.

        For r rows and c columns in use :math:`E[I] \le \log(1 + (r - 1)(c - 1)/(n - 1))`: mutual
        information is at most :math:`\log(1 + \chi^2/n)`, the logarithm is concave, and the mean
        of :math:`\chi^2/n` is the fraction. An entropy is at least the probability that two draws
        differ, so :math:`E[H(R|C)] \ge (1 - \sum_i R_i^2/n^2)(n - c)/(n - 1)`, and likewise with
        rows and columns swapped. The average of these two bounds the denominator from below.
        """
        n = n_objects
        if n < 2:
            return 0.0, 1.0
        # Sizes that leave no choice, one cluster or all singletons, have values of 0 and 1.
        differ_at_least = 2 * (n - 1) / n**2
        used: list[int] = []
        differ: list[float] = []
        for least, most in (rows, columns):
            used.append(min(int((most > 0.0).sum()), n - 1))
            squares = sum_range("square", least, most, n)[1]
            differ.append(max(differ_at_least, 1.0 - squares / n**2))
        given_columns = differ[0] * (n - used[1]) / (n - 1)
        given_rows = differ[1] * (n - used[0]) / (n - 1)
        room = average_entropy(np.asarray(given_columns), np.asarray(given_rows), self.average)
        return -math.log1p((used[0] - 1) * (used[1] - 1) / (n - 1)) / float(room), 1.0

    def coefficients(self, rows: Ints, columns: Ints) -> tuple[Floats, Floats]:
        """Offset and slope in the sum of x log x over the cells, for given margins."""
        n = np.asarray(columns.sum())
        sizes, which = np.unique(rows, return_inverse=True)
        by_size = expected_information_of_sizes(sizes, columns)
        expected = by_size[which.reshape(rows.shape)].sum(axis=-1)
        first, second = entropy(rows, np.broadcast_to(n, len(rows))), entropy(columns, n)
        room = np.maximum(average_entropy(first, second, self.average) - expected, 0.0)
        constant = _is_constant(rows, columns, n)
        slopes = np.where(constant, 0.0, divide(np.full(len(rows), 1 / n), room, at_zero=0.0))
        # Sizes that leave no choice: equivalent if both are one cluster, or both all singletons.
        in_rows, in_columns = rows.max(axis=-1), columns.max()
        is_same = constant & (in_rows == in_columns)
        return is_same + slopes * n * (first + second - np.log(n) - expected), slopes


def _is_constant(rows: Ints, columns: Ints, n_objects: Ints) -> Bools:
    # Cluster sizes that leave mutual information no choice: one cluster, or all singletons.
    in_rows, in_columns = rows.max(axis=-1), columns.max(axis=-1)
    is_one_cluster = np.maximum(in_rows, in_columns) == n_objects
    return np.asarray(is_one_cluster | (np.minimum(in_rows, in_columns) == 1))
