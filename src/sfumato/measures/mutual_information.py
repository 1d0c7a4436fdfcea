"""Mutual information."""

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from sfumato._typing import Values
from sfumato.algorithms.tables import entropy as entropies
from sfumato.families import Affine, Family, Separable
from sfumato.measures.base import CellMeasure, ShapeBounded
from sfumato.measures.contingency import Contingency

__all__ = ["MutualInformation"]


@final
@dataclass(frozen=True, slots=True)
class MutualInformation(CellMeasure, ShapeBounded):
    r"""What knowing an object's cluster in one clustering tells about the other, in nats.

    .. math:: \sum_{ij} \frac{N_{ij}}{n} \log \frac{n N_{ij}}{R_i C_j}

    Notes
    -----
    O(k1 k2) per table. A clustering against itself scores its entropy, not 1. At most the
    logarithm of the smaller number of clusters. Defined in :cite:`vinh2010information`.

    Examples
    --------
    >>> import numpy as np
    >>> MutualInformation().of_tables(np.array([[[1, 1], [1, 1]], [[2, 0], [0, 2]]])).round(6)
    array([0.      , 0.693147])
    """

    name = "mutual_information"
    better = "higher"
    bounds = (0.0, math.inf)
    symmetric = True
    is_metric = False
    formula = "sum N/n log(n N / (R C))"
    cost = "O(k1 k2)"
    reference = "vinh2010information"

    def of_contingency(self, contingency: Contingency) -> Values:
        """Values of a batch of tables given by cells and margins."""
        value = entropies.mutual_information(
            contingency.cells,
            contingency.cell_rows,
            contingency.cell_columns,
            contingency.n_objects,
        )
        n_rows = np.count_nonzero(contingency.rows, axis=-1)
        n_columns = np.count_nonzero(contingency.columns, axis=-1)
        # Rounding must not carry a value past its bound.
        return np.asarray(np.minimum(value, np.log(np.minimum(n_rows, n_columns))))

    def bounds_for(self, n_objects: int, n_rows: int, n_columns: int) -> tuple[float, float]:
        """Bounds over all tables of that shape and number of objects."""
        return 0.0, float(np.log(min(n_objects, n_rows, n_columns)))

    def family(self, n_objects: int) -> Family | None:
        """Affine in the sums of x log x."""
        n = n_objects
        if n <= 1:
            return None
        return Separable("xlogx", Affine(math.log(n), -1 / n, -1 / n, 1 / n))
