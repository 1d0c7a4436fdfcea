"""Normalised mutual information."""

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias, final, get_args

import numpy as np

from sfumato._typing import Floats, Ints, Values
from sfumato.algorithms.tables.entropy import entropy
from sfumato.algorithms.tables.pair_counts import divide
from sfumato.families import Affine, Family, Ratio
from sfumato.measures.base import AffineInCells, CellMeasure
from sfumato.measures.contingency import Contingency
from sfumato.measures.mutual_information import MutualInformation
from sfumato.measures.options import check_choice

__all__ = ["AVERAGES", "Average", "NormalizedMutualInformation", "average_entropy"]

Average: TypeAlias = Literal["arithmetic", "geometric", "min", "max"]
AVERAGES: tuple[str, ...] = get_args(Average)


def average_entropy(first: Values, second: Values, average: Average) -> Values:
    """Average two entropies, elementwise."""
    match average:
        case "arithmetic":
            return np.asarray((first + second) / 2)
        case "geometric":
            return np.asarray(np.sqrt(first * second))
        case "min":
            return np.asarray(np.minimum(first, second))
        case "max":
            return np.asarray(np.maximum(first, second))


@final
@dataclass(frozen=True, slots=True)
class NormalizedMutualInformation(CellMeasure, AffineInCells):
    r"""Mutual information as a share of the average entropy of the two clusterings.

    .. math:: \frac{I(R, C)}{\operatorname{avg}(H(R), H(C))}

    Parameters
    ----------
    average : {"arithmetic", "geometric", "min", "max"}
        Average of the two entropies. With "min" two different clusterings can score 1: one that
        splits the other does. With "max" the complement is a metric.

    Notes
    -----
    O(k1 k2) per table. 1 when both clusterings have one cluster, 0 when only one has.
    Defined in :cite:`strehl2002cluster`; compared in :cite:`vinh2010information`.

    Examples
    --------
    >>> import numpy as np
    >>> NormalizedMutualInformation().of_tables(np.array([[0, 3], [2, 0]]))
    array(1.)
    """

    average: Average = "arithmetic"

    name = "normalized_mutual_information"
    better = "higher"
    bounds = (0.0, 1.0)
    symmetric = True
    is_metric = False
    formula = "mutual information / average entropy"
    cost = "O(k1 k2)"
    reference = "strehl2002cluster"
    psi = "xlogx"

    def __post_init__(self) -> None:
        check_choice("NormalizedMutualInformation(average=...)", self.average, AVERAGES)

    def of_contingency(self, contingency: Contingency) -> Values:
        """Values of a batch of tables given by cells and margins."""
        n = contingency.n_objects
        mutual = MutualInformation().of_contingency(contingency)
        normalizer = average_entropy(
            entropy(contingency.rows, n), entropy(contingency.columns, n), self.average
        )
        share = np.minimum(divide(mutual, normalizer, at_zero=0.0), 1.0)
        return np.where(contingency.is_equivalence, 1.0, share)

    def family(self, n_objects: int) -> Family | None:
        """Ratio of two functions affine in the sums of x log x, for the arithmetic mean."""
        n = n_objects
        if n <= 1 or self.average != "arithmetic":
            return None
        mutual = Affine(math.log(n), -1 / n, -1 / n, 1 / n)
        mean_entropy = Affine(math.log(n), rows=-0.5 / n, columns=-0.5 / n)
        return Ratio("xlogx", lambda _: (mutual, mean_entropy))

    def coefficients(self, rows: Ints, columns: Ints) -> tuple[Floats, Floats]:
        """Offset and slope in the sum of x log x over the cells, for given margins."""
        n = np.asarray(columns.sum())
        first, second = entropy(rows, np.broadcast_to(n, len(rows))), entropy(columns, n)
        normalizer = average_entropy(first, second, self.average)
        slopes = divide(np.full(len(rows), 1 / n), normalizer, at_zero=0.0)
        # One cluster twice is equality; one cluster against several shares no information.
        is_same = (rows.max(axis=-1) == n) & (columns.max() == n)
        return is_same + slopes * n * (first + second - np.log(n)), slopes
